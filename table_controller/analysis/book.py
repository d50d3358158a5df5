"""The best strategy of a rule set as something to ask: what to do with these cards, and what each action is worth."""

from collections.abc import Collection, Sequence

from table_controller.analysis.choosing import Chosen, by_cards, by_total
from table_controller.analysis.hands import all_hands, two_cards
from table_controller.analysis.upcard import HALF, upcard
from table_controller.core.blackjack.hands import points
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card


class Book:
    """Strategy and values of one rule set; an upcard is worked out when it is first asked for.

    By total, as a chart can say it; with `composition` by the very cards of a hand.
    """

    def __init__(self, rules: RuleSet, *, composition: bool = False) -> None:
        self.rules, self.composition = rules, composition
        self._under: dict[int, Chosen] = {}

    def under(self, up: int) -> Chosen:
        """The strategy under the upcard of that value (0 the ace, 9 a ten-value)."""
        if up not in self._under:
            self._under[up] = (by_cards if self.composition else by_total)(upcard(self.rules, up))
        return self._under[up]

    def action(self, cards: Sequence[Card], up: Card, legal: Collection[Action]) -> Action:
        """What the strategy does with a hand, of what is legal."""
        chosen, hand = self.under(points(up) - 1), hand_of(cards)
        decided, value = chosen.decisions, points(cards[0]) - 1
        splits = len(cards) == 2 and two_cards()[value, value] == hand and bool(decided.splits[value])
        wishes = (
            (Action.SPLIT, splits),
            (Action.SURRENDER, bool(decided.surrenders[hand])),
            (Action.DOUBLE, bool(decided.doubles[hand])),
            (Action.HIT, bool(decided.hits[hand])),
        )
        return next((action for action, wanted in wishes if wanted and action in legal), Action.STAND)

    def values(self, hand: int, up: int) -> dict[Action, float]:
        """What each action with a hand not yet split is worth in first bets, after any check of the hole card."""
        chosen, hands = self.under(up), all_hands()
        worth = chosen.card.worth
        told = {Action.HIT: float(worth.hit[hand]), Action.STAND: float(worth.stand[hand])}
        if hands.cards[hand] == 2:
            told |= {Action.DOUBLE: float(worth.double[hand]), Action.SURRENDER: HALF}
            for value, box in chosen.splits.items():
                if two_cards()[value, value] == hand:
                    told[Action.SPLIT] = box.worth
        return told


def hand_of(cards: Sequence[Card]) -> int:
    """The number of a hand in the table of all hands."""
    hands, found = all_hands(), 0
    for card in cards:
        found = int(hands.child[found, points(card) - 1])
        if found < 0:
            raise ValueError("a bust hand is not asked")
    return found
