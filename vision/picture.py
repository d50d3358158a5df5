"""Pictures from files that nobody promised are pictures."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import Image

MAX_SIDE = 12_000
MAX_BYTES = 60_000_000
MIN_SIDE = 16
JPEG, PNG, START_OF_SCAN = b"\xff\xd8", b"\x89PNG", 0xDA
TAIL_WITHIN = 4096


class UnreadablePicture(ValueError):
    """The file is not a picture this room can work on; the message names the file and what to do."""


def load(path: Path) -> Image:
    """The picture as BGR, uint8 (height, width, 3), turned as its EXIF says.

    Raises UnreadablePicture for a missing, truncated, foreign, tiny or enormous file.
    """
    try:
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
    except OSError as error:
        raise UnreadablePicture(f"{path}: {error.strerror or 'cannot be read'}; check the path") from error
    if not data:
        raise UnreadablePicture(f"{path}: empty or larger than {MAX_BYTES // 1_000_000} MB; send a normal photograph")
    _refuse_truncated(path, data)
    _refuse_enormous(path, data)
    return _checked(path, _decoded(data))


def _refuse_truncated(path: Path, data: bytes) -> None:
    """OpenCV fills what is missing with grey and reports success, so the end is looked for here.

    Cameras may append a film after a JPEG's end, and put a small JPEG before its picture data.
    """
    cut_png = data.startswith(PNG) and b"IEND" not in data[-TAIL_WITHIN:]
    cut_jpeg = data.startswith(JPEG) and b"\xff\xd9" not in data[_picture_data(data) :]
    if cut_png or cut_jpeg:
        raise UnreadablePicture(f"{path}: the file is cut short; copy it again")


def _refuse_enormous(path: Path, data: bytes) -> None:
    """Read width and height from the header before anything is decoded."""
    size = _png_size(data) if data.startswith(PNG) else _jpeg_size(data)
    if size is not None and max(size) > MAX_SIDE:
        raise UnreadablePicture(f"{path}: {size[0]} x {size[1]} pixels, more than {MAX_SIDE} a side; scale it down")


def _png_size(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Marker and place of every JPEG segment up to the picture data (ITU T.81, B.1.1)."""
    at = 2
    while data.startswith(JPEG) and at + 4 <= len(data) and data[at] == 0xFF:
        yield data[at + 1], at
        if data[at + 1] == START_OF_SCAN:
            return
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def _picture_data(data: bytes) -> int:
    """Where the picture data begins; the end of the file when the header itself is cut."""
    return next((at for marker, at in _segments(data) if marker == START_OF_SCAN), len(data))


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the first start-of-frame segment (ITU T.81, B.2.2); None when there is none."""
    frames = (at for marker, at in _segments(data) if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC})
    at = next(frames, None)
    if at is None:
        return None
    return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")


def _decoded(data: bytes) -> Image | None:
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def _checked(path: Path, picture: Image | None) -> Image:
    if picture is None:
        raise UnreadablePicture(f"{path}: not a picture OpenCV can decode; JPEG and PNG work")
    height, width = picture.shape[:2]
    if min(height, width) < MIN_SIDE:
        raise UnreadablePicture(f"{path}: {width} x {height} pixels is too small to hold a card")
    if max(height, width) > MAX_SIDE:
        raise UnreadablePicture(f"{path}: {width} x {height} pixels, more than {MAX_SIDE} a side; scale it down")
    return picture
