-- The outbox table of the preset `topic`, whose rows name their topic.
-- Idempotent: psql -f sql/outbox_topic.sql
--
-- Write a row in the same transaction as the change that it tells of. Rows have no key, and so no
-- order among partitions, unless the configuration takes one out of the payload
-- (key = "payload:/order_id").
CREATE TABLE IF NOT EXISTS public.outbox (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),  -- becomes the header `id`
    topic        text NOT NULL,                               -- the topic itself
    payload      jsonb,                                       -- value; NULL is a tombstone
    created_at   timestamptz NOT NULL DEFAULT now(),
    processed_at timestamptz                                  -- the application's own; not relayed
);
