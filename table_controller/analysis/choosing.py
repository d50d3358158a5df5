"""Choosing the best plan under one upcard: by total, as a chart can say it, or by the very cards held."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from table_controller.analysis.compiled import Flags, Floats, Whole
from table_controller.analysis.hands import VALUES, two_cards
from table_controller.analysis.splits import SplitBox
from table_controller.analysis.upcard import (
    HALF,
    Decisions,
    Outcome,
    Upcard,
    asked,
    blackjack,
    may_double,
    outcome_of,
    split_of,
)
from table_controller.analysis.values import best_worth, planned_worth, spread_reach
from table_controller.core.blackjack.rules import RuleSet, Surrender

CELLS = 44 * VALUES
"""Hard and soft totals to 21, each by number of cards where a Charlie counts them."""
CLOSE = 0.01
"""First bets within which two ways are weighed again with the split hands."""


class Chosen(NamedTuple):
    """The decisions under one upcard, what each pair is worth split, and what it all comes to."""

    card: Upcard
    decisions: Decisions
    splits: dict[int, SplitBox]
    outcome: Outcome


def cells(rules: RuleSet, card: Upcard) -> Whole:
    """By hand, which of the CELLS it belongs to."""
    hands = card.scene.hands
    by_cards = np.minimum(hands.cards, VALUES - 1) if rules.charlie else np.zeros_like(hands.cards)
    numbers: Whole = (hands.soft * 22 + hands.total) * VALUES + by_cards
    return numbers


def by_total(card: Upcard) -> Chosen:
    """The best decisions that look only at the total (and, under a Charlie rule, at the number of cards)."""
    return _Chart(card).chosen()


def by_cards(card: Upcard) -> Chosen:
    """The best decision for every hand by its own cards; split hands by the same decisions."""
    rules, hands = card.rules, card.scene.hands
    best_worth(card.scene, card.shoe, asked(rules, hands), card.worth)
    hits = asked(rules, hands) & (card.worth.hit > card.worth.stand)
    doubles = may_double(rules, hands) & (card.worth.double > card.worth.play)
    decisions = Decisions(hits, doubles, np.zeros_like(hits), np.zeros(VALUES, dtype=np.bool_))
    splits = all_splits(card, decisions)
    unsplit = np.maximum(card.worth.play, np.where(doubles, card.worth.double, -9.0))
    best = unsplit.copy()
    for value, box in splits.items():
        pair = two_cards()[value, value]
        decisions.splits[value] = box.worth > unsplit[pair]
        best[pair] = max(best[pair], box.worth)
    decisions.surrenders[:] = (surrender_gain(card, best) > 0.0) & (card.dealt > 0.0)
    decisions.surrenders[blackjack()] = False
    return finished(card, decisions, splits)


def all_splits(card: Upcard, decisions: Decisions) -> dict[int, SplitBox]:
    """Every pair that may be split, split."""
    return {value: split_of(card, decisions, value) for value in splittable(card)}


def splittable(card: Upcard) -> list[int]:
    """The pairs that may be split and can be dealt."""
    pair = np.diag(two_cards())
    return [int(value) for value in np.flatnonzero((card.pairs[pair] > 0.0) & (card.dealt[pair] > 0.0))]


def finished(card: Upcard, decisions: Decisions, splits: dict[int, SplitBox]) -> Chosen:
    """The decisions with what they come to."""
    taken = {value: box for value, box in splits.items() if decisions.splits[value]}
    return Chosen(card, decisions, splits, outcome_of(card, decisions, taken))


def surrender_gain(card: Upcard, best: Floats) -> Floats:
    """By hand, what giving up half gains over playing on, times how often it happens; none where it is not allowed."""
    if card.rules.surrender is Surrender.NONE:
        return np.full_like(best, -1.0)
    if card.surrenders_first:
        gain: Floats = card.dealt * (HALF + card.natural) - card.playing * best
    else:
        gain = card.playing * (HALF - best)
    return gain


class _Chart:
    """The search for the best chart: each cell in turn the better way, until none changes."""

    def __init__(self, card: Upcard) -> None:
        self.card, self.rules, hands = card, card.rules, card.scene.hands
        self.cell = cells(card.rules, card)
        self.asked, self.doublable = asked(card.rules, hands), may_double(card.rules, hands)
        self.two = np.flatnonzero(card.playing)
        self.hit_cell = np.zeros(CELLS, dtype=np.bool_)
        self.hit_cell[self.cell] = hands.total < np.where(hands.soft, 18, 17)
        off = np.zeros(hands.total.size, dtype=np.bool_)
        self.doubles, self.surrenders = off.copy(), off.copy()
        self.splits = card.pairs[np.diag(two_cards())] > 0.0
        self.splits[[4, 9]] = False
        self.played, self.known = (b"", b""), dict[int, SplitBox]()

    def chosen(self) -> Chosen:
        """The finished chart."""
        for _ in range(6):
            self.settle()
            before = self.splits.copy()
            self.choose_splits(self.boxes())
            if np.array_equal(before, self.splits):
                break
        self.settle()
        return self.polished(finished(self.card, self.decisions(), self.boxes()))

    def boxes(self) -> dict[int, SplitBox]:
        """Every pair split and played on by the decisions as they are; worked out again only when they have changed."""
        now = self.decisions()
        played = (now.hits.tobytes(), now.doubles.tobytes())
        if played != self.played:
            self.played, self.known = played, all_splits(self.card, now)
        return self.known

    def decisions(self) -> Decisions:
        hits = self.asked & self.hit_cell[self.cell]
        return Decisions(hits, self.doubles.copy(), self.given_up(), self.splits.copy())

    def given_up(self) -> Flags:
        """Hands of two cards given up, a pair that is split not among them."""
        flags = self.surrenders.copy()
        for value in np.flatnonzero(self.splits):
            flags[two_cards()[value, value]] = False
        return flags

    def settle(self) -> None:
        """Hits, doubles and surrenders, until nothing changes."""
        for _ in range(30):
            before = (self.hit_cell.copy(), self.doubles.copy(), self.surrenders.copy())
            decisions = self.decisions()
            planned_worth(self.card.scene, self.card.shoe, decisions.hits, self.card.worth)
            self.choose_doubles()
            self.choose_surrenders()
            self.choose_hits(decisions.hits)
            if all(map(np.array_equal, before, (self.hit_cell, self.doubles, self.surrenders))):
                return

    def weights(self) -> Floats:
        """Hands of two cards that are played by their total."""
        weight = self.card.playing.copy()
        for value in np.flatnonzero(self.splits):
            pair = two_cards()[value, value]
            weight[pair] *= 1.0 - self.card.pairs[pair]
        return weight + 1e-12 * self.card.playing

    def by_cell(self, gain: Floats) -> Floats:
        sums: Floats = np.bincount(self.cell, gain, CELLS).astype(np.float64)
        return sums

    def choose_doubles(self) -> None:
        worth = self.card.worth
        gain = np.where(self.doublable, self.weights() * (worth.double - worth.play), 0.0)
        self.doubles = self.doublable & (self.by_cell(gain) > 0.0)[self.cell]

    def unsplit(self) -> Floats:
        worth = self.card.worth
        return np.where(self.doubles, worth.double, worth.play)

    def choose_surrenders(self) -> None:
        ratio = self.weights() / np.maximum(self.card.playing, 1e-300)
        gain = surrender_gain(self.card, self.unsplit()) * ratio
        two = self.card.playing > 0.0
        self.surrenders = two & (self.by_cell(np.where(two, gain, 0.0)) > 0.0)[self.cell]

    def choose_hits(self, hits: Flags) -> None:
        weight, worth = self.weights(), self.card.worth
        weight[self.doubles | self.given_up()] *= 1e-9
        reach = weight.copy()
        spread_reach(self.card.scene, self.card.shoe, hits, reach)
        gain = self.by_cell(np.where(self.asked, reach * (worth.hit - worth.stand), 0.0))
        self.hit_cell = np.where(gain == 0.0, self.hit_cell, gain > 0.0)

    def choose_splits(self, boxes: dict[int, SplitBox]) -> None:
        unsplit = self.unsplit()
        for value, box in boxes.items():
            pair = two_cards()[value, value]
            self.splits[value] = box.worth > unsplit[pair] and not self._better_given_up(pair, box.worth)

    def _better_given_up(self, pair: int, worth: float) -> bool:
        best = np.full_like(self.card.dealt, worth)
        return bool(self.surrenders[pair] and surrender_gain(self.card, best)[pair] > 0.0)

    def polished(self, best: Chosen) -> Chosen:
        """Cells in which two ways lie close are tried the other way with everything, split hands too, played out."""
        for turn in [*self._close_hits(), *self._close_doubles()]:
            turn()
            decisions = self.decisions()
            splits = {value: split_of(self.card, decisions, value) for value in map(int, np.flatnonzero(self.splits))}
            tried = finished(self.card, decisions, splits)
            if tried.outcome.worth > best.outcome.worth:
                best = tried
            else:
                turn()
        planned_worth(self.card.scene, self.card.shoe, best.decisions.hits, self.card.worth)
        return finished(self.card, self.decisions(), self.boxes())

    def _turn_hit(self, cell: int) -> None:
        self.hit_cell[cell] ^= True

    def _turn_double(self, cell: int) -> None:
        self.doubles = self.doubles ^ (self.doublable & (self.cell == cell))

    def _close_hits(self) -> list[Callable[[], None]]:
        decisions = self.decisions()
        planned_worth(self.card.scene, self.card.shoe, decisions.hits, self.card.worth)
        reach = self.weights()
        reach[self.doubles | self.given_up()] = 0.0
        spread_reach(self.card.scene, self.card.shoe, decisions.hits, reach)
        close = self._close(np.where(self.asked, reach, 0.0), self.card.worth.hit - self.card.worth.stand)
        return [partial(self._turn_hit, cell) for cell in close]

    def _close_doubles(self) -> list[Callable[[], None]]:
        weight = np.where(self.doublable & ~self.given_up(), self.weights(), 0.0)
        close = self._close(weight, self.card.worth.double - self.card.worth.play)
        return [partial(self._turn_double, cell) for cell in close]

    def _close(self, reach: Floats, lead: Floats) -> list[int]:
        reached, gained = self.by_cell(reach), self.by_cell(reach * lead)
        return [int(cell) for cell in np.flatnonzero((reached > 0.0) & (np.abs(gained) < CLOSE * reached))]
