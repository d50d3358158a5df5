"""The parts of a table under their supervisor, as real processes."""

import os
import signal
import threading

import pytest

from table_controller.supervisor import Part, Supervisor
from tests.shell.standing import eventually

SLEEPS = ("sleep", "1000")


@pytest.mark.timeout(60)
def test_a_part_that_dies_while_a_later_one_is_starting_is_started_again() -> None:
    ready, told = threading.Event(), list[tuple[str, str]]()
    parts = [Part(name="controller", command=SLEEPS), Part(name="window", command=SLEEPS, is_ready=ready.is_set)]
    supervisor = Supervisor(parts, lambda name, what: told.append((name, what)))
    starting = threading.Thread(target=supervisor.start)
    starting.start()
    try:
        eventually(lambda: ("window", "started") in told)
        was = supervisor.children[0].pid
        assert was is not None
        os.kill(was, signal.SIGKILL)
        eventually(lambda: supervisor.children[0].pid not in (None, was), 30)
        assert ("controller", "ended with SIGKILL") in told
        assert starting.is_alive()
    finally:
        ready.set()
        starting.join(30)
        supervisor.stop()
