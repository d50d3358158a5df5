"""A card was seen. It is dealt where it was due, held while a question is open, or disputed; never refused."""

from table_controller.core.blackjack.phases.betting import close_bets, unplayable
from table_controller.core.blackjack.phases.dealer import reveal
from table_controller.core.blackjack.round import BlackjackRound, Due, DueKind, hole_lies, round_of, rules_of
from table_controller.core.blackjack.words import HoleShown, HoleTurned
from table_controller.core.cards import Card
from table_controller.core.disputes import dispute, has_open, shown_again
from table_controller.core.events import CardDealt, CardHeld, CardNamed
from table_controller.core.game import Course
from table_controller.core.house import Witness
from table_controller.core.irregular import Irregularity
from table_controller.core.places import DEALER
from table_controller.core.stimuli import CardSeen, Face
from table_controller.core.table import Phase, TableState, blocking


def seen(course: Course, card: CardSeen) -> None:
    """Judge one card on the felt."""
    state = course.state
    rnd = round_of(state)
    if rnd is None or state.phase is Phase.PAUSED:
        dispute(course, Irregularity.OUTSIDE_ROUND, card.place, _public(state, card))
        return
    if not rnd.closed:
        if unplayable(rules_of(state), rnd) is not None:
            dispute(course, Irregularity.OUTSIDE_ROUND, card.place, _public(state, card))
            return
        close_bets(course)
        rnd = _running(course)
    if blocking(state) is not None:
        course.record(CardHeld(card.cause, card.place, _public(state, card), card.face))
    elif rnd.due.kind is DueKind.REVEAL and card.place == DEALER and card.face is Face.UP:
        reveal(course, HoleTurned(card.cause, card.card))
    elif _is_due(rnd.due, card) or not _shown_again(course, rnd, card):
        _lay(course, rnd, card)


def _running(course: Course) -> BlackjackRound:
    rnd = round_of(course.state)
    assert rnd is not None
    return rnd


def _is_due(due: Due, card: CardSeen) -> bool:
    return due.kind is DueKind.CARD and due.place == card.place


def _public(state: TableState, card: CardSeen) -> Card | None:
    """The card as it may be recorded: no face-down card, and none that may be the hole card lying open too early."""
    rnd = round_of(state)
    if card.face is Face.DOWN or rnd is None or card.place != DEALER:
        return card.card if card.face is Face.UP else None
    hole_due = rnd.due.kind is DueKind.CARD and rnd.due.face is Face.DOWN
    return None if hole_due or hole_lies(rules_of(state), rnd) else card.card


def _shown_again(course: Course, rnd: BlackjackRound, card: CardSeen) -> bool:
    """An unread card at this place has been re-presented: name it, if the shoe can hold it."""
    held = rnd.dealer if card.place == DEALER else getattr(rnd.hand(card.place), "cards", ())
    unread = [at for at, one in enumerate(held) if one is None and not _hole_at(course.state, rnd, card, at)]
    if not unread or card.card is None or card.face is Face.DOWN:
        return False
    assert course.state.shoe is not None
    if not course.state.shoe.holds(card.card):
        dispute(course, Irregularity.IMPOSSIBLE_CARD, card.place, card.card)
        return True
    course.record(CardNamed(card.cause, card.place, unread[0], card.card))
    if len(unread) == 1:
        shown_again(course, card.place)
    return True


def _hole_at(state: TableState, rnd: BlackjackRound, card: CardSeen, at: int) -> bool:
    return (
        card.place == DEALER
        and hole_lies(rules_of(state), rnd)
        and at == (0 if rules_of(state).dealer_up == "last" else 1)
    )


def _lay(course: Course, rnd: BlackjackRound, card: CardSeen) -> None:
    """Check the witnesses, the shoe's composition and what is due; then it is dealt or disputed."""
    wrong = _witness_fault(course.state, card) or (
        None if _is_due(rnd.due, card) else _misplaced(course.state, rnd, card)
    )
    if wrong is None and rnd.due.face is Face.DOWN and card.face is Face.UP:
        if not rnd.dealer:
            _turn_down(course, card)
            return
        wrong = Irregularity.HOLE_EXPOSED
    if wrong is not None:
        dispute(course, wrong, card.place, _public(course.state, card))
        return
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
    if due.kind is DueKind.CARD:
        missed = due.place == DEALER and bool(rnd.queue)
        return Irregularity.DEALER_CARD_MISSED if missed else Irregularity.WRONG_PLACE
    return Irregularity.PEEK_MISSED if due.kind is DueKind.PEEK else Irregularity.CARD_NOT_DUE
