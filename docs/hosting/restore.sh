#!/bin/sh
# Goes back to a moment, as the user postgres, with all gral serve and PostgreSQL stopped. The data folder of now is kept
# beside the new one. Start PostgreSQL afterwards: it reads the log up to that moment and goes on from there. Standbys are to
# be made anew.
#   restore.sh '2026-11-18 12:00:00+00'
set -eu
moment=$1
backup=/backup
data=/var/lib/postgresql/15/main
stamp=$(date -u -d "$moment" +%Y%m%dT%H%M%SZ)
base=
for one in "$backup"/base-*Z; do # the last that was finished before it
    [ "$(date -u -d "@$(stat -c %Y "$one/backup_manifest")" +%Y%m%dT%H%M%SZ)" \> "$stamp" ] || base=$one
done
[ -n "$base" ] || { echo "no backup is from before $moment" >&2; exit 1; }
mv "$data" "$data-before-$(date -u +%Y%m%dT%H%M%SZ)"
cp -a "$base" "$data"
rm -f "$data/standby.signal"
cat >>"$data/postgresql.auto.conf" <<END
restore_command = 'cp $backup/wal/%f %p'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
END
touch "$data/recovery.signal"
echo "from $base to $moment: start PostgreSQL"
