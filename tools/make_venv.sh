#!/usr/bin/env bash
# Make the virtual environment; on Debian and Ubuntu also bring what python3 -m venv needs.
set -euo pipefail
venv=$1
python=${PYTHON:-python3}

say() { printf 'krupier: %s\n' "$*" >&2; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    say "Python 3.11 or newer is needed; $python is $("$python" --version 2>&1). Set PYTHON=/path/to/python3.11."
    exit 2
}
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    say "python3-venv is missing; installing it with apt-get"
    as_root apt-get update -qq
    as_root apt-get install -y -qq python3-venv
fi
say "setting up $venv (about a minute the first time)"
"$python" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
if ! "$venv/bin/python" -c 'import cv2' 2>/dev/null; then
    say "OpenCV needs libGL; installing libgl1 and libglib2.0-0 with apt-get"
    as_root apt-get update -qq
    as_root apt-get install -y -qq libgl1 libglib2.0-0
fi
say "compiling the numbers, once"
"$venv/bin/krupier" bankroll golden_wolf --rounds 1 --evenings 1000 --json >/dev/null
say "ready"
