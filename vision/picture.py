"""Pictures from files that nobody promised are pictures."""

from pathlib import Path

import cv2
import numpy as np

from vision.geometry import Image

MAX_SIDE = 12_000
MAX_BYTES = 60_000_000
MIN_SIDE = 16
TAIL = {b"\xff\xd8\xff": b"\xff\xd9", b"\x89PNG": b"IEND"}
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
    """OpenCV fills what is missing with grey and reports success, so the end is looked for here."""
    for head, tail in TAIL.items():
        if data.startswith(head) and tail not in data[-TAIL_WITHIN:]:
            raise UnreadablePicture(f"{path}: the file is cut short; copy it again")


def _refuse_enormous(path: Path, data: bytes) -> None:
    """Read width and height from the header before anything is decoded."""
    size = _png_size(data) if data.startswith(b"\x89PNG") else _jpeg_size(data)
    if size is not None and max(size) > MAX_SIDE:
        raise UnreadablePicture(f"{path}: {size[0]} x {size[1]} pixels, more than {MAX_SIDE} a side; scale it down")


def _png_size(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the first start-of-frame segment (ITU T.81, B.2.2); None when there is none."""
    at = 2
    while data.startswith(b"\xff\xd8") and at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + length
    return None


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
