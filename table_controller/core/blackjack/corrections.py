"""Corrections add facts, never edit them: what they change of a settled round is settled again, with the difference."""

from msgspec.structs import replace

from table_controller.core.blackjack.again import judge_again
from table_controller.core.blackjack.legal import insurance_limit
from table_controller.core.blackjack.lying import coming
from table_controller.core.blackjack.phases.betting import bet_faults
from table_controller.core.blackjack.phases.dealer import dispute_contradiction
from table_controller.core.blackjack.round import hole_index, round_of, rules_of
from table_controller.core.blackjack.voiding import void_round
from table_controller.core.blackjack.words import Result
from table_controller.core.cards import Card
from table_controller.core.disputes import not_floor, one_person
from table_controller.core.events import BetCorrected, CardCorrected, CardEntered, PayoutReported
from table_controller.core.game import Course
from table_controller.core.people import Person
from table_controller.core.places import DEALER, Place
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.stimuli import CardSeen, CorrectBet, CorrectCard, EnterCard, Face, ReportPayout, VoidRound
from table_controller.core.table import Phase, TableState, blocking


def _two_of_the_floor(state: TableState, command: CorrectCard | CorrectBet | VoidRound) -> Refusal | None:
    rnd = round_of(state)
    if rnd is None or (not rnd.closed and not isinstance(command, VoidRound)):
        return Refusal(Reason.NO_ROUND)
    return Refusal(Reason.SECOND_PERSON) if one_person(command.by, command.second) else not_floor(command)


def cannot_correct_card(state: TableState, command: CorrectCard) -> Refusal | None:
    """Why the card stays as recorded."""
    if (refused := _two_of_the_floor(state, command)) is not None:
        return refused
    was = _recorded(state, command.place, command.index)
    if was is None or command.card is None:
        return Refusal(Reason.NO_SUCH_CARD)
    if was == command.card:
        return Refusal(Reason.NOTHING_TO_DO)
    assert state.shoe is not None
    return None if state.shoe.holds(command.card) else Refusal(Reason.NOT_IN_SHOE, command.card.text)


def _recorded(state: TableState, place: Place, index: int) -> Card | None:
    rnd = round_of(state)
    assert rnd is not None
    cards = rnd.cards_at(place)
    hidden = place == DEALER and not rnd.revealed and rules_of(state).hole_card and index == hole_index(rules_of(state))
    return cards[index] if 0 <= index < len(cards) and not hidden else None


def correct_card(course: Course, command: CorrectCard) -> None:
    """Name the card anew and judge again what hangs on it."""
    assert command.card is not None
    rename(course, (command.by, command.second), (command.place, command.index), command.card)


def rename(course: Course, people: tuple[Person, Person], where: tuple[Place, int], card: Card) -> None:
    """Record that two people say which card it really is, and judge again."""
    was = _recorded(course.state, *where)
    assert was is not None
    course.record(CardCorrected(course.cause, *people, *where, was, card))
    if where[0] != DEALER or not dispute_contradiction(course, card):
        judge_again(course)


def cannot_enter(state: TableState, command: EnterCard) -> Refusal | None:
    """Why no card is taken from people: the camera works, none is due there, or it cannot be that one."""
    if one_person(command.by, command.second):
        return Refusal(Reason.SECOND_PERSON)
    if state.phase is Phase.PAUSED:
        return Refusal(Reason.TABLE_PAUSED)
    if (question := blocking(state)) is not None:
        return Refusal(Reason.DISPUTE_OPEN, str(question.irregularity))
    if not state.faults:
        return Refusal(Reason.NO_FAULT)
    due = coming(state)
    if due is None or due.place != command.place:
        return Refusal(Reason.NOT_DUE, str(due.place) if due is not None else "")
    if due.face is Face.UP and command.card is None:
        return Refusal(Reason.CARD_NEEDED)
    assert state.shoe is not None
    if command.card is not None and not state.shoe.holds(command.card):
        return Refusal(Reason.NOT_IN_SHOE, command.card.text)
    return not_floor(command)


def enter(course: Course, command: EnterCard) -> None:
    """Record who says so, then judge the card as if it had been seen."""
    due = coming(course.state)
    assert due is not None
    course.record(CardEntered(course.cause, command.by, command.second, command.place, command.reason))
    course.game.judges[CardSeen](course, CardSeen(course.cause, command.place, command.card, due.face))


def cannot_correct_bet(state: TableState, command: CorrectBet) -> Refusal | None:
    """Why the bet stays as recorded."""
    if (refused := _two_of_the_floor(state, command)) is not None:
        return refused
    rnd = round_of(state)
    box = rnd.box(command.box) if rnd is not None else None
    returned = rnd is not None and any(one.box == command.box and one.result is Result.RETURNED for one in rnd.lines)
    if box is None or returned:
        return Refusal(Reason.BOX_EMPTY)
    if box.insurance > insurance_limit(rules_of(state), replace(box, main=command.amount, funds=None)):
        return Refusal(Reason.AMOUNT, f"insurance of {box.insurance} lies on it; void the round")
    if box.main == command.amount:
        return Refusal(Reason.NOTHING_TO_DO)
    faults = bet_faults(rules_of(state), command.amount, 0)
    return Refusal(faults[0]) if faults else None


def correct_bet(course: Course, command: CorrectBet) -> None:
    """Record the bet anew and judge again what hangs on it."""
    rnd = round_of(course.state)
    box = rnd.box(command.box) if rnd is not None else None
    assert box is not None
    course.record(BetCorrected(course.cause, command.by, command.second, box.number, box.main, command.amount))
    judge_again(course)


def cannot_report(state: TableState, command: ReportPayout) -> Refusal | None:
    """A pay-out is wrong only once it is known what was due."""
    rnd = round_of(state)
    box = rnd.box(command.box) if rnd is not None else None
    if rnd is None or box is None or not rnd.finished:
        return Refusal(Reason.NOT_SETTLED)
    return Refusal(Reason.NOTHING_TO_DO) if rnd.practice or rnd.payable(command.box) == command.paid else None


def report(course: Course, command: ReportPayout) -> None:
    """A dispute about money; the next round waits for it."""
    rnd = round_of(course.state)
    assert rnd is not None
    number, owed = course.state.disputed + 1, rnd.payable(command.box)
    course.record(PayoutReported(course.cause, command.by, number, command.box, owed, command.paid))


def cannot_void(state: TableState, command: VoidRound) -> Refusal | None:
    """Why the round stands."""
    return _two_of_the_floor(state, command)


def void(course: Course, command: VoidRound) -> None:
    """Every bet goes back."""
    void_round(course, command.by, command.second, command.reason)
