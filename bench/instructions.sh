#!/usr/bin/env bash
# Counts the instructions that one event costs between the frame and the producer's queue, with
# callgrind: a figure that does not depend on the machine's mood. Needs valgrind.
#
#   bench/instructions.sh [BUILD_FOLDER [OTHER_BUILD_FOLDER]]     default: build/release
#
# With two folders it prints the ratio of the first to the second, to compare two states.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly less=2000 more=12000

# Instructions of a run over $2 events with the program in $1.
count() {
  local out
  out=$(mktemp)
  valgrind --tool=callgrind --callgrind-out-file="$out" --toggle-collect='*Path::Take*' \
    "$1/bench/bench_path_cost" "$2" >/dev/null 2>&1
  sed -n 's/^summary: //p; s/^totals: //p' "$out" | head -n 1
  rm -f "$out"
}

# The difference of two runs leaves out what happens once.
for_each_event() { awk -v a="$(count "$1" $less)" -v b="$(count "$1" $more)" \
  -v n=$((more - less)) 'BEGIN { printf "%.1f", (b - a) / n }'; }

command -v valgrind >/dev/null || {
  echo "instructions.sh: valgrind is not here; hint: apt-get install valgrind" >&2
  exit 1
}
first=${1:-build/release}
a=$(for_each_event "$first")
echo "$first: $a instructions an event"
if [[ -n ${2:-} ]]; then
  b=$(for_each_event "$2")
  echo "$2: $b instructions an event"
  awk -v a="$a" -v b="$b" 'BEGIN { printf "ratio: %.3f\n", a / b }'
fi
