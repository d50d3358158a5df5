"""Charts say what their own values say, and no other plan is better."""

import json
import random
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller import houses
from table_controller.analysis.book import Book
from table_controller.analysis.chart import ACTIONS, UPS, chart_of, value_of
from table_controller.analysis.choosing import finished
from table_controller.analysis.dealer import OUTCOMES, dealer_with, outcomes
from table_controller.analysis.edge import numbers_of
from table_controller.analysis.hands import VALUES, all_hands
from table_controller.analysis.scene import chance, shoe_without
from table_controller.analysis.upcard import asked, may_double, split_of
from table_controller.core.blackjack.words import Action
from table_controller.play.cases import answer
from tests.analysis.variants import GAMES, rules_of

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "cases/strategy.jsonl").read_text("utf-8").splitlines()
]
LEAD = 2e-4
"""First bets: a chart serves hands of more cards too, so where two actions are nearly equal it may take the other."""


@lru_cache(maxsize=len(GAMES))
def book_of(game: str) -> Book:
    return Book(rules_of(game))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['reason']}")
def test_a_case_is_answered_as_worked_out_elsewhere(case: dict[str, Any]) -> None:
    told = json.loads(json.dumps(answer(json.dumps({**case, "decisions": []}).encode())))
    if case["kind"] == "strategy":
        assert told["action"] == case["expect"]
    else:
        assert {key: told[key] for key in case["expect"]} == case["expect"]


@pytest.mark.parametrize("game", GAMES)
def test_every_cell_is_the_best_of_its_own_values(game: str) -> None:
    chart = chart_of(book_of(game))
    for rows in (chart.hard, chart.soft, chart.pairs):
        for row, line in rows.items():
            for up, cell in line.items():
                action = ACTIONS[cell.code[0]].value
                if rows is chart.pairs and action != "split":
                    continue  # the code of the total: it is not chosen for the pair alone
                assert cell.ev[action] >= max(cell.ev.values()) - LEAD, f"{row} against {up}: {cell}"


def test_a_pair_is_split_where_that_beats_the_code_of_its_total() -> None:
    chart = chart_of(book_of("classic"))
    for row, line in chart.pairs.items():
        for up, cell in line.items():
            if cell.code != "P":
                assert cell.ev["split"] <= cell.ev[ACTIONS[cell.code[0]].value] + 1e-12, f"{row} against {up}"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(sorted(GAMES)), st.sampled_from(UPS))
def test_no_plan_changed_in_a_cell_is_better(seed: int, game: str, up: str) -> None:
    choose, chosen = random.Random(seed), book_of(game).under(value_of(up))
    card, rules, hands = chosen.card, rules_of(game), all_hands()
    decided = chosen.decisions._replace(hits=chosen.decisions.hits.copy(), doubles=chosen.decisions.doubles.copy())
    total, soft = choose.randint(5, 20), choose.random() < 0.4
    cell = (hands.total == total) & (hands.soft == soft)
    if choose.random() < 0.5:
        decided.hits[cell & asked(rules, hands)] ^= True
    else:
        decided.doubles[cell & may_double(rules, hands)] ^= True
    splits = {int(value): split_of(card, decided, int(value)) for value in np.flatnonzero(decided.splits)}
    splits = {value: box for value, box in splits.items() if value in chosen.splits}
    assert finished(card, decided, splits).outcome.worth <= chosen.outcome.worth + 2e-7


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=VALUES, max_size=VALUES), st.integers(0, 9), st.booleans())
def test_probabilities_add_up_to_one(counts: list[int], up: int, hits: bool) -> None:
    shoe = np.array([float(max(12, number)) for number in counts])
    dealer, odds = dealer_with(up, hits), np.zeros(OUTCOMES)
    outcomes(dealer, shoe, np.empty(dealer.cards.size), odds)
    assert odds.sum() == pytest.approx(1.0, abs=1e-12)
    assert odds.min() >= 0.0
    for not_hole in (-1, 0, 9):
        assert sum(chance(shoe, value, not_hole) for value in range(VALUES)) == pytest.approx(1.0, abs=1e-12)


def test_playing_by_the_cards_is_at_least_as_good_as_by_the_total() -> None:
    for game in ("classic", "one pack", "live_dealer", "five cards win"):
        by_cards = numbers_of(Book(rules_of(game), composition=True)).edge
        assert by_cards >= numbers_of(book_of(game)).edge


def test_a_rule_that_helps_the_player_never_costs_him() -> None:
    edge = numbers_of(book_of("golden_wolf")).edge
    for key, worse in (("surrender", "none"), ("das", False), ("max_hands", 2), ("double", "9-11"), ("soft17", "hit")):
        assert numbers_of(Book(houses.rules_with("golden_wolf", {key: worse}))).edge < edge


def test_the_unseen_cards_are_whole_packs_less_the_upcard() -> None:
    assert shoe_without(6, 9).tolist() == [24.0] * 9 + [95.0]
    assert all_hands().total.size == 3083


def test_the_surrender_of_16_against_10_is_called_off_with_more_cards() -> None:
    later = chart_of(book_of("golden_wolf")).later
    assert [(one.total, one.up, one.code) for one in later] == [(16, "10", "S")]
    assert ACTIONS["R"] == Action.SURRENDER
