"""The dealer's hole card: checked before anyone plays, turned when everyone has played."""

from table_controller.core.blackjack.hands import is_natural
from table_controller.core.blackjack.round import DueKind, hole_lies, round_of, rules_of
from table_controller.core.blackjack.words import HoleChecked, HolePeeked, HoleRevealed, HoleTurned
from table_controller.core.cards import Card
from table_controller.core.disputes import dispute, shown_again
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
    """The hole card is turned: named where that is due, a question where it cannot be read or cannot be."""
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
        dispute(course, Irregularity.UNREADABLE, DEALER)
    elif not state.shoe.holds(turned.card):
        dispute(course, Irregularity.IMPOSSIBLE_CARD, DEALER, turned.card)
    else:
        name_hole(course, turned.card)


def name_hole(course: Course, card: Card) -> None:
    """From here on everybody knows the hole card; questions about reading it are answered."""
    course.record(HoleRevealed(course.cause, card))
    shown_again(course, DEALER)
    dispute_contradiction(course, card)


def dispute_contradiction(course: Course, card: Card) -> bool:
    """Stop before any money moves where the check of the hole card said something else than the card itself."""
    rnd = round_of(course.state)
    if rnd is None or not rnd.revealed or rnd.peeked is None or is_natural(rnd.dealer[:2]) is rnd.peeked:
        return False
    dispute(course, Irregularity.PEEK_CONTRADICTED, DEALER, card)
    return True
