#!/usr/bin/env bash
# Brings Debian's Chromium, in which the window's tests look at the pages; Playwright's own download needs another network.
# Exit status 1, and one line on stderr, when it is missing and cannot be installed.
set -euo pipefail
[ -x /usr/bin/chromium ] && exit 0
say() { printf 'krupier: %s\n' "$*" >&2; }
command -v apt-get >/dev/null || { say "the window's browser tests are left out: install chromium as /usr/bin/chromium"; exit 1; }
as_root=()
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || { say "the window's browser tests are left out; run: sudo apt-get install chromium"; exit 1; }
    as_root=(sudo -n)
fi
say "installing chromium with apt-get"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
