"""Frame to reading on this machine: what the eyes cost idle and while cards are dealt. Prints a Markdown table."""

import os
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision import weights
from vision.calibration import Points
from vision.gate import Gate
from vision.geometry import Image
from vision.picture import load
from vision.reader import Reader, shipped
from vision.slots import WORKING_HEIGHT

DATA = Path(__file__).parents[1] / "tests" / "vision" / "data"
BOXES, FRAMES_PER_SECOND, CARDS_PER_SECOND, LOOKS = 7, 15, 1.5, 4
REPEATS = 15


@dataclass(frozen=True)
class Source:
    """A camera arrangement: frame size, how many such frames, height of a card in pixels."""

    name: str
    width: int
    height: int
    cameras: int
    card_height: float


SOURCES = (
    Source("1080p", 1920, 1080, 1, 89.0),
    Source("2 x 1080p", 1920, 1080, 2, 150.0),
    Source("4K", 3840, 2160, 1, 178.0),
)


def table(source: Source) -> tuple[Image, dict[str, Points]]:
    """A felt with four cards in every box, and the outlines of the boxes."""
    frame = np.full((source.height, source.width, 3), (58, 98, 30), np.uint8)
    box = load(DATA / "box_of_four.jpg")
    side = round(box.shape[0] * source.card_height / 140)
    cards = cv2.resize(box, (side, side), interpolation=cv2.INTER_AREA)
    here = BOXES if source.cameras == 1 else BOXES // 2 + 1
    outlines = {}
    for number in range(here):
        x = round((number + 0.5) * source.width / here - side / 2)
        x, y = min(max(0, x), source.width - side), (source.height - side) // 2
        frame[y : y + side, x : x + side] = cards
        corners = [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
        outlines[f"box{number + 1}"] = np.array(corners, np.float64)
    return frame, outlines


def upright(frame: Image, outline: Points, card_height: float) -> Image:
    """A box as the pipeline cuts it out, a card WORKING_HEIGHT tall."""
    (x, y), side = outline[0].astype(int), round(float(outline[1][0] - outline[0][0]) * WORKING_HEIGHT / card_height)
    cut = frame[y : int(outline[2][1]), x : int(outline[1][0])]
    return np.asarray(cv2.resize(cut, (side, side)), np.uint8)


def milliseconds(action: Callable[[], object], repeats: int = REPEATS) -> tuple[float, float]:
    """Median and 95th percentile."""
    action()
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        taken.append((time.perf_counter() - started) * 1000)
    return statistics.median(taken), sorted(taken)[int(repeats * 0.95)]


def by_region(eyes: Reader, source: Source) -> tuple[str, float]:
    """Cells of one row, and the milliseconds from a frame to the reading of the box that changed."""
    frame, outlines = table(source)
    gate, box = Gate(outlines), list(outlines.values())[len(outlines) // 2]
    idle, _ = milliseconds(lambda: gate.moving(frame))
    reading, slow = milliseconds(lambda: eyes.read(upright(frame, box, source.card_height), [1.0]))
    watching = idle * FRAMES_PER_SECOND * source.cameras / 1000
    dealing = watching + reading * LOOKS * CARDS_PER_SECOND / 1000
    cells = f"{idle + reading:.0f} / {idle + slow:.0f} | {watching:.0%} | {dealing:.0%}"
    return cells, idle + reading


def whole(eyes: Reader, source: Source) -> float:
    """The same networks on whole frames, milliseconds."""
    frame, _ = table(source)
    return milliseconds(lambda: eyes.read(frame, [WORKING_HEIGHT / source.card_height]), repeats=2)[0]


def main() -> None:
    started = time.perf_counter()
    eyes = shipped(weights.find())
    ready = time.perf_counter() - started
    rows = [by_region(eyes, source) for source in SOURCES]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        "| source | frame to reading p50 / p95, ms | time busy, idle | time busy, dealing | whole frames cost times |"
    )
    print("|---|---|---|---|---|")
    for source, (cells, took) in zip(SOURCES, rows, strict=True):
        print(f"| {source.name} | {cells} | {whole(eyes, source) / took:.1f} |")
    print(f"\nStart-up {ready:.2f} s, memory {memory:.0f} MB, two threads on {os.cpu_count()} cores.")


if __name__ == "__main__":
    main()
