"""What others have published, beside what the analysis finds; sources in published.toml."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from table_controller import houses
from table_controller.analysis.book import Book
from table_controller.analysis.chart import UPS, Chart, chart_of
from table_controller.analysis.edge import numbers_of
from table_controller.analysis.sidebets import pairs_worth
from table_controller.core.blackjack.rules import RuleSet

PUBLISHED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "published.toml").read_text("utf-8"))
APART = {1: 2.5e-5, 2: 1e-5}
"""How far the edges may lie apart by packs: Appendix 9 plays split hands on by their number alone. Else 4e-6."""


def game(packs: int, hits_soft_17: bool, hole: bool, **changes: object) -> RuleSet:
    values: dict[str, object] = {"decks": packs, "soft17": "hit" if hits_soft_17 else "stand", "surrender": "none"}
    return houses.rules_with("classic", {**values, **({} if hole else {"hole_card": False, "peek": []}), **changes})


@pytest.mark.parametrize(("packs", "hits", "hole", "das", "no_das"), PUBLISHED["appendix_9"]["games"])
def test_edges_are_those_of_appendix_9(packs: int, hits: bool, hole: bool, das: float, no_das: float) -> None:
    for doubled, published in ((True, das), (False, no_das)):
        found = numbers_of(Book(game(packs, hits, hole, das=doubled), composition=True)).edge
        assert found == pytest.approx(published, abs=APART.get(packs, 4e-6))


@lru_cache(maxsize=8)
def by_cards(packs: int, hits: bool, hole: bool) -> Book:
    return Book(game(packs, hits, hole), composition=True)


@lru_cache(maxsize=8)
def chart(packs: int, hits: bool, hole: bool) -> Chart:
    return chart_of(by_cards(packs, hits, hole))


@pytest.mark.parametrize("case", PUBLISHED["appendix_9"]["hands"], ids=str)
def test_hands_against_an_ace_are_worth_what_appendix_9_says(case: list[Any]) -> None:
    packs, hits, hole, cards, stand, hit, double = case
    found = chart(packs, hits, hole).by_cards[cards]["A"].ev
    assert (found["stand"], found["hit"], found["double"]) == pytest.approx((stand, hit, double), abs=1e-6)


def test_perfect_pairs_lose_what_is_published() -> None:
    rules = houses.rules_with("live_dealer", {"decks": PUBLISHED["perfect_pairs"]["packs"]})
    assert pairs_worth(rules) == pytest.approx(PUBLISHED["perfect_pairs"]["worth"], abs=5e-7)


@pytest.mark.parametrize("packs", [4, 6, 8])
def test_the_chart_is_the_published_one(packs: int) -> None:
    found = chart_of(Book(houses.rules_with("classic", {"decks": packs})))
    for part in ("hard", "soft", "pairs"):
        for rows, codes in PUBLISHED["chart"][part]:
            for row in rows.split():
                assert [getattr(found, part)[row][up].code for up in UPS] == codes.split(), f"{part} {row}"
