#!/usr/bin/env bash
# Mutation testing of settlement and legal actions; survivors are explained in docs/mutation.md.
set -euo pipefail
bin=$1
"$bin/pip" install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,mutation]'
"$bin/mutmut" run
"$bin/mutmut" results
