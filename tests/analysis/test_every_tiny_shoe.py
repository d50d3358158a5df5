"""The analysis against rounds played out in every order of the cards, on shoes small enough for that."""

from typing import Any

import numpy as np
import pytest

from table_controller import houses
from table_controller.analysis.hands import VALUES, all_hands, two_cards
from table_controller.analysis.upcard import Decisions, split_of, upcard
from table_controller.analysis.values import planned_worth
from tests.analysis.by_hand import Cards, Play, Shoe, Table, total

EIGHTS: Shoe = (2, 1, 1, 0, 0, 1, 2, 5, 0, 4)
ACES: Shoe = (5, 1, 0, 1, 0, 1, 2, 1, 0, 8)
DEEP: Shoe = (1, 4, 2, 2, 1, 1, 1, 1, 0, 4)
BELOW = 15


def hits(cards: Cards) -> bool:
    points, soft = total(cards)
    return points < (18 if soft else BELOW)


def doubles(cards: Cards) -> bool:
    return total(cards)[0] in (10, 11)


def decisions(*, doubling: bool) -> Decisions:
    """The same plan as `hits` and `doubles`, hand by hand."""
    hands = all_hands()
    drawing = (hands.cards > 1) & (hands.total < np.where(hands.soft, 18, BELOW))
    double = doubling & (hands.cards == 2) & np.isin(hands.total, (10, 11))
    return Decisions(drawing, double, np.zeros_like(drawing), np.zeros(VALUES, dtype=np.bool_))


def without(shoe: Shoe, *values: int) -> Shoe:
    left = list(shoe)
    for value in values:
        left[value - 1] -= 1
    return tuple(left)


NO_HOLE = {"hole_card": False, "peek": []}
SPLITS: list[tuple[int, int, Shoe, dict[str, Any]]] = [
    (8, 7, EIGHTS, {"max_hands": 2}),
    (8, 7, EIGHTS, {"max_hands": 3}),
    (8, 7, EIGHTS, {"max_hands": 4, "das": False}),
    (8, 10, EIGHTS, {"max_hands": 4, **NO_HOLE}),
    (8, 10, EIGHTS, {"max_hands": 3}),
    (8, 1, EIGHTS, {"max_hands": 4}),
    (10, 1, EIGHTS, {"max_hands": 2}),
    (1, 10, ACES, {"max_hands": 4, "max_hands_aces": 4}),
    (1, 10, ACES, {"max_hands": 4, "max_hands_aces": 3, **NO_HOLE, "split_aces_one_card": False}),
    (1, 6, ACES, {"soft17": "hit"}),
    (2, 6, DEEP, {"max_hands": 2, "soft17": "hit"}),
]


@pytest.mark.parametrize(("pair", "up", "shoe", "changes"), SPLITS)
def test_a_split_pair_is_worth_what_all_its_courses_bring(
    pair: int, up: int, shoe: Shoe, changes: dict[str, Any]
) -> None:
    rules = houses.rules_with("classic", changes)
    most = min(rules.max_hands, rules.max_hands_aces) if pair == 1 else rules.max_hands
    one_card = pair == 1 and rules.split_aces_one_card
    doubling = rules.double_split_aces if pair == 1 else rules.das
    play = Play(hits, doubles if doubling else lambda _cards: False, most, one_card, rules.soft17 == "hit")
    unseen = without(shoe, up)
    card = upcard(rules, up - 1, np.array(unseen, dtype=np.float64))
    box = split_of(card, decisions(doubling=True), pair - 1)
    checked = rules.hole_card and up in (1, 10)
    assert box.worth == pytest.approx(
        Table(up, play).split(pair, without(unseen, pair, pair), checked=checked), abs=1e-12
    )


@pytest.mark.parametrize("takes", ["obo", "bb+1"])
def test_that_split_hands_bust_independently_is_close_even_in_a_tiny_shoe(takes: str) -> None:
    rules = houses.rules_with("classic", {**NO_HOLE, "bj_loss": takes, "max_hands": 2})
    unseen = without(EIGHTS, 10)
    box = split_of(upcard(rules, 9, np.array(unseen, dtype=np.float64)), decisions(doubling=True), 7)
    table = Table(10, Play(hits, doubles, takes=takes))
    assert box.worth == pytest.approx(table.split(8, without(unseen, 8, 8), checked=False), abs=0.005)


@pytest.mark.parametrize("takes", ["obo", "bb+1"])
def test_a_natural_takes_one_stake_of_a_hand_that_is_not_split(takes: str) -> None:
    rules = houses.rules_with("classic", {**NO_HOLE, "bj_loss": takes})
    unseen = without(EIGHTS, 10)
    card = upcard(rules, 9, np.array(unseen, dtype=np.float64))
    table = Table(10, Play(hits, lambda _cards: True, takes=takes))
    assert card.worth.double[two_cards()[7, 2]] == pytest.approx(
        table.one((8, 3), without(unseen, 8, 3), checked=False), abs=1e-12
    )


HANDS: list[tuple[Cards, int, dict[str, Any]]] = [
    ((10, 2), 7, {}),
    ((8, 6), 10, {}),
    ((8, 6), 10, NO_HOLE),
    ((1, 6), 1, {"soft17": "hit"}),
    ((8, 3), 1, {}),
    ((8, 3), 1, NO_HOLE),
    ((7, 3), 6, {}),
]


@pytest.mark.parametrize(("cards", "up", "changes"), HANDS)
def test_a_hand_is_worth_what_all_its_courses_bring(cards: Cards, up: int, changes: dict[str, Any]) -> None:
    rules = houses.rules_with("classic", changes)
    unseen = without(EIGHTS, up)
    card = upcard(rules, up - 1, np.array(unseen, dtype=np.float64))
    planned_worth(card.scene, card.shoe, decisions(doubling=False).hits, card.worth)
    hand = two_cards()[cards[0] - 1, cards[1] - 1]
    checked, left = rules.hole_card and up in (1, 10), without(unseen, *cards)
    soft_17 = rules.soft17 == "hit"

    def by_hand(hit: bool, double: bool) -> float:
        play = Play(lambda held: hit if held == cards else hits(held), lambda _held: double, 2, False, soft_17)
        return Table(up, play).one(cards, left, checked=checked)

    assert card.worth.stand[hand] == pytest.approx(by_hand(False, False), abs=1e-12)
    assert card.worth.hit[hand] == pytest.approx(by_hand(True, False), abs=1e-12)
    assert card.worth.double[hand] == pytest.approx(by_hand(False, True), abs=1e-12)
