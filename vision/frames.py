"""A frame and what a device must be able to do."""

from dataclasses import dataclass
from typing import Protocol

from vision.coded import Coded
from vision.geometry import Image


@dataclass(frozen=True)
class Frame:
    """One picture, uint8 (height, width, 3), with the driver's own time stamp in nanoseconds (0 where it has none).

    `at_ns` is when it was taken by the host's clock, where the source knows better than whoever reads it; `coded` is
    the picture as the camera encoded it, where it did.
    """

    image: Image
    driver_ns: int
    at_ns: int | None = None
    coded: Coded | None = None


class CameraLost(OSError):
    """The device is gone or refuses: somebody must look at plug and cable; reopening is tried meanwhile."""


class Device(Protocol):
    """An opened camera. `read` may block; it raises CameraLost when there is nothing more to come."""

    def read(self) -> Frame: ...

    def set(self, name: str, value: float) -> bool: ...

    def get(self, name: str) -> float: ...

    def close(self) -> None: ...
