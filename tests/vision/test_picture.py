"""Files that are no pictures, or no pictures a table could have taken."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.geometry import Image
from vision.picture import UnreadablePicture, load

PHOTO: Image = np.random.default_rng(3).integers(0, 255, (120, 160, 3)).astype(np.uint8)


def jpeg(picture: Image = PHOTO) -> bytes:
    return bytes(cv2.imencode(".jpg", picture)[1])


def png_header(width: int, height: int) -> bytes:
    """A valid PNG that claims a size and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


def with_exif(data: bytes, *bodies: bytes) -> bytes:
    segments = b"".join(b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body for body in bodies)
    return data[:2] + segments + data[2:]


def with_preview(data: bytes) -> bytes:
    """As cameras write it: a small whole JPEG in front of the picture."""
    return with_exif(data, b"Exif\0\0" + jpeg(PHOTO[:30, :40]))


ORIENTATION_6 = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"

BROKEN = {
    "cut_short.jpg": (jpeg()[: len(jpeg()) // 2], "cut short"),
    "cut_after_its_preview.jpg": (with_preview(jpeg())[: len(jpeg()) + 400], "cut short"),
    "only_a_header.jpg": (jpeg()[:30], "cut short"),
    "one_pixel.png": (bytes(cv2.imencode(".png", PHOTO[:1, :1])[1]), "too small"),
    "huge.png": (png_header(20_000, 20_000), "scale it down"),
    "huge.jpg": (jpeg().replace(struct.pack(">HH", 120, 160), struct.pack(">HH", 20_000, 20_000), 1), "scale it down"),
    "letter.jpg": (b"Dear dealer, this is not a picture.\n" * 40, "not a picture"),
    "empty.jpg": (b"", "empty"),
    "noise.png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) + b"IEND", "pixels|not a picture"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_damaged_file_is_named_in_one_line_that_says_what_to_do(name: str, tmp_path: Path) -> None:
    data, reason = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UnreadablePicture, match=reason) as refused:
        load(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.jpg", tmp_path):
        with pytest.raises(UnreadablePicture):
            load(path)


@pytest.mark.parametrize(
    "picture",
    [PHOTO[..., 0], np.dstack([PHOTO, PHOTO[..., :1]]), PHOTO.astype(np.uint16) * 256],
    ids=["grey", "with transparency", "16 bit"],
)
def test_other_colour_formats_become_three_channels_of_eight_bits(picture: Image, tmp_path: Path) -> None:
    path = tmp_path / "odd.png"
    path.write_bytes(bytes(cv2.imencode(".png", picture)[1]))
    loaded = load(path)
    assert loaded.shape == (120, 160, 3)
    assert loaded.dtype == np.uint8


def test_a_huge_exif_block_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "exif.jpg"
    path.write_bytes(with_exif(jpeg(), *[b"Exif\0\0" + b"\0" * 65_000] * 60))
    assert load(path).shape == (120, 160, 3)


def test_a_photograph_taken_upright_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    path = tmp_path / "upright.jpg"
    path.write_bytes(with_exif(jpeg(), ORIENTATION_6))
    assert load(path).shape == (160, 120, 3)


def test_a_film_appended_by_the_camera_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "moving.jpg"
    path.write_bytes(with_preview(jpeg()) + bytes(100_000))
    assert load(path).shape == (120, 160, 3)
