"""The imperative part: take the next letter, act, show what the table is like now; once in a while, time."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec import Struct

from table_controller.journal.errors import JournalError
from table_controller.journal.writer import Clock
from table_controller.port.words import Answer, Kept, Look, Outcome, Said, Status, Told, Watch, Watching
from table_controller.shell.hearing import Filed, Heard, Hearing
from table_controller.shell.inbox import Inbox, Letter
from table_controller.shell.translate import watching_of

TICK_S: Final = 0.25
REVIVE_S: Final = 2.0
PATIENCE_S: Final = 4.0
BUSY: Final = "the table has more to do than it can; say it again"
OVERFLOW: Final = "more was said than the table could take"


class Shown(Struct, frozen=True):
    """What any thread may know of the table at any time."""

    status: Status
    watching: Watching


class Loop:
    """One table's thread runs `run`; every other thread may call `answer` and `shown`."""

    def __init__(self, table: str, hearing: Hearing, clock: Clock, *, tick_s: float = TICK_S) -> None:
        self.hearing = hearing
        self.inbox = Inbox()
        self._tick_s = tick_s
        self._name = table
        self._clock = clock
        self._journal = ""
        self._trouble: str | None = None
        self._next_tick = self._next_revival = 0.0
        self._after: list[Callable[[], None]] = []
        self.shown = self._look()

    def after_each(self, act: Callable[[], None]) -> None:
        """Something the table's thread does after every letter, and before time passes, such as setting the lamps."""
        self._after.append(act)

    def run(self, ended: Callable[[], bool]) -> None:
        """Until it has ended; then the record is let go, whole."""
        while not ended():
            self.turn()
        if self.hearing.table.down is None:
            self.hearing.table.recorder.leave()

    def turn(self) -> None:
        """One letter, or the time until the next tick."""
        letter = self.inbox.next(max(0.0, self._next_tick - time.monotonic()))
        if letter is not None:
            self._safely(letter.act)
        if self.inbox.overflowed():
            self._safely(lambda: self.hearing.pause(OVERFLOW))
        is_due = time.monotonic() >= self._next_tick
        if is_due:
            self._next_tick = time.monotonic() + self._tick_s
            if self.hearing.table.down is not None and time.monotonic() >= self._next_revival:
                self.revive()
        for act in self._after:
            self._safely(act)
        if is_due:
            self._safely(self.hearing.tick)
        self.shown = self._look()

    def answer(self, said: Said | Filed) -> Told:
        """For the door's threads: questions are answered from what is shown, the rest waits for the table's thread."""
        match said:
            case Look():
                return self.shown.status
            case Watch():
                return self.shown.watching
            case Kept():
                return Answer(Outcome.UNREADABLE, self.shown.status.version, detail="the file has not been looked at")
            case _:
                return self._wait_for(said)

    def _wait_for(self, heard: Heard) -> Answer:
        done = threading.Event()
        answers: list[Answer] = []

        def act() -> None:
            answers.append(self.hearing.hear(heard))
            self.shown = self._look()  # before the caller knows: what he asks next shows what came of it
            done.set()

        if not self.inbox.put(Letter(act)) or not done.wait(PATIENCE_S):
            return Answer(Outcome.DOWN, self.shown.status.version, detail=BUSY)
        return answers[0]

    def revive(self) -> None:
        """Open the record, for the first time or again; what is in the way is shown until the next try."""
        self._next_revival = time.monotonic() + REVIVE_S
        try:
            self.hearing.table.revive(self._clock().at_ns)
            self._trouble = None
        except JournalError as error:
            self._trouble = str(error)

    @staticmethod
    def _safely(act: Callable[[], None]) -> None:
        """What the record cannot take has taken the table down, and `shown` says why."""
        with suppress(JournalError):
            act()

    def _look(self) -> Shown:
        table, lights, now = self.hearing.table, self.hearing.lights.shown, self._clock().at_ns
        if table.down is not None:
            down = Status(self._name, self._journal, 0, 0, lights, down=self._trouble or table.down, at_ns=now)
            return Shown(down, Watching(None))
        record = table.recorder
        self._journal = str(record.day.path)
        seq, version = record.day.writer.head.seq, record.state.version
        status = Status(self._name, self._journal, seq, version, lights, at_ns=now)
        return Shown(status, watching_of(record.state, now))
