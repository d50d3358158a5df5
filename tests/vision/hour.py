"""An hour of dealing over the drawn table with a fake clock: hands, sleeves, cards, chips, light that drifts.

python -m tests.vision.hour looks once a second, as the running check does; the suite looks less often.
"""

import sys
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from table_controller.core.cards import PACK
from vision.checks import PictureCheck
from vision.geometry import Image
from vision.rendered.orders import Chips, Lay, Reach, Take
from vision.rendered.table import HouseDeck, Painter, Scene, Shot

SECOND: Final = 1_000_000_000
HOUR: Final = 3600
# One round: bets, cards from the 8th second on, hands over boxes all the while, cleared at its end.
ROUND: Final = 48
LIGHT_DRIFT: Final = 0.08


class Hour:
    """The table at any second of the hour; the calibration is the one the camera had at its beginning."""

    def __init__(self, seed: int = 0) -> None:
        self.scene = Scene(seed=seed)
        self.painter = Painter(self.scene, Shot(), HouseDeck())
        self.check = PictureCheck(self.painter.view)
        self._rng = np.random.default_rng(seed)

    def at(self, second: int) -> Image:
        """Everything that happened up to this second has happened."""
        now, step = second * SECOND, second % ROUND
        self.scene.obey(Take(), now)
        for box in range(1, 8):
            self.scene.obey(Chips(slot=f"circle{box}", count=int(self._rng.integers(1, 6))), now)
        for number in range(max(0, min(24, step - 8))):
            card = str(PACK[int(self._rng.integers(52))])
            self.scene.obey(Lay(slot="dealer" if number % 8 == 7 else f"box{number % 8 + 1}", card=card), now - SECOND)
        if self._rng.random() < 0.6:
            over = ("box", "circle")[int(self._rng.integers(2))]
            self.scene.obey(Reach(slot=f"{over}{int(self._rng.integers(1, 8))}"), now)
        light = 1 + LIGHT_DRIFT * float(np.sin(2 * np.pi * second / HOUR))
        image = np.asarray(cv2.convertScaleAbs(self.painter.picture(now), alpha=light), np.uint8)
        if self._rng.random() < 0.2:
            self._player(image)
        return image

    def _player(self, image: Image) -> None:
        """A player's sleeve comes in from below or the side, over a marker as likely as not."""
        high, wide = image.shape[:2]
        x = int(self._rng.choice([0, wide // 12, wide // 2, wide - wide // 12, wide]))
        start, end = (x, high), (x + int(self._rng.normal(0, 60)), high - int(self._rng.uniform(0.1, 0.5) * high))
        cv2.line(image, start, end, (70, 52, 46), wide // 17, cv2.LINE_AA)
        cv2.circle(image, end, wide // 32, (130, 160, 205), -1, cv2.LINE_AA)

    def alarms(self, every: int = 1) -> Iterator[tuple[int, str]]:
        """Seconds at which the check finds fault with a picture it should not."""
        for second in range(1, HOUR, every):
            trouble = self.check.trouble(self.at(second), second * SECOND)
            if trouble is not None:
                yield second, trouble


if __name__ == "__main__":
    found = list(Hour().alarms())
    sys.stdout.write(f"{HOUR} looks, {len(found)} false alarms {found[:10]}\n")
    sys.exit(1 if found else 0)
