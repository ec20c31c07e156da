-- The outbox table of the preset `efcore`, as Entity Framework names things: in mixed case, with the
-- payload as text.
-- Idempotent: psql -f sql/outbox_efcore.sql
--
-- Write a row in the same transaction as the change that it tells of.
CREATE TABLE IF NOT EXISTS public."OutboxMessages" (
    "Id"          uuid PRIMARY KEY DEFAULT gen_random_uuid(),  -- key, and the header `id`
    "Type"        text NOT NULL,                               -- topic: outbox.event.<Type>; header
    "Payload"     text,                                        -- value; NULL is a tombstone
    "CreatedAt"   timestamptz NOT NULL DEFAULT now(),
    "ProcessedAt" timestamptz                                  -- the application's own; not relayed
);
