"""What a board remembers: its EEPROM, and the ring of events that survives a reset. PROTOCOL.md, "The ring"."""

from dataclasses import dataclass, field

from firmware_bridge.events import EventKind, Fault
from firmware_bridge.messages import RING, Record
from firmware_bridge.tags import NO_KEY

MOST = 0xFFFF


@dataclass
class Eeprom:
    """Survives power cuts."""

    device: bytes
    fitted: int
    key: bytes | None = None
    boot: int = 0

    @property
    def working_key(self) -> bytes:
        return self.key or NO_KEY


@dataclass
class Ring:
    """Unacknowledged events; numbers `first` to `next` - 1."""

    number: int
    first: int = 1
    lost: int = 0
    newest_us: int = 0
    records: list[Record] = field(default_factory=list)

    @property
    def next(self) -> int:
        return self.first + len(self.records)

    def append(self, record: Record) -> None:
        """Keep an event, or count it when there is no room. A counted hole is told before anything newer."""
        self._tell_losses(record.at_us, room_for=2)
        if self.lost or len(self.records) >= RING:
            self.lost = min(self.lost + 1, MOST)
        else:
            self._keep(record)

    def forget(self, upto: int, at_us: int) -> None:
        """Events up to `upto` are acknowledged."""
        done = max(0, upto + 1 - self.first)
        self.first += min(done, len(self.records))
        del self.records[:done]
        self._tell_losses(at_us, room_for=1)

    def _tell_losses(self, at_us: int, room_for: int) -> None:
        if self.lost and len(self.records) + room_for <= RING:
            self._keep(Record(EventKind.FAULT, Fault.EVENTS_LOST, at_us, self.lost))
            self.lost = 0

    def _keep(self, record: Record) -> None:
        self.records.append(record)
        self.newest_us = record.at_us
