"""The live picture for the window: the newest frame as JPEG, the hole card's surroundings painted over."""

import contextlib
import os
import socket
import struct
import threading
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.calibration import Calibration, Points
from vision.felt import Zone
from vision.geometry import Image

# A lifted card looks larger and leans out of its slot; so much around the slot is painted over, millimetres.
LIFT_MM: Final = 90.0
# From so flat a view nobody reads cards.
MOST_LEAN: Final = 3.0
GREY: Final = (88, 88, 88)
LONGEST_SIDE, QUALITY = 1280, 72
LENGTH: Final = struct.Struct(">Q")


class Mask:
    """Paints over slots of the felt that may not be shown; everything, where this camera cannot tell where one lies."""

    def __init__(self, calibration: Calibration, zones: Sequence[Zone]) -> None:
        grown = {zone.name: _grown(zone.outline, LIFT_MM * (1 + _lean(calibration, zone.outline))) for zone in zones}
        self._outlines = {
            name: calibration.to_picture(outline) if calibration.reaches(outline).all() else None
            for name, outline in grown.items()
        }

    def over(self, image: Image, slots: Collection[str], hole: tuple[float, float] | None) -> Image:
        """A copy without what lies in these slots; where only a hole card lies, without the dealer's slot."""
        hidden = {*slots, *(("dealer",) if hole is not None else ())}
        if not hidden:
            return image
        image = image.copy()
        for outline in (self._outlines[name] for name in hidden & set(self._outlines)):
            if outline is None:
                image[:] = GREY
            else:
                cv2.fillConvexPoly(image, np.round(outline).astype(np.int32), GREY)
        return image


def _grown(outline: Points, rim: float) -> Points:
    middle = outline.mean(axis=0)
    away = outline - middle
    return np.asarray(middle + away + np.sign(away) * rim, np.float64)


def _lean(calibration: Calibration, outline: Points) -> float:
    """How far a lifted card is seen beside its place, as a share of the lift: 0 from straight above, 1 from 45 degrees.

    From aslant the felt is seen shorter one way than the other.
    """
    steps = np.array([[0, 0], [10, 0], [0, 10]], np.float64)
    seen = calibration.to_picture(outline.mean(axis=0) + steps)
    if not np.isfinite(seen).all():
        return MOST_LEAN
    wide, narrow = np.linalg.svd(seen[1:] - seen[0], compute_uv=False)
    short = min(1.0, float(narrow) / max(float(wide), 1e-9))
    return min(MOST_LEAN, float(np.sqrt(1 - short**2)) / max(short, 1e-9))


def jpeg(image: Image) -> bytes:
    """A picture small enough for a tablet."""
    scale = LONGEST_SIDE / max(image.shape[:2])
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    coded, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if coded else b""


class LiveDesk:
    """Gives whoever connects to its Unix socket one picture: eight bytes of length, then the JPEG; none: length 0."""

    def __init__(self, path: Path, picture: Callable[[], Image | None]) -> None:
        self._path, self._picture = path, picture
        path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            self._socket.bind(str(path))
        finally:
            os.umask(before)
        self._socket.listen()
        threading.Thread(target=self._serve, name="live", daemon=True).start()

    def close(self) -> None:
        self._socket.close()
        self._path.unlink(missing_ok=True)

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            caller.settimeout(2.0)
            with caller, contextlib.suppress(OSError):
                shown = self._picture()
                body = b"" if shown is None else jpeg(shown)
                caller.sendall(LENGTH.pack(len(body)) + body)
