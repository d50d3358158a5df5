"""The printed markers: true to size on either paper, in three languages, and enough for a camera with a bent lens."""

import tomllib
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner

from table_controller.cli import main
from vision.calibration import Calibration, Lens, Points, calibrate, find_markers
from vision.felt import felt
from vision.geometry import Image
from vision.installing import load, read_plan, save
from vision.sheet import LANGUAGES, PAPERS, PLACES, SIDE, sheet

DOTS_PER_MM = 6.0


def pages(document: bytes) -> list[Image]:
    """Each page as it would lie on the table, six dots a millimetre."""
    drawn = pypdfium2.PdfDocument(document)
    return [np.asarray(page.render(scale=DOTS_PER_MM * 25.4 / 72).to_numpy()[:, :, :3], np.uint8) for page in drawn]


@pytest.mark.parametrize("paper", PAPERS)
def test_each_page_shows_its_marker_true_to_size(paper: str) -> None:
    shown = [find_markers(page) for page in pages(sheet(paper, "en"))]
    assert [list(found) for found in shown] == [[lying.name] for lying in PLACES]
    for found in shown:
        (corners,) = found.values()
        sides = np.hypot(*(corners - np.roll(corners, 1, axis=0)).T) / DOTS_PER_MM
        assert np.allclose(sides, SIDE, atol=0.2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_of_the_sheet_can_be_printed(language: str) -> None:
    says = tomllib.loads((Path("vision/texts") / f"{language}.toml").read_text("utf-8"))["sheet"]
    text = pypdfium2.PdfDocument(sheet("a4", language))[0].get_textpage().get_text_bounded()
    assert says["ruler"] in " ".join(text.split())
    assert says["flat"] in " ".join(text.split())


def test_the_command_writes_the_sheet_and_its_plan(tmp_path: Path) -> None:
    target = tmp_path / "markers.pdf"
    done = CliRunner().invoke(main, ["calibrate", "--sheet", str(target), "--paper", "letter", "--lang", "pl"])
    assert done.exit_code == 0
    assert target.read_bytes().startswith(b"%PDF")
    assert sorted(read_plan(target.with_suffix(".toml"))) == [lying.name for lying in PLACES]


def test_neither_pictures_nor_a_sheet_is_one_line_that_says_what_to_do() -> None:
    done = CliRunner().invoke(main, ["calibrate"])
    assert done.exit_code == 2
    assert "--sheet" in done.stderr


WIDE = Lens(np.array([[1900.0, 0, 960], [0, 1900, 540], [0, 0, 1]]), np.array([-0.28, 0, 0, 0, 0], np.float64))


def laid_out(plan: Path) -> tuple[Image, dict[int, Points]]:
    """The printed pages laid on a felt two pixels a millimetre, straight from above."""
    places = read_plan(plan)
    felt_picture = np.full((1080 * 2, 1920 * 2, 3), (60, 90, 40), np.uint8)
    for page, lying in zip(pages(sheet("a4", "en")), PLACES, strict=True):
        small = np.asarray(cv2.resize(page, None, fx=1 / 3, fy=1 / 3, interpolation=cv2.INTER_AREA), np.uint8)
        (corners,) = find_markers(small).values()
        left = round((lying.x + 960) * 2 - corners[0][0])
        top = round((lying.y + 240) * 2 - corners[0][1])
        patch = small[max(0, -top) : felt_picture.shape[0] - top, : felt_picture.shape[1] - left]
        felt_picture[max(0, top) : max(0, top) + patch.shape[0], left : left + patch.shape[1]] = patch
    return felt_picture, places


def through(lens: Lens, picture: Image) -> Image:
    """What a camera of 1920 by 1080 pixels with that lens shows of it."""
    rows, columns = np.mgrid[0:1080, 0:1920]
    pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    across, down = lens.straightened(pixels).astype(np.float32).T.reshape(2, 1080, 1920) * 2
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR), np.uint8)


@pytest.fixture(scope="module")
def bent(tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    """A calibration from one view of the printed sheet through a lens that bends the corners of the picture."""
    target = tmp_path_factory.mktemp("sheet") / "m.pdf"
    assert CliRunner().invoke(main, ["calibrate", "--sheet", str(target)]).exit_code == 0
    flat, places = laid_out(target.with_suffix(".toml"))
    return calibrate([through(WIDE, flat)], places)


def test_through_a_bent_lens_no_box_is_off_by_two_millimetres(bent: Calibration) -> None:
    places = np.array([point for zone in felt() for point in zone.outline if abs(point[0]) < 800], np.float64)
    seen = WIDE.bent(np.asarray((places + np.array([960.0, 240.0])), np.float64))
    assert np.hypot(*(bent.to_table(seen) - places).T).max() < 2.0


def test_the_lens_is_kept_with_the_calibration(bent: Calibration, tmp_path: Path) -> None:
    save(bent, tmp_path / "table.json")
    kept = load(tmp_path / "table.json")
    places = np.array([zone.centre for zone in felt()])
    assert np.allclose(kept.to_table(kept.to_picture(places)), places, atol=0.01)
    assert np.allclose(kept.to_picture(places), bent.to_picture(places), atol=0.01)
