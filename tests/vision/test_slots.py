"""A slot is seen upright and where it lies, through a straight lens and through one that bends."""

import cv2
import numpy as np
import pytest

from table_controller.core.cards import Card
from vision.calibration import Calibration, Lens
from vision.felt import felt
from vision.geometry import Image
from vision.rendered.orders import Lay
from vision.rendered.table import HouseDeck, Painter, Scene, Shot
from vision.slots import Slot, slots_of

WIDTH, HEIGHT = 1920, 1080
ZONES = felt(7)
PLANE = np.array([[WIDTH, 0, WIDTH / 2], [0, WIDTH, HEIGHT / 2], [0, 0, 1]], np.float64)


def bending(strength: float) -> Lens:
    return Lens(PLANE, np.array([strength, 0, 0, 0, 0], np.float64))


def painter(side: int) -> Painter:
    scene = Scene(7)
    for number in range(1, 8):
        scene.obey(Lay(slot=f"box{number}", card=str(Card.parse("KS"))), 0)
    return Painter(scene, Shot(WIDTH, HEIGHT, side=side), HouseDeck())


def bent(picture: Image, lens: Lens) -> Image:
    """The same picture through this lens."""
    across, along = np.meshgrid(np.arange(WIDTH, dtype=np.float64), np.arange(HEIGHT, dtype=np.float64))
    straight = lens.straightened(np.column_stack([across.ravel(), along.ravel()])).astype(np.float32)
    places = straight.reshape(HEIGHT, WIDTH, 2)
    return np.asarray(cv2.remap(picture, places[..., 0], places[..., 1], cv2.INTER_LINEAR), np.uint8)


def off_mm(slot: Slot, calibration: Calibration) -> float:
    """How far a place in the slot's view lies from where the calibration has it, at the worst of many."""
    sides = (np.linspace(0, side, 9) for side in slot.size)
    view = np.column_stack([each.ravel() for each in np.meshgrid(*sides)])
    pixels = cv2.perspectiveTransform(view.reshape(-1, 1, 2), slot.to_picture).reshape(-1, 2)
    return float(np.hypot(*(calibration.to_table(np.asarray(pixels, np.float64)) - slot.on_table(view)).T).max())


@pytest.mark.parametrize("strength", [0.0, -0.05, -0.12, 0.08])
@pytest.mark.parametrize("side", [0, 1])
def test_a_place_in_a_slot_is_the_place_on_the_table(strength: float, side: int) -> None:
    straight = painter(side).view
    lens = bending(strength) if strength else None
    calibration = Calibration(straight.homography, 0.0, straight.seen, lens)
    assert max(off_mm(slot, calibration) for slot in slots_of(calibration, ZONES)) < 1.0


def test_a_card_looks_the_same_in_its_slot_through_a_lens_that_bends() -> None:
    drawn, lens = painter(0), bending(-0.12)
    picture = drawn.picture(10**9)
    calibration = Calibration(drawn.view.homography, 0.0, drawn.view.seen, lens)
    through = bent(picture, lens)
    for straight, slot in zip(slots_of(drawn.view, ZONES), slots_of(calibration, ZONES), strict=True):
        if slot.name.startswith("box"):
            paper = [view.min(axis=2) > 170 for view in (straight.view(picture), slot.view(through))]
            assert (paper[0] & paper[1]).sum() > 0.9 * (paper[0] | paper[1]).sum()
