"""Counting a measurement: scores at a threshold, statistical bounds, the threshold that is safe."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.training.evaluate import Kind, Row

TALL = 18.0


@dataclass(frozen=True)
class Score:
    """Counts at one threshold."""

    cards: int
    found: int
    wrong: int
    phantom: int

    @property
    def cells(self) -> str:
        share = self.found / max(1, self.cards)
        return (
            f"{self.cards} | {share:.1%} | {self.wrong} ({rate(self.wrong, self.wrong + self.found)}) | {self.phantom}"
        )


def rate(events: int, of: int) -> str:
    """A share with the upper end of its 95 % interval (Wilson 1927; three over n when nothing happened)."""
    return f"{events / max(1, of):.3%}, at most {upper_bound(events, of):.2%}"


def upper_bound(events: int, of: int, z: float = 1.645) -> float:
    """One-sided 95 % Wilson bound."""
    if of == 0:
        return 1.0
    share = events / of
    middle = share + z * z / (2 * of)
    spread = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle + spread) / (1 + z * z / of)


def score(rows: Sequence[Row], threshold: float) -> Score:
    kinds = Counter(row.kind for row in rows if row.confidence >= threshold and row.confidence > 0)
    cards = sum(row.kind is Kind.CARD for row in rows)
    return Score(cards, kinds[Kind.CARD], kinds[Kind.WRONG], kinds[Kind.PHANTOM])


def strictest_needed(rows: Sequence[Row], most_wrong: float = 0.0005) -> float:
    """The lowest threshold from which on at most this share of accepted readings is wrong, for indices of 18 px up."""
    tall = [row for row in rows if row.index_height >= TALL]
    for level in np.arange(0.5, 1.0, 0.005):
        later = (score(tall, float(above)) for above in np.arange(level, 1.0, 0.005))
        if all(each.wrong <= most_wrong * (each.wrong + each.found) for each in later):
            return float(level)
    return 0.995
