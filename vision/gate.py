"""Where does something move? Two consecutive frames compared at low resolution."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from vision.calibration import Points
from vision.geometry import Image

GATE_SIZE: Final = (480, 270)
# Grey levels, after blurring, that sensor noise and codec do not reach.
MOVEMENT: Final = 10.0


@dataclass
class Gate:
    """Says in which outlines (n, 2), in pixels of the full frame, something moves."""

    outlines: Mapping[str, Points]
    _masks: dict[str, Image] = field(default_factory=dict)
    _last: Image | None = None

    def moving(self, image: Image) -> set[str]:
        """Names of the outlines that differ from the frame before; all of them on the first frame."""
        grey = cv2.cvtColor(cv2.resize(image, GATE_SIZE, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        small = np.asarray(cv2.GaussianBlur(grey, (5, 5), 0), np.uint8)
        last, self._last = self._last, small
        if last is None:
            return set(self.outlines)
        changed = np.asarray(cv2.absdiff(small, last), np.uint8) > MOVEMENT
        if not changed.any():
            return set()
        return {name for name in self.outlines if bool((changed & self._mask(name, image)).any())}

    def _mask(self, name: str, image: Image) -> Image:
        if name not in self._masks:
            share = np.array(GATE_SIZE) / (image.shape[1], image.shape[0])
            mask = np.zeros(GATE_SIZE[::-1], np.uint8)
            cv2.fillConvexPoly(mask, np.round(self.outlines[name] * share).astype(np.int32), 1)
            self._masks[name] = mask.astype(bool)
        return self._masks[name]
