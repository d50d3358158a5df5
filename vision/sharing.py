"""Two cameras over one felt: every zone is read by exactly one of them, the one that sees its indices taller."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.calibration import Calibration, Points
from vision.felt import Zone

# Cards stick out of their zone by so much at most and must be in the picture all the same, millimetres.
BEYOND_MM: Final = 46.0
# By so much a later camera must see a zone taller to read it: that of two that see it alike is settled by no rounding.
CLEARLY: Final = 1.02


@dataclass(frozen=True)
class Sight:
    """One camera over the felt: its calibration, and the size of its pictures."""

    calibration: Calibration
    width: int
    height: int

    def worth(self, zone: Zone) -> tuple[float, float]:
        """How much of a zone is in the picture, then pixels a millimetre at its worst corner; more is better."""
        wanted = _around(zone) if zone.holds_cards else zone.outline
        reached, pixels = self.calibration.reaches(wanted), self.calibration.to_picture(wanted)
        inside = (pixels >= 0).all(axis=1) & (pixels < (self.width, self.height)).all(axis=1)
        scale = min(self.calibration.pixels_per_mm(float(x), float(y)) for x, y in zone.outline)
        return float((reached & inside).mean()), scale if np.isfinite(scale) else 0.0


def shared(zones: Sequence[Zone], sights: Sequence[Sight]) -> dict[str, int]:
    """The number, from 0, of the camera that reads each zone; of two that see it alike the first."""
    return {zone.name: _best([sight.worth(zone) for sight in sights]) for zone in zones}


def _best(worths: Sequence[tuple[float, float]]) -> int:
    best = 0
    for at, (part, scale) in enumerate(worths):
        if (part, scale) > (worths[best][0], worths[best][1] * CLEARLY):
            best = at
    return best


def _around(zone: Zone) -> Points:
    away = zone.outline - zone.outline.mean(axis=0)
    far = np.hypot(*away.T)[:, None]
    return np.asarray(zone.outline + away / np.maximum(far, 1e-9) * BEYOND_MM, np.float64)
