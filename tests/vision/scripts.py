"""Scripted detectors, classifiers and frames: tests say what was seen, no weights are needed."""

from collections.abc import Sequence

import numpy as np

from table_controller.core.cards import PACK, Card
from vision.cardsheet import IndexReading
from vision.classifier import Opinion
from vision.detector import Mark
from vision.geometry import Image, Quad, box_quad

FELT: Image = np.full((200, 200, 3), (60, 95, 20), np.uint8)


def opinion(**chances: float) -> Opinion:
    """opinion(c8H=0.83, c6H=0.1): the names are cards behind a c."""
    row = np.zeros(len(PACK), np.float32)
    for name, chance in chances.items():
        row[Card.parse(name.removeprefix("c")).index] = chance
    return Opinion(row)


def sure(card: str, confidence: float = 0.97) -> Opinion:
    """One name only, as sure as told: all the doubt is whether it is an index at all."""
    return opinion(**{"c" + card: confidence**2})


def upright(x: float, y: float, height: float = 26, width: float = 12) -> Quad:
    """An index centred at x, y, rank above suit."""
    return box_quad(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def overturned(x: float, y: float, height: float = 26, width: float = 12) -> Quad:
    """An index as the lower right corner shows it: half a turn round."""
    return np.roll(upright(x, y, height, width), 2, axis=0)


def index(quad: Quad, card: str, chance: float = 0.97) -> IndexReading:
    return IndexReading(quad, sure(card, chance))


class ScriptedDetector:
    """Finds the same marks in every picture."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self.marks = list(marks)

    def find(self, image: Image, scale: float = 1.0) -> list[Mark]:
        del image, scale
        return self.marks


class ScriptedClassifier:
    """Gives the next of its opinions to every crop, the last one for ever."""

    def __init__(self, opinions: Sequence[Opinion]) -> None:
        self.opinions = list(opinions)

    def name(self, crops: Sequence[Image]) -> list[Opinion]:
        return [self.opinions.pop(0) if len(self.opinions) > 1 else self.opinions[0] for _ in crops]
