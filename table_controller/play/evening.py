"""A seeded evening at one table: players who bet and play by habit, a dealer who now and then slips."""

import random
from collections import Counter
from collections.abc import Callable

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind, rules_of, upcard
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import PACK, Card
from table_controller.core.events import Disputed, Event
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import CardSeen
from table_controller.core.table import TableState, may_refuse_play
from table_controller.play.felt import FLOOR, Felt, Point
from table_controller.play.habits import choose, stakes

SLIPS = 0.012
CUT = 0.75


class Evening:
    """One table, its chance, and whoever listens to its facts."""

    def __init__(
        self, name: str, seed: int, hear: Callable[[Event, TableState], None], felt: Felt | None = None
    ) -> None:
        self.chance = random.Random(seed)
        self.rules: RuleSet = houses.rules_with(name, {})
        self.felt, self.hear, self.heard = felt or Felt(), hear, 0
        self.wrong_cards = 0
        self.mislaid: Card | None = None
        self.felt.open(houses.rule_values(name), houses.house_values(name))
        self.shoe = self.shuffled()

    def shuffled(self) -> list[Card]:
        """All packs in a new order, next in the table's shoe."""
        shoe = list(PACK * self.rules.decks)
        self.chance.shuffle(shoe)
        self.felt.cards, self.felt.used = iter(shoe), 0
        return shoe

    def tell(self) -> None:
        """Let the listener hear what has happened since."""
        for event in self.felt.events[self.heard :]:
            self.hear(event, self.felt.state)
        self.heard = len(self.felt.events)

    def round(self) -> bool:
        """One round; false once the house may refuse to go on, or the boxes are empty."""
        felt = self.felt
        assert felt.state.shoe is not None
        if felt.state.shoe.cut_card_seen or self.rules.shuffle == "every_round":
            self.felt.load()
            self.shoe = self.shuffled()
        if may_refuse_play(felt.state):
            return False
        felt.command(said.OpenBets(felt.cause(), FLOOR, self.rules.practice and felt.state.rounds < 2))
        self.bets()
        self.tell()
        before = felt.used
        while felt.round.due.kind is not DueKind.PAY:
            self.next_step()
            self.tell()
        self.compare(self.shoe[before : felt.used])
        if felt.used > CUT * len(self.shoe):
            felt.say(said.CutCardSeen(felt.cause()))
        self.tell()
        felt.clear()
        return True

    def compare(self, left_the_shoe: list[Card]) -> None:
        """Count the cards of the round that the table knows by another name than the shoe's."""
        rnd = self.felt.round
        known = Counter([*rnd.dealer, *(card for box in rnd.boxes for hand in box.hands for card in hand.cards)])
        self.wrong_cards += (known - Counter(left_the_shoe)).total()

    def bets(self) -> None:
        """Two to five boxes, whole steps, now and then a bet on a pair."""
        felt = self.felt
        for box, amount, side in stakes(self.chance, self.rules, {box.number for box in felt.round.boxes}):
            felt.command(said.PlaceBet(felt.cause(), FLOOR, box, amount, side))
        felt.command(said.CloseBets(felt.cause(), FLOOR))

    def next_step(self) -> None:
        """A decision, or a card; some cards are badly laid, and somebody helps."""
        if self.felt.state.disputes:
            self.help()
            return
        point = self.felt.point()
        if point is not None:
            self.felt.signal(point.place, *self.choose(point))
        elif self.felt.round.due.kind is DueKind.CARD and self.chance.random() < SLIPS and self.slip():
            return
        else:
            self.felt.deal()

    def slip(self) -> bool:
        """The next card is laid unreadably, or on the neighbour's place."""
        due, boxes = self.felt.round.due, self.felt.round.boxes
        if due.face is said.Face.DOWN or due.place == DEALER:
            return False
        self.mislaid = next(self.felt.cards)
        self.felt.used += 1
        place, card = due.place, None
        if len(boxes) > 1 and self.chance.random() < 0.5:
            place = Place(next(box.number for box in boxes if box.number != place.box))
            card = self.mislaid
        self.felt.say(CardSeen(self.felt.cause(), place, card))
        return True

    def help(self) -> None:
        """The card is shown again, or the supervisor has it moved."""
        felt = self.felt
        one = felt.state.disputes[0]
        if one.irregularity is Irregularity.UNREADABLE:
            assert one.place is not None
            felt.say(CardSeen(felt.cause(), one.place, self.mislaid))
        else:
            felt.command(said.ResolveDispute(felt.cause(), FLOOR, one.number, Remedy.MOVE))

    def choose(self, point: Point) -> tuple[Action, int | None]:
        """As people do."""
        return choose(self.chance, point, upcard(rules_of(self.felt.state), self.felt.round))


def asked_for_help(events: list[Event]) -> int:
    """How often something had to be shown again or decided by the floor."""
    return sum(isinstance(event, Disputed) for event in events)
