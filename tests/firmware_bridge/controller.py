"""A controller for tests: reconciles, records, acknowledges, and can be made to stall."""

from collections.abc import Callable

from firmware_bridge.events import DeviceEvent
from firmware_bridge.link import Report
from firmware_bridge.outputs import Cursor, EventsLost, Greeted


class Controller:
    """Its record is what survives it. Asks through three callables, as a link or a bare session offers them."""

    def __init__(self, resume: Callable[[Cursor | None], object], acknowledge: Callable[[int], object]) -> None:
        self._resume = resume
        self._acknowledge = acknowledge
        self.record: list[DeviceEvent] = []
        self.reports: list[Report] = []
        self.stalled = False

    def hear(self, report: Report) -> None:
        """What the bridge reports, in order."""
        if not isinstance(report, DeviceEvent):
            self.reports.append(report)
        match report:
            case Greeted():
                self._resume(self.cursor)
            case DeviceEvent():
                self.record.append(report)
                if not self.stalled:
                    self._acknowledge(report.seq)

    @property
    def cursor(self) -> Cursor | None:
        return Cursor(self.record[-1].ring, self.record[-1].seq) if self.record else None

    def catch_up(self) -> None:
        """Go on acknowledging."""
        self.stalled = False
        if self.record:
            self._acknowledge(self.record[-1].seq)

    @property
    def losses(self) -> list[EventsLost]:
        return [report for report in self.reports if isinstance(report, EventsLost)]

    def has(self, kind: type[object]) -> bool:
        return any(isinstance(report, kind) for report in self.reports)

    def numbers_are_consecutive(self) -> bool:
        """Each number once, in order, per ring, with holes only where losses were told."""
        lost = {(loss.ring, seq) for loss in self.losses for seq in range(loss.first, (loss.last or loss.first - 1) + 1)}
        expected: dict[int, int] = {}
        for event in self.record:
            want = expected.get(event.ring, 1)
            while (event.ring, want) in lost:
                want += 1
            if event.seq != want:
                return False
            expected[event.ring] = want + 1
        return True


