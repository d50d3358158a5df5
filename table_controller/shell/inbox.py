"""The one queue before the judge: everybody who has something to say waits here in order of arrival."""

from collections.abc import Callable
from queue import Empty, Full, Queue
from typing import Final, NamedTuple

PLACES: Final = 256


class Letter(NamedTuple):
    """Something that is to be done with the table by its own thread."""

    act: Callable[[], None]


class Inbox:
    """Bounded: a full inbox is a fault, not a longer wait. `overflowed` says that one was since last asked."""

    def __init__(self, places: int = PLACES) -> None:
        self._queue: Queue[Letter] = Queue(places)
        self._full = False

    def put(self, letter: Letter) -> bool:
        """Whether there was room."""
        try:
            self._queue.put_nowait(letter)
        except Full:
            self._full = True
            return False
        return True

    def put_waiting(self, letter: Letter) -> None:
        """For those who can hold back what they have: waits for room."""
        self._queue.put(letter)

    def next(self, wait_s: float) -> Letter | None:
        """The oldest letter; None when none came in time."""
        try:
            return self._queue.get(timeout=wait_s)
        except Empty:
            return None

    @property
    def waiting(self) -> int:
        """About how many wait."""
        return self._queue.qsize()

    def overflowed(self) -> bool:
        """Whether something found no room since this was last asked."""
        full, self._full = self._full, False
        return full
