"""A board's clock in terms of the host's, never more exactly than it is known.

Each exchange of PING and PONG brackets one reading of the board's clock between two readings of ours. Ceramic
resonators are off by up to half a per cent, so a bracket widens with distance; the overlap of all is the answer.
"""

from msgspec import Struct

DRIFT = 0.005
"""Largest relative error of a board's clock that we allow for (a resonator's data sheet says 0.5 %)."""
TICK_NS = 8000
"""Twice the grain of a 16 MHz board's microsecond counter."""
_SLACK = DRIFT / (1 - DRIFT)


class Span(Struct, frozen=True):
    """An instant of the host's monotonic clock, known to lie between two (ns)."""

    earliest_ns: int
    latest_ns: int

    def before(self, other: "Span") -> bool | None:
        """Whether this came first; None when the spans overlap and the order is undecided."""
        if self.latest_ns < other.earliest_ns:
            return True
        if other.latest_ns < self.earliest_ns:
            return False
        return None


class Sample(Struct, frozen=True):
    """The board read `device_us` on its clock at some moment between `sent_ns` and `received_ns` of ours."""

    sent_ns: int
    received_ns: int
    device_us: int


class ClockMap:
    """Maps one boot's device times to spans of host time. Keeps one bracket: all exchanges so far, overlapped."""

    def __init__(self) -> None:
        self._bracket: Sample | None = None

    def learn(self, sample: Sample) -> None:
        """Narrow the bracket by one exchange. A board whose clock is worse than DRIFT starts over with each."""
        expected = self._seen(sample.device_us)
        if expected is None:
            self._bracket = sample
            return
        sent = max(sample.sent_ns, expected.earliest_ns)
        received = min(sample.received_ns, expected.latest_ns)
        overlap = Sample(sent, received, sample.device_us)
        self._bracket = overlap if sent <= received else sample

    def span(self, device_us: int, received_ns: int) -> Span | None:
        """When the board's clock showed `device_us`, for an event that had arrived by `received_ns`."""
        seen = self._seen(device_us)
        if seen is None:
            return None
        return Span(min(seen.earliest_ns, received_ns), min(seen.latest_ns, received_ns))

    def _seen(self, device_us: int) -> Span | None:
        if self._bracket is None:
            return None
        away = (device_us - self._bracket.device_us) * 1000
        slack = int(abs(away) * _SLACK) + TICK_NS
        return Span(self._bracket.sent_ns + away - slack, self._bracket.received_ns + away + slack)
