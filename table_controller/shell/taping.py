"""The recorder's second half: what passes on the boards' lines, kept beside the video as it comes.

A tape is written by a thread of its own, unbuffered: a controller that is killed has lost nothing it had heard, and a
slow disk keeps no board waiting. The recorder of the camera's process makes room for both.
"""

import os
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from firmware_bridge.tape import Begun, Passed, Tape, Way, write_line
from table_controller.journal.writer import Clock
from table_controller.port.footage import TAPE, stamp_of
from table_controller.port.words import Health

DEVICE: Final = "tape"
LENGTH_NS: Final = 60_000_000_000
LATE_NS: Final = 2_000_000_000
RETRY_S: Final = 2.0
TURN_S: Final = 0.2
CANNOT_WRITE, HUNG = "cannot_write", "hung"


class Taping:
    """All boards of a table on one tape; a new one begins every minute, as with the video."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._waiting: SimpleQueue[Passed] = SimpleQueue()
        self._stop = threading.Event()
        self._failed = False
        self._file = -1
        self._ends_ns = 0
        self._well_ns = clock().mono_ns
        self._thread = threading.Thread(target=self._run, name="tape", daemon=True)

    def start(self) -> None:
        """Begin to keep what comes."""
        self._thread.start()

    def stop(self) -> None:
        """Keep what has come, and end."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2)

    def of(self, board: str) -> Tape:
        """What a board's link calls for everything that passes."""

        def keep(way: Way, at_ns: int, data: bytes) -> None:
            self._waiting.put(Passed(board, way, at_ns, data))

        return keep

    def health(self) -> Health:
        """Whether everything up to two seconds ago is kept."""
        late = self._clock().mono_ns - self._well_ns > LATE_NS
        trouble = CANNOT_WRITE if self._failed else HUNG if late else ""
        return Health(DEVICE, not trouble, trouble)

    def _run(self) -> None:
        while not (self._stop.is_set() and self._waiting.empty()):
            try:
                passed = self._waiting.get(timeout=TURN_S)
            except Empty:
                self._well_ns = self._clock().mono_ns
                continue
            self._keep(passed)
        self._end()

    def _keep(self, passed: Passed) -> None:
        """Until it is kept; on a disk that takes nothing the newest words wait, and the light says so."""
        while True:
            try:
                self._write(self._tape(), write_line(passed))
                self._failed, self._well_ns = False, self._clock().mono_ns
                return
            except OSError:
                self._failed = True
                self._end()
                if self._stop.wait(RETRY_S):
                    return

    def _tape(self) -> int:
        """The file that is being written. What a reading shoe says of a hidden card is in it: its owner's alone."""
        now = self._clock()
        if self._file < 0 or now.mono_ns >= self._ends_ns:
            self._end()
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / (stamp_of(now.at_ns) + TAPE)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self._write(self._file, write_line(Begun(now.at_ns, now.mono_ns)))
            self._ends_ns = now.mono_ns + LENGTH_NS
        return self._file

    @staticmethod
    def _write(file: int, line: bytes) -> None:
        if os.write(file, line) < len(line):
            raise OSError("the disk took half a line")

    def _end(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
