"""A card was seen. It is dealt where it was due, held while a question is open, or disputed; never refused."""

from typing import Final

from table_controller.core.blackjack.phases.betting import close_bets, unplayable
from table_controller.core.blackjack.phases.dealer import reveal
from table_controller.core.blackjack.round import BlackjackRound, Due, DueKind, hole_lies, round_of, rules_of, unread_at
from table_controller.core.blackjack.words import HoleShown, HoleTurned
from table_controller.core.disputes import answer_itself, dispute, has_open, shown_again
from table_controller.core.events import CardDealt, CardHeld, CardNamed, ObservationNoted
from table_controller.core.game import Course
from table_controller.core.house import Witness
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import DEALER
from table_controller.core.reasons import Reason
from table_controller.core.stimuli import CardSeen, Face
from table_controller.core.table import Dispute, Phase, TableState, blocking

MISPLACED: Final = frozenset({Irregularity.WRONG_PLACE, Irregularity.BOX_WITHOUT_BET, Irregularity.DEALER_CARD_MISSED})
"""Cards that need only be moved while nothing was dealt since (QLD Casino Gaming Rule 2010 p.341)."""

UNEXPLAINED: Final = frozenset({Irregularity.SEEN_NOT_DRAWN, Irregularity.CARD_NOT_DUE})
"""Cards too many; after a pull as long as two cards take they are the second of that pull."""


def seen(course: Course, card: CardSeen) -> None:
    """Judge one card on the felt."""
    state = course.state
    if state.rules is None or state.shoe is None:
        course.record(ObservationNoted(card.cause, "card_seen", Reason.TABLE_CLOSED))
        return
    rnd = round_of(state)
    if rnd is None or state.phase is Phase.PAUSED or not (rnd.closed or unplayable(rules_of(state), rnd) is None):
        dispute(course, Irregularity.OUTSIDE_ROUND, card.place, card.card)
        return
    if not rnd.closed:
        close_bets(course)
    question = blocking(course.state)
    if question is None or _answers(course, card, question):
        _judge(course, _running(course), card)
    elif (card.place, card.card) == (question.place, question.card):
        course.record(ObservationNoted(card.cause, "card_seen", Reason.DISPUTE_OPEN))
    else:
        course.record(CardHeld(card.cause, card.place, card.card, card.face))


def _running(course: Course) -> BlackjackRound:
    rnd = round_of(course.state)
    assert rnd is not None
    return rnd


def answers(state: TableState, card: CardSeen, question: Dispute) -> Remedy | None:
    """How this card ends the open question by itself, if it does: moved at once, or shown again as the shoe read it."""
    rnd = round_of(state)
    if card.card is None or state.held or rnd is None or state.shoe is None:
        return None
    if question.irregularity in MISPLACED and card.card == question.card and _is_due(rnd.due, card):
        return None if _lies_still(state, question) else Remedy.MOVE
    read = state.shoe.drawn[0].card if state.shoe.drawn else None
    agrees = question.irregularity is Irregularity.WITNESSES_DISAGREE and card.card == read
    return Remedy.SHOWN_AGAIN if agrees and card.place == question.place else None


def _lies_still(state: TableState, question: Dispute) -> bool:
    """Whether the card asked about is still seen where it lay: another of its name is not that one, moved."""
    asked = (sight for sight in state.sights if sight.asked and sight.lies and sight.place is None)
    return any(sight.card == question.card and question.place in sight.places for sight in asked)


def _answers(course: Course, card: CardSeen, question: Dispute) -> bool:
    how = answers(course.state, card, question)
    if how is not None:
        answer_itself(course, question, how)
    return how is not None


def _judge(course: Course, rnd: BlackjackRound, card: CardSeen) -> None:
    if rnd.due.kind is DueKind.REVEAL and card.place == DEALER and card.face is Face.UP:
        reveal(course, HoleTurned(card.cause, card.card))
    elif _is_due(rnd.due, card) or not _shown_again(course, rnd, card):
        lay(course, rnd, card)


def _is_due(due: Due, card: CardSeen) -> bool:
    return due.kind is DueKind.CARD and due.place == card.place


def _shown_again(course: Course, rnd: BlackjackRound, card: CardSeen) -> bool:
    """An unread card at this place has been re-presented: name it, if the shoe can hold it."""
    unread = unread_at(rules_of(course.state), rnd, card.place)
    if not unread or card.card is None:
        return False
    assert course.state.shoe is not None
    if not course.state.shoe.holds(card.card):
        dispute(course, Irregularity.IMPOSSIBLE_CARD, card.place, card.card)
        return True
    course.record(CardNamed(card.cause, card.place, unread[0], card.card))
    if len(unread) == 1:
        shown_again(course, card.place)
    return True


def show_again(course: Course, card: CardSeen, index: int) -> bool:
    """Whether that card of the place was unread and is judged now that it can be read."""
    rnd = round_of(course.state)
    unread = unread_at(rules_of(course.state), rnd, card.place) if rnd is not None else []
    return rnd is not None and index in unread and _shown_again(course, rnd, card)


def lay(course: Course, rnd: BlackjackRound, card: CardSeen) -> None:
    """Check what is due, then the witnesses, then the shoe's composition; it is dealt or disputed."""
    wrong = _witness_fault(course.state, card) if _is_due(rnd.due, card) else _misplaced(course.state, rnd, card)
    if wrong in UNEXPLAINED and course.state.shoe is not None and course.state.shoe.long_pull:
        wrong = Irregularity.TWO_CARDS
    if wrong is None and rnd.due.face is Face.DOWN and card.face is Face.UP:
        if not rnd.dealer:
            _turn_down(course, card)
            return
        wrong = Irregularity.HOLE_EXPOSED
    if wrong is not None:
        dispute(course, wrong, card.place, card.card)
    else:
        deal(course, card, rnd.due)


def _turn_down(course: Course, card: CardSeen) -> None:
    """Where the first of the dealer's cards is the hidden one, showing it before anything is decided stops nobody."""
    course.record(CardDealt(card.cause, card.place, None, Face.DOWN))
    course.record(HoleShown(card.cause))


def deal(course: Course, card: CardSeen, due: Due) -> None:
    """A card at the place that was due. A face-down card has no identity here, whatever the stimulus carries."""
    named = card.card if card.face is Face.UP else None
    shoe = course.state.shoe
    assert shoe is not None
    if named is not None and not shoe.holds(named):
        course.record(CardDealt(card.cause, card.place, None, card.face))
        dispute(course, Irregularity.IMPOSSIBLE_CARD, card.place, named)
        return
    course.record(CardDealt(card.cause, card.place, named, card.face))
    if due.face is Face.UP and named is None:
        wrong = Irregularity.FACE_DOWN if card.face is Face.DOWN else Irregularity.UNREADABLE
        if not has_open(course.state, wrong, card.place):
            dispute(course, wrong, card.place)


def _witness_fault(state: TableState, card: CardSeen) -> Irregularity | None:
    """The shoe as the other witness: no card without its pulse, no other card than the one it read."""
    assert state.shoe is not None
    assert state.house is not None
    if Witness.SHOE not in state.house.witnesses:
        return None
    if not state.shoe.drawn:
        return Irregularity.SEEN_NOT_DRAWN
    read = state.shoe.drawn[0].card
    return Irregularity.WITNESSES_DISAGREE if read is not None and card.card is not None and read != card.card else None


def _misplaced(state: TableState, rnd: BlackjackRound, card: CardSeen) -> Irregularity:
    """What exactly is wrong with a card that is not due here."""
    due = rnd.due
    if card.place == DEALER:
        if hole_lies(rules_of(state), rnd) and due.kind is not DueKind.CARD:
            return Irregularity.HOLE_EXPOSED
        return Irregularity.DEALER_OVERDREW if due.kind is DueKind.PAY else Irregularity.WRONG_PLACE
    if rnd.box(card.place.box) is None:
        return Irregularity.BOX_WITHOUT_BET
    if due.kind is DueKind.CARD or rnd.hand(card.place) is None:
        missed = due.place == DEALER and bool(rnd.queue)
        return Irregularity.DEALER_CARD_MISSED if missed else Irregularity.WRONG_PLACE
    return Irregularity.PEEK_MISSED if due.kind is DueKind.PEEK else Irregularity.CARD_NOT_DUE
