"""The pictures behind what is said: a crop of every card, and of chips before and after."""

from pathlib import Path
from typing import Final

import cv2

from vision.geometry import Image
from vision.slots import CARD_HEIGHT, SCALE, Slot

QUALITY: Final = 88
# From the card's centre to each side of its picture, millimetres.
AROUND_MM: Final = CARD_HEIGHT * 0.75


def card_picture(slot: Slot, image: Image, x: float, y: float) -> Image:
    """The card at (x, y) millimetres with a little of what lies around it, upright as its slot is."""
    across, along = slot.in_view(x, y)
    around = round(AROUND_MM * SCALE)
    view = slot.view(image)
    left, top = max(0, round(across) - around), max(0, round(along) - around)
    return view[top : round(along) + around, left : round(across) + around]


def keep(folder: Path, name: str, picture: Image) -> str | None:
    """Write a picture; its file's name, None where it could not be written (the table goes on without it)."""
    if picture.size == 0:
        return None
    coded, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not coded:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data.tobytes())
    except OSError:
        return None
    return name
