"""A recorded evening that is fed to a table again: what was said from outside, and whether both records tell the same.

The same are the judge's events in their order, each with what it says. Left out are times, the numbers sources give
their words and the names of pictures; which device of the computer failed or came back, for that tells of the computer;
and the bookkeeping of what the eyes see, to the millimetre, before the judge makes a card or a question of it.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from table_controller.core.events import (
    DeviceFailed,
    DeviceRecovered,
    Event,
    SightingClosed,
    SightingKept,
    SightingLost,
    SightingMatched,
)
from table_controller.core.game import evolve
from table_controller.core.stimuli import Stimulus
from table_controller.core.table import TableState
from table_controller.journal.record import Record
from table_controller.journal.vocabulary import EVENT
from table_controller.replay.opening import Recorded

LEFT_OUT: Final = frozenset(
    EVENT + str(kind.__struct_config__.tag)
    for kind in (DeviceFailed, DeviceRecovered, SightingKept, SightingMatched, SightingLost, SightingClosed)
)
ASIDE: Final = frozenset({"at_ns", "since_ns", "pulse_ns", "seq", "before", "after", "evidence"})
PEOPLE: Final = "floor"
BOARDS: Final = "bridge.event"
DIGITS: Final = "-0123456789"

Said = tuple[str, int, int]
"""A board's word: device, ring, number."""


class Word(NamedTuple):
    """What a person asked for: the row that has it, when, and whether the eyes saw an empty felt."""

    row: int
    at_ns: int
    stimulus: Stimulus
    felt_empty: bool


class Parting(NamedTuple):
    """The first fact that is not in both records, as either has it."""

    then: str | None
    now: str | None


class Evening(Struct, frozen=True):
    """What a record holds of the world outside: the people's words, the boards' words by row; and the facts' rows."""

    began_ns: int
    ended_ns: int
    words: Sequence[Word]
    boards: Mapping[Said, int]
    facts: Sequence[int]

    def facts_before(self, row: int) -> int:
        """How many facts that are compared were on record before this row."""
        return bisect_left(self.facts, row)


def evening_of(day: Recorded) -> Evening:
    """The day as it can be fed again."""
    words, state = list[Word](), day.start
    for row in day.rows:
        said = day.said(row)
        if isinstance(said, Event):
            state = evolve(day.game.game, state, said)
        elif row.source == PEOPLE and isinstance(said, Stimulus):
            words.append(Word(row.seq, row.at_ns, said, is_empty(state)))
    boards = {
        (row.source, int(row.boot_id or 0), row.source_seq or 0): row.seq for row in day.rows if row.kind == BOARDS
    }
    facts = [row.seq for row in day.rows if is_fact(row)]
    return Evening(day.rows[0].at_ns, day.rows[-1].at_ns, words, boards, facts)


def is_empty(state: TableState) -> bool:
    """Whether no card is seen on the felt."""
    return not any(sight.lies for sight in state.sights)


def is_fact(row: Record) -> bool:
    """Whether this row is compared."""
    return row.kind.startswith(EVENT) and row.kind not in LEFT_OUT


def fact_of(row: Record) -> str:
    """What is compared of a row, as a line of text."""
    body = _without(msgspec.json.decode(row.body))
    return f"round {row.round} {msgspec.json.encode(body, order='deterministic').decode()}"


def parting(then: Sequence[Record], now: Sequence[Record]) -> Parting | None:
    """Where two records part; None if they tell the same."""
    told = ([fact_of(row) for row in rows if is_fact(row)] for rows in (then, now))
    return next((Parting(one, other) for one, other in zip_longest(*told) if one != other), None)


def _without(value: object) -> object:
    """Times and numbers left out; eyes that opened anew are the same eyes."""
    if isinstance(value, list):
        return [_without(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {key: _without(one) for key, one in value.items() if key not in ASIDE}
    if isinstance(source := kept.get("source"), str):
        kept["source"] = source.rstrip(DIGITS)
    return kept
