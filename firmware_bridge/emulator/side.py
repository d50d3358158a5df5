"""The twin's end of a running session: what is sent, acknowledged and sent again. PROTOCOL.md, "A session"."""

from firmware_bridge.emulator.memory import MOST, Ring
from firmware_bridge.messages import EVENTS_PER_FRAME, Events, Pong, pack
from firmware_bridge.tags import is_genuine, seal

RESEND_AFTER_US = 150_000


class Side:
    """A session key, the counters that belong to it, and how far the host has got in the ring."""

    def __init__(self, key: bytes, ring: Ring) -> None:
        self.key = key
        self.heard = 0
        self.said = 0
        self.heard_us = 0
        self._ring = ring
        self._sent = 0
        self._progress_us = 0

    def is_next(self, body: bytes, counter: int) -> bool:
        """Whether a sealed body is genuine and newer than all before; if so it counts as heard."""
        if not is_genuine(self.key, body) or counter <= self.heard:
            return False
        self.heard = counter
        return True

    def forget(self, cursor: int, now_us: int) -> bool:
        """An acknowledgement; False if it speaks of events that have not happened."""
        if cursor >= self._ring.next:
            return False
        if cursor >= self._ring.first:
            self._ring.forget(cursor, now_us)
            self._progress_us = now_us
        return True

    def go_back(self, first: int) -> None:
        """Send again from event `first` on."""
        self._sent = min(self._sent, max(first, self._ring.first) - 1)

    def next_events(self, now_us: int) -> bytes | None:
        """The sealed body of the next events, if any are to be sent."""
        before = self._ring.first - 1
        if self._sent > before and now_us - self._progress_us > RESEND_AFTER_US:
            self._sent, self._progress_us = before, now_us
        self._sent = max(self._sent, before)
        if self._sent + 1 >= self._ring.next:
            return None
        if self._sent == before:
            self._progress_us = now_us
        first = self._sent + 1
        records = tuple(self._ring.records[first - self._ring.first :][:EVENTS_PER_FRAME])
        self._sent += len(records)
        self.said += 1
        return seal(self.key, pack(Events(self.said, first, records)))

    def pong(self, ping: int, clock: int, revision: int, counts: tuple[int, int]) -> bytes:
        """The sealed body of a heartbeat; `counts` are the frames the board could not read, and refused."""
        self.said += 1
        ring = self._ring
        bad, refused = (min(count, MOST) for count in counts)
        return seal(self.key, pack(Pong(self.said, ping, clock, revision, len(ring.records), ring.next, bad, refused)))
