"""One picture of a camera, small enough for a page, for the technician to see where it looks."""

from typing import Final

import cv2

from vision.frames import CameraLost
from vision.table_view import SourceUnknown, Table, opener_of

WARMING_UP: Final = 5
WIDEST: Final = 1280


def one_picture(source: str, width: int, height: int) -> bytes:
    """A JPEG; raises CameraLost with what to check."""
    try:
        opener, _ = opener_of(Table(source, width, height))
    except (SourceUnknown, OSError, ValueError) as unusable:
        raise CameraLost(str(unusable)) from None
    device = opener()
    try:
        image = [device.read().image for _ in range(WARMING_UP)][-1]
    finally:
        device.close()
    scale = min(1.0, WIDEST / image.shape[1])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return bytes(encoded)
