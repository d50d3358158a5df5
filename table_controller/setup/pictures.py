"""One picture of a camera, small enough for a page, for the technician to see where it looks."""

from pathlib import Path
from typing import Final

import cv2

from vision.frames import CameraLost, Device
from vision.sources import usb_camera, video_file

WARMING_UP: Final = 5
WIDEST: Final = 1280


def one_picture(source: str, width: int, height: int) -> bytes:
    """A JPEG; raises CameraLost with what to check."""
    device = _opened(source, width, height)
    try:
        image = [device.read().image for _ in range(WARMING_UP)][-1]
    finally:
        device.close()
    scale = min(1.0, WIDEST / image.shape[1])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return bytes(encoded)


def _opened(source: str, width: int, height: int) -> Device:
    kind, _, where = source.partition(":")
    match kind:
        case "usb":
            return usb_camera(where, width, height)
        case "file":
            return video_file(Path(where))
        case _:
            raise CameraLost(f"{source}: the picture of such a source is seen once the table runs")
