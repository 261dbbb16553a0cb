#!/bin/sh
# Makes this host a standby of the primary, as the user postgres, with PostgreSQL stopped and an empty data folder; the
# password of `replicator` is in ~/.pgpass. It has a slot, so the primary keeps what it has not got yet.
#   standby.sh NAME PRIMARY      standby.sh db2 db1.internal
set -eu
name=$1 primary=$2
data=/var/lib/postgresql/15/main
pg_basebackup --pgdata "$data" --wal-method stream --checkpoint fast --create-slot --slot "$name" --write-recovery-conf \
    --dbname "host=$primary port=5432 user=replicator application_name=$name sslmode=verify-full sslrootcert=/etc/gral-db-ca.pem"
