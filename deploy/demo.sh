#!/usr/bin/env bash
# Shows the whole job on a fresh Debian 12: installs what is needed, builds walpost, and runs its
# demo on a throw-away PostgreSQL and an embedded Kafka broker. As root or with sudo; without Docker.
#
#   deploy/demo.sh [options of walpost demo]      e.g. --follow, --events 100 --rate 50
#
# Nothing of the system is touched but its packages; the build is in build/demo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '==> %s\n' "$*" >&2; }

say "packages"
deploy/install-deps.sh demo
say "building walpost in build/demo, a minute or two the first time"
log=build/demo.log
mkdir -p build
if ! {
  # As it is shipped, but without what only a debugger reads.
  cmake --preset release -B build/demo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -DNDEBUG" \
    -DWALPOST_WERROR=OFF -DWALPOST_TESTS=OFF -DWALPOST_BENCHMARKS=OFF && cmake --build build/demo --target walpost
} >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  say "the build failed; all of its output is in $log"
  exit 1
fi
say "walpost demo $*"
exec build/demo/src/cli/walpost demo "$@"
