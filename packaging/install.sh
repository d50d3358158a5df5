#!/usr/bin/env bash
# Install or update Krupier from this folder, without a network. usage: sudo ./install.sh [SHELF] [DATA] [EXTRA]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
shelf=${1:-/opt/krupier}
data=${2:-/var/lib/krupier}
extra=${3-run}
say() { printf 'krupier: %s\n' "$*" >&2; }
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { say "Python 3.11 or newer is needed"; exit 2; }
python3 -c 'import ensurepip, venv' 2>/dev/null || { say "install python3-venv first: sudo apt-get install python3-venv"; exit 2; }
(cd "$here" && sha256sum --check --quiet SHA256SUMS) || { say "this folder was damaged on the way; copy it again"; exit 1; }
mkdir -p "$shelf" "$data"
if [ -x "$shelf/current/bin/krupier" ]; then
    helper=$shelf/current
else
    helper=$(mktemp -d)
    trap 'rm -rf "$helper"' EXIT
    python3 -m venv "$helper"
    "$helper/bin/pip" install --quiet --disable-pip-version-check --no-index --find-links "$here/wheels" krupier
fi
"$helper/bin/krupier" update "$here/wheels" --shelf "$shelf" --data "$data" --extra "$extra"
if [ "$shelf" != /opt/krupier ]; then
    say "the command is $shelf/current/bin/krupier"
    exit 0
fi
ln -sf "$shelf/current/bin/krupier" /usr/local/bin/krupier
id krupier >/dev/null 2>&1 || useradd --system --home-dir /var/lib/krupier --groups dialout,video,audio krupier
install -d -o krupier -g krupier -m 700 /var/lib/krupier /var/backups/krupier
install -d -o krupier -g krupier -m 755 /etc/krupier
if [ -d "$here/systemd" ] && [ -d /run/systemd/system ]; then
    install -m 644 "$here"/systemd/* /etc/systemd/system/
    systemctl daemon-reload
fi
say "next: sudo -u krupier krupier setup --browser --config /etc/krupier/T01.toml"
