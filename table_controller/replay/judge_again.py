"""The judge asked again: would today's program decide as recorded, and what would other rules make of a round."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core.events import (
    BetsClosed,
    CommandRefused,
    Disputed,
    Event,
    RoundSettled,
    RoundVoided,
    RulesChanged,
    SignalRefused,
)
from table_controller.core.game import evolve
from table_controller.core.people import Person, Role
from table_controller.core.step import step
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.core.table import TableState
from table_controller.replay.opening import Recorded
from table_controller.replay.walk import Walk, events_between, rows_of_round

LAID_OUT = ("decks", "shuffle", "boxes", "practice")  # what lies on the table, whatever the rules
NOBODY = Person("what-if", Role.TECHNICIAN)
END: Final = (RoundSettled, RoundVoided)
OBSTACLE: Final = (Disputed, SignalRefused, CommandRefused)


class Difference(Struct, frozen=True):
    """Where two courses part: the row itself, or where the record is too short its last one; what each holds."""

    seq: int
    recorded: Event | None
    now: Event | None


class WhatIf(Struct, frozen=True):
    """A round under other rules: the facts as they would be, and where they part from the record (None: nowhere).

    The record may end a round that is `unfinished` under these rules; `obstacle` is what first stood in its way.
    """

    recorded: tuple[Event, ...]
    now: tuple[Event, ...]
    parts: Difference | None
    unfinished: bool
    obstacle: Event | None


class _Step(NamedTuple):
    """What was said at a row (None: facts with nothing said before them) and what was made of it, with its rows."""

    seq: int
    stimulus: Stimulus | None
    events: list[Event]
    rows: list[int]


def differences(day: Recorded) -> Iterator[Difference]:
    """Every stimulus of the day judged again from the recorded state; yields the first differing event of each."""
    state = day.start
    for one in _steps(day, range(1, len(day.rows) + 1)):
        if one.stimulus is not None:
            parts = _first_difference(one, step(day.game.game, state, one.stimulus).events)
            if parts is not None:
                yield parts
        for event in one.events:
            state = evolve(day.game.game, state, event)


def what_if(walk: Walk, number: int, rules: dict[str, object]) -> WhatIf:
    """The stimuli of a round judged under other rules. The shoe and the boxes stay those of the table."""
    day = walk.day
    rows = rows_of_round(day, number)
    state, parts = _under(day, walk.to(rows.start - 1), rules), None
    now: list[Event] = []
    for one in _steps(day, rows):
        if one.stimulus is None:
            continue
        done = step(day.game.game, state, one.stimulus)
        parts = parts or _first_difference(one._replace(events=_played(one.events)), tuple(_played(done.events)))
        state = done.state
        now.extend(done.events)
    recorded = tuple(events_between(day, rows))
    obstacle = next((event for event in now if isinstance(event, OBSTACLE) and event not in recorded), None)
    return WhatIf(recorded, tuple(now), parts, _ends(recorded) and not _ends(now), obstacle)


def _ends(events: Iterable[Event]) -> bool:
    return any(isinstance(event, END) for event in events)


def _played(events: Iterable[Event]) -> list[Event]:
    """Without what the house might lose in the round: it follows from the rules before a card is dealt."""
    return [replace(event, exposure=0) if isinstance(event, BetsClosed) else event for event in events]


def _under(day: Recorded, state: TableState, rules: dict[str, object]) -> TableState:
    here = {key: getattr(state.rules, key) for key in LAID_OUT}
    return evolve(day.game.game, state, RulesChanged(Cause("what-if", 0), NOBODY, {**rules, **here}))


def _steps(day: Recorded, rows: range) -> Iterator[_Step]:
    here = _Step(rows.start, None, [], [])
    for seq in rows:
        said = day.said(day.rows[seq - 1])
        if isinstance(said, Stimulus):
            yield here
            here = _Step(seq, said, [], [])
        elif isinstance(said, Event):
            here.events.append(said)
            here.rows.append(seq)
    yield here


def _first_difference(recorded: _Step, now: tuple[Event, ...]) -> Difference | None:
    last = recorded.rows[-1] if recorded.rows else recorded.seq
    for seq, was, would in zip_longest(recorded.rows, recorded.events, now):
        if was != would:
            return Difference(last if seq is None else seq, was, would)
    return None
