"""Whether the window lives: asked by a thread of its own, so that a slow answer delays no other part of the table."""

import ssl
import threading
import time
from http.client import HTTPException
from typing import Final
from urllib.request import urlopen

EVERY_S: Final = 1.0
LATE_S: Final = 20.0
"""On a machine with much to do a window answers late, and starting it anew would only make that worse."""


class WindowWatch:
    """Asks a window at its own machine whether its screens follow the tables (dashboard/live_feed.py)."""

    def __init__(self, port: int, *, https: bool, late_s: float = LATE_S) -> None:
        self._place = f"{'https' if https else 'http'}://127.0.0.1:{port}/alive"
        # Its certificate is the house's own, and no secret is said.
        self._tls = ssl._create_unverified_context() if https else None
        self._late_s, self._good_s = late_s, float("-inf")
        self._thread: threading.Thread | None = None

    def is_live(self) -> bool:
        """Whether it has said so lately; the first question begins the asking."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._ask_for_ever, name="window_watch", daemon=True)
            self._thread.start()
        return time.monotonic() - self._good_s < self._late_s

    def _ask_for_ever(self) -> None:
        while True:
            if self._says_so():
                self._good_s = time.monotonic()
            time.sleep(EVERY_S)

    def _says_so(self) -> bool:
        try:
            with urlopen(self._place, timeout=self._late_s, context=self._tls):
                return True
        except (OSError, HTTPException):
            return False
