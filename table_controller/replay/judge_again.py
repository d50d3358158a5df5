"""The judge asked again: would today's program decide as recorded, and what would other rules make of a round."""

from collections.abc import Iterator
from itertools import zip_longest

from msgspec import Struct

from table_controller.core.events import Event, RulesChanged
from table_controller.core.game import evolve
from table_controller.core.people import Person, Role
from table_controller.core.step import step
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.core.table import TableState
from table_controller.replay.opening import Recorded
from table_controller.replay.walk import Walk, events_between, rows_of_round

LAID_OUT = ("decks", "shuffle", "boxes", "practice")  # what lies on the table, whatever the rules
NOBODY = Person("what-if", Role.TECHNICIAN)


class Difference(Struct, frozen=True):
    """Where two courses part: at this row (the stimulus judged), what one holds and the other does not."""

    seq: int
    recorded: Event | None
    now: Event | None


class WhatIf(Struct, frozen=True):
    """A round under other rules: the facts as they would be, and where they part from the record (None: nowhere)."""

    recorded: tuple[Event, ...]
    now: tuple[Event, ...]
    parts: Difference | None


def differences(day: Recorded) -> Iterator[Difference]:
    """Every stimulus of the day judged again from the recorded state; yields the first differing event of each."""
    state = day.start
    for stimulus, events, seq in _steps(day, range(1, len(day.rows) + 1)):
        if stimulus is not None:
            parts = _first_difference(seq, events, step(day.game.game, state, stimulus).events)
            if parts is not None:
                yield parts
        for event in events:
            state = evolve(day.game.game, state, event)


def what_if(walk: Walk, number: int, rules: dict[str, object]) -> WhatIf:
    """The stimuli of a round judged under other rules. The shoe and the boxes stay those of the table."""
    day = walk.day
    rows = rows_of_round(day, number)
    state, parts = _under(day, walk.to(rows.start - 1), rules), None
    now: list[Event] = []
    for stimulus, events, seq in _steps(day, rows):
        if stimulus is None:
            continue
        done = step(day.game.game, state, stimulus)
        parts = parts or _first_difference(seq, events, done.events)
        state = done.state
        now.extend(done.events)
    return WhatIf(tuple(events_between(day, rows)), tuple(now), parts)


def _under(day: Recorded, state: TableState, rules: dict[str, object]) -> TableState:
    here = {key: getattr(state.rules, key) for key in LAID_OUT}
    return evolve(day.game.game, state, RulesChanged(Cause("what-if", 0), NOBODY, {**rules, **here}))


def _steps(day: Recorded, rows: range) -> Iterator[tuple[Stimulus | None, list[Event], int]]:
    """(what was said, what was made of it, the row); None for facts with no stimulus before them."""
    stimulus: Stimulus | None = None
    events: list[Event] = []
    at = rows.start
    for seq in rows:
        said = day.said(day.rows[seq - 1])
        if isinstance(said, Stimulus):
            yield stimulus, events, at
            stimulus, events, at = said, [], seq
        elif isinstance(said, Event):
            events.append(said)
    yield stimulus, events, at


def _first_difference(seq: int, recorded: list[Event], now: tuple[Event, ...]) -> Difference | None:
    for was, would in zip_longest(recorded, now):
        if was != would:
            return Difference(seq, was, would)
    return None
