"""The camera measured in the set-up: boxes dragged to where they lie, kept signed with the picture; a bump noticed."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from table_controller.doctor.finding import Colour
from table_controller.doctor.measured import calibration
from table_controller.journal.keys import load_key, make_key
from table_controller.setup.measuring import Measured, keep, measure, picture_of, signature_of, signed
from tests.setup.test_browser import address, browser, page
from tests.vision.test_knocked import moved
from vision.felt import felt
from vision.rendered.paint import MARKER_MM, MARKERS
from vision.rendered.table import HouseDeck, Painter, Scene, Shot
from vision.table_view import Table

__all__ = ["address", "browser", "page"]

PLAN = "".join(f"[[marker]]\nid = {name}\nx = {x}\ny = {y}\nside = {MARKER_MM}\n" for name, (x, y) in MARKERS.items())


def stills(folder: Path, *, knocked_mm: float = 0.0) -> str:
    """Pictures of the drawn table for a camera, as it hung at first or after somebody ran into it."""
    painter = Painter(Scene(seed=2), Shot(), HouseDeck())
    folder.mkdir()
    pixels = knocked_mm * painter.view.pixels_per_mm(0, 300)
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), moved(painter.picture(number + 1), pixels, 0.0))
    return f"folder:{folder}"


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "markers.toml").write_text(PLAN)
    return tmp_path / "markers.toml"


@pytest.fixture
def kept(tmp_path: Path, plan: Path) -> tuple[Path, Measured]:
    """A calibration with box 3 dragged forty pixels to the right, kept."""
    found = measure(Table(stills(tmp_path / "first")), plan)
    (box,) = [shape for shape in found.shapes(jumbo=True) if shape.name == "box3"]
    moves = found.dragged({"box3": (box.middle[0] + 40, box.middle[1])})
    whole = Measured(found.picture, found.calibration, moves, 7)
    keep(whole, tmp_path / "calibration.json", make_key(tmp_path / "house.key"))
    return tmp_path / "calibration.json", whole


def test_a_dragged_box_is_where_it_was_dropped_and_its_betting_circle_goes_with_it(kept: tuple[Path, Measured]) -> None:
    file, whole = kept
    usual = {zone.name: zone.centre for zone in felt()}
    lies = {zone.name: zone.centre for zone in Table("usb:x", calibration=file).zones}
    by = 40 / whole.calibration.pixels_per_mm(*usual["box3"])
    for name in usual:
        away = by if name in ("box3", "circle3") else 0.0
        assert lies[name] == pytest.approx((usual[name][0] + away, usual[name][1]), abs=0.5)


def test_a_table_that_was_not_measured_or_not_here_is_told_so(tmp_path: Path, kept: tuple[Path, Measured]) -> None:
    assert calibration(None, tmp_path / "house.key").state == "calibration_none"
    signature_of(kept[0]).unlink()
    assert calibration(kept[0], tmp_path / "house.key").state == "calibration_unsigned"


@pytest.mark.parametrize("dropped", [(4000.0, 0.0), (float("nan"), 0.0)])
def test_a_box_dropped_off_the_table_is_not_taken(kept: tuple[Path, Measured], dropped: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="box1"):
        kept[1].dragged({"box1": dropped})


def test_a_calibration_or_picture_that_was_changed_is_not_what_the_house_signed(
    tmp_path: Path, kept: tuple[Path, Measured]
) -> None:
    file, key = kept[0], load_key(tmp_path / "house.key").public_key()
    assert signed(file, key)
    assert calibration(file, tmp_path / "house.key").colour is Colour.GREEN
    picture = picture_of(file).read_bytes()
    picture_of(file).write_bytes(picture + b"x")
    assert not signed(file, key)
    assert calibration(file, tmp_path / "house.key").colour is Colour.RED
    picture_of(file).write_bytes(picture)
    file.write_text(file.read_text().replace('"error_mm"', ' "error_mm"'))
    assert not signed(file, key)


def test_after_a_bump_only_the_camera_is_measured_anew(tmp_path: Path, plan: Path, kept: tuple[Path, Measured]) -> None:
    again = measure(Table(f"folder:{tmp_path / 'first'}", calibration=kept[0]), plan)
    assert (again.moved, again.moves) == (False, kept[1].moves)
    bumped = measure(Table(stills(tmp_path / "second", knocked_mm=6.0), calibration=kept[0]), plan)
    assert bumped.since_mm == pytest.approx(6.0, abs=1.0)
    assert (bumped.moved, bumped.moves) == (True, kept[1].moves)
    assert np.abs(bumped.calibration.homography - kept[1].calibration.homography).max() > 1.0


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("plan")
def test_boxes_are_dragged_over_the_live_picture_and_kept(page: Page, address: str, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(
        f'table = "T07"\ndata = "data"\n[camera]\nsource = "{stills(tmp_path / "seen")}"\n'
    )
    page.goto(f"{address}/step/measure?lang=en")
    page.get_by_role("button", name="Look through the camera now").click()
    expect(page.get_by_role("status")).to_contain_text("4 markers found", timeout=60_000)
    expect(page.get_by_role("row", name="Box 7")).to_be_visible()
    place = page.get_by_role("button", name="Box 3")
    there = place.bounding_box()
    assert there is not None
    x, y = there["x"] + there["width"] / 2, there["y"] + there["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Dealer").focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Keep this, signed").click()
    expect(page.get_by_role("alert")).to_contain_text("Kept, with its picture")
    moves = json.loads((tmp_path / "calibration.json").read_text())["moves"]
    assert set(moves) == {"box3", "dealer"}
    assert moves["box3"][0] > 20
    assert moves["dealer"][1] > 0
    assert signed(tmp_path / "calibration.json", load_key(tmp_path / "data" / "keys" / "house.key").public_key())
    assert 'calibration = "calibration.json"' in (tmp_path / "table.toml").read_text()
    expect(page.get_by_role("img", name="The kept calibration")).to_be_visible()
