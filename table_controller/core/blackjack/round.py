"""A round of blackjack: boxes, hands, the dealer's cards, and what is due next."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from table_controller.core.blackjack.hands import is_natural
from table_controller.core.blackjack.rules import DealerUp, NaturalTakes, RuleSet
from table_controller.core.blackjack.words import Line
from table_controller.core.cards import Card
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Face
from table_controller.core.table import Round, TableState


class DueKind(StrEnum):
    """What the table waits for; from OFFERS on it is what the judge does by itself."""

    BETS = "bets"
    CARD = "card"
    SHOW = "show"
    ANSWER = "answer"
    PEEK = "peek"
    SIGNAL = "signal"
    ACCEPT = "accept"
    REVEAL = "reveal"
    PAY = "pay"
    OFFERS = "offers"
    PAIRS = "pairs"
    INSURANCE_LOST = "insurance_lost"
    BUST = "bust"
    CHARLIE = "charlie"
    NATURAL = "natural"
    USE_OFFERED = "use_offered"
    FINISH = "finish"


class Due(Struct, frozen=True, gc=False):
    """What is due and where."""

    kind: DueKind
    place: Place = DEALER
    face: Face = Face.UP


class Hand(Struct, frozen=True):
    """Cards in the order they came; `awaiting` a card signalled for; `settled` once its bet is decided."""

    cards: tuple[Card | None, ...] = ()
    stake: int = 0
    from_split: bool = False
    doubled: bool = False
    awaiting: bool = False
    stood: bool = False
    settled: bool = False

    @property
    def natural(self) -> bool:
        """Two first cards making 21; after a split it is only 21 (all houses)."""
        return not self.from_split and is_natural(self.cards)


class Box(Struct, frozen=True):
    """A box with its original stake, its side bets, what its player still owns where that is known, and its hands.

    `absent` once somebody has signalled in its player's place, until he does himself.
    """

    number: int
    main: int = 0
    carried: int = 0
    pairs: int = 0
    pairs_open: bool = False
    funds: int | None = None
    hands: tuple[Hand, ...] = ()
    insurance: int = 0
    insurance_open: bool = False
    dead: bool = False
    paid: bool = False
    absent: bool = False


class BlackjackRound(Round, frozen=True, kw_only=True):
    """Everything of the running round. `due` is always `due.due(rules, round)`, kept so that nobody asks twice.

    `hole_ns`: when the hole card was laid. `touched`: box -> since when its chips have moved without an added stake.
    """

    boxes: tuple[Box, ...] = ()
    closed: bool = False
    queue: tuple[Place, ...] = ()
    dealer: tuple[Card | None, ...] = ()
    unread: int = 0
    offered: bool = False
    offers: tuple[int, ...] = ()
    card_offered: Card | None = None
    offered_to: tuple[Place, ...] = ()
    peeked: bool | None = None
    peek_waived: bool = False
    revealed: bool = False
    natural_takes: NaturalTakes | None = None
    as_lies: bool = False
    finished: bool = False
    house_net: int = 0
    let_stand: int = 0
    lines: tuple[Line, ...] = ()
    hole_ns: int = 0
    touched: Mapping[int, int] = {}
    due: Due = Due(DueKind.BETS)

    def box(self, number: int) -> Box | None:
        """The box of that number, if it is in the round."""
        for box in self.boxes:
            if box.number == number:
                return box
        return None

    def hand(self, place: Place) -> Hand | None:
        """The hand at a place, if there is one."""
        box = self.box(place.box)
        return box.hands[place.hand] if box is not None and place.hand < len(box.hands) else None

    def payable(self, box: int) -> int:
        """What the dealer hands to a box in all, in minor units."""
        return sum(line.back for line in self.lines if line.box == box)

    def cards_at(self, place: Place) -> tuple[Card | None, ...]:
        """The cards lying at a place, in the order they came."""
        hand = self.hand(place)
        return self.dealer if place == DEALER else hand.cards if hand is not None else ()


class BlackjackTable(TableState, frozen=True):
    """A table with blackjack on it; narrowed so that a stored state can be read back."""

    rules: RuleSet | None = None
    round: BlackjackRound | None = None


def deal_order(rules: RuleSet, boxes: tuple[Box, ...]) -> tuple[Place, ...]:
    """One card to each box, the dealer's, a second to each box, then in hole-card games the dealer's second."""
    once_around = tuple(Place(box.number) for box in boxes)
    return (*once_around, DEALER, *once_around, *((DEALER,) if rules.hole_card else ()))


def rules_of(state: TableState) -> RuleSet:
    """The table's rules as blackjack knows them."""
    assert isinstance(state.rules, RuleSet)
    return state.rules


def round_of(state: TableState) -> BlackjackRound | None:
    """The running round as blackjack knows it."""
    assert state.round is None or isinstance(state.round, BlackjackRound)
    return state.round


def hole_index(rules: RuleSet) -> int:
    """Which of the dealer's two cards is the hidden one."""
    return 1 if rules.dealer_up is DealerUp.FIRST else 0


def upcard(rules: RuleSet, rnd: BlackjackRound) -> Card | None:
    """The dealer's open card, None while it has not come or cannot be read."""
    at = 1 - hole_index(rules) if rules.hole_card else 0
    return rnd.dealer[at] if at < len(rnd.dealer) else None


def unread_at(rules: RuleSet, rnd: BlackjackRound, place: Place) -> list[int]:
    """Which cards of a place could not be read; the hidden hole card is none of them."""
    hidden = hole_index(rules) if place == DEALER and hole_lies(rules, rnd) else None
    return [at for at, card in enumerate(rnd.cards_at(place)) if card is None and at != hidden]


def hole_lies(rules: RuleSet, rnd: BlackjackRound) -> bool:
    """Whether a hole card lies face down before the dealer."""
    return rules.hole_card and not rnd.revealed and len(rnd.dealer) > hole_index(rules)
