"""Can the picture be trusted? Pure rules over frames; time comes in as data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np

from vision.frames import Device, Frame
from vision.geometry import Image

SECOND = 1_000_000_000


class Condition(StrEnum):
    """The camera's state, as the dashboard shows it."""

    STARTING = "starting"
    READY = "ready"
    STALE = "stale"
    LOST = "lost"


@dataclass
class Freshness:
    """Tells a live camera on a motionless table (new stamps or sensor noise) from one that repeats its last picture.

    An unplugged USB camera may go on returning the last picture with success; only a changed stamp or a changed byte
    counts as a new frame.
    """

    limit_ns: int = 2 * SECOND
    _last: Frame | None = None
    _fresh_ns: int | None = None
    _returned_ns: int | None = None

    def take(self, frame: Frame, now_ns: int) -> bool:
        """Note a frame that read() returned; True when it is a new one."""
        new = self._last is None or self._is_new(frame, self._last)
        self._last, self._returned_ns = frame, now_ns
        if new:
            self._fresh_ns = now_ns
        return new

    def condition(self, now_ns: int) -> Condition:
        if self._fresh_ns is None or self._returned_ns is None:
            return Condition.STARTING
        if now_ns - self._returned_ns >= self.limit_ns:
            return Condition.LOST
        return Condition.STALE if now_ns - self._fresh_ns >= self.limit_ns else Condition.READY

    @staticmethod
    def _is_new(frame: Frame, last: Frame) -> bool:
        if frame.driver_ns != last.driver_ns:
            return True
        return frame.image.shape != last.image.shape or bool((frame.image != last.image).any())


@dataclass
class SettingsLock:
    """Sets exposure, white balance and focus and believes only what the device reads back; retried every frame."""

    wanted: Mapping[str, float]
    unlocked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.unlocked = set(self.wanted)

    def attempt(self, device: Device) -> bool:
        """Try what is not locked yet, in the given order; True when everything reads back as wanted."""
        for name in [name for name in self.wanted if name in self.unlocked]:
            accepted = device.set(name, self.wanted[name])
            if accepted and abs(device.get(name) - self.wanted[name]) < 0.5:
                self.unlocked.discard(name)
        return not self.unlocked

    def complaint(self) -> str | None:
        """What the dashboard says while something is not locked."""
        return f"{', '.join(sorted(self.unlocked))} not locked" if self.unlocked else None


@dataclass
class BrightnessWatch:
    """An empty patch of felt must stay as bright as when the table was calibrated; drift stops automatic commits."""

    reference: float
    tolerance: float = 0.25

    def drifted(self, patch: Image) -> bool:
        return abs(float(patch.mean()) - self.reference) > self.tolerance * self.reference


@dataclass(frozen=True)
class Limits:
    """When a picture is no good; brightness in grey levels, sharpness as variance of the Laplacian at 640 pixels."""

    darkest: float = 25.0
    least_contrast: float = 24.0
    most_burnt: float = 0.12
    least_sharp: float = 8.0


def faults(image: Image, limits: Limits | None = None) -> tuple[str, ...]:
    """Plain words for what is wrong with the picture as a whole; empty when it may be used."""
    limits = limits or Limits()
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, (640, 360), interpolation=cv2.INTER_AREA)
    low, high = np.percentile(grey, [2, 98])
    checks: dict[str, Callable[[], bool]] = {
        "too dark": lambda: bool(high < limits.darkest * 2),
        "lighting: hardly any contrast": lambda: bool(high - low < limits.least_contrast),
        "glare": lambda: float((grey >= 252).mean()) > limits.most_burnt,
        "blurred or dirty lens": lambda: float(cv2.Laplacian(grey, cv2.CV_32F).var()) < limits.least_sharp,
    }
    return tuple(name for name, wrong in checks.items() if wrong())
