"""What only blackjack says: the players' signals, the dealer's check of the hole card, and the facts they lead to."""

from enum import StrEnum

from msgspec import Struct

from table_controller.core.cards import Card
from table_controller.core.events import Event
from table_controller.core.places import Place
from table_controller.core.stimuli import Observation


class Action(StrEnum):
    """The words of a player."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURE = "insure"
    NO_INSURANCE = "no_insurance"
    EVEN_MONEY = "even_money"
    NO_EVEN_MONEY = "no_even_money"


class BetKind(StrEnum):
    """The three bets a box may have in a round."""

    MAIN = "main"
    INSURANCE = "insurance"
    PAIRS = "pairs"


class Result(StrEnum):
    """How a bet ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    BUST = "bust"
    BLACKJACK = "blackjack"
    SURRENDER = "surrender"
    EVEN_MONEY = "even_money"
    CHARLIE = "charlie"
    MIXED = "mixed"
    COLOURED = "coloured"
    PERFECT = "perfect"
    RETURNED = "returned"


class When(StrEnum):
    """At which moment of the round a bet was decided."""

    DEAL = "deal"
    AT_ONCE = "at_once"
    ON_TURN = "on_turn"
    PEEK = "peek"
    DEALER = "dealer"
    END = "end"


class Line(Struct, frozen=True, gc=False):
    """One line of the ledger, minor units: `net` won or lost, `back` handed over now, `carried` left on the box."""

    bet: BetKind
    box: int
    hand: int
    stake: int
    result: Result
    net: int
    back: int
    when: When
    carried: int = 0


class Signal(Observation, frozen=True):
    """A player's signal, from a button, a gesture, a sound or the dealer's key; `amount` only for insurance."""

    box: int
    hand: int
    action: Action
    amount: int | None = None


class HolePeeked(Observation, frozen=True):
    """The dealer looked at the hole card: a natural or none, never which card."""

    blackjack: bool


class HoleTurned(Observation, frozen=True):
    """The hole card was turned face up."""

    card: Card | None


class OffersMade(Event, frozen=True):
    """These boxes may insure, or take even money for a natural."""

    boxes: tuple[int, ...]


class InsuranceTaken(Event, frozen=True):
    """An insurance bet lies on the line."""

    box: int
    amount: int


class OfferDeclined(Event, frozen=True):
    """Neither insurance nor even money."""

    box: int


class HoleChecked(Event, frozen=True):
    """What the check of the hole card said."""

    blackjack: bool


class HoleRevealed(Event, frozen=True):
    """From here on the hole card is known to everybody."""

    card: Card


class HoleShown(Event, frozen=True):
    """The first of the dealer's cards, which should lie face down, was shown before anybody acted; it lies down now.

    Noted for the exception report; which card it was is recorded nowhere.
    """


class HandHit(Event, frozen=True):
    """A card is due to the hand."""

    box: int
    hand: int


class HandStood(Event, frozen=True):
    """The hand takes no more cards."""

    box: int
    hand: int


class HandDoubled(Event, frozen=True):
    """The stake is doubled; exactly one card is due."""

    box: int
    hand: int
    added: int


class HandSplit(Event, frozen=True):
    """The second card starts a hand of its own, directly behind, on an equal stake."""

    box: int
    hand: int
    added: int


class BetSettled(Event, frozen=True):
    """A bet is decided: one line of the ledger."""

    line: Line


class BetResettled(Event, frozen=True):
    """A correction changed a decided bet; the line now, and the one it replaces."""

    line: Line
    was: Line


class BetReopened(Event, frozen=True):
    """A correction undid the end of a bet; its line is withdrawn and it is open again."""

    was: Line


class DealReordered(Event, frozen=True):
    """A card missed in the deal is given after all others."""

    place: Place


class BoxDead(Event, frozen=True):
    """A box is out of the round; its bets go back."""

    box: int


class CardOffered(Event, frozen=True):
    """A card exposed in error is offered on, in this order."""

    card: Card
    places: tuple[Place, ...]


class OfferRefused(Event, frozen=True):
    """The hand refused the offered card and takes no more."""

    place: Place


class OfferedCardUsed(Event, frozen=True):
    """The offered card found its place, or none."""


class PeekRuled(Event, frozen=True):
    """The supervisor ruled on a check that was missed or wrong; what a dealer natural may still take."""

    original_only: bool


class SettledAsLies(Event, frozen=True):
    """After a correction the cards are settled as they lie."""
