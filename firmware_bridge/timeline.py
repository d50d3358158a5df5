"""The clocks of one board through its boots: host time for an event's device time."""

from firmware_bridge.clock import ClockMap, Sample, Span


class Timeline:
    """Knows the clock of the present boot and of the one before."""

    def __init__(self) -> None:
        self._boot = -1
        self._started = 0
        self._clock = ClockMap()
        self._earlier: ClockMap | None = None

    def begin(self, boot: int, started: int) -> None:
        """The board says which boot this is, and the number of the first event of it."""
        if boot != self._boot:
            self._earlier = self._clock if boot == self._boot + 1 else None
            self._clock = ClockMap()
        self._boot, self._started = boot, started

    def learn(self, sample: Sample) -> None:
        self._clock.learn(sample)

    def when(self, seq: int, device_us: int, received_ns: int) -> Span | None:
        """Host time of event `seq`; None if it is of a boot whose clock we never read."""
        clock = self._clock if seq >= self._started else self._earlier
        return clock.span(device_us, received_ns) if clock else None
