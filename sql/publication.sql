-- The publication that a relay reads. Create it before the slot: what was written before it cannot
-- be decoded with it. `walpost setup` does both in that order.
-- Idempotent: psql -f sql/publication.sql
--
-- For another table than public.outbox, name that one below; for several, all of them.
--
-- Inserts alone: the application's own updates and deletes then cost nothing on the wire, and the
-- table needs no replica identity.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_publication WHERE pubname = 'walpost') THEN
        CREATE PUBLICATION "walpost" FOR TABLE public.outbox WITH (publish = 'insert');
    END IF;
END
$$;
