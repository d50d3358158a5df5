"""The exact edge of every game beside rounds that are played: by the fast simulator, and by the core itself."""

from functools import lru_cache
from itertools import islice

import numpy as np
import pytest

from table_controller.analysis.book import Book
from table_controller.analysis.edge import numbers_of
from table_controller.analysis.quick_play import covariance, net_of_shoe, simulate
from tests.analysis.core_play import CoreTable, shoes
from tests.analysis.variants import GAMES, rules_of

ROUNDS = 2_000_000
SHOES = 60
BOXES = 3
SEED = 8


@lru_cache(maxsize=len(GAMES))
def book_of(game: str) -> Book:
    return Book(rules_of(game))


@pytest.mark.parametrize("game", GAMES)
def test_the_edge_is_what_millions_of_rounds_bring(game: str) -> None:
    exact, played = numbers_of(book_of(game)), simulate(book_of(game), ROUNDS, SEED)
    assert abs(played.mean - exact.edge) < 3 * played.stderr
    assert played.sd == pytest.approx(exact.sd, rel=0.005)


@pytest.mark.parametrize("game", GAMES)
def test_the_core_and_the_fast_simulator_pay_every_box_alike(game: str) -> None:
    book = book_of(game)
    table = CoreTable(book, BOXES)
    for shoe in islice(shoes(book.rules, SEED), SHOES):
        ranks = np.array([card.index // 4 for card in shoe])
        assert table.play(shoe) == pytest.approx(list(net_of_shoe(book, BOXES, ranks)))


def test_boxes_of_a_round_win_and_lose_together_as_computed() -> None:
    exact = numbers_of(book_of("golden_wolf")).covariance
    assert covariance(book_of("golden_wolf"), ROUNDS, SEED) == pytest.approx(exact, rel=0.02)


def test_the_same_seed_plays_the_same_rounds() -> None:
    assert simulate(book_of("classic"), 1000, 5) == simulate(book_of("classic"), 1000, 5)
    assert simulate(book_of("classic"), 1000, 5) != simulate(book_of("classic"), 1000, 6)
