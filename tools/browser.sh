#!/usr/bin/env bash
# Brings Debian's Chromium, in which the window's tests look at the pages; Playwright's own download needs another network.
# Exit status 1, and one line on stderr, when it is missing and cannot be installed.
set -euo pipefail
[ -x /usr/bin/chromium ] || bash "$(dirname "$0")/debian_packages.sh" "looking at the window's pages" chromium fonts-dejavu-core
