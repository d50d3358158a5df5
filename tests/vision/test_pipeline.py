"""Cards are read where something changed and came to rest, and nowhere else."""

from collections.abc import Iterator, Sequence

import numpy as np

from table_controller.core.cards import Card
from tests.vision.scripts import FELT, ScriptedClassifier, ScriptedDetector, sure, upright
from vision.detector import Kind, Mark
from vision.frames import Frame
from vision.geometry import Image
from vision.pipeline import Gate, Pipeline, Region
from vision.reader import Reader
from vision.sighting import Doubt, Sighting
from vision.steady import Rule, Steady

FRAME_NS = 100_000_000
LEFT, RIGHT = Region("box1", 0, 0, 100, 200, 130.0), Region("box2", 100, 0, 100, 200, 130.0)


class CountingDetector(ScriptedDetector):
    """Counts how often it was asked."""

    calls = 0

    def find(self, image: Image, scale: float = 1.0) -> list[Mark]:
        self.calls += 1
        return super().find(image, scale)


def pipeline(chance: float = 0.97) -> tuple[Pipeline, CountingDetector]:
    detector = CountingDetector([Mark(Kind.INDEX, upright(50, 50), 0.8)])
    reader = Reader(detector, ScriptedClassifier([sure("KS", chance)]), 0.9)
    return Pipeline(reader, [LEFT], Steady(Rule(0.9))), detector


def frames(images: Sequence[Image]) -> Iterator[tuple[int, Frame]]:
    for number, image in enumerate(images):
        yield number * FRAME_NS, Frame(image, number)


def with_card(x: int = 30) -> Image:
    image = FELT.copy()
    image[40:140, x : x + 60] = 230
    return image


def test_a_card_that_came_to_rest_is_said_once() -> None:
    eyes, _ = pipeline()
    (said,) = eyes.run(frames([FELT, with_card(10), *[with_card()] * 60]))
    assert isinstance(said, Sighting)
    assert (said.card, said.spot.slot) == (Card.parse("KS"), "box1")


def test_a_table_at_rest_costs_no_reading() -> None:
    eyes, detector = pipeline()
    list(eyes.run(frames([with_card()] * 30)))
    before = detector.calls
    list(eyes.run(frames([with_card()] * 3)))
    assert before < 30 * 2
    assert detector.calls == before + 2 * 2


def test_nothing_is_read_while_the_box_moves() -> None:
    eyes, detector = pipeline()
    assert list(eyes.run(frames([with_card(x) for x in range(5, 40, 2)]))) == []
    assert detector.calls == 0


def test_a_card_that_cannot_be_read_is_asked_about() -> None:
    eyes, _ = pipeline(chance=0.5)
    (asked,) = eyes.run(frames([FELT, *[with_card()] * 60]))
    assert isinstance(asked, Doubt)


def test_movement_is_seen_in_its_own_region_only() -> None:
    gate = Gate([LEFT, RIGHT])
    gate.moving(FELT)
    assert gate.moving(with_card(10)) == {"box1"}


def test_sensor_noise_is_no_movement() -> None:
    gate, rng = Gate([Region("box1", 0, 0, 960, 540, 130.0)]), np.random.default_rng(2)
    felt = np.full((540, 960, 3), 80, np.uint8)
    noisy = [np.clip(felt + rng.normal(0, 6, felt.shape), 0, 255).astype(np.uint8) for _ in range(4)]
    assert [gate.moving(image) for image in noisy][1:] == [set()] * 3
