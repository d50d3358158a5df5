#!/usr/bin/env bash
# Brings what building and simulating the board's firmware needs; on Debian and Ubuntu it installs what is missing.
# Exit status 1, and one line on stderr, when something is missing and cannot be installed.
set -euo pipefail

missing=()
need() { eval "$1" >/dev/null 2>&1 || missing+=("${@:2}"); }
need "command -v avr-g++" gcc-avr avr-libc binutils-avr
need "test -d /usr/share/arduino/hardware/arduino/avr/cores/arduino" arduino-core-avr
need "test -e /usr/include/simavr/sim_avr.h && ls /usr/lib/*/libsimavrparts.so" simavr libsimavr-dev
need "test -e /usr/include/gelf.h" libelf-dev
need "command -v g++" g++
need "command -v make" make
if [ "${1:-}" = fuzz ]; then need "command -v clang++" clang libclang-rt-dev; fi
[ ${#missing[@]} -eq 0 ] || bash "$(dirname "$0")/debian_packages.sh" "building the firmware" "${missing[@]}"
