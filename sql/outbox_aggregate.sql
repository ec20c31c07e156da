-- The outbox table of the preset `aggregate`, with names in snake case.
-- Idempotent: psql -f sql/outbox_aggregate.sql
--
-- Write a row in the same transaction as the change that it tells of. What is relayed is the INSERT
-- in the write-ahead log, so the row may be deleted at any time. An index on created_at pays only
-- where old rows are kept and cleared away by age; every insert would have to keep it up.
CREATE TABLE IF NOT EXISTS public.outbox (
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),  -- becomes the header `id`
    aggregate_type text NOT NULL,                               -- topic: outbox.event.<aggregate_type>
    aggregate_id   text,                                        -- key: one aggregate keeps its order
    event_type     text,                                        -- becomes the header `eventType`
    payload        jsonb,                                       -- value; NULL is a tombstone
    created_at     timestamptz NOT NULL DEFAULT now(),
    published_at   timestamptz                                  -- the application's own; not relayed
);
