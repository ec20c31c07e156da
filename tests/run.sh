#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests.
#
#   tests/run.sh [unit|integration|sanitize|fuzz|all]      (default all)
#
#   unit          release build, tests of each module with fakes
#   integration   release build, the program against PostgreSQL 15 and Apache Kafka
#   sanitize      the unit tests under address/undefined and under thread sanitizers
#   fuzz          the fuzz targets, each for a fixed number of inputs
#   all           all of these, and the formatting of the sources
#
# Ends with one line, `N passed, N failed` and what was skipped, as the test runners counted; exits
# with 1 when something failed or nothing ran. Logs and results stay in build/test-logs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

what=${1:-all}
logs=$PWD/build/test-logs
jobs=$(nproc)
passed=0 failed=0 skipped=0

say() { printf '==> %s\n' "$*"; }

# Runs a step with its output in a log; shows the end of the log when it fails.
step() { # name, command...
  local name=$1 start=$SECONDS
  shift
  say "$name"
  if "$@" >"$logs/${name// /-}.log" 2>&1; then
    say "$name: ok, $((SECONDS - start)) s"
    return 0
  fi
  say "$name: FAILED after $((SECONDS - start)) s; the end of $logs/${name// /-}.log:"
  tail -n 60 "$logs/${name// /-}.log"
  return 1
}

# A step that counts as one test when it fails: without it tests are missing.
must() {
  step "$@" || { failed=$((failed + 1)); return 1; }
}

build() { # preset, target...
  local preset=$1
  shift
  must "configure $preset" cmake --preset "$preset" &&
    must "build $preset" cmake --build "build/$preset" -j "$jobs" --target "$@"
}

# Counts of one gtest report, in XML: tests, failures, skipped.
gtest_counts() { # file
  awk '
    /<testcase / { if ($0 ~ /result="skipped"/) skipped++; if ($0 !~ /status="notrun"/) tests++ }
    /<testsuites / { match($0, /failures="[0-9]+"/); failures = substr($0, RSTART + 10, RLENGTH - 11) }
    END { print tests + 0, failures + 0, skipped + 0 }' "$1"
}

# Adds up what a run of ctest counted. A test program that left no report, or failed without a
# failed test in its report (it crashed, a sanitizer ended it), counts as one.
count() { # folder of reports, ctest's JUnit file
  local name status report tests failures skips
  while read -r name status; do
    report=$1/${name##*.}_test.xml
    tests=1 failures=0 skips=0
    [[ ! -f $report ]] || read -r tests failures skips < <(gtest_counts "$report")
    [[ $status == run || $failures -gt 0 ]] || failures=1
    [[ $tests -ge $((failures + skips)) ]] || tests=$((failures + skips))
    passed=$((passed + tests - failures - skips))
    failed=$((failed + failures))
    skipped=$((skipped + skips))
  done < <(sed -n 's/.*<testcase name="\([^"]*\)".* status="\([a-z]*\)".*/\1 \2/p' "$2")
}

# Runs the tests of one label in one build and counts them.
run_tests() { # preset, label
  local preset=$1 label=$2 name="$2 tests $1" start=$SECONDS
  local reports=$logs/$preset-$label
  rm -rf "$reports"
  mkdir -p "$reports"
  say "$name"
  local result=ok
  # Integration tests share the machine's servers, so they run one after the other.
  local parallel=$jobs
  [[ $label != integration ]] || parallel=1
  GTEST_OUTPUT="xml:$reports/" ctest --test-dir "build/$preset" -L "^$label\$" -j "$parallel" \
    --output-on-failure --no-tests=error --output-junit "$reports/ctest.junit" \
    >"$logs/${name// /-}.log" 2>&1 || result=FAILED
  if [[ $result == FAILED ]]; then
    grep -E '^\[  (FAILED|SKIPPED)|Failure$|\*\*\*|No tests' "$logs/${name// /-}.log" | head -n 60 || true
    tail -n 30 "$logs/${name// /-}.log"
  fi
  local failed_before=$failed
  [[ ! -f $reports/ctest.junit ]] || count "$reports" "$reports/ctest.junit"
  [[ $result == ok || $failed -gt $failed_before ]] || failed=$((failed + 1))
  say "$name: $result, $((SECONDS - start)) s"
}

check_format() {
  find src include tests bench \( -name '*.cc' -o -name '*.h' \) -print0 |
    xargs -0 clang-format-14 --dry-run -Werror
}

run_unit() { ! build release unit_tests || run_tests release unit; }
run_integration() { ! build release walpost integration_test || run_tests release integration; }

run_sanitize() {
  local preset
  for preset in asan tsan; do
    ! build $preset unit_tests || run_tests $preset unit
  done
}

run_fuzz() { ! build fuzz fuzz_targets || run_tests fuzz fuzz; }

mkdir -p "$logs"
if [[ -f tests/support/tsan.supp ]]; then
  export TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp ${TSAN_OPTIONS:-}"
fi
export UBSAN_OPTIONS="print_stacktrace=1 ${UBSAN_OPTIONS:-}"
start=$SECONDS

case $what in
  unit | integration | sanitize | fuzz | all) ;;
  *)
    sed -n '2,13p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
say "packages"
deploy/install-deps.sh test
case $what in
  all)
    must "formatting" check_format || true
    # The whole release build, benchmarks included, so that nothing rots.
    build release all || true
    run_unit
    run_integration
    run_sanitize
    run_fuzz
    ;;
  *) "run_$what" ;;
esac

say "$((SECONDS - start)) s in all; logs in $logs"
if [[ $skipped -gt 0 ]]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[[ $failed == 0 && $passed -gt 0 ]]
