"""The printed markers laid into real photographs of tables, through a known camera: what calibration makes of them.

The photographs are not part of this project: they are looked for beside it, in ../shared/cards/images.
python -m tests.vision.photographed measures over all of them.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import DICTIONARY, CalibrationFailed, Lens, Points, calibrate, marker_corners
from vision.felt import felt
from vision.geometry import Image
from vision.sheet import BITS, PAPERS, PLACES, SIDE, Lying

FOLDER: Final = Path(__file__).parents[3] / "shared" / "cards" / "images"
# The table cameras' photographs; the others were taken by hand over a carpet.
KINDS: Final = ("obind", "beleda")
VIEWS: Final = 3
PER_MM: Final = 4
FINER: Final = 3
PAPER, INK = 0.9, 0.08
MARKERS: Final = {one.name: marker_corners(one.x, one.y, SIDE) for one in PLACES}


def photographs() -> list[Path]:
    """Those of table cameras, none where the folder is not there; one too flat to show a table is left out."""
    return [path for kind in KINDS for path in sorted((FOLDER / kind).glob("*.jpg")) if _shows_a_table(path)]


def _shows_a_table(path: Path) -> bool:
    high, wide = np.asarray(cv2.imread(str(path))).shape[:2]
    return bool(wide / high < 2)


@dataclass(frozen=True)
class Camera:
    """How millimetres of the felt come into the picture: a plane seen in perspective through a lens that bends."""

    homography: Points
    lens: Lens

    def pixels(self, millimetres: Points) -> Points:
        """Where places of the felt are in the picture."""
        flat = cv2.perspectiveTransform(millimetres.reshape(-1, 1, 2), self.homography).reshape(-1, 2)
        return self.lens.bent(np.asarray(flat, np.float64))

    def millimetres(self, pixels: Points) -> Points:
        """What place of the felt is at these pixels."""
        flat = self.lens.straightened(pixels)
        back = np.linalg.inv(self.homography)
        return np.asarray(cv2.perspectiveTransform(flat.reshape(-1, 1, 2), back).reshape(-1, 2), np.float64)


def mounted(size: tuple[int, int], seed: int) -> Camera:
    """A camera hung by hand: not quite level, not quite straight, with a lens that bends as cheap ones do."""
    rng, (wide, high) = np.random.default_rng(seed), size
    focal = wide * float(rng.uniform(0.85, 1.3))
    matrix = np.array([[focal, 0, wide / 2 + rng.normal(0, 6)], [0, focal, high / 2 + rng.normal(0, 6)], [0, 0, 1]])
    distortion = np.array([rng.uniform(-0.16, 0.04), rng.uniform(-0.01, 0.02), 0.0, 0.0, 0.0])
    turn, _ = cv2.Rodrigues(np.radians([rng.normal(0, 5), rng.normal(0, 4), rng.normal(0, 1.5)]))
    away = focal * 1720 / wide
    pose = np.column_stack([turn[:, 0], turn[:, 1], turn @ np.array([0.0, -310.0, 0.0]) + np.array([0, 0, away])])
    return Camera(np.asarray(matrix @ pose, np.float64), Lens(np.asarray(matrix, np.float64), distortion))


class Printed(NamedTuple):
    """A page as a camera sees it: its part of the picture, its lightness from 0 to 1, how much of a pixel it covers."""

    part: tuple[slice, slice]
    sheet: NDArray[np.float32]
    cover: NDArray[np.float32]


def laid(photograph: Image, pages: Sequence[Printed], seed: int) -> Image:
    """The sheets on the photographed table, in its own light, with its own grain, through JPEG once more."""
    rng = np.random.default_rng(seed)
    picture = photograph.astype(np.float32)
    grain = np.clip(picture - cv2.GaussianBlur(picture, (0, 0), 1.5), -10, 10)
    small = cv2.resize(cv2.cvtColor(photograph, cv2.COLOR_BGR2GRAY), None, fx=0.1, fy=0.1, interpolation=cv2.INTER_AREA)
    light = cv2.resize(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 6), photograph.shape[1::-1])
    light = (light / light.mean())[..., None] * float(rng.uniform(150, 230))
    for part, sheet, cover in pages:
        picture[part] = picture[part] * (1 - cover) + cover * (sheet * light[part] + grain[part])
    soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 1.0)))
    noisy = np.clip(soft + rng.normal(0, 2.5, soft.shape), 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _page(name: int) -> NDArray[np.float32]:
    """An A4 page as printed, its marker in the middle; from 0 to 1."""
    wide, high = (round(side * PER_MM) for side in PAPERS["a4"])
    page = np.full((high, wide), PAPER, np.float32)
    bits = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), name, BITS)
    side = round(SIDE * PER_MM)
    marker = cv2.resize(bits, (side, side), interpolation=cv2.INTER_NEAREST) > 0
    left, top = _margins()
    page[top * PER_MM : top * PER_MM + side, left * PER_MM : left * PER_MM + side] = np.where(marker, PAPER, INK)
    return page


def _margins() -> tuple[int, int]:
    wide, high = PAPERS["a4"]
    return round((wide - SIDE) / 2), round((high - SIDE) / 2)


def printed(camera: Camera, lying: Lying, size: tuple[int, ...]) -> Printed:
    """One page in the picture, drawn three times as fine as its pixels and then gathered."""
    margin, page = np.array(_margins()), _page(lying.name)
    corner = np.array([lying.x, lying.y]) - margin
    edge = camera.pixels(corner + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(PAPERS["a4"]))
    low = np.maximum(np.floor(edge.min(axis=0)) - 3, 0).astype(int)
    high = np.minimum(np.ceil(edge.max(axis=0)) + 3, size[:2]).astype(int)
    (wide, tall) = high - low
    y, x = np.mgrid[0 : tall * FINER, 0 : wide * FINER]
    # The middle of a pixel is its whole number.
    fine = low + np.column_stack([(x.ravel() + 0.5) / FINER - 0.5, (y.ravel() + 0.5) / FINER - 0.5])
    at = (camera.millimetres(np.asarray(fine, np.float64)) - corner) * PER_MM - 0.5
    columns, rows = (at[:, axis].reshape(x.shape).astype(np.float32) for axis in (0, 1))
    whole = cv2.remap(np.ones_like(page), columns, rows, cv2.INTER_LINEAR, borderValue=(0,))
    inked = cv2.remap(page, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) * whole
    cover, sheet = (cv2.resize(one, (int(wide), int(tall)), interpolation=cv2.INTER_AREA) for one in (whole, inked))
    part = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    lightness = np.asarray(sheet / np.maximum(cover, 1e-6), np.float32)
    return Printed(part, lightness[..., None], np.asarray(cover, np.float32)[..., None])


def worst_mm(path: Path, seed: int) -> float:
    """How far the worst corner of any box, circle or tray is from where it is; pixels to millimetres."""
    photograph = np.asarray(cv2.imread(str(path)), np.uint8)
    size = photograph.shape[1::-1]
    camera = mounted(size, seed)
    pages = [printed(camera, lying, size) for lying in PLACES]
    found = calibrate([laid(photograph, pages, seed * VIEWS + view) for view in range(VIEWS)], MARKERS)
    places = np.concatenate([zone.outline for zone in felt()])
    return float(np.hypot(*(found.to_table(camera.pixels(places)) - places).T).max())


def measured(paths: list[Path]) -> Iterator[tuple[Path, float | str]]:
    """Each photograph with a camera of its own."""
    for seed, path in enumerate(paths):
        try:
            yield path, worst_mm(path, seed)
        except CalibrationFailed as failed:
            yield path, str(failed)


if __name__ == "__main__":
    told = list(measured(photographs()))
    for path, worst in told:
        sys.stdout.write(f"{path.name} {worst if isinstance(worst, str) else round(worst, 2)}\n")
    good = [worst for _, worst in told if isinstance(worst, float)]
    sys.stdout.write(f"{len(good)} of {len(told)} calibrated; worst point {max(good, default=0):.2f} mm\n")
    sys.exit(0 if len(good) == len(told) and max(good, default=0) < 2 else 1)
