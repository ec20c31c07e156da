-- The outbox without a table, for the preset `message`: the event goes straight into the write-ahead
-- log, and there is nothing to clear away. The publication may be without any table, and is created
-- before the slot.
-- Idempotent: psql -f sql/message.sql
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_publication WHERE pubname = 'walpost') THEN
        CREATE PUBLICATION "walpost" WITH (publish = 'insert');
    END IF;
END
$$;

-- In the transaction that the event tells of:
--
--   SELECT pg_logical_emit_message(true, 'walpost', json_build_object(
--       'topic',   'orders',
--       'key',     'order-4711',
--       'headers', json_build_object('eventType', 'OrderPlaced'),
--       'payload', json_build_object('id', 4711))::text);
--
-- Without an `id` of its own the event has the message's LSN, which stays the same when it is sent
-- again.
