"""The camera: does it give new pictures fast enough, do its settings stay where they were put, is the picture good?"""

import time
from collections.abc import Callable, Mapping, Sequence

from table_controller.doctor.finding import Finding, green, red
from vision.frames import CameraLost, Device, Frame
from vision.health import SettingsLock, faults

LOOKED_AT = 12
LEAST_RATE = 8.0
"""Frames a second; a card is read from five frames at rest, within the house's card_seconds."""


def camera(opener: Callable[[], Device], wanted: Mapping[str, float], least_rate: float = LEAST_RATE) -> list[Finding]:
    """Opens the camera, looks at a dozen frames, and closes it again; nobody else may be using it."""
    try:
        device = opener()
    except CameraLost as error:
        return [red("camera", "camera_lost", why=error)]
    lock = SettingsLock(wanted)
    try:
        begun = time.monotonic()
        frames = [device.read() for _ in range(LOOKED_AT)]
        rate = LOOKED_AT / (time.monotonic() - begun)
        lock.attempt(device)
    except CameraLost as error:
        return [red("camera", "camera_lost", why=error)]
    finally:
        device.close()
    return [_pace(frames, rate, least_rate), _settings(lock), _picture(frames[-1])]


def _pace(frames: Sequence[Frame], rate: float, least: float) -> Finding:
    height, width = frames[-1].image.shape[:2]
    values = {"rate": f"{rate:.1f}", "least": f"{least:g}", "size": f"{width}×{height}"}
    if all((frame.image == frames[0].image).all() for frame in frames[1:]):
        return red("camera", "camera_frozen", **values)
    return red("camera", "camera_slow", **values) if rate < least else green("camera", "camera_gives", **values)


def _settings(lock: SettingsLock) -> Finding:
    complaint = lock.complaint()
    if complaint is not None:
        return red("settings", "settings_loose", what=", ".join(sorted(lock.unlocked)))
    return green("settings", "settings_locked")


def _picture(frame: Frame) -> Finding:
    wrong = faults(frame.image)
    return red("picture", "picture_bad", what=", ".join(wrong)) if wrong else green("picture", "picture_good")
