"""A split pair played to its end: exact for a fixed plan, resplits included.

The hands of a box are played by the same plan and no hand looks at another one, so the cards still unseen are as good
as freshly shuffled for each of them, and the box is worth the sum of its hands. What ties them together is only how
many pair cards came: a hand's second card is known not to be one (else it had been split), and so are its neighbours'.
These conditions are taken apart by inclusion and exclusion over shoes with more and more pair cards gone.
"""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from table_controller.analysis.compiled import Floats, compiled
from table_controller.analysis.dealer import NATURAL
from table_controller.analysis.scene import TAKES_NOTHING, TEN, Scene, chance, no_odds
from table_controller.analysis.walk import BUSTS, CHARLIES, Plan, walk
from table_controller.core.blackjack.rules import NaturalTakes, RuleSet, Split

Ending = tuple[int, int, int]
"""How splitting ends: pair cards drawn, hands whose second card was none, hands that may no longer split."""


@lru_cache(maxsize=8)
def endings(limit: int) -> Counter[Ending]:
    """In how many orders each ending comes about in a box of at most `limit` hands."""
    counted: Counter[Ending] = Counter()

    def draw(hands: int, waiting: int, ending: tuple[int, int]) -> None:
        pairs, others = ending
        if waiting == 0 or hands == limit:
            counted[pairs, others, waiting] += 1
            return
        draw(hands + 1, waiting + 1, (pairs + 1, others))
        draw(hands, waiting - 1, (pairs, others + 1))

    draw(2, 2, (0, 0))
    return counted


class SplitBox(NamedTuple):
    """A box that split: what it is worth, its squared result, and the result beside each dealer outcome."""

    worth: float
    squared: float
    beside: Floats


@compiled
def from_one_card(scene: Scene, shoe: Floats, first: int, plan: Plan, odds: Floats) -> tuple[Floats, Floats]:
    """Tallies of one hand of a split pair: those that get a pair card as the second, and all others."""
    hands, left = scene.hands, shoe.copy()
    left[first] -= 1.0
    one = hands.child[0, first]
    same = np.zeros(hands.total.size)
    others = np.zeros(hands.total.size)
    for value in range(10):
        after = hands.child[one, value]
        (same if value == first else others)[after] = chance(left, value, scene.not_hole)
    return walk(scene, shoe, plan, same, odds), walk(scene, shoe, plan, others, odds)


class _Shoes(NamedTuple):
    """By pair cards gone beyond the first two: a hand's tally, that without a pair as second card, a pair's chance."""

    free: list[Floats]
    unpaired: list[Floats]
    pair: list[float]


def hands_limit(rules: RuleSet, first: int) -> int:
    """How many hands a box may have when this pair is split; 1 where it may not be."""
    if rules.split is Split.NONE:
        return 1
    return min(rules.max_hands, rules.max_hands_aces) if first == 0 else rules.max_hands


def pair_share(rules: RuleSet, gone: int) -> float:
    """The part of ten-values that pair with one ten-value, when `gone` of that rank are known gone."""
    if rules.split is not Split.RANK:
        return 1.0
    return max(0.0, 4 * rules.decks - gone) / (16 * rules.decks - gone)


def split_box(rules: RuleSet, scene: Scene, shoe: Floats, first: int, plan: Plan) -> SplitBox:
    """The box of a pair of value `first`, split by a plan; `shoe` is what is unseen beside the upcard."""
    limit = hands_limit(rules, first)
    if rules.bj_loss is not NaturalTakes.ALL:
        scene = scene._replace(takes=TAKES_NOTHING)
    shoes = _shoes(rules, scene, shoe, first, plan)
    total, hands = np.zeros_like(shoes.free[0]), dict[int, float]()
    for (pairs, others, waiting), orders in endings(limit).items():
        likely = orders * float(np.prod(shoes.pair[:pairs]))
        if likely == 0.0:
            continue
        alone = likely * float(_joint([np.ones(1)] * len(shoes.free), shoes.pair, pairs, others)[0])
        hands[2 + pairs] = hands.get(2 + pairs, 0.0) + alone
        if others:
            total += likely * others * _joint(shoes.unpaired, shoes.pair, pairs, others - 1)
        if waiting:
            total += likely * waiting * _joint(shoes.free, shoes.pair, pairs, others)
    return _box(rules, total, hands)


def _shoes(rules: RuleSet, scene: Scene, shoe: Floats, first: int, plan: Plan) -> _Shoes:
    deepest = max(pairs + others for pairs, others, _ in endings(hands_limit(rules, first)))
    free, unpaired, pair = list[Floats](), list[Floats](), list[float]()
    for gone in range(deepest + 1):
        left = shoe.copy()
        left[first] -= 1.0 + gone
        if left[first] < 1.0:
            break
        share = pair_share(rules, 2 + gone) if first == TEN else 1.0
        same, others = from_one_card(scene, left, first, plan, no_odds(scene.hands))
        free.append(same + others)
        unpaired.append(others + (1.0 - share) * same)
        left[first] -= 1.0
        pair.append(share * chance(left, first, scene.not_hole))
    return _Shoes(free, unpaired, pair)


def _joint(tallies: list[Floats], pair: list[float], gone: int, others: int) -> Floats:
    """A tally together with the event that so many other second cards are no pair cards."""
    if others == 0:
        return tallies[gone]
    without = _joint(tallies, pair, gone, others - 1)
    if pair[gone] == 0.0 or gone + 1 >= len(tallies):
        return without
    return without - pair[gone] * _joint(tallies, pair, gone + 1, others - 1)


def _box(rules: RuleSet, total: Floats, hands: dict[int, float]) -> SplitBox:
    """Adds up the hands. That two hands fare alike beside the same dealer outcome and are else independent is an
    approximation; it touches the squared result, and the worth only where a natural takes one stake of the box."""
    number = sum(count * likely for count, likely in hands.items())
    each = total / number
    stood = each[: NATURAL + 1, 0].sum()
    dealer = each[: NATURAL + 1, 0] / stood if stood > 0.0 else np.full(NATURAL + 1, 1 / (NATURAL + 1))
    natural = _natural_takes(rules, each, dealer[NATURAL], hands)
    beside_one = each[: NATURAL + 1, 1] + dealer * each[BUSTS:, 1].sum()
    beside = number * beside_one
    beside[NATURAL] -= natural
    met = dealer > 0.0
    together = float(np.sum(beside_one[met] ** 2 / dealer[met]))
    pairs_of_hands = sum(count * (count - 1) * likely for count, likely in hands.items())
    squared = float(total[:, 2].sum()) + pairs_of_hands * together + natural
    return SplitBox(float(total[:, 1].sum()) - natural, squared, beside)


def _natural_takes(rules: RuleSet, each: Floats, natural: float, hands: dict[int, float]) -> float:
    """What a dealer natural takes from all open hands together, once."""
    if rules.bj_loss is NaturalTakes.ALL or natural == 0.0:
        return 0.0
    bust, paid = float(each[BUSTS, 0]), float(each[CHARLIES, 0])
    open_hands = {count: 1.0 - (bust + paid) ** count for count in hands}
    if rules.bj_loss is NaturalTakes.ORIGINAL:
        open_hands = {count: (1.0 - bust) ** count - paid**count for count in hands}
    return natural * sum(likely * open_hands[count] for count, likely in hands.items())
