"""Corrections add facts, never edit them: what they change of a settled round is settled again, with the difference."""

from msgspec.structs import replace

from table_controller.core.blackjack.due import due
from table_controller.core.blackjack.evolve import marked
from table_controller.core.blackjack.phases.betting import bet_faults
from table_controller.core.blackjack.phases.settling import sum_up
from table_controller.core.blackjack.remedies import staked
from table_controller.core.blackjack.round import BlackjackRound, Due, DueKind, hole_index, round_of, rules_of
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.settle import SETTLES, even_money_line, lines_due, surrender_line
from table_controller.core.blackjack.words import BetKind, BetResettled, HandReopened, Line, Result
from table_controller.core.cards import Card
from table_controller.core.disputes import dispute, not_floor, one_person
from table_controller.core.events import BetCorrected, CardCorrected, PayoutReported, RoundVoided
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity
from table_controller.core.places import DEALER, Place
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.stimuli import CorrectBet, CorrectCard, ReportPayout, VoidRound
from table_controller.core.table import TableState

CHOSEN = frozenset({Result.SURRENDER, Result.EVEN_MONEY, Result.RETURNED})
"""Results that a person chose; a corrected card does not undo them."""


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
    if was is None or was == command.card:
        return Refusal(Reason.NO_SUCH_CARD if was is None else Reason.NOTHING_TO_DO)
    assert state.shoe is not None
    return None if state.shoe.holds(command.card) else Refusal(Reason.NOT_IN_SHOE, command.card.text)


def _recorded(state: TableState, place: Place, index: int) -> Card | None:
    rnd = round_of(state)
    assert rnd is not None
    hand = rnd.hand(place)
    cards = rnd.dealer if place == DEALER else hand.cards if hand is not None else ()
    hidden = place == DEALER and not rnd.revealed and rules_of(state).hole_card and index == hole_index(rules_of(state))
    return cards[index] if 0 <= index < len(cards) and not hidden else None


def correct_card(course: Course, command: CorrectCard) -> None:
    """Name the card anew and judge again what hangs on it."""
    was = _recorded(course.state, command.place, command.index)
    assert was is not None
    course.record(
        CardCorrected(course.cause, command.by, command.second, command.place, command.index, was, command.card)
    )
    judge_again(course)


def cannot_correct_bet(state: TableState, command: CorrectBet) -> Refusal | None:
    """Why the bet stays as recorded."""
    if (refused := _two_of_the_floor(state, command)) is not None:
        return refused
    rnd = round_of(state)
    box = rnd.box(command.box) if rnd is not None else None
    if box is None or box.dead:
        return Refusal(Reason.BOX_EMPTY)
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


def judge_again(course: Course) -> None:
    """Compare the lines already recorded with those the corrected round gives, and record every difference."""
    rnd = round_of(course.state)
    assert rnd is not None
    lines, waits_for = _course_anew(rules_of(course.state), rnd)
    if rnd.finished and waits_for.kind is not DueKind.PAY:
        dispute(course, Irregularity.COURSE_CHANGED)
        return
    now = {(line.bet, line.box, line.hand): line for line in lines}
    changed = False
    for was in rnd.lines:
        line = now.get((was.bet, was.box, was.hand))
        if line is None:
            course.record(HandReopened(course.cause, was))
        elif line != was:
            course.record(BetResettled(course.cause, line, was))
            changed = True
    if rnd.finished and changed:
        sum_up(course)


def _course_anew(rules: RuleSet, rnd: BlackjackRound) -> tuple[list[Line], Due]:
    """All lines of the round judged from its cards alone, and what it then waits for."""
    kept = [_chosen(rules, rnd, line) for line in rnd.lines if line.result in CHOSEN]
    fresh = replace(rnd, finished=False, lines=())
    for line in rnd.lines:
        if line.result not in CHOSEN:
            fresh = marked(fresh, line, decided=False)
    lines = kept
    fresh = replace(fresh, lines=tuple(kept))
    while (now := due(rules, fresh)).kind in SETTLES:
        fresh = replace(fresh, due=now)
        for line in lines_due(rules, fresh):
            fresh = replace(marked(fresh, line, decided=True), lines=(*fresh.lines, line))
            lines.append(line)
        if now.kind is DueKind.FINISH:
            fresh = replace(fresh, finished=True)
    return lines, now


def _chosen(rules: RuleSet, rnd: BlackjackRound, line: Line) -> Line:
    """The line of a choice on today's stake."""
    box = rnd.box(line.box)
    assert box is not None
    if line.result is Result.SURRENDER:
        return surrender_line(rules, box)
    return even_money_line(box) if line.result is Result.EVEN_MONEY and line.bet is BetKind.MAIN else line


def cannot_report(state: TableState, command: ReportPayout) -> Refusal | None:
    """A pay-out is wrong only once it is known what was due."""
    rnd = round_of(state)
    box = rnd.box(command.box) if rnd is not None else None
    if rnd is None or box is None or not rnd.finished:
        return Refusal(Reason.NOT_SETTLED)
    return Refusal(Reason.NOTHING_TO_DO) if _payable(rnd, command.box) == command.paid else None


def _payable(rnd: BlackjackRound, box: int) -> int:
    return sum(line.back for line in rnd.lines if line.box == box)


def report(course: Course, command: ReportPayout) -> None:
    """A dispute about money; the next round waits for it."""
    rnd = round_of(course.state)
    assert rnd is not None
    number, owed = course.state.disputed + 1, _payable(rnd, command.box)
    course.record(PayoutReported(course.cause, command.by, number, command.box, owed, command.paid))


def cannot_void(state: TableState, command: VoidRound) -> Refusal | None:
    """Why the round stands."""
    return _two_of_the_floor(state, command)


def void(course: Course, command: VoidRound) -> None:
    """Every bet goes back."""
    rnd = round_of(course.state)
    assert rnd is not None
    course.record(RoundVoided(course.cause, command.by, command.second, rnd.number, command.reason, staked(rnd)))
