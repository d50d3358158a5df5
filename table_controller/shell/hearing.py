"""What is said through the door, heard by the table's own thread: asked, noted, sighted, or how somebody is."""

import re
from typing import Final, assert_never

import msgspec
from msgspec import Struct

from firmware_bridge.clock import Span
from table_controller.core.events import CommandRefused, SignalRefused
from table_controller.core.step import Step
from table_controller.core.stimuli import Cause, DeviceBack, DeviceLost, PauseTable, Stimulus, Tick
from table_controller.core.table import TableState
from table_controller.games import played
from table_controller.journal.errors import JournalError
from table_controller.journal.evidence import EVIDENCE_KEPT, Evidence
from table_controller.journal.record import Draft
from table_controller.journal.writer import Clock
from table_controller.port.words import (
    Answer,
    Ask,
    Chips,
    Complain,
    Conclude,
    Gone,
    Health,
    HoldDay,
    Kept,
    LetGo,
    Note,
    Outcome,
    Sighted,
)
from table_controller.shell.asks import Answered, is_stale, stimulus_of
from table_controller.shell.grievances import conclude, take_complaint
from table_controller.shell.keeping import keeping
from table_controller.shell.lights import Lights
from table_controller.shell.table import SYSTEM, Table
from table_controller.shell.translate import stimuli_of

CLOCK: Final = "clock"
WATCH: Final = "watch"
NEXT_ROUND_ONLY: Final = frozenset({"disk", "recorder", "recorder2", "tape"})
"""Faults that let a round be finished: what it needs is still there (B06: recognition and rounds go on)."""
LATEST_NS: Final = 10_000_000_000
"""Eyes that never come to an end of looking, such as behind a waving arm, are not waited for longer than this."""
NOTED: Final = re.compile(r"floor\.[a-z0-9_.]{1,60}")


class Filed(Struct, frozen=True):
    """A file of evidence that was written, and the digest found in it."""

    kept: Kept
    sha256: str


Heard = Ask | Note | Filed | Sighted | Gone | Chips | Health | Complain | Conclude | HoldDay | LetGo


class Hearing:
    """One table's thread calls `hear` and `tick`; nobody else does."""

    def __init__(self, table: Table, game: str, clock: Clock, lights: Lights, *, machine_clock: bool = True) -> None:
        self.table = table
        self.lights = lights
        self._game = played(game)
        self._clock = clock
        self._answered = Answered()
        self._machine_clock = machine_clock

    @property
    def state(self) -> TableState:
        """The state on record; raises JournalUnwritable while the table is down."""
        return self.table.recorder.state

    @property
    def version(self) -> int:
        """The state's version, 0 while the table is down."""
        return 0 if self.table.down is not None else self.state.version

    def hear(self, said: Heard) -> Answer:
        """Take what was said and answer; the answer is true on disk."""
        if isinstance(said, Health):
            self.lights.hear(said, self._clock())
        if self.table.down is not None:
            return Answer(Outcome.DOWN, 0, detail=self.table.down)
        try:
            return self._take(said)
        except JournalError as error:
            return Answer(Outcome.DOWN, 0, detail=str(error))

    def time_of(self, when: Span | None) -> int:
        """A span of this machine's monotonic clock as a time on record: its later end.

        It is now, where that is not known, or where the table goes by another clock than the machine's.
        """
        now = self._clock()
        if when is None or not self._machine_clock:
            return now.at_ns
        return now.at_ns - max(0, now.mono_ns - when.latest_ns)

    def tick(self) -> None:
        """Time passes: devices grow old, what they cost or give back is told to the judge, and so is the time."""
        now = self._clock()
        self.lights.grow_old(now)
        if self.table.down is not None:
            return
        self._tell_judge()
        looked_ns = max(self.lights.looked_ns, now.at_ns - LATEST_NS) if self.lights.looked_ns else 0
        self.table.take(Tick(Cause(CLOCK, self.state.cursors.get(CLOCK, -1) + 1, now.at_ns), looked_ns))
        self.table.tidy()

    def pause(self, reason: str) -> None:
        """Stop an open table for a reason of the program's own."""
        if self.state.rules is not None and not self.state.paused:
            cause = Cause(WATCH, self.state.cursors.get(WATCH, -1) + 1, self._clock().at_ns)
            self.table.take(PauseTable(cause, SYSTEM, reason))

    def _take(self, said: Heard) -> Answer:
        match said:
            case Health():
                self._tell_judge()
                return Answer(Outcome.DONE, self.version)
            case Ask():
                return self._answered.of(said.id) or self._answered.keep(said.id, self._ask(said))
            case Note():
                return self._answered.of(said.id) or self._answered.keep(said.id, self._note(said))
            case Filed(kept=kept):
                return self._answered.of(kept.id) or self._answered.keep(kept.id, self._filed(said))
            case Complain() | Conclude():
                return self._answered.of(said.id) or self._answered.keep(said.id, self._complaint(said))
            case HoldDay() | LetGo():
                return self._answered.of(said.id) or self._answered.keep(said.id, keeping(self.table.recorder, said))
            case Sighted() | Gone() | Chips():
                return self._sighted(said)
            case _:
                assert_never(said)

    def _ask(self, ask: Ask) -> Answer:
        try:
            stimulus = stimulus_of(self._game, ask, self.state, self._clock().at_ns)
        except ValueError as error:
            return Answer(Outcome.UNREADABLE, self.version, detail=str(error))
        if is_stale(ask, stimulus, self.state):
            return Answer(Outcome.STALE, self.version)
        return answer_of(self.table.take(stimulus))

    def _sighted(self, seen: Sighted | Gone | Chips) -> Answer:
        try:
            stimuli = stimuli_of(self.state, seen)
        except ValueError as error:
            return Answer(Outcome.UNREADABLE, self.version, detail=str(error))
        for stimulus in stimuli:
            self.table.take(stimulus)
        return Answer(Outcome.DONE, self.version)

    def _note(self, note: Note) -> Answer:
        if not NOTED.fullmatch(note.what):
            return Answer(Outcome.UNREADABLE, self.version, detail=f"{note.what!r} is no kind of note: floor.something")
        draft = Draft(kind=note.what, body=bytes(note.body), round=note.round, source="floor", boot_id=note.id)
        self.table.note([draft])
        return Answer(Outcome.DONE, self.version)

    def _filed(self, filed: Filed) -> Answer:
        body = msgspec.json.encode(Evidence(filed.kept.file, filed.sha256, filed.kept.box))
        draft = Draft(kind=EVIDENCE_KEPT, body=body, round=filed.kept.round, source="journal")
        self.table.note([draft])
        return Answer(Outcome.DONE, self.version)

    def _complaint(self, said: Complain | Conclude) -> Answer:
        recorder = self.table.recorder
        return take_complaint(recorder, said) if isinstance(said, Complain) else conclude(recorder, said)

    def _tell_judge(self) -> None:
        """What devices cost or give back; one that is lost in a round holds it."""
        for stimulus in self._what_lights_say(self._clock().at_ns):
            self.table.take(stimulus)
            lost = stimulus.device if isinstance(stimulus, DeviceLost) else None
            if lost is not None and lost not in NEXT_ROUND_ONLY and self.state.round is not None:
                self.pause(f"{lost}: {self.lights.detail_of(lost)}")

    def _what_lights_say(self, at_ns: int) -> list[Stimulus]:
        faults, following = frozenset(self.state.faults), self.state.cursors.get(WATCH, -1) + 1
        lost, back = sorted(self.lights.faulty() - faults), sorted(self.lights.well() & faults)
        said = [*((DeviceLost, name) for name in lost), *((DeviceBack, name) for name in back)]
        return [kind(Cause(WATCH, following + at, at_ns), name) for at, (kind, name) in enumerate(said)]


def answer_of(step: Step) -> Answer:
    """What became of something asked: the first refusal, or done."""
    for event in step.events:
        if isinstance(event, CommandRefused | SignalRefused):
            reason, _, detail = event.reason.partition(": ")
            return Answer(Outcome.REFUSED, step.state.version, reason, detail)
    return Answer(Outcome.DONE, step.state.version)
