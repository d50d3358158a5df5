"""The one noun every room shares: a playing card, written rank then suit ("TS", "9D")."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Rank(StrEnum):
    """Thirteen ranks by their index letter; ten is T."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


class Suit(StrEnum):
    """Four suits by their letter."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def is_red(self) -> bool:
        """Hearts and diamonds are red."""
        return self in (Suit.HEARTS, Suit.DIAMONDS)


@dataclass(frozen=True, slots=True)
class Card:
    """Rank and suit. `index` counts 0 to 51, aces first; `text` is the way it is written."""

    rank: Rank
    suit: Suit
    index: int = field(init=False, compare=False, repr=False)
    text: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", _RANKS.index(self.rank) * 4 + _SUITS.index(self.suit))
        object.__setattr__(self, "text", self.rank + self.suit)

    @staticmethod
    def parse(text: str) -> "Card":
        """The card written `text`; raises ValueError for anything but rank then suit."""
        try:
            return _BY_TEXT[text]
        except KeyError:
            raise ValueError(f"{text!r} is no card: write rank then suit, such as AS, TD or 9C") from None

    def __str__(self) -> str:
        return self.text


_RANKS: Final = tuple(Rank)
_SUITS: Final = tuple(Suit)
PACK: Final = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
_BY_TEXT: Final = {card.text: card for card in PACK}


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a line of text, separated by blanks."""
    return tuple(Card.parse(word) for word in text.split())


def counts(of: Iterable[Card]) -> bytes:
    """How often each card occurs: 52 counts by `Card.index`."""
    tally = bytearray(52)
    for card in of:
        tally[card.index] += 1
    return bytes(tally)
