"""What a house must be able to pay: the worst round, an evening in a thousand, and whether its budget holds."""

from typing import NamedTuple

import numpy as np

from table_controller.analysis.book import Book
from table_controller.analysis.compiled import Floats, compiled
from table_controller.analysis.edge import numbers_of
from table_controller.analysis.quick_play import play_round
from table_controller.analysis.quick_round import QuickTable, quick_table
from table_controller.analysis.quick_rules import QuickChart, QuickRules, quick_chart, quick_rules
from table_controller.core.blackjack.rules import Double, RuleSet, Split


class Evening(NamedTuple):
    """An evening assumed: rounds, boxes in each, the bet on a box in minor units."""

    rounds: int
    boxes: int
    bet: int


class Need(NamedTuple):
    """What an evening may cost the house, in minor units.

    `worst_round`, `expected` and `spread` are computed, the others are simulated: what is enough in 999 evenings
    of 1,000, and how likely the budget is broken at some moment, with the standard error of that (None: no budget).
    """

    worst_round: float
    expected: float
    spread: float
    thousandth: float
    broken: float | None
    error: float | None


def need_of(book: Book, evening: Evening, evenings: int, seed: int) -> Need:
    """What the best play may cost in such evenings, a fresh shoe every round."""
    numbers, bet, rules = numbers_of(book), evening.bet, book.rules
    boxes, rounds = evening.boxes, evening.rounds
    together = boxes * numbers.sd**2 + boxes * (boxes - 1) * numbers.covariance
    deepest = bet * deepest_losses(book, evening, evenings, seed)
    broken = None if rules.budget is None else float(np.mean(deepest > rules.budget))
    return Need(
        worst_round(rules) * bet * boxes,
        -numbers.edge * bet * boxes * rounds,
        bet * float(np.sqrt(rounds * together)),
        float(np.quantile(deepest, 0.999)),
        broken,
        None if broken is None else float(np.sqrt(broken * (1.0 - broken) / evenings)),
    )


def worst_round(rules: RuleSet) -> float:
    """The most a box can win on its main bet, in first bets."""
    hands = 1 if rules.split is Split.NONE else rules.max_hands
    doubled = rules.double is not Double.NONE
    after_split = 2.0 if doubled and rules.das else 1.0
    best = hands * after_split if hands > 1 else (2.0 if doubled else 1.0)
    if rules.charlie is not None:
        pays = rules.charlie.pays[0] / rules.charlie.pays[1]
        best = max(best, hands * pays * (after_split if rules.charlie.cards == 3 else 1.0))
    return max(best, 2.0 if doubled else 1.0, rules.bj_pays[0] / rules.bj_pays[1])


def deepest_losses(book: Book, evening: Evening, evenings: int, seed: int) -> Floats:
    """How deep in the red the house was at the worst moment of each simulated evening, in bets."""
    table = quick_table(book.rules.decks, evening.boxes, seed)
    deepest = np.zeros(evenings)
    _evenings(quick_rules(book.rules), quick_chart(book), table, evening.rounds, deepest)
    return deepest


@compiled
def _evenings(rules: QuickRules, chart: QuickChart, table: QuickTable, rounds: int, deepest: Floats) -> None:
    for evening in range(deepest.size):
        lost = 0.0
        for _ in range(rounds):
            play_round(rules, chart, table)
            for box in range(table.boxes):
                lost += table.net[box]
            deepest[evening] = max(deepest[evening], lost)
