"""Starts the processes of a table in their order, starts again what dies or hangs, stops them in reverse."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct

PAUSES_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
STEADY_S: Final = 30.0
PATIENCE_S: Final = 5.0
READY_S: Final = 60.0
CHECK_S: Final = 1.0
DOUBTS: Final = 3
"""So many checks in a row must fail."""


class Part(Struct, frozen=True, kw_only=True):
    """A process of the table. It counts as started once `is_ready`; one that lives and is not `is_well` has hung."""

    name: str
    command: tuple[str, ...]
    is_ready: Callable[[], bool] = lambda: True
    is_well: Callable[[], bool] = lambda: True
    patience_s: float = READY_S


class Child:
    """One part and the process that is running it, if any."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.restarts = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._started_s = self._due_s = self._next_check_s = 0.0
        self._failures = self._doubts = 0
        self._is_up = False

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """A new process; it is told to end should its supervisor die."""
        self._started_s, self._is_up, self._doubts = time.monotonic(), False, 0
        leash = (sys.executable, "-m", "table_controller.leash", str(os.getpid()))
        self._process = subprocess.Popen((*leash, *self.part.command), start_new_session=True)

    def look_after(self) -> int | None:
        """Start it again when it is time; the exit status of a process that has just ended."""
        now, ended = time.monotonic(), None
        if self._process is None:
            if now >= self._due_s:
                self.restarts += 1
                self.start()
            return None
        ended = self._process.poll()
        if ended is not None:
            self._kill()  # what it started itself: a worker that hangs would keep the port
            steady = now - self._started_s > STEADY_S
            self._failures = 0 if steady else self._failures + 1
            self._due_s = now + PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
            self._process = None
        return ended

    def is_up(self) -> bool:
        """Whether it has been ready once since it was started; from then on it must stay well."""
        self._is_up = self._is_up or self.part.is_ready()
        return self._is_up

    def kill_if_hung(self) -> bool:
        """Whether it had hung; it is then gone."""
        now = time.monotonic()
        if self._process is None or now < self._next_check_s:
            return False
        self._next_check_s = now + CHECK_S
        if not self._is_up:
            if self.is_up() or now - self._started_s < READY_S:
                return False
        elif self.part.is_well():
            self._doubts = 0
            return False
        self._doubts += 1
        if self._doubts < DOUBTS:
            return False
        self._kill()
        return True

    def stop(self) -> None:
        """Ask it to end; make it, if it does not in time."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        self._process = None

    def _kill(self) -> None:
        """The process and everything it started."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


class Supervisor:
    """`tell` gets what happens to the parts: a name and what it was."""

    def __init__(self, parts: Sequence[Part], tell: Callable[[str, str], None]) -> None:
        self.children = [Child(part) for part in parts]
        self._tell = tell
        self._stopping = False

    def start(self) -> None:
        """Each part when the one before it is ready; for one that does not get ready the others wait no longer."""
        for child in self.children:
            if self._stopping:
                return
            child.start()
            self._tell(child.part.name, "started")
            if not self._wait_for(child):
                self._tell(child.part.name, "not ready")

    def turn(self) -> None:
        """Look after every part once."""
        self._look_after(self.children)

    def end_soon(self) -> None:
        """A start that is under way goes no further."""
        self._stopping = True

    def stop(self) -> None:
        """In reverse order: the record is let go last."""
        self._stopping = True
        for child in reversed(self.children):
            child.stop()

    def _look_after(self, children: Sequence[Child]) -> None:
        for child in children:
            ended = child.look_after()
            if ended is not None:
                self._tell(child.part.name, f"ended with {_status(ended)}")
            elif child.kill_if_hung():
                self._tell(child.part.name, "hung")

    def _wait_for(self, child: Child) -> bool:
        """Whether it gets ready in time; those that were started before it are looked after meanwhile."""
        until, started = time.monotonic() + child.part.patience_s, self.children[: self.children.index(child)]
        while time.monotonic() < until and not self._stopping:
            if child.is_up():
                return True
            child.look_after()
            self._look_after(started)
            time.sleep(0.05)
        return False


def _status(ended: int) -> str:
    return signal.Signals(-ended).name if ended < 0 else f"status {ended}"
