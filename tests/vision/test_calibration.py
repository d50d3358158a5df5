"""A simulated table with printed markers, seen by a camera of known pose."""

import cv2
import numpy as np
import pytest

from vision.calibration import (
    DICTIONARY,
    Calibration,
    CalibrationFailed,
    Points,
    calibrate,
    find_markers,
    lens_from_boards,
    marker_corners,
    moved_mm,
)
from vision.felt import JUMBO_INDEX, Verdict, felt, index_heights, zone_at
from vision.geometry import Image

PLACES = {0: (-700, -50), 1: (640, -50), 2: (-600, 760), 3: (560, 760)}
MARKERS = {name: marker_corners(x, y, 60.0) for name, (x, y) in PLACES.items()}


def camera(width: int, shift: float = 0.0) -> Points:
    """Millimetres to pixels for a slightly tilted overhead camera that shows 1.9 m across its picture."""
    scale = width / 1900
    looking = np.array([[scale, 0.02 * scale, width / 2 + shift], [0.0, scale, 110 * scale], [0.0, 0.00004, 1.0]])
    return np.asarray(looking, np.float64)


def picture(width: int, shift: float = 0.0, noise: float = 3.0, seed: int = 1) -> Image:
    """The felt with its markers as that camera sees it."""
    dictionary, per_mm = cv2.aruco.getPredefinedDictionary(DICTIONARY), 2.0
    sheet = np.full((2000, 3800), 70, np.uint8)
    for name, (x, y) in PLACES.items():
        left, top = int((x + 950) * per_mm), int((y + 120) * per_mm)
        sheet[top - 30 : top + 150, left - 30 : left + 150] = 235
        sheet[top : top + 120, left : left + 120] = cv2.aruco.generateImageMarker(dictionary, name, 120)
    # Pixel centres: the sheet's pixel (0, 0) covers millimetres from -950 to -949.5.
    to_mm = np.array([[1 / per_mm, 0, -950 + 0.25], [0, 1 / per_mm, -120 + 0.25], [0, 0, 1]])
    half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    size = (width, width * 9 // 16)
    seen = cv2.warpPerspective(sheet, half @ camera(width, shift) @ to_mm, size, flags=cv2.INTER_AREA)
    noisy = np.clip(seen + np.random.default_rng(seed).normal(0, noise, seen.shape), 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(noisy, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    return calibrate([picture(1920, seed=seed) for seed in range(3)], MARKERS)


def test_four_markers_map_the_whole_felt_to_a_millimetre(calibration: Calibration) -> None:
    truth = camera(1920)
    places = np.array([zone.centre for zone in felt()])
    pixels = cv2.perspectiveTransform(places.reshape(-1, 1, 2), truth).reshape(-1, 2) - 0.5
    error = np.hypot(*(calibration.to_table(np.asarray(pixels, np.float64)) - places).T)
    assert error.max() < 1.0


def test_table_to_picture_and_back_is_the_same_place(calibration: Calibration) -> None:
    places = np.array([zone.centre for zone in felt()])
    assert np.allclose(calibration.to_table(calibration.to_picture(places)), places, atol=1e-6)


def test_two_markers_are_not_enough() -> None:
    with pytest.raises(CalibrationFailed, match="of 2 markers found"):
        calibrate([picture(1920)], {name: MARKERS[name] for name in (0, 1)})


def test_a_marker_laid_where_the_plan_does_not_say_is_refused() -> None:
    wrong = dict(MARKERS) | {3: MARKERS[3] + 25.0}
    with pytest.raises(CalibrationFailed, match="measure the markers' places again"):
        calibrate([picture(1920)], wrong)


def test_a_picture_without_markers_has_none() -> None:
    assert find_markers(np.full((400, 600, 3), 80, np.uint8)) == {}


def test_a_camera_knocked_by_five_pixels_is_noticed(calibration: Calibration) -> None:
    still, knocked = moved_mm(calibration, picture(1920, seed=9)), moved_mm(calibration, picture(1920, shift=5.0))
    assert still is not None
    assert knocked is not None
    assert still < 1.0
    assert knocked == pytest.approx(5.0 * 1900 / 1920, abs=1.0)


def test_a_table_whose_markers_are_covered_cannot_say_whether_the_camera_moved(calibration: Calibration) -> None:
    assert moved_mm(calibration, np.full((1080, 1920, 3), 80, np.uint8)) is None


def test_full_hd_over_two_metres_is_below_the_limit_for_standard_indices(calibration: Calibration) -> None:
    assert Verdict.GOOD not in {height.verdict for height in index_heights(calibration, felt())}


def test_jumbo_indices_or_4k_are_better_at_every_box(calibration: Calibration) -> None:
    sharper = calibrate([picture(3840)], MARKERS)
    standard = index_heights(calibration, felt())
    for other in (index_heights(calibration, felt(), JUMBO_INDEX), index_heights(sharper, felt())):
        assert len(other) == 8
        assert all(more.pixels > less.pixels * 1.4 for more, less in zip(other, standard, strict=True))


def test_seven_boxes_are_numbered_from_the_dealers_left_and_do_not_overlap() -> None:
    """The dealer stands at the upper edge and looks down the picture: their left is the picture's right."""
    zones = felt()
    boxes = [zone for zone in zones if zone.name.startswith("box")]
    assert [zone.name for zone in sorted(boxes, key=lambda zone: -zone.centre[0])] == [f"box{n}" for n in range(1, 8)]
    for zone in zones:
        for x, y in [zone.centre, *(zone.outline * 0.99 + np.array(zone.centre) * 0.01)]:
            assert [other.name for other in zones if other.contains(x, y)] == [zone.name]


def test_boxes_are_220_millimetres_apart() -> None:
    centres = np.array([zone.centre for zone in felt() if zone.name.startswith("box")])
    steps = np.hypot(*np.diff(centres, axis=0).T)
    assert steps.min() > 215
    assert steps.max() < 221


def test_a_place_off_the_felt_is_in_no_zone() -> None:
    assert zone_at(felt(), 5000, 5000) is None


BOARD = cv2.aruco.CharucoBoard((7, 5), 40.0, 30.0, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250))
FOCAL = 900.0
TILTS = [(0.0, 0.0), (0.4, 0.0), (-0.4, 0.1), (0.0, 0.4), (0.1, -0.4), (0.3, 0.3)]


def board_view(tilt: tuple[float, float]) -> Image:
    """The printed board 700 mm before a camera of 900 pixels focal length and no distortion."""
    matrix = np.array([[FOCAL, 0, 640], [0, FOCAL, 360], [0, 0, 1]])
    turn, _ = cv2.Rodrigues(np.array([*tilt, 0.0]))
    to_mm = np.array([[0.25, 0, -140.0], [0, 0.25, -100.0], [0, 0, 1]])
    pose = np.column_stack([turn[:, 0], turn[:, 1], [0, 0, 550]])
    sheet = BOARD.generateImage((1120, 800))
    seen = cv2.warpPerspective(sheet, matrix @ pose @ to_mm, (1280, 720), borderValue=(255,))
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR), np.uint8)


def test_the_lens_is_measured_from_six_views_of_a_board() -> None:
    lens = lens_from_boards([board_view(tilt) for tilt in TILTS], BOARD)
    assert lens.matrix[0, 0] == pytest.approx(FOCAL, rel=0.02)
    assert np.allclose(lens.straightened(np.array([[460.0, 260.0]])), [[460.0, 260.0]], atol=1.5)


def test_three_views_of_the_board_are_refused() -> None:
    with pytest.raises(CalibrationFailed, match="at least four"):
        lens_from_boards([board_view(tilt) for tilt in TILTS[:3]], BOARD)
