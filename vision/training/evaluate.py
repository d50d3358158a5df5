"""Measures the shipped reader on rendered tables of decks it never saw: every truth and every reading becomes a row."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from table_controller.core.cards import PACK
from vision import weights
from vision.geometry import Quad, sides
from vision.reader import ReadCard, Reader, shipped
from vision.training import scene, tiles
from vision.training.decks import Cupboard
from vision.training.sharpness import blur_of

SMALLEST, LARGEST = 320, 640
HEIGHTS = (70.0, 260.0)
# The card heights, in pixels, to which a calibrated table scales its regions.
WORKING_HEIGHTS = (130.0, 185.0)
CLEARLY_VISIBLE = 0.93
CHUNK = 5


class Kind(StrEnum):
    """CARD: a labelled card and its right reading, if any; WRONG: another name at its place; PHANTOM: no card there."""

    CARD = "card"
    WRONG = "wrong"
    PHANTOM = "phantom"


@dataclass(frozen=True)
class Row:
    """One fact of a measurement; confidence 0 = not read; `deck` the design.

    `index_height` in pixels; `blur` of the picture, as standard deviation in index heights.
    """

    kind: Kind
    deck: str
    truth: str
    read: str
    confidence: float
    index_height: float
    blur: float = 0.0


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


def drawn_plan(rng: np.random.Generator, folder: Path) -> tuple[scene.Plan, float]:
    """A random card height and a region of the table about four cards wide."""
    height = float(np.exp(rng.uniform(*np.log(HEIGHTS))))
    size = int(np.clip(round(4.2 * height / 32) * 32, SMALLEST, LARGEST))
    return scene.Plan(size, (height, height * 1.0001), tiles.photographs(folder)), height


def measure(task: Task) -> list[Row]:
    """Render and read `count` pictures of one held-out deck."""
    all_decks = tiles.cupboard(task.folder, "held_out").decks
    one = Cupboard([all_decks[task.deck]], [], [], [])
    rows: list[Row] = []
    for number in range(task.first, task.first + task.count):
        rng = np.random.default_rng([task.seed, task.deck, number])
        plan, height = drawn_plan(rng, task.folder)
        picture = scene.compose(rng, plan, one)
        found = everything().read(picture.image, [working / height for working in WORKING_HEIGHTS])
        blur = blur_of(picture.light, picture.image)
        own = compared(one.decks[0].name, picture, found.cards)
        rows += [replace(row, blur=blur / row.index_height) for row in own]
    return rows


def compared(deck: str, picture: scene.Scene, found: Iterable[ReadCard]) -> Iterator[Row]:
    """Match readings with the truth by place: a reading belongs to the uncovered index at its centre."""
    right: dict[int, float] = {}
    for card in found:
        index = _under(card, picture.indices)
        if index is None:
            yield Row(Kind.PHANTOM, deck, "", str(card.card), card.confidence, sides(card.indices[0])[1])
        elif PACK[index.card] == card.card:
            right[index.owner] = max(right.get(index.owner, 0.0), card.confidence)
        else:
            height = sides(index.quad)[1]
            yield Row(Kind.WRONG, deck, str(PACK[index.card]), str(card.card), card.confidence, height)
    clear = [index for index in picture.indices if index.visible >= CLEARLY_VISIBLE]
    for owner in sorted({index.owner for index in clear}):
        own = [index for index in clear if index.owner == owner]
        name, height = str(PACK[own[0].card]), max(sides(index.quad)[1] for index in own)
        yield Row(Kind.CARD, deck, name, name if owner in right else "", right.get(owner, 0.0), height)


def _under(card: ReadCard, indices: list[scene.Index]) -> scene.Index | None:
    """The index a reading means: near its centre and not covered."""
    costs = [(_distance(quad, index.quad), index) for index in indices for quad in card.indices]
    close = [(distance + 1 - index.visible, index) for distance, index in costs if distance < 0.5]
    return min(close, key=lambda pair: pair[0], default=(0.0, None))[1]


def _distance(quad: Quad, truth: Quad) -> float:
    """Between centres, in index heights."""
    return float(np.hypot(*(quad.mean(axis=0) - truth.mean(axis=0)))) / sides(truth)[1]


def campaign(folder: Path, pictures: int, log: Path, workers: int = 2) -> None:
    """Go on with the measurement in `log`, one line a chunk, until `pictures` of every held-out deck are read.

    The decks take turns, so that a campaign that was stopped early is smaller, not lopsided.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    done = {(line["deck"], line["first"]) for line in _lines(log)}
    starts, decks = range(0, pictures, CHUNK), range(len(tiles.cupboard(folder, "held_out").decks))
    tasks = [Task(folder, deck, at, min(CHUNK, pictures - at)) for at in starts for deck in decks]
    left = [task for task in tasks if (task.deck, task.first) not in done]
    with tiles.pool_of(workers) as pool, log.open("a", encoding="utf-8") as out:
        for task, rows in zip(left, pool.map(measure, left), strict=True):
            line = {"deck": task.deck, "first": task.first, "rows": [asdict(row) for row in rows]}
            out.write(json.dumps(line) + "\n")
            out.flush()


def _lines(log: Path) -> Iterator[dict[str, Any]]:
    if log.exists():
        yield from map(json.loads, log.read_text("utf-8").splitlines())


def load(log: Path) -> list[Row]:
    """All rows of a campaign, finished or not."""
    made = [fields for line in _lines(log) for fields in line["rows"]]
    return [Row(**{**fields, "kind": Kind(fields["kind"])}) for fields in made]
