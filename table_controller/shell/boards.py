"""The boards of a table: what they say is on record before they may forget it, and how they are is a light."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from firmware_bridge.conversation import Lamps
from firmware_bridge.events import Cursor, DeviceEvent, EventKind, Fault
from firmware_bridge.framing import Garbled
from firmware_bridge.greeting import Policy
from firmware_bridge.link import AskedInVain, Find, Hear, Link, LinkDown, LinkEnded, LinkUp, PortTrouble, Report
from firmware_bridge.outputs import Denied, EventsLost, Greeted, Live, Refusal, Silent, Suspicious
from firmware_bridge.session import Session
from firmware_bridge.tape import Tape, no_tape
from firmware_bridge.visit import fresh_nonce
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.core.table import TableState
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.record import Draft, Record
from table_controller.journal.sqlite_store import open_reader
from table_controller.port.words import Health
from table_controller.shell.hearing import Hearing
from table_controller.shell.inbox import Inbox, Letter

SAID: Final = "bridge.event"
LOST: Final = "bridge.lost"
MOST_FROM_ONE: Final = 4
START_AGAIN_S: Final = 1.0
NAMELESS: Final = frozenset({EventKind.CARD_READ, EventKind.CARD_EXPOSED})
"""What a reading shoe says of a card goes on record only as the judge's stimulus, veiled where it must be."""
GRAVE: Final = frozenset({Fault.EVENTS_LOST, Fault.BEAM_NOISY, Fault.RECORD_DAMAGED})
"""Faults after which nobody can say how many cards have left the shoe."""


class Line(Protocol):
    """A board's line, as firmware_bridge.link.Link and its twin that plays a tape."""

    session: Session

    def run(self) -> None: ...

    def stop(self) -> None: ...

    def resume(self, recorded: Cursor | None) -> None: ...

    def acknowledge(self, upto: Cursor) -> None: ...

    def show(self, lamps: Lamps) -> None: ...


def real_line(place: "BoardPlace", report: Hear) -> Line:
    """A serial port, with what passes on it kept on the place's tape."""
    return Link(place.find, Session(place.policy, fresh_nonce), report, tape=place.tape)


Meaning = Callable[[TableState, DeviceEvent, Callable[[int], Cause]], Sequence[Stimulus]]
"""What an event of a board means to the judge; the causes of what it leads to are numbered from 0."""


class BoardPlace(Struct, frozen=True):
    """A board as configured: its name at the table, where its port is found, whom to trust, what its events mean."""

    name: str
    find: Find
    policy: Policy
    meaning: Meaning
    tape: Tape = no_tape
    line: Callable[["BoardPlace", Hear], Line] = real_line


class Board:
    """One board and the thread of its link. Everything but the link runs in the table's own thread."""

    def __init__(self, place: BoardPlace, hearing: Hearing, inbox: Inbox) -> None:
        self.name = place.name
        self._meaning = place.meaning
        self._hearing = hearing
        self._inbox = inbox
        self._link = place.line(place, self._post)
        self._thread: threading.Thread | None = None
        self._next_start_s = 0.0
        self._waiting: deque[Report] = deque()
        self._recorded: Cursor | None = None
        self._shown: Lamps | None = None
        self._frames = 0
        self.is_live = False

    def start(self) -> None:
        """Begin to look for the board. Nothing has been said to it before."""
        self._next_start_s = time.monotonic() + START_AGAIN_S
        self._thread = threading.Thread(target=self._link.run, name=f"link {self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let go of the port."""
        self._link.stop()
        if self._thread is not None:
            self._thread.join(2)
            self._thread = None

    def show(self, lamps: Lamps) -> None:
        """Bring the lamps to these levels; the board gets to know only what has changed."""
        if lamps != self._shown:
            self._shown = lamps
            self._link.show(lamps)

    def turn(self) -> None:
        """What could not be recorded when it came, and whether the board and the thread of its link still live."""
        if self._thread is not None and not self._thread.is_alive() and time.monotonic() >= self._next_start_s:
            self.start()
        if self._hearing.table.down is None:
            while self._waiting:
                self._take(self._waiting[0])
                self._waiting.popleft()
        if self.is_live and self._link.session.health.frames != self._frames:
            self._frames = self._link.session.health.frames
            self._light(ok=True)

    def _post(self, report: Report) -> None:
        """In the link's thread. A board's word is never dropped: the link waits, and the board keeps what it has."""
        self._inbox.put_waiting(Letter(lambda: self._hear(report)))

    def _hear(self, report: Report) -> None:
        self._waiting.append(report)
        self.turn()

    def _take(self, report: Report) -> None:
        match report:
            case DeviceEvent():
                self._event(report)
            case Greeted():
                self._greeted(report)
            case Live():
                self.is_live = True
                self._light(ok=True)
            case EventsLost():
                self._lost(report)
            case Silent() | LinkDown() | LinkEnded():
                self._gone("silent" if isinstance(report, Silent) else "gone")
            case PortTrouble():
                self._gone(report.check)
            case Denied():
                self._gone(report.refusal.value)
            case AskedInVain() if not self.is_live:  # its memory is not the one we know
                self._gone(Refusal.OTHER_BOARD.value)
            case LinkUp() | AskedInVain() | Suspicious() | Garbled():
                pass  # counted by the session; the light tells when it matters

    def _event(self, event: DeviceEvent) -> None:
        hearing, first = self._hearing, ((event.ring << 32) | event.seq) * MOST_FROM_ONE
        at_ns = hearing.time_of(event.when)
        raw = [said_of(event)]
        wanted = self._meaning(hearing.state, event, lambda at: Cause(self.name, first + at, at_ns))
        for stimulus in wanted[:-1]:
            hearing.table.take(stimulus, str(event.ring))
        if wanted:  # a board that says it again after a crash between the two is known by its numbers
            hearing.table.take(wanted[-1], str(event.ring), raw)
        else:
            hearing.table.note(raw)
        self._recorded = event.cursor
        self._link.acknowledge(event.cursor)
        self._heed(event)

    def _heed(self, event: DeviceEvent) -> None:
        """What a board says about itself."""
        if event.kind == EventKind.FAULT:
            name = Fault(event.arg).name.lower() if event.arg in set(Fault) else f"fault_{event.arg}"
            if event.arg in GRAVE:
                self._hearing.pause(f"{self.name}: {name}")
            elif event.arg == Fault.BEAM_BLOCKED:
                self.is_live = False
                self._light(ok=False, detail=name)
        elif event.kind == EventKind.BEAM_CLEARED and not self.is_live:
            self.is_live = True
            self._light(ok=True)

    def _greeted(self, greeted: Greeted) -> None:
        if greeted.rebooted:
            self._hearing.pause(f"{self.name}: started anew")
        self._recorded = self._recorded or recorded_of(self._hearing.table.recorder.day.path, greeted.device)
        self._link.resume(self._recorded)

    def _lost(self, lost: EventsLost) -> None:
        self._hearing.table.note([lost_of(lost)])
        self._hearing.pause(f"{self.name}: events lost")

    def _gone(self, why: str) -> None:
        self.is_live = False
        self._light(ok=False, detail=why)

    def _light(self, *, ok: bool, detail: str = "") -> None:
        self._hearing.hear(Health(self.name, ok, detail))


def said_of(event: DeviceEvent) -> Draft:
    """The row of what a board said, under its own ring and number."""
    known = (event.kind, 0, 0) if event.kind in NAMELESS else (event.kind, event.arg, event.value)
    body = msgspec.json.encode({"kind": known[0], "arg": known[1], "value": known[2], "at_us": event.at_us})
    return Draft(kind=SAID, body=body, source=event.device, source_seq=event.seq, boot_id=str(event.ring))


def lost_of(lost: EventsLost) -> Draft:
    """The row of what will never be known."""
    body = msgspec.json.encode({"ring": lost.ring, "first": lost.first, "last": lost.last})
    return Draft(kind=LOST, body=body, source=lost.device, boot_id=str(lost.ring))


def recorded_of(journal: Path, device: str) -> Cursor | None:
    """How far a board's word is on record, in this day or the ones before it."""
    days = [day for day in journals(journal.parent, table_and_day(journal)[0]) if day <= journal]
    rows = (row for day in reversed(days) for row in _said_in(day, device))
    last = next(rows, None)
    return None if last is None else Cursor(int(last.boot_id or 0), last.source_seq or 0)


def _said_in(day: Path, device: str) -> Iterator[Record]:
    reader = open_reader(day)
    try:
        yield from (row for row in reversed(reader.of_kinds(SAID)) if row.source == device)
    finally:
        reader.close()
