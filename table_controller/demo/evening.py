"""A seeded evening at the demo's table: opened by two people, shoe after shoe, round after round."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import BlackjackRound, round_of
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.cards import PACK
from table_controller.core.house import Witness
from table_controller.core.places import Place
from table_controller.core.rules import Shuffle
from table_controller.core.shoe_life import usual_cut
from table_controller.core.table import may_refuse_play
from table_controller.core.upkeep import must_be_new, wants_reader
from table_controller.demo.dealer import Dealer, Slips, Table, Void, begin, pay_and_clear, void
from table_controller.demo.opinion import Owed, owed
from table_controller.demo.truth import TrueRound
from table_controller.play.felt import FLOOR, SECOND, CannotPlay
from table_controller.play.habits import stakes
from table_controller.port.client import NOBODY

CUT: Final = 0.75
EMPTY_S: Final = 10.0


@dataclass
class Found:
    """What an evening came to: rounds played and voided, cards known by another name, boxes paid otherwise."""

    rounds: int = 0
    voided: list[str] = field(default_factory=list)
    wrong_cards: int = 0
    felt_told_empty: int = 0
    differs: list[str] = field(default_factory=list)


class Evening:
    """One table, its chance, its shoe. `rules` is a house's name or a rule-set file."""

    def __init__(self, table: Table, rules: str, slips: Slips) -> None:
        self.found = Found()
        self._table = table
        self._values = houses.rule_values(rules)
        self._rules: RuleSet = houses.rules_with(rules, {})
        self._house = {**houses.house_values(rules), "witnesses": [Witness.CAMERA.value, Witness.SHOE.value]}
        self._chance = table.chance
        self._shoe: list[str] = []
        self._slips = slips
        self._dealer = Dealer(table, slips, self._next_card)

    def open(self) -> None:
        """Two people open the table once every device is well; to be tried again if it raises CannotPlay."""
        screen = self._table.screen
        if screen.state.rules is None:
            screen.command(said.OpenTable(NOBODY, FLOOR, SECOND, self._values, self._house, {}))
        self._table.goes_on()
        if wants_reader(screen.state):
            screen.command(said.InspectReader(NOBODY, FLOOR))
        self._load()

    def play(self, rounds: int) -> Iterator[TrueRound]:
        """Round after round, until so many were played or the house has lost more than it may."""
        while self.found.rounds < rounds and not may_refuse_play(self._table.screen.state):
            yield self._round()

    def _round(self) -> TrueRound:
        screen, state = self._table.screen, self._table.screen.state
        assert state.shoe is not None
        if state.shoe.cut_card_seen or (self._rules.shuffle is Shuffle.EVERY_ROUND and not state.shoe.shuffled):
            self._load()
        practice = self._rules.practice and state.rounds < 2
        if not screen.wait(lambda now: not any(sight.lies for sight in now.sights), EMPTY_S):
            self.found.felt_told_empty += 1
            screen.ask(said.TableCleared(NOBODY))
        self._table.rests_while_paused()
        self._table.goes_on()
        screen.command(said.OpenBets(NOBODY, FLOOR, practice))
        for box, amount, side in stakes(self._chance, self._rules, {box.number for box in self._running().boxes}):
            self._table.take_time(self._chance.uniform(0.5, 1.5))
            screen.command(said.PlaceBet(NOBODY, FLOOR, box, amount, side))
        self._table.take_time(self._chance.uniform(2.0, 5.0))
        screen.command(said.CloseBets(NOBODY, FLOOR))
        self.found.rounds += 1
        played = begin(screen, practice)
        try:
            self._dealer.play(played)
        except Void as why:
            self.found.voided.append(f"{self._running().number}: {why}")
            void(self._table, str(why))
        else:
            self._compare(played)
            pay_and_clear(self._table, self._slips)
        self._cut_card()
        return played

    def _compare(self, played: TrueRound) -> None:
        """Against what was really dealt, and against the second opinion on the money."""
        rnd = self._running()
        known = Counter(str(card) for card in _all_cards(rnd))
        really = Counter(played.cards())
        self.found.wrong_cards += (known - really).total()
        paid = {
            box.number: Owed(
                sum(line.net for line in rnd.lines if line.box == box.number),
                sum(line.carried for line in rnd.lines if line.box == box.number),
            )
            for box in rnd.boxes
        }
        wanted = owed(self._values, played)
        self.found.differs += [
            f"round {rnd.number} box {box}: {paid.get(box)} instead of {wanted[box]}"
            for box in wanted
            if paid.get(box) != wanted[box]
        ]

    def _cut_card(self) -> None:
        state = self._table.screen.state
        used = 1 - len(self._shoe) / (self._rules.decks * len(PACK))
        if used > CUT and state.shoe is not None and not state.shoe.cut_card_seen:
            self._table.heard(self._table.boards.cut_card())

    def _load(self) -> None:
        self._shoe = [card.text for card in PACK * self._rules.decks]
        self._chance.shuffle(self._shoe)
        self._table.take_time(60.0)
        screen, new = self._table.screen, must_be_new(self._table.screen.state)
        screen.command(said.LoadShoe(NOBODY, FLOOR, new, SECOND if new else None))
        if behind := usual_cut(screen.state):
            screen.command(said.CutShoe(NOBODY, FLOOR, Place(1), behind))
        shoe = screen.state.shoe
        for _ in range(shoe.burn_due if shoe is not None else 0):
            self._next_card()
            self._table.heard(self._table.boards.pull())

    def _next_card(self) -> str:
        if not self._shoe:
            raise CannotPlay("the shoe is empty")
        return self._shoe.pop()

    def _running(self) -> BlackjackRound:
        rnd = round_of(self._table.screen.state)
        if rnd is None:
            raise CannotPlay("there is no round on the table")
        return rnd


def _all_cards(rnd: BlackjackRound) -> list[object]:
    return [*rnd.dealer, *(card for box in rnd.boxes for hand in box.hands for card in hand.cards)]
