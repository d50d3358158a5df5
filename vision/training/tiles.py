"""The data set in resumable shards: tiles with labels for the detector, crops with labels for the classifier."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.leash import tie
from vision.geometry import Image, Quad, bounds, rectify, sides
from vision.training import decks, glyphs, scene
from vision.training.decks import BACK, FOREIGN, JOKER

Rng = np.random.Generator
REJECT = -1
SHARD = 200
INDEX_CLASS, CARD_CLASS, BACK_CLASS = 0, 1, 2
BACKGROUNDS = ("gnome-backgrounds", "mate-backgrounds", "plasma-workspace-wallpapers")


@dataclass(frozen=True)
class Order:
    """Which tiles to render: the set's name and use of decks, how many, how large, card heights in pixels."""

    folder: Path
    name: str
    use: str
    count: int
    seed: int
    size: int = 320
    heights: tuple[float, float] = (64.0, 240.0)


@lru_cache(maxsize=2)
def cupboard(folder: Path, use: str) -> decks.Cupboard:
    """Decks of one use; invented styles and foreign decks are for training only."""
    if use != "train":
        return decks.Cupboard(decks.load(folder, use), [], [], [])
    return decks.Cupboard(
        decks.load(folder, use), decks.load(folder, "foreign"), *glyphs.fonts(folder / "art" / "debian")
    )


@lru_cache(maxsize=2)
def photographs(folder: Path) -> list[Path]:
    found = [path for name in BACKGROUNDS for path in (folder / "art" / "debian" / name).rglob("*")]
    return sorted(path for path in found if path.suffix in {".jpg", ".png", ".webp"})


def pool_of(workers: int) -> ProcessPoolExecutor:
    """Fresh processes of one OpenCV thread each: forked ones inherit a thread pool that is dead, and hang."""
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(os.getpid(),))


def _begin(parent: int) -> None:
    """A worker does not outlive a campaign that was killed."""
    tie(parent)
    cv2.setNumThreads(1)


def shard_by_shard(order: Order, what: str, make: Callable[[int], None], workers: int = 2) -> None:
    """Have every shard of the order made, each by its number, and tell how far it is."""
    shards = range((order.count + SHARD - 1) // SHARD)
    with pool_of(workers) as pool:
        for done, _ in enumerate(pool.map(make, shards), 1):
            click.echo(f"{what} {order.name}: {min(done * SHARD, order.count)}/{order.count}", err=True)


def chances(order: Order, number: int) -> Iterator[tuple[int, Rng]]:
    """The tables of one shard, each by its number with the chance that lays it out."""
    for table in range(number * SHARD, min((number + 1) * SHARD, order.count)):
        yield table, np.random.default_rng([order.seed, table])


def render(order: Order) -> None:
    """Render what is missing of the order."""
    shard_by_shard(order, "tiles", partial(_shard, order))


def _shard(order: Order, number: int) -> None:
    crops_path = order.folder / "crops" / order.name / f"{number:05d}.npz"
    if crops_path.exists():
        return
    images, labels = (order.folder / "tiles" / kind / order.name for kind in ("images", "labels"))
    for path in (images, labels, crops_path.parent):
        path.mkdir(parents=True, exist_ok=True)
    crops: list[tuple[Image, int]] = []
    plan = scene.Plan(order.size, order.heights, photographs(order.folder))
    for tile, rng in chances(order, number):
        picture = scene.compose(rng, plan, cupboard(order.folder, order.use))
        cv2.imwrite(str(images / f"{tile:06d}.jpg"), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 96])
        (labels / f"{tile:06d}.txt").write_text("\n".join(label_lines(picture)))
        crops += cut(rng, picture)
    pictures = np.stack([crop for crop, _ in crops])
    np.savez(crops_path, crops=pictures, cards=np.array([card for _, card in crops], np.int16))


def label_lines(picture: scene.Scene) -> Iterator[str]:
    """Lines of the YOLO pose format: class, box, four keypoints with visibility, all relative to the tile."""
    size = picture.image.shape[0]
    for index in picture.indices:
        if index.visible >= 0.8:
            yield _line(INDEX_CLASS, index.quad, size)
    for card in picture.cards:
        if card.card == BACK and card.visible >= 0.6:
            yield _line(BACK_CLASS, _canonical(card.quad), size)
        elif card.card != BACK and card.visible >= 0.85:
            yield _line(CARD_CLASS, _canonical(card.quad), size)


def _canonical(quad: Quad) -> Quad:
    """A card looks the same half-turned: begin at whichever end is higher in the picture."""
    turned = np.roll(quad, 2, axis=0)
    return quad if quad[0, 1] + 0.3 * quad[0, 0] <= turned[0, 1] + 0.3 * turned[0, 0] else turned


def _line(kind: int, quad: Quad, size: int) -> str:
    x, y, width, height = bounds(np.clip(quad, 0, size - 1).astype(np.float32))
    numbers = [(x + width / 2) / size, (y + height / 2) / size, width / size, height / size]
    text = f"{kind} " + " ".join(f"{value:.5f}" for value in numbers)
    for px, py in quad / size:
        inside = 0 <= px <= 1 and 0 <= py <= 1
        text += f" {px:.5f} {py:.5f} 2" if inside else " 0 0 0"
    return text


def cut(rng: Rng, picture: scene.Scene) -> Iterator[tuple[Image, int]]:
    """Crops as the detector would hand them over, with the card 0-51, or REJECT."""
    for quad, label in places(rng, picture):
        yield rectify(picture.image, shaken(rng, quad, 0.06)), label


def places(rng: Rng, picture: scene.Scene) -> Iterator[tuple[Quad, int]]:
    """Where an index lies, and where none is to be read: turned the wrong way, beside one, anywhere."""
    for index in picture.indices:
        if (label := crop_label(index)) is not None:
            yield index.quad, label
            if label >= 0 and rng.random() < 0.12:
                yield misread(rng, index.quad), REJECT
    for _ in range(int(rng.integers(0, 2))):
        yield _anywhere(rng, picture.image.shape[0]), REJECT


def crop_label(index: scene.Index) -> int | None:
    """What the classifier should say; None where even a person could argue."""
    if index.card == FOREIGN:
        return REJECT if index.visible > 0.6 else None
    if index.card in (BACK, JOKER):
        return None
    if index.visible >= 0.93:
        return index.card
    return REJECT if 0.1 < index.visible < 0.72 else None


def shaken(rng: Rng, quad: Quad, amount: float) -> Quad:
    """The quad as an imperfect detector would find it: off its place, too wide or narrow, a few degrees askew."""
    width, height = sides(quad)
    middle = quad.mean(axis=0)
    across, along = (quad[1] + quad[2] - quad[0] - quad[3]) / 4, (quad[3] + quad[2] - quad[0] - quad[1]) / 4
    across = across * float(np.exp(rng.normal(0, 2.2 * amount)))
    along = along * float(rng.uniform(0.86, 1.15))
    moved = np.stack([-across - along, across - along, across + along, along - across]) @ _turned(rng, 60 * amount).T
    scale = np.array([max(width, height / 2), height], np.float32) * amount
    moved = middle + moved + rng.normal(0, 0.8, (1, 2)) * scale + rng.normal(0, 0.4, (4, 2)) * scale
    return np.asarray(moved, np.float32)


def _turned(rng: Rng, degrees: float) -> NDArray[np.float64]:
    """A rotation by a random small angle."""
    angle = np.radians(rng.normal(0, degrees))
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def misread(rng: Rng, quad: Quad) -> Quad:
    """A quad that must not be read: turned the wrong way, or beside the index."""
    if rng.random() < 0.5:
        return np.roll(quad, int(rng.integers(1, 4)), axis=0)
    along = (quad[3] - quad[0]) * rng.choice([-1, 1]) * rng.uniform(0.45, 0.9)
    across = (quad[1] - quad[0]) * rng.uniform(-0.5, 0.5)
    return np.asarray(quad + along + across, np.float32)


def _anywhere(rng: Rng, size: int) -> Quad:
    height, angle = rng.uniform(12, 60), rng.uniform(0, 2 * np.pi)
    half = np.array([[-0.25, -0.5], [0.25, -0.5], [0.25, 0.5], [-0.25, 0.5]]) * height
    turn: NDArray[np.float64] = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (half @ turn + rng.uniform(0, size, 2)).astype(np.float32)
