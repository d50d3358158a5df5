#!/usr/bin/env bash
# Installs Debian packages: debian_packages.sh WHY PACKAGE...   Exit status 1, and one line on stderr, where it cannot.
set -euo pipefail
why=$1; shift
say() { printf 'krupier: %s\n' "$*" >&2; }
if ! command -v apt-get >/dev/null; then
    say "$why needs $*; install them with your system's package manager"
    exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || { say "$why needs more; run: sudo apt-get install $*"; exit 1; }
    as_root=(sudo -n)
fi
say "installing $* with apt-get"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
