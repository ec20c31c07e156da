-- The outbox table of the preset `debezium`, partitioned by day: old rows go with DROP TABLE, at
-- once and without work for vacuum. The other presets' tables can be partitioned in the same way.
-- Idempotent: psql -f sql/partitioned.sql, in place of outbox_debezium.sql
--
-- `walpost setup` publishes it under its own name (publish_via_partition_root), and that is best:
-- the relay then need not ask what a partition belongs to, and a partition can go while rows of it
-- are still unread. A publication under the names of partitions works too.
CREATE TABLE IF NOT EXISTS public.outbox (
    id            uuid NOT NULL DEFAULT gen_random_uuid(),
    aggregatetype text NOT NULL,
    aggregateid   text,
    type          text,
    payload       jsonb,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);

-- Makes the partition of one day, in UTC, such as public.outbox_20260131; does nothing when it is
-- there. An insert without its partition fails: call this daily, some days ahead.
CREATE OR REPLACE PROCEDURE public.outbox_add_partition(day date)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'CREATE TABLE IF NOT EXISTS public.%I PARTITION OF public.outbox FOR VALUES FROM (%L) TO (%L)',
        'outbox_' || to_char(day, 'YYYYMMDD'),
        day::timestamp AT TIME ZONE 'UTC',
        (day + 1)::timestamp AT TIME ZONE 'UTC');
END
$$;

-- Today, and the days ahead.
DO $$
BEGIN
    FOR ahead IN 0..7 LOOP
        CALL public.outbox_add_partition((now() AT TIME ZONE 'UTC')::date + ahead);
    END LOOP;
END
$$;
