#!/usr/bin/env bash
# The whole relay beside the floor (bench/floor.cc), in the same run on the same servers.
#
#   bench/run.sh [--rows N] [--pad BYTES] [--per-transaction N] [--partitions N] [--rounds N]
#                [--rates "50 500 2000"] [--seconds N] [--only drain|latency] [--flags "..."]
#
# Drain: a slot for each contender and round, then one backlog; in each round the floor and walpost
# drain it into topics of their own, one after the other and first in turn, after a drain that only
# warms the servers up. The last line is the ratio of the medians. Latency: from the end of a commit to a
# consumer, at several rates. The load and the consumer run on the same machine, for both alike.
# --flags are given to `walpost run`. Prints tables; exits with 1 when a row was lost.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rows=1000000 pad=200 per_transaction=500 partitions=1 rounds=3 rates="50 500 2000" seconds=10
only="" flags=""
while [[ $# -gt 0 ]]; do
  case $1 in
    --rows | --pad | --per-transaction | --partitions | --rounds | --rates | --seconds | --only | --flags)
      name=${1#--}
      printf -v "${name//-/_}" '%s' "${2:?value of $1}"
      shift 2
      ;;
    *)
      sed -n '2,12p' "${BASH_SOURCE[0]}"
      exit 2
      ;;
  esac
done

build=${BUILD_DIR:-build/release}
walpost=${WALPOST_BINARY:-$build/src/cli/walpost}
work=$(mktemp -d "${TMPDIR:-/tmp}/walpost-bench.XXXXXX")
chmod 755 "$work"
failures=0
relay_pid=""

say() { printf '==> %s\n' "$*" >&2; }

end_relay() {
  [[ -z $relay_pid ]] || kill -KILL "$relay_pid" 2>/dev/null || true
  [[ -z $relay_pid ]] || wait "$relay_pid" 2>/dev/null || true
  relay_pid=""
}

clean_up() {
  end_relay
  PG_DIR=$work/pg tests/support/pg.sh destroy || true
  KAFKA_DIR=$work/kafka tests/support/kafka.sh destroy || true
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

port_answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
free_port() { # of two neighbours
  local port
  while port=$((20000 + RANDOM % 12000)); do
    port_answers "$port" || port_answers $((port + 1)) || { echo "$port"; return; }
  done
}

start_servers() {
  say "starting PostgreSQL and Kafka"
  export PG_DIR=$work/pg PG_CONF="max_wal_size = 8GB" PG_PORT
  PG_PORT=$(free_port)
  conninfo=$(tests/support/pg.sh start)
  export KAFKA_DIR=$work/kafka KAFKA_PORT
  KAFKA_PORT=$(free_port)
  brokers=$(tests/support/kafka.sh start)
  sql "CREATE TABLE outbox(id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregatetype text NOT NULL,
         aggregateid text, type text, payload jsonb);
       CREATE PUBLICATION bench FOR TABLE outbox WITH (publish = 'insert');" >/dev/null
}

sql() { "$(tests/support/pg.sh bin)/psql" -X -q -A -t -v ON_ERROR_STOP=1 "$conninfo" -c "$1"; }
make_slot() { sql "SELECT pg_create_logical_replication_slot('$1', 'pgoutput')" >/dev/null; }
drop_slot() {
  local i
  for i in $(seq 50); do
    sql "SELECT pg_drop_replication_slot('$1')" >/dev/null 2>&1 && return
    sleep 0.1
  done
  return "$((i > 0))"
}
make_topic() {
  tests/support/kafka.sh tool org.apache.kafka.tools.TopicCommand --bootstrap-server "$brokers" \
    --create --topic "$1" --partitions "$partitions" --replication-factor 1 >/dev/null
}

start_relay() { # contender, slot, topic
  local log=$work/$1.log
  if [[ $1 == floor ]]; then
    "$build/bench/bench_floor" "$conninfo" "$2" bench "$brokers" "$3" 2>"$log" &
  else
    # shellcheck disable=SC2086
    "$walpost" run --conninfo "$conninfo" --slot "$2" --publication bench --brokers "$brokers" \
      --topic "$3" $flags 2>"$log" &
  fi
  relay_pid=$!
  echo "$relay_pid" >"$work/relay.pid"
}

e2e() { "$build/bench/bench_e2e" "$@"; }
value() { sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" <<<"$2"; } # name, line

drain_one() { # contender, round
  local name=$1_$2 line checked consumer
  make_topic "$name"
  : >"$work/ready"
  e2e drain "$brokers" "$name" "$rows" 600 "$work/relay.pid" >"$work/drain.out" 2>"$work/ready" &
  consumer=$!
  until grep -q ready "$work/ready"; do sleep 0.05; done
  start_relay "$1" "$name" "$name"
  # A relay that has ended drains nothing more.
  while kill -0 "$consumer" 2>/dev/null; do
    kill -0 "$relay_pid" 2>/dev/null || kill "$consumer" 2>/dev/null || true
    sleep 0.2
  done
  wait "$consumer" || failures=$((failures + 1))
  end_relay
  line=$(cat "$work/drain.out")
  checked=$(e2e check "$brokers" "$name" "$rows" 120) || failures=$((failures + 1))
  drop_slot "$name"
  printf '%s %s %s\n' "$1" "$line" "$checked" >>"$work/drain.all"
  printf '%-8s %5s %12s %10s %14s %10s %6s %9s\n' "$1" "$2" "$(value rate "$line")" \
    "$(value cpu_seconds "$line")" "$(value cpu_us_per_event "$line")" "$(value peak_mib "$line")" \
    "$(value lost "$checked")" "$(value repeated "$checked")"
}

median() { # contender, name, file
  grep "^$1 " "$3" | sed -n "s/.*\b$2=\([^ ]*\).*/\1/p" | sort -g |
    awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }'; }

drain() {
  local round contender order=(floor walpost)
  make_slot floor_0
  for round in $(seq "$rounds"); do
    for contender in floor walpost; do make_slot "${contender}_$round"; done
  done
  say "writing $rows rows with a pad of $pad bytes, $per_transaction rows a transaction"
  e2e fill "$conninfo" "$rows" "$per_transaction" "$pad" >&2
  say "draining them, $partitions partition(s)"
  drain_one floor 0 >/dev/null
  rm "$work/drain.all"
  printf '%-8s %5s %12s %10s %14s %10s %6s %9s\n' drain round events/s "CPU s" "CPU us/event" \
    "peak MiB" lost repeated
  for round in $(seq "$rounds"); do
    for contender in "${order[@]}"; do drain_one "$contender" "$round"; done
    order=("${order[1]}" "${order[0]}")
  done
  local name figures=()
  for name in rate cpu_seconds cpu_us_per_event peak_mib; do
    figures+=("$(ratio "$(median walpost $name "$work/drain.all")" "$(median floor $name "$work/drain.all")")")
  done
  printf '%-14s %12s %10s %14s %10s\n' "walpost/floor" "${figures[@]}"
}

latency_one() { # contender, rate
  local name=$1_at_$2 line
  make_topic "$name"
  make_slot "$name"
  start_relay "$1" "$name" "$name"
  line=$(e2e latency "$conninfo" "$brokers" "$name" "$2" "$seconds") || failures=$((failures + 1))
  end_relay
  drop_slot "$name"
  printf '%s %s\n' "$name" "$line" >>"$work/latency.all"
  printf '%-8s %6s %9s %9s %9s %8s\n' "$1" "$2" "$(value p50_ms "$line")" \
    "$(value p99_ms "$line")" "$(value max_ms "$line")" "$(value missing "$line")"
}

latency() {
  local rate contender
  say "latency, $seconds s at each rate"
  printf '%-8s %6s %9s %9s %9s %8s\n' latency rows/s "p50 ms" "p99 ms" "max ms" missing
  for rate in $rates; do
    for contender in floor walpost; do latency_one $contender "$rate"; done
    printf '%-15s %9s %9s\n' "walpost/floor" \
      "$(ratio "$(median "walpost_at_$rate" p50_ms "$work/latency.all")" "$(median "floor_at_$rate" p50_ms "$work/latency.all")")" \
      "$(ratio "$(median "walpost_at_$rate" p99_ms "$work/latency.all")" "$(median "floor_at_$rate" p99_ms "$work/latency.all")")"
  done
}

if [[ -z ${BUILD_DIR:-} ]]; then
  say "building"
  cmake --preset release >/dev/null
  cmake --build build/release --target walpost bench_e2e bench_floor >/dev/null
fi
start_servers
[[ $only == latency ]] || drain
[[ $only == drain ]] || latency
if [[ $failures -gt 0 ]]; then
  echo "$failures run(s) lost rows or delivered them out of order; the relay's log:"
  tail -n 20 "$work"/*.log
  exit 1
fi
