"""Is the picture fit to be read? Looked at once a second; what is not is said by a code, and nothing is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.calibration import Calibration, shifted_mm
from vision.geometry import Image
from vision.health import SECOND, BrightnessWatch, faults

COVERED, MOVED, DRIFTED, BLURRED = "covered", "moved", "brightness_drift", "blurred"
CODES: Final = {
    "too dark": "dark",
    "lighting: hardly any contrast": "no_contrast",
    "glare": "glare",
    "blurred or dirty lens": BLURRED,
}
# A picture in which hardly anything differs from anything: something is right before the lens.
COVERED_BELOW: Final = 2.5
# A still camera's markers are found again within half a millimetre.
MOST_MOVED_MM: Final = 3.0
# Of the sharpness the picture had at first; sensor noise, which is always sharp, is smoothed away before.
LEAST_SHARP_SHARE: Final = 0.2
EVERY_NS: Final = SECOND


@dataclass
class PictureCheck:
    """What is wrong with the picture, as a code; None when it may be read. Looks again once a second."""

    calibration: Calibration
    _brightness: BrightnessWatch | None = None
    _sharpness: float | None = None
    _looked_ns: int = 0
    _trouble: str | None = None

    def trouble(self, image: Image, at_ns: int) -> str | None:
        if self._looked_ns == 0 or at_ns - self._looked_ns >= EVERY_NS:
            self._looked_ns = at_ns
            self._trouble = self._look(image)
        return self._trouble

    def _look(self, image: Image) -> str | None:
        small = np.asarray(cv2.resize(image, (160, 90), interpolation=cv2.INTER_AREA), np.uint8)
        checks: tuple[Callable[[], str | None], ...] = (
            lambda: COVERED if float(small.std(axis=(0, 1)).max()) < COVERED_BELOW else None,
            lambda: next((CODES[fault] for fault in faults(image)), None),
            lambda: DRIFTED if self._drifted(small) else None,
            lambda: BLURRED if self._blurred(image) else None,
            lambda: MOVED if self._moved(image) else None,
        )
        return next((code for check in checks if (code := check()) is not None), None)

    def _drifted(self, small: Image) -> bool:
        """Against the first picture that was fit to be read."""
        felt = np.asarray(np.median(small.reshape(-1, 3), axis=0)[None, None], np.uint8)
        if self._brightness is None:
            self._brightness = BrightnessWatch(float(felt.mean()))
        return self._brightness.drifted(felt)

    def _blurred(self, image: Image) -> bool:
        grey = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (640, 360), interpolation=cv2.INTER_AREA)
        sharpness = float(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 1.2), cv2.CV_32F).var())
        self._sharpness = sharpness if self._sharpness is None else self._sharpness
        return sharpness < LEAST_SHARP_SHARE * self._sharpness

    def _moved(self, image: Image) -> bool:
        steps = shifted_mm(self.calibration, image) if self.calibration.seen else None
        return steps is not None and steps > MOST_MOVED_MM
