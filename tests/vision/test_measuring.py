"""The published figures are counted as they claim, and hard examples are labelled with the truth."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_controller.core.cards import PACK, Card
from tests.vision.scripts import FELT, overturned, upright
from vision.detector import Kind as MarkKind
from vision.detector import Mark
from vision.reader import ReadCard
from vision.training import mining, tiles
from vision.training.counts import rate, score, strictest_needed, upper_bound
from vision.training.evaluate import Kind, Row, compared, load
from vision.training.scene import Index, Scene
from vision.training.sharpness import blur_of
from vision.training.tables import tables

KING, NINE = Card.parse("KS"), Card.parse("9H")


def table(*indices: Index) -> Scene:
    return Scene(FELT, np.zeros((1, 1, 3), np.float32), list(indices))


def index(x: float, y: float, card: Card, visible: float = 1.0, owner: int = 0) -> Index:
    return Index(upright(x, y), card.index, visible, owner)


def reading(x: float, y: float, card: Card, confidence: float = 0.9) -> ReadCard:
    return ReadCard(card, confidence, (upright(x, y),), None)


def kinds(rows: Sequence[Row]) -> list[str]:
    return [str(row.kind) for row in rows if row.confidence > 0]


def test_a_right_reading_is_a_found_card() -> None:
    (row,) = compared("d", table(index(50, 50, KING)), [reading(51, 51, KING)])
    assert (row.kind, row.confidence, row.read) == (Kind.CARD, 0.9, "KS")


def test_a_card_nobody_read_counts_with_confidence_zero() -> None:
    (row,) = compared("d", table(index(50, 50, KING)), [])
    assert (row.kind, row.confidence) == (Kind.CARD, 0.0)


def test_another_name_at_its_place_is_wrong_even_beside_a_right_one() -> None:
    corners = table(index(50, 50, KING), index(120, 120, KING))
    rows = list(compared("d", corners, [reading(50, 50, KING), reading(120, 120, NINE)]))
    assert sorted(kinds(rows)) == ["card", "wrong"]


def test_a_reading_on_bare_felt_is_a_phantom() -> None:
    rows = list(compared("d", table(index(50, 50, KING)), [reading(150, 150, KING)]))
    assert kinds(rows) == ["phantom"]


def test_a_reading_belongs_to_the_card_on_top_not_to_the_one_below() -> None:
    stack = table(index(50, 50, KING, visible=0.0, owner=0), index(51, 50, NINE, owner=1))
    assert kinds(list(compared("d", stack, [reading(50, 50, NINE)]))) == ["card"]


def test_a_covered_card_is_not_asked_for() -> None:
    assert list(compared("d", table(index(50, 50, KING, visible=0.4)), [])) == []


def rows(right: Sequence[float], wrong: Sequence[float]) -> list[Row]:
    found = [Row(Kind.CARD, "d", "KS", "KS", confidence, 30.0) for confidence in right]
    return found + [Row(Kind.WRONG, "d", "KS", "9H", confidence, 30.0) for confidence in wrong]


def test_the_threshold_lies_above_every_wrong_reading() -> None:
    measured = rows(np.linspace(0.5, 0.999, 400).tolist(), [0.6, 0.83])
    assert 0.83 < strictest_needed(measured) < 0.86
    assert score(measured, strictest_needed(measured)).wrong == 0


def test_an_unread_card_is_not_found_at_any_threshold() -> None:
    assert score(rows([0.0, 0.4], []), 0.0).found == 1


def test_without_wrong_readings_the_threshold_stays_low() -> None:
    assert strictest_needed(rows([0.7, 0.9], [])) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("events", "of", "least", "most"), [(0, 3000, 0.0008, 0.001), (5, 100, 0.09, 0.11), (0, 0, 1, 1)]
)
def test_the_bound_is_above_what_was_seen(events: int, of: int, least: float, most: float) -> None:
    assert least <= upper_bound(events, of) <= most
    assert rate(events, of).endswith("%")


def harvest(quad: np.ndarray, *indices: Index) -> list[int]:
    mark = Mark(MarkKind.INDEX, quad, 0.5)
    return [label for _, label in mining.harvested(table(*indices), [mark])]


def test_what_the_detector_found_rightly_keeps_its_name() -> None:
    assert harvest(upright(52, 51), index(50, 50, NINE)) == [NINE.index]


def test_an_index_read_upside_down_is_a_reject() -> None:
    assert harvest(overturned(50, 50), index(50, 50, NINE)) == [tiles.REJECT]


def test_what_the_detector_took_for_an_index_is_a_reject() -> None:
    assert harvest(upright(150, 150), index(50, 50, NINE)) == [tiles.REJECT]


def test_a_covered_index_is_a_reject_and_an_arguable_one_is_left_out() -> None:
    assert harvest(upright(50, 50), index(50, 50, NINE, visible=0.5)) == [tiles.REJECT]
    assert harvest(upright(50, 50), index(50, 50, NINE, visible=0.85)) == []


def test_all_cards_have_the_numbers_the_classifier_learns() -> None:
    assert [card.index for card in PACK] == list(range(52))


def test_the_rows_of_a_campaign_that_was_stopped_are_read_in_order(tmp_path: Path) -> None:
    rows = [Row(Kind.CARD, "d", "KS", "KS", 0.9, 20.0), Row(Kind.WRONG, "e", "9H", "9D", 0.8, 30.0)]
    log = tmp_path / "rows.jsonl"
    lines = [json.dumps({"deck": at, "first": 0, "rows": [asdict(row)]}) for at, row in enumerate(rows)]
    log.write_text("\n".join(lines) + "\n")
    assert load(log) == rows
    assert load(tmp_path / "none.jsonl") == []


@pytest.mark.parametrize("spread", [0.0, 0.8, 1.5, 2.5])
def test_a_pictures_blur_is_measured_through_noise(spread: float) -> None:
    rng = np.random.default_rng(2)
    lit = np.asarray(rng.random((160, 160, 3)), np.float32)
    smeared = cv2.GaussianBlur(lit, (0, 0), spread) if spread else lit
    noisy = np.clip(smeared * 255 + rng.normal(0, 6, lit.shape), 0, 255).astype(np.uint8)
    assert blur_of(lit, noisy) == spread


def test_a_card_counts_by_its_height_and_by_how_sharp_its_picture_is() -> None:
    seen = [Row(Kind.CARD, "d", "KS", "KS", 0.99, 20.0, blur) for blur in (0.0, 0.05, 0.2)]
    told = tables([*seen, Row(Kind.CARD, "d", "KS", "", 0.0, 40.0, 0.01)], 0.5)
    for name, found in (("18-28 px, sharp", "100.0%"), ("18-28 px, blurred", "100.0%"), ("over 28 px, sharp", "0.0%")):
        assert f"| {name} | 1 | {found}" in told
