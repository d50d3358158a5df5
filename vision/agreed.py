"""The calibrations a table's processes opened with: by others the hole card lies elsewhere in the picture."""

import time
from typing import Final

from vision.table_view import Table

LOOK_AGAIN_S: Final = 1.0


class Recalibrated(ValueError):
    """A camera was calibrated anew: its processes, and those of one beside it, must open anew by the same files."""


class Agreed:
    """What the files of the table's cameras said when this process opened."""

    def __init__(self, table: Table) -> None:
        self._files = table.calibrations
        self._known, self._looked_s = self._read(), time.monotonic()

    def hold(self) -> None:
        """Raises Recalibrated or OSError within two seconds after that is so no more, if asked as often."""
        if time.monotonic() - self._looked_s > LOOK_AGAIN_S:
            self._looked_s = time.monotonic()
            if self._read() != self._known:
                raise Recalibrated("a camera was calibrated anew")

    def _read(self) -> list[bytes]:
        return [file.read_bytes() for file in self._files]
