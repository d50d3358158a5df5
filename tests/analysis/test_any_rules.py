"""Rule sets nobody plays: the exact edge beside rounds played, and the fast simulator beside the core."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller import houses
from table_controller.analysis.book import Book
from table_controller.analysis.edge import numbers_of
from table_controller.analysis.quick_play import net_of_shoe, simulate
from tests.analysis.core_play import CoreTable, shoes

FLAGS = ("das", "split_aces_one_card", "double_split_aces", "auto_stand_21")
CHOICES: dict[str, list[Any]] = {
    "soft17": ["stand", "hit"],
    "bj_pays": [[3, 2], [6, 5], [1, 1], [2, 1]],
    "double": ["none", "any2", "9-11", "10-11"],
    "split": ["none", "value", "rank"],
    "split_deal": ["on_turn", "both"],
    "surrender": ["none", "late", "early"],
    "charlie": [None, [3, [1, 1]], [5, [3, 2]], [7, [1, 1]], [9, [2, 1]]],
    "bj_loss": ["all", "obo", "bb+1"],
}
HOLE = [
    {"hole_card": True, "peek": peek, "dealer_up": up}
    for peek in (["A", "T"], ["A"], ["T"], [])
    for up in ("first", "last")
]


@st.composite
def rule_changes(draw: st.DrawFn) -> dict[str, Any]:
    changes: dict[str, Any] = {flag: draw(st.booleans()) for flag in FLAGS}
    changes |= {key: draw(st.sampled_from(values)) for key, values in CHOICES.items()}
    changes |= {
        key: draw(st.integers(1, high)) for key, high in (("decks", 8), ("max_hands", 4), ("max_hands_aces", 4))
    }
    return {**changes, **draw(st.sampled_from([*HOLE, {"hole_card": False, "peek": []}]))}


@settings(max_examples=4, deadline=None)
@given(rule_changes(), st.integers(0, 2**20))
def test_any_rules_are_worth_what_they_bring(changes: dict[str, Any], seed: int) -> None:
    book = Book(houses.rules_with("classic", changes))
    played = simulate(book, 500_000, seed)
    assert abs(played.mean - numbers_of(book).edge) < 5 * played.stderr
    table = CoreTable(book, 2)
    for shoe in islice(shoes(book.rules, seed), 10):
        ranks = np.array([card.index // 4 for card in shoe])
        assert table.play(shoe) == pytest.approx(list(net_of_shoe(book, 2, ranks)))
