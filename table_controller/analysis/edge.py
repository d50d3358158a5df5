"""The edge of a rule set: the player's expectation per unit of the first bet, with a fresh shoe every round."""

from typing import NamedTuple

import numpy as np

from table_controller.analysis.book import Book
from table_controller.analysis.hands import VALUES
from table_controller.analysis.saying import Saying
from table_controller.analysis.scene import TEN
from table_controller.core.blackjack.rules import NaturalTakes, RuleSet


class Numbers(NamedTuple):
    """Edge and standard deviation of a box, and the covariance of two boxes of one round, per unit of their bets."""

    edge: float
    sd: float
    covariance: float


def numbers_of(book: Book) -> Numbers:
    """What a book's strategy comes to under all upcards together."""
    outcomes = [book.under(up).outcome for up in range(VALUES)]
    ups = [4.0 / 13.0 if up == TEN else 1.0 / 13.0 for up in range(VALUES)]
    edge = sum(likely * float(one.worth) for likely, one in zip(ups, outcomes, strict=True))
    squared = sum(likely * float(one.squared) for likely, one in zip(ups, outcomes, strict=True))
    together = 0.0
    for likely, one in zip(ups, outcomes, strict=True):
        met = one.chances > 0.0
        together += likely * float(np.sum(one.beside[met] ** 2 / one.chances[met]))
    return Numbers(edge, float(np.sqrt(squared - edge**2)), together - edge**2)


def edge_of(rules: RuleSet) -> float:
    """The player's expectation with the best chart; minus: the house wins."""
    return numbers_of(Book(rules)).edge


def method_of(book: Book, say: Saying) -> str:
    """How the numbers were found, and what in them is no exact value."""
    one_stake = book.rules.bj_loss is not NaturalTakes.ALL and book.rules.max_hands > 1
    found = say("edge", "exact_by_cards" if book.composition else "exact")
    return found + (say("edge", "one_stake") if one_stake else "")
