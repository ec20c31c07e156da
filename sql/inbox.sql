-- The other end: what a consumer keeps so that an event that comes twice takes effect once. A relay
-- repeats events after a crash; their header `id` stays the same.
-- Idempotent: psql -f sql/inbox.sql, in the consumer's own database
CREATE TABLE IF NOT EXISTS public.processed_events (
    consumer     text NOT NULL,         -- the consumer group, or whatever handles an event once
    event_id     text NOT NULL,         -- the header `id`
    processed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
);

-- First statement of the transaction that handles the event:
--
--   INSERT INTO public.processed_events (consumer, event_id) VALUES ($1, $2)
--   ON CONFLICT DO NOTHING;
--
-- One row inserted: go on, and commit it together with what the event causes. None: it was handled
-- before; commit, and commit the offset. Two consumers at once are right too: the second waits for
-- the first, and goes on only if that one rolls back.
--
-- Keep rows for longer than any event may come again: the retention of the topic is safe.
--
--   DELETE FROM public.processed_events WHERE processed_at < now() - interval '14 days';
