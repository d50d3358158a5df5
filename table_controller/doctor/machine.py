"""The computer: room on its disk, how fast it lets go of a row, and whether its clock is set by somebody."""

import ctypes
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from table_controller.doctor.finding import Finding, amber, green, red

GIGABYTE = 1 << 30
APPENDS = 40
APPEND_BYTES = 4096
SLOW_MS, TOO_SLOW_MS = 50.0, 250.0
CLOCK_UNSYNCHRONISED = 5  # adjtimex(2): TIME_ERROR
TIMEX_BYTES = 512  # more than any struct timex


def room(folder: Path, least_gb: float) -> Finding:
    """Free space where record and video are kept."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError as error:
        return red("room", "folder_unusable", folder=folder, why=error.strerror)
    free, whole = usage.free / GIGABYTE, usage.total / GIGABYTE
    values = {"free": f"{free:.1f}", "whole": f"{whole:.0f}", "least": f"{least_gb:g}", "folder": folder}
    if free < least_gb:
        return red("room", "room_short", **values)
    if free < 2 * least_gb:
        return amber("room", "room_soon_short", **values)
    return green("room", "room_enough", **values)


def disk(folder: Path, too_slow_ms: float = TOO_SLOW_MS) -> Finding:
    """How long a row takes to be safe: the slowest of some appends with fsync, beside the record."""
    probe = folder / ".doctor"
    try:
        slowest = max(_appends(probe))
    except OSError as error:
        return red("disk", "folder_unusable", folder=folder, why=error.strerror)
    finally:
        if folder.is_dir():
            probe.unlink(missing_ok=True)
    values = {"ms": f"{slowest:.1f}", "limit": f"{too_slow_ms:g}", "folder": folder}
    if slowest > too_slow_ms:
        return red("disk", "disk_slow", **values)
    return (amber if slowest > SLOW_MS else green)("disk", "disk_speed", **values)


def _appends(probe: Path) -> list[float]:
    taken = []
    handle = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        for _ in range(APPENDS):
            begun = time.perf_counter()
            os.write(handle, bytes(APPEND_BYTES))
            os.fsync(handle)
            taken.append((time.perf_counter() - begun) * 1000)
    finally:
        os.close(handle)
    return taken


def kernel_clock() -> int:
    """The kernel's word on its clock, as adjtimex(2) returns it; it changes nothing."""
    return int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES)))


def clock(ask: Callable[[], int] = kernel_clock) -> Finding:
    """Whether anything keeps the clock true; the record orders by number, but disputes are told by the hour."""
    state = ask()
    if state < 0:
        return amber("clock", "clock_unknown")
    return amber("clock", "clock_alone") if state == CLOCK_UNSYNCHRONISED else green("clock", "clock_kept")
