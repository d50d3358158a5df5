"""The dealer's hole card: checked before anyone plays, turned when everyone has played."""

from table_controller.core.blackjack.hands import is_natural
from table_controller.core.blackjack.round import DueKind, hole_lies, round_of, rules_of
from table_controller.core.blackjack.words import HoleChecked, HolePeeked, HoleRevealed, HoleTurned
from table_controller.core.disputes import dispute
from table_controller.core.events import ObservationNoted
from table_controller.core.game import Course
from table_controller.core.irregular import Irregularity
from table_controller.core.places import DEALER
from table_controller.core.reasons import Reason
from table_controller.core.table import Phase, blocking


def peek(course: Course, answer: HolePeeked) -> None:
    """Take the answer yes or no, once, when it is due (PROCEDURES 14: a second check is rejected and logged)."""
    rnd = round_of(course.state)
    due = rnd is not None and rnd.due.kind is DueKind.PEEK
    if due and course.state.phase is not Phase.PAUSED and blocking(course.state) is None:
        course.record(HoleChecked(answer.cause, answer.blackjack))
    else:
        course.record(ObservationNoted(answer.cause, "hole_peeked", Reason.PEEK_NOT_DUE))


def reveal(course: Course, turned: HoleTurned) -> None:
    """Name the hole card; a check that said something else is a dispute before any money moves."""
    state = course.state
    rnd = round_of(state)
    if rnd is None or rnd.due.kind is not DueKind.REVEAL or blocking(state) is not None or state.phase is Phase.PAUSED:
        if rnd is not None and hole_lies(rules_of(state), rnd):
            dispute(course, Irregularity.HOLE_EXPOSED, DEALER)
        else:
            course.record(ObservationNoted(turned.cause, "hole_turned", Reason.HOLE_NOT_DUE))
        return
    assert state.shoe is not None
    if turned.card is None:
        course.record(ObservationNoted(turned.cause, "hole_turned", Reason.CARD_NEEDED))
    elif not state.shoe.holds(turned.card):
        dispute(course, Irregularity.IMPOSSIBLE_CARD, DEALER, turned.card)
    else:
        course.record(HoleRevealed(turned.cause, turned.card))
        after = round_of(course.state)
        assert after is not None
        if rnd.peeked is not None and is_natural(after.dealer) is not rnd.peeked:
            dispute(course, Irregularity.PEEK_CONTRADICTED, DEALER, turned.card)
