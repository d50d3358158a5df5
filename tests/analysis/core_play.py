"""Rounds through the real core, every hand played by a book."""

import random
from collections.abc import Iterator

from table_controller import houses
from table_controller.analysis.book import Book
from table_controller.core.blackjack.round import DueKind, rules_of, upcard
from table_controller.core.blackjack.rules import RuleSet, Surrender, values_of
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import PACK, Card
from table_controller.core.places import Place
from table_controller.core.stimuli import CloseBets, OpenBets, PlaceBet
from table_controller.play.felt import FLOOR, Felt, Point

BET = 600
"""Divides by every pay-out there is, so that nothing is rounded."""


def shoes(rules: RuleSet, seed: int) -> Iterator[list[Card]]:
    """One freshly shuffled shoe after the other."""
    chance, cards = random.Random(seed), list(PACK * rules.decks)
    while True:
        chance.shuffle(cards)
        yield list(cards)


class CoreTable:
    """A table of the core at which a book plays every box, without insurance and even money."""

    def __init__(self, book: Book, boxes: int) -> None:
        limits = {"min_bet": None, "max_bet": None, "bet_step": 1, "budget": None}
        self.book, self.boxes, self.felt = book, boxes, Felt()
        self.felt.open({**values_of(book.rules), **limits}, houses.house_values("classic"))

    def play(self, shoe: list[Card]) -> list[float]:
        """The round of this shoe; what each box won, in bets."""
        felt = self.felt
        felt.load()
        felt.cards, felt.used = iter(shoe), 0
        felt.command(OpenBets(felt.cause(), FLOOR))
        for box in range(1, self.boxes + 1):
            carried = next((one.main for one in felt.round.boxes if one.number == box), 0)
            if not carried:
                felt.command(PlaceBet(felt.cause(), FLOOR, box, BET))
        felt.command(CloseBets(felt.cause(), FLOOR))
        early = self.book.rules.surrender is Surrender.EARLY
        felt.play(self.choose, before_peek=self.surrender_first if early else None)
        assert felt.round.due.kind is DueKind.PAY
        net = [sum(line.net for line in felt.round.lines if line.box == box) / BET for box in range(1, self.boxes + 1)]
        felt.clear()
        felt.events.clear()
        return net

    def choose(self, point: Point) -> tuple[Action, int | None]:
        if point.stage != "play":
            return next(one for one in point.legal if one in (Action.NO_INSURANCE, Action.NO_EVEN_MONEY)), None
        cards = [card for card in point.hand.cards if card is not None]
        return self.book.action(cards, self.up(), point.legal), None

    def up(self) -> Card:
        up = upcard(rules_of(self.felt.state), self.felt.round)
        assert up is not None
        return up

    def surrender_first(self) -> None:
        for box in self.felt.round.boxes:
            cards = [card for card in box.hands[0].cards if card is not None]
            untouched = not box.hands[0].settled and not box.hands[0].natural
            wanted = self.book.action(cards, self.up(), (Action.SPLIT, Action.SURRENDER))
            if untouched and wanted is Action.SURRENDER:
                self.felt.signal(Place(box.number), Action.SURRENDER)
