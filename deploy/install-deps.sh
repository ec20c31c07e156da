#!/usr/bin/env bash
# Installs from Debian 12's packages what walpost needs, and only what is missing.
#
#   install-deps.sh build   to build walpost
#   install-deps.sh demo    to build it and to run `walpost demo`: a PostgreSQL server as well
#   install-deps.sh test    to run tests/run.sh: test libraries, clang, Java and Maven as well
#
# As root or through sudo. Touches no database cluster and no port: a PostgreSQL server that it
# installs is not started.
set -euo pipefail

build=(g++ cmake ninja-build pkg-config ca-certificates libpq-dev librdkafka-dev libabsl-dev
  rapidjson-dev libcli11-dev libtomlplusplus-dev libspdlog-dev prometheus-cpp-dev libcivetweb-dev
  libcurl4-openssl-dev libpcre2-dev)
demo=(postgresql-15)
test=(postgresql-15 libgtest-dev libgmock-dev libbenchmark-dev clang-14 libclang-rt-14-dev
  clang-format-14 procps)

say() { printf 'install-deps: %s\n' "$*" >&2; }

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "root is needed to install packages; hint: run this as root, or install sudo"
    return 1
  fi
}

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# Whether some Java of at least 17 is there, Debian's or not.
has_java() {
  local major
  major=$(java -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1) || return 1
  [[ -n $major && $major -ge 17 ]]
}

# Debian's server package makes a cluster and starts it; this keeps it from that.
no_cluster() {
  local folder=/etc/postgresql-common/createcluster.d
  installed postgresql-15 && return
  as_root mkdir -p $folder
  [[ -e $folder/walpost.conf ]] ||
    echo "create_main_cluster = false" | as_root tee $folder/walpost.conf >/dev/null
}

wanted=()
case ${1:-} in
  build) wanted=("${build[@]}") ;;
  demo) wanted=("${build[@]}" "${demo[@]}") ;;
  test)
    wanted=("${build[@]}" "${test[@]}")
    has_java || wanted+=(openjdk-17-jre-headless)
    command -v mvn >/dev/null || wanted+=(maven)
    ;;
  *)
    sed -n '2,9p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac

missing=()
for package in "${wanted[@]}"; do
  installed "$package" || missing+=("$package")
done
if [[ ${#missing[@]} == 0 ]]; then
  say "all ${#wanted[@]} packages are there"
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  say "no apt-get here; hint: on other systems install the like of: ${missing[*]}"
  exit 1
fi
say "installing ${#missing[@]} packages: ${missing[*]}"
[[ " ${missing[*]} " != *" postgresql-15 "* ]] || no_cluster
apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o Dpkg::Use-Pty=0)
# Package lists of a fresh machine or image are empty or old.
as_root "${apt[@]}" update >/dev/null
as_root "${apt[@]}" install --no-install-recommends "${missing[@]}" >/dev/null
say "done"
