"""Totals. Aces count 11 while that does not bust (Golden Wolf l.20-22, 89; classic l.8 read as "from 22 on")."""

from collections.abc import Iterable
from typing import Final

from table_controller.core.cards import PACK, Card, Rank

POINTS: Final = tuple(1 if c.rank is Rank.ACE else int(c.rank) if c.rank.isdecimal() else 10 for c in PACK)
"""Points of a card by `Card.index`, the ace as one."""


def points(card: Card) -> int:
    """2 to 10 by index, figures 10, the ace 1."""
    return POINTS[card.index]


def total(cards: Iterable[Card | None]) -> tuple[int, bool]:
    """Best total and whether it is soft (an ace counts 11). Unread cards count nothing."""
    hard, ace = 0, False
    for card in cards:
        if card is not None:
            value = POINTS[card.index]
            hard += value
            ace = ace or value == 1
    return (hard + 10, True) if ace and hard <= 11 else (hard, False)


def is_natural(cards: tuple[Card | None, ...]) -> bool:
    """An ace and a ten-value as the first two cards."""
    return len(cards) == 2 and total(cards)[0] == 21


def can_become_natural(upcard: Card) -> bool:
    """Whether a dealer showing this card may have a natural."""
    return POINTS[upcard.index] in (1, 10)
