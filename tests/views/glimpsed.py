"""An evening whose devices know too much: the shoe reads every card it gives, the camera glimpses the hole card as it
is laid, and now and then the dealer lifts it too early. What reaches the judge names it; no screen may."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import HoleTurned
from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.irregular import Remedy
from table_controller.core.places import DEALER
from table_controller.core.stimuli import Stimulus
from table_controller.core.table import TableState
from table_controller.play.evening import Evening
from table_controller.play.felt import FLOOR, Felt

LIFTED = 0.1


@dataclass(slots=True)
class GlimpsedFelt(Felt):
    """The camera says which card lies face down before the dealer."""

    def open(self, rules: dict[str, object], house: dict[str, object]) -> None:
        Felt.open(self, rules, {**house, "witnesses": ["camera", "shoe"]})

    def say(self, stimulus: Stimulus) -> tuple[Event, ...]:
        if isinstance(stimulus, said.CardSeen) and stimulus.place == DEALER and stimulus.face is said.Face.DOWN:
            stimulus = said.CardSeen(stimulus.cause, DEALER, self.hole, said.Face.DOWN)
        return Felt.say(self, stimulus)


class GlimpsedEvening(Evening):
    """The shoe names each card as it leaves it; the hole card is lifted too early in one round of ten."""

    def __init__(self, house: str, seed: int, hear: Callable[[Event, TableState], None]) -> None:
        self.lifted = 0
        super().__init__(house, seed, hear, GlimpsedFelt())

    def shuffled(self) -> list[Card]:
        shoe = super().shuffled()
        self.felt.cards = self.read_by_the_shoe(self.felt.cards)
        return shoe

    def read_by_the_shoe(self, cards: Iterator[Card]) -> Iterator[Card]:
        for card in cards:
            self.felt.say(said.CardDrawn(self.felt.cause(), card))
            yield card

    def next_step(self) -> None:
        before = len(self.felt.round.dealer)
        super().next_step()
        laid = len(self.felt.round.dealer) > before and self.felt.round.dealer[-1] is None
        if laid and self.felt.hole is not None and not self.felt.state.disputes and self.chance.random() < LIFTED:
            self.lifted += 1
            self.felt.say(HoleTurned(self.felt.cause(), self.felt.hole))
            self.tell()
            for one in self.felt.state.disputes:
                self.felt.command(said.ResolveDispute(self.felt.cause(), FLOOR, one.number, Remedy.PLAY_ON))
