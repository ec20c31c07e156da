#!/usr/bin/env bash
# A real Apache Kafka broker of one node (KRaft) on Java 17; its jars come through Maven.
#
#   kafka.sh install     fetches the jars into the cache; every other command does that too
#   kafka.sh start       formats the storage on first use, starts, waits until it answers
#   kafka.sh stop        clean stop
#   kafka.sh kill        the broker's process is killed
#   kafka.sh destroy     kills it and removes its folder; the cache stays
#   kafka.sh tool CLASS ARGS...   runs another main class of the class path
#
# Environment
#   KAFKA_DIR    data, logs and process id (default ${TMPDIR:-/tmp}/walpost-kafka)
#   KAFKA_PORT   port on 127.0.0.1; the controller takes the next one (default 19092)
#   KAFKA_CONF   lines for server.properties
#   KAFKA_HEAP   options of the JVM (default -Xms256m -Xmx512m)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=${KAFKA_DIR:-${TMPDIR:-/tmp}/walpost-kafka}
port=${KAFKA_PORT:-19092}
heap=${KAFKA_HEAP:--Xms256m -Xmx512m}
release=$(sed -n 's:.*<kafka.version>\(.*\)</kafka.version>.*:\1:p' "$here/kafka-pom.xml")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/walpost
libs=$cache/kafka-$release
pid_file=$dir/broker.pid

install() {
  [[ -d $libs ]] && return
  mkdir -p "$cache"
  # Filled beside its place and then renamed, so that an interrupted run leaves no half.
  local fresh
  fresh=$(mktemp -d "$cache/kafka.XXXXXX")
  cp "$here/kafka-pom.xml" "$fresh/pom.xml"
  mvn -q -B -f "$fresh/pom.xml" dependency:copy-dependencies -DoutputDirectory="$fresh/libs" >&2
  mv -T "$fresh/libs" "$libs" 2>/dev/null || [[ -d $libs ]]
  rm -rf "$fresh"
}

run_java() { # jvm options in one word, then class and arguments
  local options=$1
  shift
  # shellcheck disable=SC2086
  exec java $options -XX:+UseG1GC -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "$libs/*" "$@"
}

running() { [[ -f $pid_file ]] && kill -0 "$(cat "$pid_file")" 2>/dev/null; }
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

write_properties() {
  cat >"$dir/server.properties" <<END
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$((port + 1))
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$((port + 1))
advertised.listeners=PLAINTEXT://127.0.0.1:$port
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=$dir/data
num.partitions=3
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
# After a kill the node waits for its former self to be declared gone.
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
END
  [[ -z ${KAFKA_CONF:-} ]] || printf '%s\n' "$KAFKA_CONF" >>"$dir/server.properties"
}

format_storage() {
  (run_java -Xmx256m kafka.tools.StorageTool format --ignore-formatted \
    -t MkU3OEVBNTcwNTJENDM2Qg -c "$dir/server.properties") >"$dir/format.log" 2>&1 ||
    { cat "$dir/format.log" >&2; return 1; }
}

start() {
  mkdir -p "$dir"
  if running; then
    echo "127.0.0.1:$port"
    return
  fi
  write_properties
  [[ -f $dir/data/meta.properties ]] || format_storage
  (
    cd "$dir"
    run_java "$heap" kafka.Kafka "$dir/server.properties"
  ) >>"$dir/broker.log" 2>&1 </dev/null &
  echo $! >"$pid_file"
  for _ in $(seq 600); do
    if answers; then
      echo "127.0.0.1:$port"
      return
    fi
    running || { tail -n 30 "$dir/broker.log" >&2; echo "the broker ended at its start" >&2; return 1; }
    sleep 0.1
  done
  echo "the broker did not answer within 60 s; hint: see $dir/broker.log" >&2
  return 1
}

end() { # signal
  running || { rm -f "$pid_file"; return 0; }
  local pid
  pid=$(cat "$pid_file")
  kill "-$1" "$pid"
  for _ in $(seq 300); do
    kill -0 "$pid" 2>/dev/null || { rm -f "$pid_file"; return 0; }
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
  rm -f "$pid_file"
}

command=${1:-}
shift || true
case $command in
  install) install ;;
  start) install; start ;;
  stop) end TERM ;;
  kill) end KILL ;;
  destroy) end KILL; rm -rf "$dir" ;;
  tool) install; run_java -Xmx512m "$@" ;;
  *)
    sed -n '2,16p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
