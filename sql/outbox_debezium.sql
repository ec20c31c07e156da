-- The outbox table of the preset `debezium`, as Debezium's Outbox Event Router has it by default.
-- Idempotent: psql -f sql/outbox_debezium.sql
--
-- Write a row in the same transaction as the change that it tells of. The row may be deleted at
-- once, even in that transaction: what is relayed is the INSERT in the write-ahead log.
CREATE TABLE IF NOT EXISTS public.outbox (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),  -- becomes the header `id`
    aggregatetype text NOT NULL,                               -- topic: outbox.event.<aggregatetype>
    aggregateid   text,                                        -- key: one aggregate keeps its order
    type          text,                                        -- what happened
    payload       jsonb                                        -- value; NULL is a tombstone
);
