#!/usr/bin/env bash
# Brings what building and simulating the board's firmware needs; on Debian and Ubuntu it installs what is missing.
# Exit status 1, and one line on stderr, when something is missing and cannot be installed.
set -euo pipefail

say() { printf 'krupier: %s\n' "$*" >&2; }

missing=()
need() { eval "$1" >/dev/null 2>&1 || missing+=("${@:2}"); }
need "command -v avr-g++" gcc-avr avr-libc binutils-avr
need "test -d /usr/share/arduino/hardware/arduino/avr/cores/arduino" arduino-core-avr
need "test -e /usr/include/simavr/sim_avr.h && ls /usr/lib/*/libsimavrparts.so" simavr libsimavr-dev
need "test -e /usr/include/gelf.h" libelf-dev
need "command -v g++" g++
need "command -v make" make
if [ "${1:-}" = fuzz ]; then need "command -v clang++" clang libclang-rt-dev; fi
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    say "building the firmware needs ${missing[*]}; install them with your system's package manager"
    exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || { say "missing: run  sudo apt-get install ${missing[*]}"; exit 1; }
    as_root=(sudo -n)
fi
say "installing ${missing[*]} with apt-get"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
