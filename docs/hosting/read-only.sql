-- A role of PostgreSQL that may read a relay's orders and changes and nothing else, for reports and
-- for programs of others. Run it as the user that made the tables, in the relay's database:
--
--   psql "postgres://dex@db.example:5432/relay" -v role=relay_reader -f read-only.sql
--
-- Then give the role a password: \password relay_reader
\set ON_ERROR_STOP on
BEGIN;
CREATE ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION CONNECTION LIMIT 10;
ALTER ROLE :"role" SET default_transaction_read_only = on;
-- A long report must not hold up what deletes old changes.
ALTER ROLE :"role" SET statement_timeout = '60s';
ALTER ROLE :"role" SET idle_in_transaction_session_timeout = '60s';
GRANT USAGE ON SCHEMA dex_relay TO :"role";
GRANT SELECT ON ALL TABLES IN SCHEMA dex_relay TO :"role";
-- Also the tables that a later version of the relay adds.
ALTER DEFAULT PRIVILEGES IN SCHEMA dex_relay GRANT SELECT ON TABLES TO :"role";
COMMIT;
