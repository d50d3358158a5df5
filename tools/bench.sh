#!/usr/bin/env bash
# Every benchmark of the project; figures and what they mean: docs/benchmarks.md.
set -euo pipefail
bin=$1
"$bin/pip" install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,bench]'
for script in bench/[a-z]*.py; do
    PYTHONPATH=. "$bin/python" "$script"
done
