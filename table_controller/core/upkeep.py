"""What a house does again in time: other cards after so many hours, the reader of the hole card inspected every day."""

from typing import Final

from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core import stimuli as said
from table_controller.core import upkeep_words as tended
from table_controller.core.disputes import not_floor, one_person
from table_controller.core.game import Course
from table_controller.core.life import between_rounds
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.table import TableState, Upkeep

MINUTE_NS: Final = 60_000_000_000
TOLD_BEFORE: Final = 30
"""Minutes before the cards must be changed; the pit then has them brought."""


def must_be_new(state: TableState, at_ns: int = 0) -> bool:
    """Whether the next shoe is of new cards: they have served their time (58 Pa. Code 633a.3(d)), or nobody knows."""
    house, kept = state.house, state.upkeep
    if house is None or house.deck_hours is None:
        return False
    return kept.decks_ns is None or kept.decks_overdue or at_ns - kept.decks_ns >= house.deck_hours * 60 * MINUTE_NS


def cannot_stay(state: TableState, command: said.LoadShoe) -> Refusal | None:
    """The same cards, shuffled, while they are not too old."""
    return Refusal(Reason.DECKS_OLD) if must_be_new(state, command.cause.at_ns) else None


def cannot_change(state: TableState, command: said.LoadShoe) -> Refusal | None:
    """Where the age of the cards is watched, two people say that they are new."""
    assert state.house is not None
    watched = state.house.deck_hours is not None
    return Refusal(Reason.SECOND_PERSON) if watched and one_person(command.by, command.second) else None


def changed(upkeep: Upkeep, at_ns: int) -> Upkeep:
    """New cards since then."""
    return replace(upkeep, decks_ns=at_ns, decks_due=False, decks_overdue=False, back="")


def tick(course: Course, clock: said.Tick) -> None:
    """The pit is told before the cards are too old, and when they are; the shoe is played to its end."""
    house, kept = course.state.house, course.state.upkeep
    if house is None or house.deck_hours is None or kept.decks_ns is None or kept.decks_overdue:
        return
    left_ns = kept.decks_ns + house.deck_hours * 60 * MINUTE_NS - clock.cause.at_ns
    if left_ns <= 0:
        course.record(tended.DecksOverdue(course.cause, house.deck_hours))
    elif left_ns <= TOLD_BEFORE * MINUTE_NS and not kept.decks_due:
        course.record(tended.DecksDue(course.cause, left_ns // MINUTE_NS))


def decks_due(state: TableState, _event: tended.DecksDue) -> TableState:
    return replace(state, upkeep=replace(state.upkeep, decks_due=True))


def decks_overdue(state: TableState, _event: tended.DecksOverdue) -> TableState:
    return replace(state, upkeep=replace(state.upkeep, decks_overdue=True))


def wants_reader(state: TableState) -> bool:
    """Whether somebody looks at hidden cards here by a reader that is inspected every day."""
    return state.house is not None and state.rules is not None and state.house.reader_check and state.rules.peeks


def cannot_inspect(state: TableState, command: said.InspectReader) -> Refusal | None:
    """The floor person of the day (58 Pa. Code 673a.2(d)), where there is a reader."""
    if (early := between_rounds(state)) is not None:
        return early
    return not_floor(command) if wants_reader(state) else Refusal(Reason.NOTHING_TO_DO)


def inspect(course: Course, command: said.InspectReader) -> None:
    """It may be used until the gaming day or the table ends."""
    course.record(tended.ReaderInspected(course.cause, command.by))


def inspected(state: TableState, _event: tended.ReaderInspected) -> TableState:
    return replace(state, upkeep=replace(state.upkeep, reader_inspected=True))


def day_began(course: Course, told: said.DayBegan) -> None:
    """Said twice, it is one day."""
    if told.day == course.state.upkeep.day:
        course.record(fact.ObservationNoted(course.cause, "day_began", Reason.NOTHING_TO_DO))
    else:
        course.record(tended.DayBegan(course.cause, told.day))


def began(state: TableState, event: tended.DayBegan) -> TableState:
    return replace(state, upkeep=replace(state.upkeep, day=event.day, reader_inspected=False))
