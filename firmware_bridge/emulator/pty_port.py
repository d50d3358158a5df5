"""A pseudo-terminal that behaves like a board's USB port: opening it resets the board, and it can be pulled out."""

import os
import pty
import select
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Protocol

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.faults import Faults, Manipulator

IDLE_S = 0.002


class Peer(Protocol):
    """What hangs on the far side of the port."""

    def opened(self) -> None:
        """DTR: somebody opened the port."""

    def exchange(self, data: bytes) -> bytes:
        """Bytes from the host in, bytes for the host out."""


class TwinPeer:
    """The Python twin with the wall clock as its own. The lock makes the world's notes and the wire take turns."""

    def __init__(self, board: Board, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.board = board
        self._clock = clock
        self._booted_ns = clock()
        self._lock = threading.Lock()

    def opened(self) -> None:
        self.restart(self.board.reset)

    def restart(self, start: Callable[[], None]) -> None:
        """Reset or cut the power: `start` is the board's method."""
        with self._lock:
            self._booted_ns = self._clock()
            start()

    def note(self, kind: int, arg: int, value: int = 0) -> None:
        """Something happened at the board."""
        with self._lock:
            self.board.feed(b"", self._elapsed())
            self.board.note(kind, arg, value)

    def exchange(self, data: bytes) -> bytes:
        with self._lock:
            self.board.feed(data, self._elapsed())
            self.board.tick(self._elapsed())
            return self.board.outgoing()

    def _elapsed(self) -> int:
        return (self._clock() - self._booted_ns) // 1000


class PtyPort:
    """Serves one peer at `path` from its own thread until `close`. Faults pass through a manipulator each way."""

    def __init__(self, peer: Peer, path: Path, up: Manipulator | None = None, down: Manipulator | None = None) -> None:
        self._peer = peer
        self.path = path
        self.up = up or Manipulator(Faults(), Random(0))
        self.down = down or Manipulator(Faults(), Random(0))
        self._master = -1
        self._is_open = False
        self._lines: tuple[deque[tuple[int, bytes]], deque[tuple[int, bytes]]] = (deque(), deque())
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, name=f"pty {path.name}", daemon=True)

    def start(self) -> None:
        """Plug in and begin to serve."""
        self.plug(self.path)
        self._thread.start()

    def plug(self, path: Path) -> None:
        """Appear under this name, on a new pseudo-terminal."""
        with self._lock:
            self._unplug()
            self._master, slave = pty.openpty()
            tty.setraw(slave)
            os.set_blocking(self._master, False)
            path.unlink(missing_ok=True)
            path.symlink_to(os.ttyname(slave))
            os.close(slave)
            self.path = path

    @property
    def is_plugged(self) -> bool:
        return self._master >= 0

    def unplug(self) -> None:
        """Pull the plug: the host's port dies, the name vanishes. The board keeps its power."""
        with self._lock:
            self._unplug()

    def calm(self) -> None:
        """No more faults from here on; nothing stays held back."""
        now = time.monotonic_ns()
        with self._lock:
            to_board, to_host = self._lines
            to_board.extend(self.down.quiet(now))
            to_host.extend(self.up.quiet(now))

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.unplug()

    def _unplug(self) -> None:
        if self._master < 0:
            return
        os.close(self._master)
        self._master, self._is_open = -1, False
        self.path.unlink(missing_ok=True)
        for line in self._lines:
            line.clear()

    def _serve(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                busy = self._turn()
            if not busy:
                time.sleep(IDLE_S)

    def _turn(self) -> bool:
        """Move what is due in both directions; whether anything moved."""
        data = self._from_host()
        now = time.monotonic_ns()
        to_board, to_host = self._lines
        to_board += self.down.carry(data, now)
        answer = self._peer.exchange(_due(to_board, now))
        to_host += self.up.carry(answer, now)
        out = _due(to_host, now)
        if out and self._is_open:
            self._to_host(out)
        return bool(data or answer or out)

    def _from_host(self) -> bytes:
        if self._master < 0:
            return b""
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        events = dict(poll.poll(0)).get(self._master, 0)
        is_open = not events & select.POLLHUP
        if is_open and not self._is_open:
            for line in self._lines:
                line.clear()
            self._peer.opened()
        self._is_open = is_open
        return os.read(self._master, 4096) if events & select.POLLIN and is_open else b""

    def _to_host(self, data: bytes) -> None:
        try:
            os.write(self._master, data)
        except BlockingIOError:
            # Nobody reads: a real USB chip drops what its buffer cannot take, too.
            return


def _due(line: deque[tuple[int, bytes]], now_ns: int) -> bytes:
    data = b""
    while line and line[0][0] <= now_ns:
        data += line.popleft()[1]
    return data
