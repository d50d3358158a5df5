"""A controller for tests: reconciles, records, acknowledges, and can be made to stall."""

from typing import Protocol

from firmware_bridge.events import Cursor, DeviceEvent
from firmware_bridge.link import Report
from firmware_bridge.outputs import EventsLost, Greeted, Live

from .world import Told, of_the_world


class Bridge(Protocol):
    """What a controller asks of a link or a bare session."""

    def resume(self, recorded: Cursor | None) -> None: ...
    def acknowledge(self, upto: Cursor) -> None: ...


class Controller:
    """Its record is what survives it. Give it its `bridge` before anything can be heard."""

    bridge: Bridge

    def __init__(self) -> None:
        self.record: list[DeviceEvent] = []
        self.world: list[Told] = []
        self.reports: list[Report] = []
        self.stalled = False

    def hear(self, report: Report) -> None:
        """What the bridge reports, in order."""
        if not isinstance(report, DeviceEvent):
            self.reports.append(report)
        match report:
            case Greeted():
                self.bridge.resume(self.cursor)
            case DeviceEvent():
                self.record.append(report)
                self.world += of_the_world([report])
                if not self.stalled:
                    self.bridge.acknowledge(report.cursor)

    @property
    def cursor(self) -> Cursor | None:
        return self.record[-1].cursor if self.record else None

    def catch_up(self) -> None:
        """Go on acknowledging."""
        self.stalled = False
        if self.record:
            self.bridge.acknowledge(self.record[-1].cursor)

    @property
    def losses(self) -> list[EventsLost]:
        return [report for report in self.reports if isinstance(report, EventsLost)]

    def has(self, kind: type[object]) -> bool:
        return any(isinstance(report, kind) for report in self.reports)

    def lives(self) -> int:
        """How often a session has started."""
        return sum(isinstance(report, Live) for report in self.reports)

    def numbers_are_consecutive(self) -> bool:
        """Each number once, in order, per ring, with holes only where losses were told."""
        lost = {
            (loss.ring, seq) for loss in self.losses for seq in range(loss.first, (loss.last or loss.first - 1) + 1)
        }
        expected: dict[int, int] = {}
        for event in self.record:
            want = expected.get(event.ring, 1)
            while (event.ring, want) in lost:
                want += 1
            if event.seq != want:
                return False
            expected[event.ring] = want + 1
        return True
