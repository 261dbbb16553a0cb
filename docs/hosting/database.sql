-- Who uses the database: once, as the user postgres on the primary, before there is a standby (psql -f database.sql), with
-- passwords of your own. So nothing here waits for one.
SET synchronous_commit = local;
CREATE ROLE gral LOGIN PASSWORD 'change this';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD 'and this';
CREATE DATABASE gral OWNER gral ENCODING UTF8 TEMPLATE template0;
