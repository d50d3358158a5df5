"""Judging a round again after a correction: every line that changes is a new fact beside the old one."""

from typing import Final

from msgspec.structs import replace

from table_controller.core.blackjack.due import due
from table_controller.core.blackjack.evolve import marked
from table_controller.core.blackjack.phases.settling import sum_up
from table_controller.core.blackjack.round import BlackjackRound, Due, DueKind, round_of, rules_of
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.settle import SETTLES, even_money_line, lines_due, surrender_line
from table_controller.core.blackjack.words import BetKind, BetReopened, BetResettled, Line, Result
from table_controller.core.disputes import dispute
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity

CHOSEN: Final = frozenset({Result.SURRENDER, Result.EVEN_MONEY, Result.RETURNED})
"""Results that a person chose; a corrected card does not undo them."""


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
            course.record(BetReopened(course.cause, was))
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
