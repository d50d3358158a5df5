"""The state of a table: everything the judge needs to know, all of it rebuilt by replaying the events."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from table_controller.core.cards import Card
from table_controller.core.house import House
from table_controller.core.irregular import Irregularity
from table_controller.core.places import Place
from table_controller.core.rules import TableRules
from table_controller.core.shoe import Shoe
from table_controller.core.stimuli import Cause, Face


class Phase(StrEnum):
    """Where the table stands. The arrows between them are in transitions.py."""

    CLOSED = "closed"
    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    INSURANCE = "insurance"
    PEEK = "peek"
    PLAYING = "playing"
    DEALER = "dealer"
    SETTLING = "settling"
    PAUSED = "paused"


class Dispute(Struct, frozen=True):
    """An open question for the supervisor."""

    number: int
    irregularity: Irregularity
    place: Place | None = None
    card: Card | None = None
    box: int = 0
    owed: int = 0
    paid: int = 0
    round_number: int = 0


class Held(Struct, frozen=True):
    """A card seen while a dispute was open."""

    cause: Cause
    place: Place
    card: Card | None
    face: Face


class Sight(Struct, frozen=True, gc=False):
    """A card the camera sees. Once understood it is card `index` of `place`; `lost_ns` is when it was seen no more.

    `pulse_ns` and `laid_ns` are when that card left the shoe and when it was first seen at rest.
    `watched` is False for what other eyes saw before these; `asked` when a person was asked about it.
    """

    eyes: str
    number: int
    places: tuple[Place, ...]
    card: Card | None
    face: Face
    since_ns: int
    heard_ns: int
    x: int = 0
    y: int = 0
    place: Place | None = None
    index: int = 0
    pulse_ns: int = 0
    laid_ns: int = 0
    lost_ns: int = 0
    covered: bool = False
    watched: bool = True
    asked: bool = False

    @property
    def lies(self) -> bool:
        """Seen at this moment, as far as these eyes know."""
        return self.watched and not self.lost_ns

    @property
    def waits(self) -> bool:
        """Neither understood nor asked about."""
        return self.place is None and not self.asked


class Round(Struct, frozen=True, kw_only=True):
    """What the rounds of all games have in common; when and at which box somebody last asked for something."""

    number: int
    practice: bool
    phase: Phase
    asked_ns: int = 0
    asked_box: int = 0


class Bank(Struct, frozen=True):
    """The table's money in minor units, and the last number used of every kind of slip."""

    opening: int = 0
    fills: int = 0
    credits: int = 0
    drop: int = 0
    tips: int = 0
    buy_ins: int = 0
    house_net: int = 0
    slips: Mapping[str, int] = {}

    def win(self, closing: int) -> int:
        """What the table won by its own counts: closing + credits + drop - opening - fills."""
        return closing + self.credits + self.drop - self.opening - self.fills


class Upkeep(Struct, frozen=True):
    """What must be done again in time: when the cards were changed and what the pit was told of it; the gaming day,
    and whether the reader was inspected on it; the colour of the backs, and the round in which another was asked about.
    None: nobody knows how old the cards are.
    """

    decks_ns: int | None = None
    decks_due: bool = False
    decks_overdue: bool = False
    day: str = ""
    reader_inspected: bool = False
    back: str = ""
    foreign_round: int = 0


class TableState(Struct, frozen=True):
    """The fold of all events so far. `version` counts those a screen shows, so that a stale one is noticed."""

    version: int = 0
    rules: TableRules | None = None
    house: House | None = None
    shoe: Shoe | None = None
    round: Round | None = None
    rounds: int = 0
    paused: bool = False
    carried: Mapping[int, int] = {}
    disputes: tuple[Dispute, ...] = ()
    disputed: int = 0
    held: tuple[Held, ...] = ()
    sights: tuple[Sight, ...] = ()
    faults: tuple[str, ...] = ()
    dealer: str | None = None
    players: Mapping[int, str] = {}
    bank: Bank = Bank()
    upkeep: Upkeep = Upkeep()
    cursors: Mapping[str, int] = {}
    moved_at_ns: int = 0

    @property
    def phase(self) -> Phase:
        """The phase a screen shows."""
        if self.paused or any(dispute.irregularity is Irregularity.SHOE_EMPTY for dispute in self.disputes):
            return Phase.PAUSED
        if self.rules is None:
            return Phase.CLOSED
        return self.round.phase if self.round is not None else Phase.IDLE


DOES_NOT_BLOCK: Final = frozenset(
    {
        Irregularity.UNREADABLE,
        Irregularity.FACE_DOWN,
        Irregularity.IMPOSSIBLE_CARD,
        Irregularity.WRONG_PAYOUT,
        Irregularity.PLAYER_ABSENT,
        Irregularity.CENSUS_DIFFERS,
        Irregularity.SHOE_EMPTY,
        Irregularity.CARD_COVERED,
        Irregularity.CARDS_TOUCHED,
        Irregularity.PAST_POSTING,
    }
)
"""Disputes that do not hold other cards back: the hand itself waits, or the money, or the next round."""


def blocking(state: TableState) -> Dispute | None:
    """The dispute that holds every further card until it is resolved."""
    return next((dispute for dispute in state.disputes if dispute.irregularity not in DOES_NOT_BLOCK), None)


def may_refuse_play(state: TableState) -> bool:
    """Whether the house has lost more than its budget (Golden Wolf l.15; more than, not as much as)."""
    budget = state.rules.budget if state.rules is not None else None
    return budget is not None and -state.bank.house_net > budget
