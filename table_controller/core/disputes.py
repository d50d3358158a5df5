"""Open questions: raised by what was seen, closed by a supervisor's remedy from the house's list."""

from typing import Final

from msgspec.structs import replace

from table_controller.core.cards import Card
from table_controller.core.events import (
    CardHeld,
    Disputed,
    DisputeResolved,
    HeldReleased,
    ObservationNoted,
    PayoutReported,
    ShoeRanOut,
)
from table_controller.core.game import Course
from table_controller.core.irregular import MAY_RESOLVE, TWO_PEOPLE, Irregularity, Remedy
from table_controller.core.people import Person
from table_controller.core.places import Place
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.stimuli import CardSeen, Command, ResolveDispute
from table_controller.core.table import Dispute, Held, TableState

ANSWERED_BY_SHOWING: Final = frozenset({Irregularity.UNREADABLE, Irregularity.FACE_DOWN, Irregularity.IMPOSSIBLE_CARD})
"""Questions that end when the card is shown again and can be read."""

UNPULSED: Final = frozenset({Irregularity.SEEN_NOT_DRAWN, Irregularity.TWO_CARDS})
"""Questions about a card whose own pulse is missing; it may still come."""


def dispute(course: Course, irregularity: Irregularity, place: Place | None = None, card: Card | None = None) -> None:
    """Record an open question, with its own running number; the same one is not asked twice."""
    if any((one.irregularity, one.place, one.card) == (irregularity, place, card) for one in course.state.disputes):
        course.record(ObservationNoted(course.cause, str(irregularity), Reason.DISPUTE_OPEN))
        return
    course.record(Disputed(course.cause, course.state.disputed + 1, irregularity, place, card))


def has_open(state: TableState, irregularity: Irregularity, place: Place | None = None) -> bool:
    """Whether such a question is open already, at that place if one is named."""
    return any(one.irregularity is irregularity and place in (None, one.place) for one in state.disputes)


def one_person(by: Person, second: Person | None) -> bool:
    """Whether an act of two people lacks its second: nobody, or the same person again."""
    return second is None or second.name == by.name


def not_floor(command: Command) -> Refusal | None:
    """The dealer never corrects an error alone."""
    return None if command.by.role in MAY_RESOLVE else Refusal(Reason.ROLE, ", ".join(sorted(MAY_RESOLVE)))


def find(state: TableState, number: int) -> Dispute | None:
    """The open dispute of that number."""
    return next((one for one in state.disputes if one.number == number), None)


def cannot_resolve(state: TableState, command: ResolveDispute) -> Refusal | None:
    """Why this remedy is not to be had."""
    question = find(state, command.dispute)
    if question is None:
        return Refusal(Reason.NO_SUCH_DISPUTE, ", ".join(str(one.number) for one in state.disputes))
    assert state.house is not None
    allowed = state.house.remedies[question.irregularity]
    if command.remedy not in allowed:
        return Refusal(Reason.NO_SUCH_REMEDY, ", ".join(allowed))
    if command.remedy in TWO_PEOPLE and one_person(command.by, command.second):
        return Refusal(Reason.SECOND_PERSON)
    return not_floor(command)


def resolve(course: Course, command: ResolveDispute) -> None:
    """Close the question, apply the remedy, then judge the cards that were held meanwhile, in their order."""
    question = find(course.state, command.dispute)
    assert question is not None
    course.record(
        DisputeResolved(
            course.cause, question.number, question.irregularity, command.remedy, command.by, command.second
        )
    )
    course.game.remedy(course, command, question)
    course.game.follow(course)
    waiting = course.state.held
    if waiting:
        course.record(HeldReleased(course.cause))
    for held in waiting:
        course.game.judges[CardSeen](course, CardSeen(course.cause, held.place, held.card, held.face))
        course.game.follow(course)


def answer_itself(course: Course, question: Dispute, how: Remedy) -> None:
    """Close a question that what happened next has answered; nobody had to choose."""
    course.record(DisputeResolved(course.cause, question.number, question.irregularity, how, None, None))


def shown_again(course: Course, place: Place) -> None:
    """The unread cards of a place can be read now: their questions answer themselves."""
    for one in course.state.disputes:
        if one.irregularity in ANSWERED_BY_SHOWING and one.place == place:
            answer_itself(course, one, Remedy.SHOWN_AGAIN)


def disputed(state: TableState, event: Disputed) -> TableState:
    question = Dispute(event.dispute, event.irregularity, event.place, event.card)
    return replace(state, disputes=(*state.disputes, question), disputed=event.dispute)


def shoe_ran_out(state: TableState, event: ShoeRanOut) -> TableState:
    question = Dispute(event.dispute, Irregularity.SHOE_EMPTY)
    return replace(state, disputes=(*state.disputes, question), disputed=event.dispute)


def payout_reported(state: TableState, event: PayoutReported) -> TableState:
    question = Dispute(
        event.dispute, Irregularity.WRONG_PAYOUT, None, None, event.box, event.due, event.paid, state.rounds
    )
    return replace(state, disputes=(*state.disputes, question), disputed=event.dispute)


def resolved(state: TableState, event: DisputeResolved) -> TableState:
    left = tuple(one for one in state.disputes if one.number != event.dispute)
    after = replace(state, disputes=left)
    if state.shoe is None or event.remedy is not Remedy.ACCEPT or event.irregularity not in UNPULSED:
        return after
    return replace(after, shoe=replace(state.shoe, unpulsed=(*state.shoe.unpulsed, event.cause.at_ns)))


def held_released(state: TableState, _event: HeldReleased) -> TableState:
    return replace(state, held=())


def held(state: TableState, event: CardHeld) -> TableState:
    return replace(state, held=(*state.held, Held(event.cause, event.place, event.card, event.face)))
