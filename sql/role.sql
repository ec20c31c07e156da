-- A role with no more than a relay needs: it may log in and stream. It needs no privilege on any
-- table; only what is published is sent to it.
-- Idempotent: psql -f sql/role.sql, then set its password with \password walpost
--
-- On Amazon RDS and Aurora: GRANT rds_replication TO walpost instead of REPLICATION.
-- pg_hba.conf needs a line for this role and the database's name (not the word `replication`):
--     hostssl  shop  walpost  10.0.0.0/8  scram-sha-256
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'walpost') THEN
        CREATE ROLE walpost LOGIN REPLICATION;
    ELSE
        ALTER ROLE walpost LOGIN REPLICATION;
    END IF;
END
$$;
