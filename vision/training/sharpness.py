"""How far the camera smeared a rendered picture, which is known because the picture before the camera is."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

# Standard deviations of a round blur, pixels, that are tried.
SPREADS = (0.0, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


def blur_of(lit: NDArray[np.float32], image: Image) -> float:
    """The round blur, as standard deviation in pixels, that makes the lit scene (0-1) most like the picture."""
    before, after = _grey(lit), _grey(image) / 255
    return min(SPREADS, key=lambda spread: float(np.square(_blurred(before, spread) - after).mean()))


def _grey(picture: NDArray[np.float32] | Image) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(picture.astype(np.float32), cv2.COLOR_BGR2GRAY), np.float32)


def _blurred(grey: NDArray[np.float32], spread: float) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), spread), np.float32) if spread else grey
