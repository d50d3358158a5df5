"""Measures the shipped reader on rendered tables of decks it never saw: every truth and every reading becomes a row."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from table_controller.core.cards import PACK
from vision import weights
from vision.geometry import Quad, sides
from vision.reader import ReadCard, Reader, shipped
from vision.training import scene, tiles
from vision.training.decks import Cupboard

SIZE = 640
HEIGHTS = (70.0, 260.0)
# The card heights, in pixels, to which a calibrated table scales its regions.
WORKING_HEIGHTS = (130.0, 185.0)
CLEARLY_VISIBLE = 0.93


@dataclass(frozen=True)
class Row:
    """One labelled card (`truth` set) or one reading that no label explains (`truth` None).

    `read` and `confidence` are those of the reading at that place, None and 0 when nothing was read; `index_height` in
    pixels of the picture; `deck` the design.
    """

    deck: str
    truth: str | None
    read: str | None
    confidence: float
    index_height: float

    @property
    def right(self) -> bool:
        return self.truth is not None and self.truth == self.read


@lru_cache(maxsize=1)
def everything() -> Reader:
    """The shipped reader with the gate open, so that the threshold can be studied afterwards."""
    cv2.setNumThreads(1)
    eyes = shipped(weights.find())
    return Reader(eyes.detector, eyes.classifier, 0.0)


@dataclass(frozen=True)
class Task:
    """One chunk of pictures of one deck design."""

    folder: Path
    deck: int
    first: int
    count: int
    seed: int = 4242


def measure(task: Task) -> list[Row]:
    """Render and read `count` pictures of one held-out deck."""
    all_decks = tiles.cupboard(task.folder, "held_out").decks
    one = Cupboard([all_decks[task.deck]], [], [], [])
    rows: list[Row] = []
    for number in range(task.first, task.first + task.count):
        rng = np.random.default_rng([task.seed, task.deck, number])
        height = float(np.exp(rng.uniform(*np.log(HEIGHTS))))
        plan = scene.Plan(SIZE, (height, height * 1.0001), tiles.photographs(task.folder))
        picture = scene.compose(rng, plan, one)
        found = everything().read(picture.image, [working / height for working in WORKING_HEIGHTS])
        rows += compared(one.decks[0].name, picture, found.cards)
    return rows


def compared(deck: str, picture: scene.Scene, found: Iterable[ReadCard]) -> Iterator[Row]:
    """Match readings with the truth by place: a reading belongs to the card whose index holds its centre."""
    by_owner: dict[int, list[scene.Index]] = {}
    for index in picture.indices:
        by_owner.setdefault(index.owner, []).append(index)
    readings = list(found)
    explained: set[int] = set()
    for owner, indices in by_owner.items():
        clear = [index for index in indices if index.visible >= CLEARLY_VISIBLE]
        here = [number for number, card in enumerate(readings) if _shows(card, indices)]
        explained.update(here)
        best = max((readings[number] for number in here), key=lambda card: card.confidence, default=None)
        if not clear and best is None:
            continue
        height = max(sides(index.quad)[1] for index in clear or indices)
        read = None if best is None else str(best.card)
        yield Row(deck, str(PACK[indices[0].card]), read, best.confidence if best else 0.0, height)
    for number, card in enumerate(readings):
        if number not in explained:
            yield Row(deck, None, str(card.card), card.confidence, sides(card.indices[0])[1])


def _shows(card: ReadCard, indices: list[scene.Index]) -> bool:
    return any(_close(quad, index.quad) for quad in card.indices for index in indices)


def _close(quad: Quad, truth: Quad) -> bool:
    distance = float(np.hypot(*(quad.mean(axis=0) - truth.mean(axis=0))))
    return distance < 0.5 * sides(truth)[1]


def campaign(folder: Path, pictures: int, workers: int = 2) -> list[Row]:
    """`pictures` of every held-out deck."""
    decks = tiles.cupboard(folder, "held_out").decks
    step = 20
    tasks = [
        Task(folder, deck, first, min(step, pictures - first))
        for deck in range(len(decks))
        for first in range(0, pictures, step)
    ]
    with ProcessPoolExecutor(workers) as pool:
        return [row for rows in pool.map(measure, tasks) for row in rows]
