"""A table in a script: it numbers what is said, keeps the facts, and deals a round card by card as a dealer would."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from table_controller.core import stimuli as said
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.hands import is_natural
from table_controller.core.blackjack.legal import insurance_limit, legal, offer_to
from table_controller.core.blackjack.round import BlackjackRound, Box, DueKind, Hand, round_of, rules_of
from table_controller.core.blackjack.words import Action, HolePeeked, HoleTurned, Signal
from table_controller.core.cards import Card
from table_controller.core.events import CommandRefused, Event, SignalRefused
from table_controller.core.people import Person, Role
from table_controller.core.places import Place
from table_controller.core.shoe_life import usual_cut
from table_controller.core.step import step
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.core.table import TableState
from table_controller.core.upkeep import must_be_new, wants_reader

DEALER_ROLE: Final = Person("dealer", Role.DEALER)
FLOOR: Final = Person("floor", Role.PIT_BOSS)
SECOND: Final = Person("second", Role.PIT_BOSS)


class CannotPlay(RuntimeError):
    """The script cannot be played to its end; the message says why."""


@dataclass(frozen=True, slots=True)
class Point:
    """A moment at which somebody decides: where, and what is allowed."""

    stage: str
    place: Place
    legal: tuple[Action, ...]
    box: Box
    hand: Hand
    limit: int


Choose = Callable[[Point], tuple[Action, int | None]]


def point_of(state: TableState, rnd: BlackjackRound) -> Point | None:
    """The decision that is due in a round, if one is."""
    rules, kind, place = rules_of(state), rnd.due.kind, rnd.due.place
    box = rnd.box(place.box)
    if kind not in (DueKind.ANSWER, DueKind.SIGNAL) or box is None:
        return None
    hand, limit = box.hands[place.hand], insurance_limit(rules, box)
    if kind is DueKind.SIGNAL:
        return Point("play", place, legal(rules, box, hand), box, hand, limit)
    offer = offer_to(rules, box) or ()
    return Point("even_money" if Action.EVEN_MONEY in offer else "insurance", place, offer, box, hand, limit)


@dataclass(slots=True)
class Felt:
    """State and facts of one scripted table; `cards` leave the shoe in this order."""

    cards: Iterator[Card] = field(default_factory=lambda: iter(()))
    state: TableState = BLACKJACK.empty
    events: list[Event] = field(default_factory=list)
    seq: int = 0
    used: int = 0
    hole: Card | None = None

    def cause(self) -> Cause:
        """The next number of this source."""
        self.seq += 1
        return Cause("script", self.seq)

    def say(self, stimulus: Stimulus) -> tuple[Event, ...]:
        """One stimulus into the core; the facts it led to."""
        done = step(BLACKJACK, self.state, stimulus)
        self.state = done.state
        self.events.extend(done.events)
        return done.events

    def command(self, command: said.Command) -> None:
        """A command that has to be taken; raises CannotPlay with the reason of its refusal."""
        for event in self.say(command):
            if isinstance(event, CommandRefused):
                raise CannotPlay(f"{event.command}: {event.reason}")

    def open(self, rules: dict[str, object], house: dict[str, object]) -> None:
        """Open the table with a float of nothing and a shoe of whole packs."""
        self.command(said.OpenTable(self.cause(), FLOOR, SECOND, rules, house, {}))
        if wants_reader(self.state):
            self.command(said.InspectReader(self.cause(), FLOOR))
        self.load()

    def load(self) -> None:
        """A freshly shuffled shoe, cut where the house asks for it."""
        new = must_be_new(self.state)
        self.command(said.LoadShoe(self.cause(), FLOOR, new, SECOND if new else None))
        if behind := usual_cut(self.state):
            self.command(said.CutShoe(self.cause(), FLOOR, Place(1), behind))

    @property
    def round(self) -> BlackjackRound:
        """The round on the felt."""
        rnd = round_of(self.state)
        if rnd is None:
            raise CannotPlay("there is no round on the table")
        return rnd

    def point(self) -> Point | None:
        """The decision that is due, if one is."""
        return point_of(self.state, self.round)

    def signal(self, place: Place, action: Action, amount: int | None = None) -> tuple[Event, ...]:
        """A player's signal."""
        return self.say(Signal(self.cause(), place.box, place.hand, action, amount))

    def play(self, choose: Choose, before_peek: Callable[[], None] | None = None) -> None:
        """Deal the round that has been bet on, asking `choose` wherever a player decides, until all is settled."""
        while self.round.due.kind is not DueKind.PAY:
            if self.state.disputes:
                one = self.state.disputes[0]
                raise CannotPlay(" ".join(map(str, filter(None, (one.irregularity, one.card, one.place)))))
            if before_peek is not None and self.round.due.kind is DueKind.PEEK:
                before_peek()
            point = self.point()
            if point is None:
                self.deal()
            else:
                self._decide(point.place, *choose(point))

    def _decide(self, place: Place, action: Action, amount: int | None) -> None:
        for event in self.signal(place, action, amount):
            if isinstance(event, SignalRefused):
                raise CannotPlay(f"{action} of {place}: {event.reason}")

    def deal(self) -> None:
        """What the dealer does next: a card, the check, the reveal."""
        due = self.round.due
        match due.kind:
            case DueKind.CARD:
                self._lay(due.place, due.face)
            case DueKind.PEEK:
                up = next(card for card in self.round.dealer if card is not None)
                self.say(HolePeeked(self.cause(), is_natural((up, self.hole))))
            case DueKind.REVEAL:
                self.say(HoleTurned(self.cause(), self.hole))
            case _:
                raise CannotPlay(f"nothing to deal: {due.kind} is due")

    def _lay(self, place: Place, face: said.Face) -> None:
        card = next(self.cards, None)
        if card is None:
            raise CannotPlay("the shoe ran out of cards")
        self.used += 1
        if face is said.Face.DOWN:
            self.hole = card
            self.say(said.CardSeen(self.cause(), place, None, face))
        else:
            self.say(said.CardSeen(self.cause(), place, card))

    def clear(self) -> None:
        """Pay every box and take the cards away."""
        for box in self.round.boxes:
            self.say(said.BoxPaid(self.cause(), box.number))
        self.say(said.TableCleared(self.cause()))
