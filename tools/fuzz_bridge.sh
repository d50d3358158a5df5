#!/usr/bin/env bash
# Both ends of the wire under a fuzzer, so many seconds each: the host's session under atheris, the board's protocol code
# under libFuzzer with sanitizers. The corpora in tests/fuzz/ are the seeds; what is found new stays in build/.
set -euo pipefail
bin=$1
seconds=$2
host=firmware_bridge/firmware/host

"$bin/pip" install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]'
make --no-print-directory -s -C "$host" build/fuzz
mkdir -p build/fuzz/bridge build/fuzz/firmware
nice -n 10 "$bin/python" tests/fuzz/fuzz_bridge.py build/fuzz/bridge tests/fuzz/bridge_corpus \
    -max_total_time="$seconds" -max_len=1024 -print_final_stats=1 -verbosity=0
nice -n 10 "$host/build/fuzz" build/fuzz/firmware tests/fuzz/firmware_corpus \
    -max_total_time="$seconds" -max_len=1024 -print_final_stats=1 -verbosity=0
echo "fuzz: $seconds s each, nothing found"
