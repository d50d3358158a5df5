"""The plain colour of a back: the same in the evening as at noon, and none where it lies between two."""

import cv2
import numpy as np
import pytest

from vision.backs import colour, look
from vision.geometry import Image, box_quad
from vision.rendered import deck


def painted(hue: int, light: float = 1.0) -> Image:
    """The house's back with its hue turned so far (of 180), under so much light."""
    hsv = cv2.cvtColor(deck.back(), cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + hue) % 180
    lit = np.clip(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR) * light, 0, 255)
    return np.asarray(lit, np.uint8)


def told(image: Image) -> str:
    return colour(look(image, box_quad(0, 0, image.shape[1], image.shape[0])))


@pytest.mark.parametrize("light", [0.4, 0.7, 1.0, 1.2])
@pytest.mark.parametrize(("hue", "name"), [(0, "blue"), (60, "red"), (75, "red"), (90, "yellow"), (135, "green")])
def test_a_back_keeps_its_colour_in_any_light(hue: int, name: str, light: float) -> None:
    assert told(painted(hue, light)) == name


@pytest.mark.parametrize("hue", [15, 45, 105, 165])
def test_a_back_between_two_colours_has_none(hue: int) -> None:
    assert told(painted(hue)) == ""


def test_a_back_without_colour_is_grey() -> None:
    grey = cv2.cvtColor(deck.back(), cv2.COLOR_BGR2GRAY)
    assert told(np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)) == "grey"
