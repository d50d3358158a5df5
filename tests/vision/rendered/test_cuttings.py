"""Cards cut out of labelled photographs lie on the felt like cards: whole, upright, with the shadow they had."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from table_controller.core.cards import PACK, Card, cards
from table_controller.demo.command import demo
from tests.vision.seeing import FRAME_NS, shipped_eyes
from vision.calibration import Calibration
from vision.felt import felt
from vision.geometry import Image
from vision.pipeline import Heed, Pipeline, View
from vision.rendered import deck, paint
from vision.rendered.cuttings import CutDeck, PhotographsUnusable, cut, cuttings, outline_in
from vision.rendered.orders import Lay
from vision.rendered.places import Stance
from vision.rendered.table import Painter, Scene, Shot
from vision.sighting import Sighting
from vision.slots import STANDARD
from vision.steady import Rule

ALPHA = paint.rounded(*deck.SIZE, 3.2 * deck.PIXELS_PER_MM)
MM = 2.4
SHOWN = cards("KS 7D 3C AH")


def photograph(shown: tuple[Card, ...], turn: float = 9.0) -> tuple[Image, list[dict[str, object]]]:
    """Cards side by side on a brown table, seen by a camera 2.4 pixels a millimetre; and their labels."""
    width = 40 + 100 * len(shown)
    image = np.full((round(140 * MM), round(width * MM), 3), (60, 84, 112), np.uint8)
    sight = Calibration(np.diag([1 / MM, 1 / MM, 1.0]), 0.0, {})
    labels: list[dict[str, object]] = []
    for number, card in enumerate(shown):
        stance = Stance(70.0 + 100 * number, 70.0, turn)
        face = paint.Picture(deck.face(card, deck.STANDARD), ALPHA, deck.CARD_WIDTH_MM, deck.CARD_HEIGHT_MM)
        paint.lay(image, face, stance, sight)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [deck.CARD_WIDTH_MM / 2, deck.CARD_HEIGHT_MM / 2]
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        quad = (corners @ np.array([[c, s], [-s, c]]) + [stance.x, stance.y]) * MM
        low, high = quad.min(axis=0), quad.max(axis=0)
        box = [*np.round(low).tolist(), *np.round(high - low).tolist()]
        rank = "10" if card.rank == "T" else str(card.rank)
        labels.append({"rank": rank, "suit": str(card.suit), "box": box, "kind": "card"})
    return image, labels


def box_of(label: dict[str, object]) -> tuple[float, float, float, float]:
    box = label["box"]
    assert isinstance(box, list)
    x, y, width, height = (float(value) for value in box)
    return x, y, width, height


def folder_of(folder: Path, shown: tuple[Card, ...]) -> Path:
    image, labels = photograph(shown)
    cv2.imwrite(str(folder / "table.png"), image)
    (folder / "labels.jsonl").write_text(json.dumps({"image": "table.png", "cards": labels, "tags": []}) + "\n")
    return folder


def test_a_card_is_cut_out_straight_at_its_own_corners(tmp_path: Path) -> None:
    (found,) = cuttings(folder_of(tmp_path, SHOWN))[Card.parse("KS")]
    assert found.rim > 0.85
    straight = cut(photograph(SHOWN)[0], found.outline)
    assert straight.width == pytest.approx(deck.CARD_WIDTH_MM * 1.14, rel=0.02)
    inside = straight.image[straight.alpha > 250]
    assert float((inside.min(axis=1) > 150).mean()) > 0.55
    assert straight.shade is not None
    assert straight.shade[straight.alpha > 0].min() == 255


def test_its_shadow_darkens_the_felt_it_is_laid_on() -> None:
    image, (label,) = photograph((Card.parse("KS"),))
    outline = outline_in(image, box_of(label))
    assert outline is not None
    lit: Image = np.full((400, 400, 3), 120, np.uint8)
    paint.lay(lit, cut(image, outline), Stance(80, 80), Calibration(np.diag([0.4, 0.4, 1.0]), 0.0, {}))
    assert int((lit.max(axis=2) < 116).sum()) > 100


@pytest.mark.slow
def test_the_shipped_eyes_read_cards_cut_out_of_photographs(tmp_path: Path) -> None:
    scene = Scene(seed=8)
    painter = Painter(scene, Shot(2560, 1440), CutDeck(folder_of(tmp_path, SHOWN)))
    eyes = Pipeline(shipped_eyes(), View(painter.view, felt(7), STANDARD), Rule(shipped_eyes().threshold, frames=3))
    for number, card in enumerate(SHOWN):
        scene.obey(Lay(slot=f"box{number + 2}", card=str(card)), 0)
    said = [one for n in range(1, 50) for one in eyes.frame(n * FRAME_NS, painter.picture(n * FRAME_NS), Heed())]
    assert Counter(str(one.card) for one in said if isinstance(one, Sighting)) <= Counter(map(str, SHOWN))
    assert len(said) >= 3


def test_a_covered_card_is_not_cut_out() -> None:
    image, (label,) = photograph((Card.parse("KS"),))
    box = box_of(label)
    assert outline_in(image, box) is not None
    image[: int(box[1] + box[3] / 2)] = (60, 84, 112)
    assert outline_in(image, box) is None


def test_a_card_no_photograph_shows_is_drawn(tmp_path: Path) -> None:
    cut_deck = CutDeck(folder_of(tmp_path, SHOWN))
    assert set(cut_deck.missing) == set(PACK) - set(SHOWN)
    drawn = cut_deck.picture(Card.parse("2H"))
    assert (drawn.image == deck.face(Card.parse("2H"), deck.STANDARD)).all()


@pytest.mark.parametrize(
    "labels", [None, "", "{", '{"image":"x.png","cards":[{"kind":"card","rank":"Z","suit":"S","box":[0,0,1,1]}]}', "{}"]
)
def test_a_folder_without_usable_labels_is_refused(tmp_path: Path, labels: str | None) -> None:
    if labels is not None:
        (tmp_path / "labels.jsonl").write_text(labels)
    with pytest.raises(PhotographsUnusable):
        CutDeck(tmp_path)


@pytest.mark.parametrize("asked", [["--input", "real"], ["--input", "rendered", "--photos", "."]])
def test_the_demo_wants_photographs_exactly_when_it_plays_with_them(asked: list[str]) -> None:
    done = CliRunner().invoke(demo, ["--headless", *asked])
    assert done.exit_code == 2
    assert "--photos" in done.output
