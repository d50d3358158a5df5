"""A process that is told to stop stops, whatever it was doing at that moment."""

import random
import signal
import subprocess
import sys
import time

TIMES = 3000
WAITING = f"""
from table_controller.port.stopping import Stop

for _ in range({TIMES}):
    stop = Stop()
    print("waiting", flush=True)
    while not stop.wait(0.00001):
        pass
"""


def test_a_signal_that_comes_at_any_moment_of_a_short_wait_is_heard() -> None:
    """As the eyes wait, 250 times a second; an Event would hang here."""
    chance = random.Random(7)
    with subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            for _ in range(TIMES):
                assert process.stdout.readline() == b"waiting\n"
                until = time.perf_counter() + chance.random() / 2000
                while time.perf_counter() < until:
                    pass
                process.send_signal(signal.SIGTERM)
            assert process.wait(10) == 0
        finally:
            process.kill()
