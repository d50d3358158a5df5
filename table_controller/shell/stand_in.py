"""Signals for a player who does not answer, where the house has his hand played by strategy (live dealer l.110)."""

from collections.abc import Collection, Sequence
from typing import Protocol

from table_controller.core.blackjack.legal import legal, offer_to
from table_controller.core.blackjack.round import DueKind, round_of, rules_of, upcard
from table_controller.core.blackjack.words import Action, Signal
from table_controller.core.cards import Card
from table_controller.core.house import ABSENT
from table_controller.core.life import overdue, plays_when_absent
from table_controller.core.stimuli import Cause
from table_controller.core.table import Phase, TableState, blocking

NEVER = (Action.NO_INSURANCE, Action.NO_EVEN_MONEY)


class Strategy(Protocol):
    """What is to be done with cards against an upcard, of what is legal."""

    def action(self, cards: Sequence[Card], up: Card, legal: Collection[Action]) -> Action:
        """One of the legal actions."""


def signal_for_absent(state: TableState, strategy: Strategy, at_ns: int) -> Signal | None:
    """The signal due now for an absent player, to be taken like any other; None while nothing is to be done.

    Insurance and even money are declined. What the player's money does not cover is not legal and so never chosen.
    A card offered on and a hand with an unread card are left to the floor, whom the core calls when nobody answers.
    """
    rnd = round_of(state)
    if rnd is None or not plays_when_absent(state) or rnd.due.kind not in (DueKind.SIGNAL, DueKind.ANSWER):
        return None
    if state.phase is Phase.PAUSED or blocking(state) is not None:
        return None
    place, rules = rnd.due.place, rules_of(state)
    box, up = rnd.box(place.box), upcard(rules, rnd)
    if box is None or up is None or not (box.absent or overdue(state, at_ns)):
        return None
    cause = Cause(ABSENT, state.cursors.get(ABSENT, -1) + 1, at_ns)
    if rnd.due.kind is DueKind.ANSWER:
        action = next(one for one in offer_to(rules, box) or () if one in NEVER)
        return Signal(cause, place.box, 0, action)
    hand = box.hands[place.hand]
    cards = [card for card in hand.cards if card is not None]
    if len(cards) < len(hand.cards):
        return None
    return Signal(cause, place.box, place.hand, strategy.action(cards, up, legal(rules, box, hand)))
