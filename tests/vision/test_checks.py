"""A picture that drifts, darkens, is covered or moves is found out; one full of cards is not. Drawn table."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from table_controller.core.cards import PACK
from table_controller.journal.evidence import evidence_folder as journals_folder
from vision.checks import PictureCheck
from vision.door import evidence_folder
from vision.geometry import Image
from vision.rendered.orders import Chips, Lay, Lens, Sight
from vision.rendered.table import HouseDeck, Painter, Scene, Shot

SECOND = 1_000_000_000


def table() -> tuple[Scene, Painter, PictureCheck]:
    scene = Scene(seed=4)
    painter = Painter(scene, Shot(), HouseDeck())
    check = PictureCheck(painter.view)
    assert check.trouble(painter.picture(1), 1) is None
    return scene, painter, check


def test_a_table_full_of_cards_and_chips_is_fit_to_be_read() -> None:
    scene, painter, check = table()
    for number in range(35):
        scene.obey(Lay(slot=f"box{number % 7 + 1}", card=str(PACK[number])), 0)
    for box in range(1, 8):
        scene.obey(Chips(slot=f"circle{box}", count=5), 0)
    assert check.trouble(painter.picture(5 * SECOND), 5 * SECOND) is None


@pytest.mark.parametrize(
    ("sight", "code"),
    [
        (Sight.COVERED, "covered"),
        (Sight.DARK, "dark"),
        (Sight.GLARE, "glare"),
        (Sight.BLURRED, "blurred"),
        (Sight.MOVED, "moved"),
    ],
)
def test_what_happened_to_the_camera_is_named_and_forgotten_when_it_is_put_right(sight: Sight, code: str) -> None:
    scene, painter, check = table()
    scene.obey(Lens(sight=sight), 0)
    assert check.trouble(painter.picture(3 * SECOND), 3 * SECOND) == code
    scene.obey(Lens(sight=Sight.CLEAR), 0)
    assert check.trouble(painter.picture(6 * SECOND), 6 * SECOND) is None


def test_b05_felt_that_climbs_to_white_over_ten_minutes_stops_the_reading_on_the_way() -> None:
    _, painter, check = table()
    plain = painter.picture(1)
    found = [
        check.trouble(np.asarray(cv2.convertScaleAbs(plain, alpha=1 + minute * 0.12), np.uint8), minute * 60 * SECOND)
        for minute in range(1, 11)
    ]
    assert found[0] is None
    first = next(number for number, code in enumerate(found) if code is not None)
    assert first < 5
    assert all(code in {"brightness_drift", "glare", "no_contrast"} for code in found[first:])


def test_a_picture_is_looked_at_once_a_second() -> None:
    _, painter, check = table()
    black: Image = np.zeros_like(painter.picture(1))
    assert check.trouble(black, SECOND // 2) is None
    assert check.trouble(black, 2 * SECOND) == "covered"


def test_pictures_lie_where_the_record_looks_for_them(tmp_path: Path) -> None:
    journal = tmp_path / "T01-2026-11-30.db"
    assert evidence_folder(journal, 7) == journals_folder(journal, 7)
    assert evidence_folder(journal, None) == journals_folder(journal, 0)
