"""One round at full speed: ranks drawn from a real shoe, boxes dealt and played in the order of the felt.

Written apart from the exact analysis and sharing none of its tables, so that each can find the other wrong.
"""

from hashlib import sha256
from typing import Any

import numpy as np

from table_controller.analysis.compiled import compiled
from table_controller.analysis.quick_rules import QuickRules

OPEN, BUST, CHARLIE, GIVEN_UP, NATURAL = 0, 1, 2, 3, 4
MOST_HANDS = 4


MOST_BOXES = 15
QuickTable = Any
"""A record of TABLE: compiled code passes it along as one pointer, which is what makes it quick."""

_GRID = (np.int64, (MOST_BOXES, MOST_HANDS))
TABLE = np.dtype(
    [
        ("shoe", np.uint8, (8 * 52,)),
        ("size", np.int64),
        ("at", np.int64),
        ("shuffled", np.int64),
        ("seed", np.int64),
        ("boxes", np.int64),
        *((name, *_GRID) for name in ("points", "aces", "cards", "first", "last", "stake", "state")),
        ("hands", np.int64, (MOST_BOXES,)),
        ("dealer", np.int64, (3,)),
        ("net", np.float64, (MOST_BOXES,)),
    ]
)
"""Shoe (ranks from 0, the ace; dealt from place `at`, shuffled as it is dealt), chance, and hands by box and place:
points with aces as one, aces, cards, rank of the first and the last card, stake, state; the dealer's likewise."""


def quick_table(decks: int, boxes: int, seed: int) -> QuickTable:
    """A table with whole packs, shuffled as they are dealt."""
    table = np.zeros(1, dtype=TABLE)[0]
    table["size"], table["shuffled"], table["boxes"] = 52 * decks, 1, boxes
    table["shoe"][: 52 * decks] = np.repeat(np.arange(13), 4 * decks)
    table["seed"] = int.from_bytes(sha256(str(seed).encode()).digest()[:7]) + 1
    return table


@compiled
def below(table: QuickTable, limit: int) -> int:
    """The next number of a 64-bit xorshift generator, below `limit`."""
    x = np.uint64(table.seed)
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    table.seed = np.int64(x)
    return int(((x >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@compiled
def draw(table: QuickTable) -> int:
    """The next card's rank."""
    at = table.at
    if table.shuffled:
        other = at + below(table, table.size - at)
        card = table.shoe[other]
        table.shoe[other] = table.shoe[at]
        table.shoe[at] = card
    table.at = at + 1
    return int(table.shoe[at])


@compiled
def lay(table: QuickTable, box: int, hand: int) -> None:
    """A card to a hand."""
    rank = draw(table)
    if table.cards[box, hand] == 0:
        table.first[box, hand] = rank
    table.last[box, hand] = rank
    table.cards[box, hand] += 1
    table.points[box, hand] += min(rank, 9) + 1
    table.aces[box, hand] += rank == 0


@compiled
def total_of(table: QuickTable, box: int, hand: int) -> tuple[int, int]:
    """Soft (1) or hard (0), and the total."""
    points = table.points[box, hand]
    if table.aces[box, hand] > 0 and points <= 11:
        return 1, points + 10
    return 0, points


@compiled
def to_dealer(table: QuickTable) -> int:
    """A card to the dealer: points, aces, cards."""
    rank = draw(table)
    table.dealer[0] += min(rank, 9) + 1
    table.dealer[1] += rank == 0
    table.dealer[2] += 1
    return rank


@compiled
def dealer_total(table: QuickTable) -> tuple[int, int]:
    """Soft (1) or hard (0), and the total."""
    if table.dealer[1] > 0 and table.dealer[0] <= 11:
        return 1, table.dealer[0] + 10
    return 0, table.dealer[0]


@compiled
def deal(rules: QuickRules, table: QuickTable) -> int:
    """Two cards to each box, the dealer's in their order; the value of the upcard."""
    table.at = 0
    for part in range(3):
        table.dealer[part] = 0
    for box in range(table.boxes):
        for hand in range(MOST_HANDS):
            table.points[box, hand] = table.aces[box, hand] = table.cards[box, hand] = table.state[box, hand] = 0
            table.stake[box, hand] = 1
        table.hands[box] = 1
        lay(table, box, 0)
    up = to_dealer(table)
    for box in range(table.boxes):
        lay(table, box, 0)
        if table.points[box, 0] == 11 and table.aces[box, 0] == 1:
            table.state[box, 0] = NATURAL
    if rules.hole_card:
        hole = to_dealer(table)
        if rules.up_last:
            up = hole
    return min(up, 9)
