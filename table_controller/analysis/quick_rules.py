"""A rule set and a chart as plain numbers for the fast simulator, made without the exact analysis' hand tables."""

from typing import Any

import numpy as np

from table_controller.analysis.book import Book
from table_controller.analysis.hands import VALUES, all_hands, two_cards
from table_controller.core.blackjack.rules import (
    DealerUp,
    Double,
    NaturalTakes,
    PeekUnder,
    RuleSet,
    Soft17,
    Split,
    SplitDeal,
    Surrender,
)

DOUBLES = (Double.NONE, Double.ANY2, Double.HARD_9_11, Double.HARD_10_11)
SPLITS = (Split.NONE, Split.VALUE, Split.RANK)
SURRENDERS = (Surrender.NONE, Surrender.LATE, Surrender.EARLY)
TAKES = (NaturalTakes.ALL, NaturalTakes.ORIGINAL, NaturalTakes.BUSTED_AND_ONE)


QuickRules = Any
"""A record of RULES."""

RULES = np.dtype(
    [
        *((name, np.int64) for name in ("decks", "hole_card", "up_last", "checks_ace", "checks_ten", "hits_soft_17")),
        ("natural_pays", np.float64),
        *((name, np.int64) for name in ("double", "das", "split", "max_hands", "max_hands_aces", "aces_one_card")),
        *((name, np.int64) for name in ("double_split_aces", "both", "surrender", "charlie")),
        ("charlie_pays", np.float64),
        *((name, np.int64) for name in ("stands_21", "takes")),
    ]
)
"""What the simulator must know of a house; words as their place in the tuples above."""

QuickChart = Any
"""A record of CHART."""

CHART = np.dtype(
    [
        ("hits", np.uint8, (VALUES, 2, 22, 22)),
        ("doubles", np.uint8, (VALUES, 2, 22)),
        ("surrenders", np.uint8, (VALUES, 2, 22)),
        ("splits", np.uint8, (VALUES, VALUES)),
    ]
)
"""The chart by upcard value: drawing by soft, total and number of cards; first decisions by soft and total; pairs."""


def quick_rules(rules: RuleSet) -> QuickRules:
    """The numbers of a rule set."""
    charlie = rules.charlie
    numbers = (
        rules.decks,
        rules.hole_card,
        rules.dealer_up is DealerUp.LAST,
        PeekUnder.ACE in rules.peek,
        PeekUnder.TEN in rules.peek,
        rules.soft17 is Soft17.HIT,
        rules.bj_pays[0] / rules.bj_pays[1],
        DOUBLES.index(rules.double),
        rules.das,
        SPLITS.index(rules.split),
        rules.max_hands,
        min(rules.max_hands, rules.max_hands_aces),
        rules.split_aces_one_card,
        rules.double_split_aces,
        rules.split_deal is SplitDeal.BOTH,
        SURRENDERS.index(rules.surrender),
        charlie.cards if charlie else 99,
        charlie.pays[0] / charlie.pays[1] if charlie else 0.0,
        rules.auto_stand_21,
        TAKES.index(rules.bj_loss),
    )
    return np.array([numbers], dtype=RULES)[0]


def quick_chart(book: Book) -> QuickChart:
    """The chart of a book that goes by totals."""
    hands = all_hands()
    chart = np.zeros(1, dtype=CHART)[0]
    hits, doubles, surrenders, splits = (chart[name] for name in CHART.names or ())
    pairs = set(np.diag(two_cards()).tolist())
    for up in range(VALUES):
        decided = book.under(up).decisions
        splits[up] = decided.splits
        for hand in range(11, hands.total.size):
            soft, total, cards = int(hands.soft[hand]), hands.total[hand], hands.cards[hand]
            hits[up, soft, total, cards] |= decided.hits[hand]
            if cards == 2:
                doubles[up, soft, total] |= decided.doubles[hand]
                if hand not in pairs or not decided.splits[int(hands.held[hand].argmax())]:
                    surrenders[up, soft, total] |= decided.surrenders[hand]
    return chart
