"""The printed markers: one a page, true to size, with a ruler to check that the printer did not shrink it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from typing import Final

import cv2
import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from vision.calibration import DICTIONARY

SIDE: Final = 120.0
RULER: Final = 100.0
MARGIN: Final = 20.0
BITS: Final = 6
FONT: Final = "DejaVuSans"
PAPERS: Final[Mapping[str, tuple[float, float]]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
LANGUAGES: Final = ("pl", "en", "ru")


@dataclass(frozen=True)
class Lying:
    """Where a marker lies: its upper left corner in table millimetres, seen from the dealer's side of the picture."""

    name: int
    x: float
    y: float


PLACES: Final = (
    Lying(0, -560, -60),
    Lying(1, 440, -60),
    Lying(2, -700, 260),
    Lying(3, 580, 260),
    Lying(4, -360, 560),
    Lying(5, 240, 560),
)
"""Round the edge of a seven-box felt, where calibration is needed most."""


def sheet(paper: str, language: str) -> bytes:
    """A PDF of all markers; `paper` is one of PAPERS."""
    says = tomllib.loads(files("vision").joinpath("texts", f"{language}.toml").read_text("utf-8"))["sheet"]
    width, height = PAPERS[paper]
    registerFont(TTFont(FONT, str(files("vision").joinpath("fonts", "DejaVuSans.ttf"))))
    target = BytesIO()
    canvas = Canvas(target, pagesize=(width * mm, height * mm), invariant=True)
    canvas.setTitle(says["title"])
    for lying in PLACES:
        _marker(canvas, lying.name, (width - SIDE) / 2, height - SIDE - 62)
        _words(canvas, says, lying, height)
        _ruler(canvas, says["ruler"], (width - RULER) / 2, 30)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def plan() -> str:
    """The plan that goes with the sheet, as `krupier calibrate --plan` reads it."""
    lines = [f"[[marker]]\nid = {one.name}\nx = {one.x}\ny = {one.y}\nside = {SIDE}\n" for one in PLACES]
    return "# Where the printed markers lie; measure again whatever could not be laid there, and write it here.\n" + (
        "\n".join(lines)
    )


def _marker(canvas: Canvas, name: int, left: float, bottom: float) -> None:
    """Drawn, not pasted: a black square with white cells on it."""
    bits = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), name, BITS)
    cell = SIDE / BITS
    canvas.setFillGray(0)
    canvas.rect(left * mm, bottom * mm, SIDE * mm, SIDE * mm, stroke=0, fill=1)
    canvas.setFillGray(1)
    for row, column in np.argwhere(bits > 0):
        corner = (left + column * cell) * mm, (bottom + (BITS - 1 - row) * cell) * mm
        canvas.rect(*corner, cell * mm, cell * mm, stroke=0, fill=1)
    canvas.setFillGray(0)


def _words(canvas: Canvas, says: Mapping[str, str], lying: Lying, height: float) -> None:
    side = says["right" if lying.x >= 0 else "left"]
    away = says["behind" if lying.y < 0 else "before"]
    values = {"number": lying.name, "x": f"{abs(lying.x):g}", "y": f"{abs(lying.y):g}", "side": side, "away": away}
    canvas.setFont(FONT, 20)
    canvas.drawString(MARGIN * mm, (height - 24) * mm, says["marker"].format(**values))
    canvas.setFont(FONT, 11)
    for row, key in enumerate(("lay", "top", "flat")):
        canvas.drawString(MARGIN * mm, (height - 34 - 7 * row) * mm, says[key].format(**values))


def _ruler(canvas: Canvas, text: str, left: float, bottom: float) -> None:
    canvas.setLineWidth(0.3 * mm)
    canvas.line(left * mm, bottom * mm, (left + RULER) * mm, bottom * mm)
    for at in range(int(RULER) + 1):
        tall = 5 if at % 10 == 0 else 2.5
        canvas.line((left + at) * mm, bottom * mm, (left + at) * mm, (bottom + tall) * mm)
    canvas.setFont(FONT, 9)
    canvas.drawString(MARGIN * mm, (bottom - 7) * mm, text)
