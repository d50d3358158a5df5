"""Everything known under one upcard before a plan is chosen, and what a plan is then worth."""

from typing import NamedTuple

import numpy as np

from table_controller.analysis.compiled import Flags, Floats
from table_controller.analysis.dealer import NATURAL, OUTCOMES
from table_controller.analysis.hands import VALUES, Hands, two_cards
from table_controller.analysis.scene import ACE, TEN, Scene, fill_odds, no_odds, scene_of, shoe_without
from table_controller.analysis.splits import SplitBox, hands_limit, pair_share, split_box
from table_controller.analysis.values import Worth, nothing_known, settled_worth
from table_controller.analysis.walk import BUSTS, Plan, walk
from table_controller.core.blackjack.rules import Double, RuleSet, Surrender

HALF = -0.5


class Upcard(NamedTuple):
    """One upcard of a house. Weights are probabilities given the upcard: `dealt` before any check, `playing` after it.

    `natural` is how likely the dealer has one beside a hand, `pairs` the part of a hand of two cards that may be split.
    """

    rules: RuleSet
    up: int
    scene: Scene
    shoe: Floats
    odds: Floats
    natural: Floats
    dealt: Floats
    playing: Floats
    pairs: Floats
    worth: Worth

    @property
    def checked(self) -> bool:
        """Whether the hole card is checked before anybody plays."""
        return self.scene.not_hole >= 0

    @property
    def surrenders_first(self) -> bool:
        """Whether surrender is made before the check, so that half is all a dealer natural takes."""
        return self.checked and self.rules.surrender is Surrender.EARLY


class Decisions(NamedTuple):
    """What is done with every hand: which draw, which of two cards double or are given up, which pairs are split."""

    hits: Flags
    doubles: Flags
    surrenders: Flags
    splits: Flags


class Outcome(NamedTuple):
    """A box under one upcard, per unit of its first bet: result, squared; by dealer outcome chance and result."""

    worth: float
    squared: float
    chances: Floats
    beside: Floats


def upcard(rules: RuleSet, up: int, unseen: Floats | None = None) -> Upcard:
    """All odds and everything that needs no plan; `unseen` counts cards by value, whole packs if not given."""
    scene, shoe = scene_of(rules, up), shoe_without(rules.decks, up) if unseen is None else unseen
    hands, natural = scene.hands, np.zeros(scene.hands.total.size)
    odds, worth = no_odds(hands), nothing_known(hands)
    fill_odds(scene, shoe, odds, natural)
    settled_worth(scene, shoe, odds, worth)
    dealt = _dealt(hands, shoe)
    playing = dealt * (1.0 - natural) if scene.not_hole >= 0 else dealt.copy()
    playing[blackjack()] = 0.0
    return Upcard(rules, up, scene, shoe, odds, natural, dealt, playing, _pairs(rules, hands), worth)


def blackjack() -> int:
    """The hand of an ace and a ten-value."""
    return int(two_cards()[ACE, TEN])


def _dealt(hands: Hands, shoe: Floats) -> Floats:
    dealt = np.zeros(hands.total.size)
    left = shoe.sum()
    for one in range(VALUES):
        for other in range(VALUES):
            dealt[two_cards()[one, other]] += shoe[one] * (shoe[other] - (one == other)) / (left * (left - 1.0))
    return dealt


def _pairs(rules: RuleSet, hands: Hands) -> Floats:
    pairs = np.zeros(hands.total.size)
    for value in range(VALUES):
        if hands_limit(rules, value) > 1:
            pairs[two_cards()[value, value]] = pair_share(rules, 1) if value == TEN else 1.0
    return pairs


def asked(rules: RuleSet, hands: Hands) -> Flags:
    """The hands that are asked at all, a Charlie not yet reached."""
    soft_is_asked = rules.charlie is not None
    stands = (hands.total == 21) & rules.auto_stand_21 & ~(hands.soft & soft_is_asked)
    reached = hands.cards >= (rules.charlie.cards if rules.charlie else 99)
    flags: Flags = (hands.cards >= 2) & ~stands & ~reached
    return flags


def may_double(rules: RuleSet, hands: Hands) -> Flags:
    """The hands of two cards that may be doubled where they were not split."""
    if rules.double is Double.NONE:
        return np.zeros(hands.total.size, dtype=np.bool_)
    two = (hands.cards == 2) & asked(rules, hands)
    if rules.double is Double.ANY2:
        return np.asarray(two, dtype=np.bool_)
    lowest = 9 if rules.double is Double.HARD_9_11 else 10
    flags: Flags = two & ~hands.soft & (hands.total >= lowest) & (hands.total <= 11)
    return flags


def after_split(rules: RuleSet, decisions: Decisions, first: int) -> Plan:
    """The same decisions as far as a hand of a split pair is allowed them."""
    hits, doubles = decisions.hits.copy(), decisions.doubles.copy()
    if not (rules.double_split_aces if first == ACE else rules.das):
        doubles[:] = False
    if first == ACE and rules.split_aces_one_card:
        hits[two_cards()[ACE]] = False
    return Plan(hits, doubles)


def split_of(card: Upcard, decisions: Decisions, first: int) -> SplitBox:
    """A pair of this value, split and played on by these decisions."""
    plan = after_split(card.rules, decisions, first)
    return split_box(card.rules, card.scene, card.shoe, first, plan)


def outcome_of(card: Upcard, decisions: Decisions, splits: dict[int, SplitBox]) -> Outcome:
    """What these decisions are worth under this upcard; `splits` holds the pairs that are split, by value."""
    given_up = decisions.surrenders
    reach = np.where(given_up, 0.0, card.playing)
    parts = {}
    for value in splits:
        pair = two_cards()[value, value]
        parts[value] = reach[pair] * card.pairs[pair]
        reach[pair] -= parts[value]
    tally = walk(card.scene, card.shoe, Plan(decisions.hits, decisions.doubles), reach, card.odds)
    halves = float(np.sum((card.dealt if card.surrenders_first else card.playing)[given_up]))
    worth, squared = float(tally[:, 1].sum()) + HALF * halves, float(tally[:, 2].sum()) + HALF**2 * halves
    beside = tally[: NATURAL + 1, 1].copy()
    spread = float(tally[BUSTS:, 1].sum()) + HALF * halves
    for value, part in parts.items():
        worth += part * splits[value].worth
        squared += part * splits[value].squared
        beside += part * splits[value].beside
    chances = _chances(card)
    natural, paid = _naturals(card, given_up)
    worth, squared = worth + natural + paid[0], squared - natural + paid[1]
    open_chances = chances.copy()
    open_chances[NATURAL] *= not card.checked
    beside += spread * open_chances / open_chances.sum()
    beside[:NATURAL] += paid[0] * chances[:NATURAL] / chances[:NATURAL].sum()
    beside[NATURAL] += natural
    return Outcome(worth, squared, chances, beside)


def _chances(card: Upcard) -> Floats:
    """How likely each dealer outcome is beside whatever the box holds."""
    chances = np.zeros(OUTCOMES)
    natural = float(np.sum(card.dealt * card.natural))
    two = np.flatnonzero(card.dealt)
    for outcome in range(NATURAL):
        part = card.odds[two, outcome] * (1.0 - card.natural[two] if card.checked else 1.0)
        chances[outcome] = np.sum(card.dealt[two] * part)
    chances[NATURAL] = natural
    return chances


def _naturals(card: Upcard, given_up: Flags) -> tuple[float, tuple[float, float]]:
    """Lost to checked naturals; won by naturals of the box, and squared."""
    own = blackjack()
    pays = card.rules.bj_pays[0] / card.rules.bj_pays[1]
    safe = float(card.dealt[own] * (1.0 - card.natural[own]))
    lost = 0.0
    if card.checked:
        meets = card.dealt * card.natural
        meets[own] = 0.0
        if card.surrenders_first:
            meets[given_up] = 0.0
        lost = -float(meets.sum())
    return lost, (safe * pays, safe * pays**2)
