"""When to send what again: repeated questions, pings and their answers. Times are the host's monotonic ns."""

from firmware_bridge.clock import Sample


class Repeat:
    """Something to be said every so often; remembers when it was said first and last."""

    def __init__(self, every_ns: int) -> None:
        self._every = every_ns
        self.first_ns = 0
        self._next = 0
        self._said = False

    def restart(self, now_ns: int) -> None:
        """Due at once; counted from now."""
        self.first_ns = now_ns
        self._next = now_ns
        self._said = False

    def is_due(self, now_ns: int) -> bool:
        """Whether it is time; if so the caller says it."""
        if now_ns < self._next:
            return False
        if not self._said:
            self.first_ns, self._said = now_ns, True
        self._next = now_ns + self._every
        return True


class Pings:
    """Numbers pings and turns the answer to the latest into a clock sample."""

    def __init__(self) -> None:
        self._last = 0
        self._sent_ns = 0

    def number(self, now_ns: int) -> int:
        self._last += 1
        self._sent_ns = now_ns
        return self._last

    def answered(self, ping: int, device_us: int, now_ns: int) -> Sample | None:
        """None for an answer to an older ping: its sending time is no longer known."""
        return Sample(self._sent_ns, now_ns, device_us) if ping == self._last else None
