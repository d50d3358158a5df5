"""The heart of a table: a stimulus is judged, the judgement is on disk, and only then does anyone learn of it."""

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from table_controller.core.events import RoundClosed, RoundSettled, RoundVoided, TableClosed
from table_controller.core.step import Step, step
from table_controller.core.stimuli import Stimulus, Tick
from table_controller.core.table import TableState
from table_controller.games import played
from table_controller.journal.certificate import ClosedDay
from table_controller.journal.clocks import STARTED
from table_controller.journal.complaints import carry_complaints, complaints_of
from table_controller.journal.day import Day, open_day
from table_controller.journal.errors import DayIsOver
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.record import Draft, Moment
from table_controller.journal.retention import carry_holds, holds_of
from table_controller.journal.sqlite_store import SQLITE_VERSION
from table_controller.journal.writer import Clock
from table_controller.replay.opening import Warn, carry, load

SEALED_BY: Final = (RoundSettled, RoundClosed, RoundVoided, TableClosed)


class Started(Struct, frozen=True):
    """Body of the row each start of the program leaves."""

    python: str
    sqlite: str


class Recorder:
    """A judge with a pen. `state` is always what the record says."""

    def __init__(self, day: Day, game: str, state: TableState) -> None:
        self.day = day
        self.state = state
        self._game = played(game)

    def take(self, stimulus: Stimulus, boot_id: str | None = None, beside: Sequence[Draft] = ()) -> Step:
        """Judge and record; on disk when it returns. What it raises has changed nothing.

        A number its source has used already, or a tick that nothing comes of, leaves no row. The rows `beside` it,
        such as what the device said, are kept in any case, and never without it.
        """
        done = step(self._game.game, self.state, stimulus)
        if not done.events and (isinstance(stimulus, Tick) or self._is_known(stimulus)):
            if beside:
                self.note(beside)
            return done
        number = _round_of(done.state) or _round_of(self.state)
        words = self._game.words
        judged = (words.judged(event, number) for event in done.events)
        drafts = [*beside, words.heard(done.stimulus, number, boot_id), *judged]
        self.day.writer.write(drafts, seal=any(isinstance(event, SEALED_BY) for event in done.events))
        self.state = done.state
        return done

    def note(self, drafts: Sequence[Draft], *, seal: bool = False) -> None:
        """Rows that the judge has no part in: holds, evidence, complaints."""
        self.day.writer.write(drafts, seal=seal)

    def now(self) -> Moment:
        """The time the next row would get."""
        return self.day.writer.now()

    def tidy(self) -> None:
        """Housekeeping, after everything taken has been acknowledged."""
        self.day.writer.tidy()

    def close(self) -> ClosedDay:
        """The day is over; the next one begins with the state as it is now."""
        return self.day.close()

    def leave(self) -> None:
        """Lets go of the record without ending the day."""
        self.day.leave()

    def _is_known(self, stimulus: Stimulus) -> bool:
        return stimulus.cause.seq <= self.state.cursors.get(stimulus.cause.source, -1)


def open_recorder(path: Path, key: Ed25519PrivateKey, clock: Clock, game: str, warn: Warn) -> Recorder:
    """Opens a day, checking all that is there, and takes the state from it; a new day starts where the last ended.

    Raises DayIsOver for a closed day, after finishing a closing that was cut off.
    """
    day = open_day(path, key, clock, _first_rows(path, game, warn))
    if day.over:
        day.close()
        raise DayIsOver(f"{path.name} is closed; open the next day")
    recorded = load(path, warn)
    started = Started(platform.python_version(), SQLITE_VERSION)
    day.writer.write([Draft(kind=STARTED, body=msgspec.json.encode(started), source="journal")])
    return Recorder(day, game, recorded.end())


def _first_rows(path: Path, game: str, warn: Warn) -> list[Draft]:
    earlier = [other for other in journals(path.parent, table_and_day(path)[0]) if other.name < path.name]
    if path.exists() or not earlier:
        return [carry(game, played(game).game.empty)]
    return [
        carry(game, load(earlier[-1], warn).end()),
        carry_holds(holds_of(earlier[-1])),
        carry_complaints(complaints_of(earlier[-1])),
    ]


def _round_of(state: TableState) -> int | None:
    return state.round.number if state.round is not None else None
