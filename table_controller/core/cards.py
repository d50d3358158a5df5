"""The one noun every room shares: a playing card, written rank then suit ("TS", "9D")."""

from collections.abc import Iterable
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


class Card:
    """Rank and suit, compared by value. `index` counts 0 to 51, aces first; `text` is the way it is written."""

    __slots__ = ("index", "rank", "suit", "text")

    def __init__(self, rank: Rank, suit: Suit) -> None:
        self.rank: Final = rank
        self.suit: Final = suit
        self.index: Final[int] = _RANKS.index(rank) * 4 + _SUITS.index(suit)
        self.text: Final[str] = f"{rank}{suit}"

    @staticmethod
    def parse(text: str) -> "Card":
        """The card written `text`; raises ValueError for anything but rank then suit."""
        try:
            return _BY_TEXT[text]
        except KeyError:
            raise ValueError(f"{text!r} is no card: write rank then suit, such as AS, TD or 9C") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and other.index == self.index

    def __hash__(self) -> int:
        return self.index

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card.parse({self.text!r})"


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
