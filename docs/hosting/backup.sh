#!/bin/sh
# A base backup, as the user postgres, e.g. once a night on the standby or the primary. With the log that archive_command
# keeps it leads to any moment since. Backups older than two weeks go, and the log from before the oldest.
set -eu
backup=/backup
new=$backup/base-$(date -u +%Y%m%dT%H%M%SZ)
pg_basebackup --pgdata "$new.part" --wal-method stream --checkpoint fast
pg_verifybackup --quiet "$new.part"
mv "$new.part" "$new"
find "$backup" -maxdepth 1 -name 'base-*' -mtime +14 -exec rm -r {} +
oldest=$(find "$backup" -maxdepth 1 -name 'base-*Z' | sort | head -n 1)
first=$(sed -n 's/^START WAL LOCATION: .*(file \(.*\))$/\1/p' "$oldest/backup_label")
pg_archivecleanup "$backup/wal" "$first"
