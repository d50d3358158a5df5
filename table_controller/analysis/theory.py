"""Theoretical win: what the bets of a day should have brought the house, and how far chance carries it."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import msgspec

from table_controller.analysis.book import Book
from table_controller.analysis.edge import Numbers, numbers_of
from table_controller.analysis.sidebets import dealer_natural, insurance_worth, pairs_chances, pairs_worth
from table_controller.core.blackjack.rules import RuleSet, read_rules
from table_controller.views.wagers import Wagers

NINETEEN_OF_TWENTY: Final = 1.96


class Theory(NamedTuple):
    """The house's theoretical win and its standard deviation, and the actual win of the same bets, in minor units."""

    win: float
    sd: float
    actual: int

    @property
    def band(self) -> tuple[float, float]:
        """Between these 95 % of such days lie."""
        return self.win - NINETEEN_OF_TWENTY * self.sd, self.win + NINETEEN_OF_TWENTY * self.sd

    @property
    def distance(self) -> float | None:
        """How many standard deviations the actual win is above; None where nothing was bet."""
        return (self.actual - self.win) / self.sd if self.sd else None


def best_play(rules: RuleSet) -> Numbers:
    """The numbers of the best play by total, worked out now."""
    return numbers_of(Book(rules))


def theoretical(under: Mapping[str, Wagers], numbers: Callable[[RuleSet], Numbers] = best_play) -> Theory:
    """Of all wagers, each by the edge of the rules it was made under; `under` as in views.wagers."""
    win, variance, actual = 0.0, 0.0, 0
    for key, wagers in under.items():
        rules = read_rules(msgspec.json.decode(key))
        part = theory_of(wagers, rules, numbers(rules))
        win, variance, actual = win + part.win, variance + part.sd**2, actual + part.actual
    return Theory(win, variance**0.5, actual)


def theory_of(wagers: Wagers, rules: RuleSet, numbers: Numbers) -> Theory:
    """Of wagers under one rule set.

    Boxes of one round share the dealer, and so win together; side bets are taken as independent of the main one.
    """
    win = -numbers.edge * wagers.first - insurance_worth(rules) * wagers.insurance
    variance = numbers.sd**2 * wagers.squares + numbers.covariance * wagers.products
    likely, pays = dealer_natural(rules, own_natural=False), rules.insurance_pays[0] / rules.insurance_pays[1]
    variance += likely * (1.0 - likely) * (pays + 1.0) ** 2 * wagers.insurance_squares
    pairs = pairs_worth(rules)
    if pairs is not None:
        win -= pairs * wagers.pairs
        squared = sum(chance * result**2 for chance, result in pairs_chances(rules))
        variance += (squared - pairs**2) * wagers.pairs_squares
    return Theory(win, max(0.0, variance) ** 0.5, wagers.house_net)
