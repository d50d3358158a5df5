"""What a table may run out of: room on its disk, and trust in its clock. Each is a light like any device's."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from table_controller.journal.record import Moment
from table_controller.port.words import Health

MS: Final = 1_000_000
CLOCK_DOUBTED_NS: Final = 60_000_000_000


class DiskBudget(Struct, frozen=True):
    """Per cent of the disk in use: from `warn` and `alarm` people are told, from `stop` no round opens."""

    warn: int = 90
    alarm: int = 95
    stop: int = 98


def disk_used(folder: Path) -> float:
    """Per cent of the folder's disk that is in use, as its ordinary users see it."""
    usage = shutil.disk_usage(folder)
    return 100 * usage.used / (usage.used + usage.free)


def disk_health(used: float, budget: DiskBudget) -> Health:
    """How the disk is."""
    limits = ((budget.stop, "disk_full"), (budget.alarm, "disk_alarm"), (budget.warn, "disk_warning"))
    detail = next((code for limit, code in limits if used >= limit), "")
    return Health("disk", used < budget.stop, detail)


class ClockWatch:
    """UTC and the monotonic clock must go on together; after a jump the clock is not trusted for a minute."""

    def __init__(self, clock: Callable[[], Moment], tolerated_ms: int) -> None:
        self._clock = clock
        self._tolerated_ns = tolerated_ms * MS
        self._offset_ns = self._offset(clock())
        self._doubted_until = 0

    def health(self) -> Health:
        """How the clock is now."""
        now = self._clock()
        if self._parted(now):
            self._offset_ns, self._doubted_until = self._offset(now), now.mono_ns + CLOCK_DOUBTED_NS
        doubted = now.mono_ns < self._doubted_until
        return Health("clock", not doubted, "clock_set" if doubted else "")

    def was_set(self) -> bool:
        """Whether the clock has jumped since its health was asked for."""
        return self._parted(self._clock())

    def _parted(self, now: Moment) -> bool:
        return abs(self._offset(now) - self._offset_ns) > self._tolerated_ns

    @staticmethod
    def _offset(now: Moment) -> int:
        return now.at_ns - now.mono_ns
