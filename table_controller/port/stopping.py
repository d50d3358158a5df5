"""When a process is told to stop."""

import signal
import time
from collections.abc import Callable


class Stop:
    """Set by SIGTERM or SIGINT; to be made in the main thread. `then` is called in the signal's handler.

    It is no `threading.Event`: a signal that comes while its own thread holds the Event's lock, as one that waits does
    for a moment, would wait for that lock for ever, and the process would never end.
    """

    def __init__(self, then: Callable[[], None] = lambda: None) -> None:
        self._come, self._then = False, then
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._told)

    def is_set(self) -> bool:
        """Whether the signal has come."""
        return self._come

    def wait(self, seconds: float) -> bool:
        """Let so much time pass; whether the signal has come until then."""
        if not self._come:
            time.sleep(seconds)
        return self._come

    def _told(self, *_: object) -> None:
        self._come = True
        self._then()
