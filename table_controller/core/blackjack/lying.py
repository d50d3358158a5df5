"""What lies where, what must be seen next, and which cards the dealer has reason to move: answers for the witnesses."""

from collections.abc import Mapping

from table_controller.core.blackjack.phases.betting import unplayable
from table_controller.core.blackjack.round import BlackjackRound, DueKind, deal_order, round_of, rules_of
from table_controller.core.cards import Card
from table_controller.core.game import Coming
from table_controller.core.places import DEALER, Place
from table_controller.core.table import TableState


def coming(state: TableState) -> Coming | None:
    """The card that must be seen next; the first of a round closes the bets."""
    rnd = round_of(state)
    if rnd is None or state.shoe is None:
        return None
    if not rnd.closed:
        return Coming(deal_order(rules_of(state), rnd.boxes)[0]) if unplayable(rules_of(state), rnd) is None else None
    match rnd.due.kind:
        case DueKind.CARD:
            both = rnd.due.place == DEALER and rnd.queue.count(DEALER) > 1
            return Coming(rnd.due.place, rnd.due.face, both=both)
        case DueKind.SHOW | DueKind.REVEAL:
            return Coming(rnd.due.place, drawn=False, turned=rnd.due.kind is DueKind.REVEAL)
        case _:
            return None


def cards(state: TableState) -> Mapping[Place, tuple[Card | None, ...]]:
    """Every place that may hold cards in this round, and what lies there."""
    rnd = round_of(state)
    if rnd is None:
        return {}
    hands = {Place(box.number, at): hand.cards for box in rnd.boxes for at, hand in enumerate(box.hands)}
    return {**hands, DEALER: rnd.dealer}


def taken(state: TableState, place: Place) -> bool:
    """Whether the cards of a place may be taken away: its bet is decided, or the round is over."""
    rnd = round_of(state)
    if rnd is None or rnd.finished:
        return True
    box = rnd.box(place.box)
    return box is not None and (box.dead or box.paid or _decided(rnd, place))


def _decided(rnd: BlackjackRound, place: Place) -> bool:
    hand = rnd.hand(place)
    return hand is not None and hand.settled


def handled(state: TableState, place: Place) -> bool:
    """Whether the dealer may be moving these cards: his own, or those of a box that is being dealt to."""
    rnd = round_of(state)
    if rnd is None or place == DEALER:
        return True
    return rnd.due.kind is DueKind.CARD and rnd.due.place.box == place.box
