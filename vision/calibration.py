"""From pixels to table millimetres: printed ArUco markers of known place, a homography, an honest error figure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

Points = NDArray[np.float64]
DICTIONARY = cv2.aruco.DICT_4X4_50
LEAST_MARKERS = 3
MOST_ERROR_MM = 3.0
# From so many markers a bent lens is always fitted; from fewer, which noise could bend, only where a flat map is off by
# more than this at some marker.
SURE_MARKERS = 5
BENT_MM = 1.0


class CalibrationFailed(ValueError):
    """The markers do not give a trustworthy map; the message says what the installer should do."""


@dataclass(frozen=True)
class Lens:
    """Intrinsics of one camera: matrix (3, 3) and distortion as OpenCV orders it."""

    matrix: Points
    distortion: Points

    def straightened(self, pixels: Points) -> Points:
        """Pixels (n, 2) as a camera without distortion would see them."""
        moved = cv2.undistortPoints(pixels.reshape(-1, 1, 2), self.matrix, self.distortion, P=self.matrix)
        return np.asarray(moved, np.float64).reshape(-1, 2)

    def bent(self, pixels: Points) -> Points:
        """Pixels (n, 2) of a camera without distortion, where this one shows them; the inverse of `straightened`."""
        rays = cv2.convertPointsToHomogeneous(pixels.reshape(-1, 1, 2)).reshape(-1, 3) @ np.linalg.inv(self.matrix).T
        shown, _ = cv2.projectPoints(rays.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), self.matrix, self.distortion)
        return np.asarray(shown, np.float64).reshape(-1, 2)


@dataclass(frozen=True)
class Calibration:
    """Maps straightened pixels to millimetres; `error_mm` is the worst marker corner's."""

    homography: Points
    error_mm: float
    seen: Mapping[int, Points]
    lens: Lens | None = None

    def to_table(self, pixels: Points) -> Points:
        """Pixels (n, 2) to table millimetres (n, 2)."""
        straight = self.lens.straightened(pixels) if self.lens else pixels
        return _mapped(straight, self.homography)

    def to_picture(self, millimetres: Points) -> Points:
        """Table millimetres (n, 2) to pixels (n, 2); the inverse of `to_table`."""
        straight = _mapped(millimetres, np.asarray(np.linalg.inv(self.homography), np.float64))
        return self.lens.bent(straight) if self.lens else straight

    def reaches(self, millimetres: Points) -> NDArray[np.bool_]:
        """Which table millimetres (n, 2) lie before the camera and where the lens is known: only there is `to_picture`
        to be believed, for a bent lens may show a place far outside as one in the middle.
        """
        pixels = np.array([quad.mean(axis=0) for quad in self.seen.values()] or [[0.0, 0.0]], np.float64)
        before = _depths(self.to_table(pixels), self.homography).mean()
        same_side = _depths(millimetres, self.homography) * before > 0
        back = self.to_table(self.to_picture(millimetres))
        return np.asarray(same_side & (np.hypot(*(back - millimetres).T) < MOST_ERROR_MM), np.bool_)

    def pixels_per_mm(self, x: float, y: float) -> float:
        """The smaller scale of the two directions at a place on the table."""
        around = self.to_picture(np.array([[x, y], [x + 10, y], [x, y + 10]], np.float64))
        return float(min(np.hypot(*(around[1] - around[0])), np.hypot(*(around[2] - around[0]))) / 10)


def _mapped(points: Points, matrix: Points) -> Points:
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), matrix)
    return np.asarray(moved, np.float64).reshape(-1, 2)


def _depths(millimetres: Points, homography: Points) -> Points:
    """How far before the camera places lie, up to a factor; the other sign is behind it."""
    return np.asarray(cv2.convertPointsToHomogeneous(millimetres)[:, 0] @ np.linalg.inv(homography)[2], np.float64)


def find_markers(image: Image) -> dict[int, Points]:
    """Corners (4, 2) in pixels of every marker in the picture, refined below a pixel."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # As much of the corner's two edges as one cell of the pattern allows: in a noisy picture a third less is missed.
    settings.cornerRefinementWinSize, settings.relativeCornerRefinmentWinSize = 8, 0.8
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, names, _ = finder.detectMarkers(image)
    if not corners:
        return {}
    return {
        int(name): np.asarray(quad, np.float64).reshape(4, 2) for name, quad in zip(names.ravel(), corners, strict=True)
    }


def calibrate(views: Sequence[Image], places: Mapping[int, Points], lens: Lens | None = None) -> Calibration:
    """Map the table from several views of markers whose corners (4, 2) in millimetres are known.

    Without a `lens` one is fitted from the markers themselves where that helps: a lens that bends by half a millimetre
    at the markers bends by three at the boxes outside them.
    Raises CalibrationFailed when fewer than three markers are found or the map is off by more than 3 mm anywhere.
    """
    seen = _typical([find_markers(view) for view in views], places)
    if len(seen) < LEAST_MARKERS:
        raise CalibrationFailed(
            f"{len(seen)} of {len(places)} markers found; lay at least {LEAST_MARKERS} flat and in the light"
        )
    made = _mapping(seen, places, lens)
    enough = len(seen) >= SURE_MARKERS or (len(seen) > LEAST_MARKERS and made.error_mm > BENT_MM)
    if lens is None and enough:
        made = min(made, _mapping(seen, places, lens_from_markers(seen, places, views[0])), key=_error)
    if made.error_mm > MOST_ERROR_MM:
        raise CalibrationFailed(
            f"a marker is {made.error_mm:.1f} mm from where the plan says; measure the markers' places again"
        )
    return made


def _error(calibration: Calibration) -> float:
    return calibration.error_mm


def _mapping(seen: Mapping[int, Points], places: Mapping[int, Points], lens: Lens | None) -> Calibration:
    """The best map for these markers and this lens, however far off it is."""
    pixels = np.concatenate([seen[name] for name in sorted(seen)])
    millimetres = np.concatenate([places[name] for name in sorted(seen)])
    straight = lens.straightened(pixels) if lens else pixels
    homography, _ = cv2.findHomography(straight, millimetres, 0)
    if homography is None:
        raise CalibrationFailed("the markers lie in one line; spread them over the felt")
    matrix = np.asarray(homography, np.float64)
    return Calibration(matrix, float(np.hypot(*(_mapped(straight, matrix) - millimetres).T).max()), seen, lens)


def lens_from_markers(seen: Mapping[int, Points], places: Mapping[int, Points], view: Image) -> Lens:
    """How the lens bends straight lines, from flat markers alone; the focal length is a guess and does no harm.

    Only the first radial term is fitted: one view of a plane tells no more.
    """
    height, width = view.shape[:2]
    guess = np.array([[width, 0.0, width / 2], [0.0, width, height / 2], [0.0, 0.0, 1.0]])
    flat = np.concatenate([places[name] for name in sorted(seen)])
    objects = np.column_stack([flat, np.zeros(len(flat))]).astype(np.float32)
    pixels = np.concatenate([seen[name] for name in sorted(seen)]).astype(np.float32)
    fixed = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_FOCAL_LENGTH | cv2.CALIB_FIX_PRINCIPAL_POINT
    fixed |= cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3
    _, matrix, distortion, _, _ = cv2.calibrateCamera(
        [objects], [pixels], (width, height), guess, np.zeros(5), flags=fixed
    )
    return Lens(np.asarray(matrix, np.float64), np.asarray(distortion, np.float64))


def _typical(views: Sequence[Mapping[int, Points]], places: Mapping[int, Points]) -> dict[int, Points]:
    """The median of each corner over all views that show it."""
    names = {name for view in views for name in view} & set(places)
    return {name: np.median([view[name] for view in views if name in view], axis=0) for name in names}


def moved_mm(calibration: Calibration, view: Image) -> float | None:
    """How far the farthest marker seems to have wandered since calibration; None when none is visible."""
    now = find_markers(view)
    both = [name for name in calibration.seen if name in now]
    if not both:
        return None
    steps = [calibration.to_table(now[name]) - calibration.to_table(calibration.seen[name]) for name in both]
    return float(max(np.hypot(*step.T).max() for step in steps))


def shifted_mm(calibration: Calibration, view: Image) -> float | None:
    """How far the markers as a whole have wandered: half of those visible at least so far; None when none is visible.

    A hand at the edge of one marker does not count; a knocked camera or table moves them all.
    """
    now = find_markers(view)
    both = [name for name in calibration.seen if name in now]
    if not both:
        return None
    steps = [
        (calibration.to_table(now[name]) - calibration.to_table(calibration.seen[name])).mean(axis=0) for name in both
    ]
    return float(np.median([np.hypot(*step) for step in steps]))


def marker_corners(x: float, y: float, side: float) -> Points:
    """Corners in millimetres of a marker lying square on the table, its upper left corner at x, y."""
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float64)


def lens_from_boards(views: Sequence[Image], board: cv2.aruco.CharucoBoard) -> Lens:
    """Intrinsics from views of a ChArUco board; raises CalibrationFailed when fewer than four show enough of it."""
    finder = cv2.aruco.CharucoDetector(board)
    objects, pixels = [], []
    for view in views:
        corners, names, _, _ = finder.detectBoard(view)
        if corners is not None and len(corners) >= 8:
            objects.append(np.asarray(board.getChessboardCorners(), np.float32)[names.ravel()])
            pixels.append(np.asarray(corners, np.float32))
    if len(objects) < 4:
        raise CalibrationFailed(f"{len(objects)} views show the board; take at least four from different angles")
    size = (views[0].shape[1], views[0].shape[0])
    # A third radial term runs wild outside the part of the picture that the board covered.
    _, matrix, distortion, _, _ = cv2.calibrateCamera(
        objects, pixels, size, np.eye(3), np.zeros(5), flags=cv2.CALIB_FIX_K3
    )
    return Lens(np.asarray(matrix, np.float64), np.asarray(distortion, np.float64))
