"""Another pseudo-terminal as a peer: puts a manipulator between a host and the simulator with the real firmware."""

import os
import termios
import time
import tty
from pathlib import Path

NOTICE_S = 0.03
"""How long the far side needs to see that its port was closed."""


class Relay:
    """Opens the far port when its own is opened, so that DTR goes through."""

    def __init__(self, far: Path) -> None:
        self._far = far
        self._fd = -1

    def opened(self) -> None:
        self.close()
        time.sleep(NOTICE_S)
        self._fd = os.open(self._far, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._fd)
        termios.tcflush(self._fd, termios.TCIOFLUSH)

    def exchange(self, data: bytes) -> bytes:
        if self._fd < 0:
            return b""
        if data:
            os.write(self._fd, data)
        try:
            return os.read(self._fd, 4096)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1
