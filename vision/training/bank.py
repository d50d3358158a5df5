"""Patches of tables without any fault of light or camera: every lesson photographs them anew, smaller or larger.

What the classifier doubts is small and blurred rather than of a strange design, and a crop that is kept shows one size,
one blur, one noise for ever.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image, Quad, rectify, sides
from vision.training import light, mining, scene, tiles

Rng = np.random.Generator
# Side of a patch and height of the index in it, pixels: the index, its rim and its neighbours at any turn.
SIDE, TALL = 96, 40.0
# Heights, in pixels, at which the patches are photographed.
SEEN = (13.0, 56.0)
SHAKEN = 0.04


@dataclass(frozen=True)
class Bank:
    """Patches uint8 (n, 96, 96, 3), quads float32 (n, 4, 2) in them, cards int16 (n,): 0-51 or -1 for a reject."""

    patches: NDArray[np.uint8]
    quads: NDArray[np.float32]
    cards: NDArray[np.int16]

    def photographed(self, picked: NDArray[np.int64], rng: Rng) -> NDArray[np.uint8]:
        """Crops uint8 (n, 64, 48, 3) of the picked patches, each in a light and through a camera of its own."""
        return np.stack([_photographed(self.patches[each], self.quads[each], rng) for each in picked])


def _photographed(patch: Image, quad: Quad, rng: Rng) -> Image:
    ratio = float(np.exp(rng.uniform(*np.log(SEEN)))) / max(sides(quad)[1], 1.0)
    side = max(16, round(SIDE * ratio))
    small = np.asarray(cv2.resize(patch, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    seen = light.sensed(rng, light.lit(rng, small))
    return rectify(seen, tiles.shaken(rng, quad * np.float32(side / SIDE), SHAKEN))


def load(folder: Path, name: str) -> Bank:
    """All shards of a set, in memory once."""
    shards = [np.load(path) for path in sorted((folder / "bank" / name).glob("*.npz"))]
    patches, quads, cards = (np.concatenate([shard[key] for shard in shards]) for key in ("patches", "quads", "cards"))
    return Bank(patches, quads, cards)


def fill(order: tiles.Order, weights: Path) -> None:
    """Lay out the order's tables and keep patches of where indices are and where the detector claims some."""
    tiles.shard_by_shard(order, "bank", partial(_shard, order, weights))


def _shard(order: tiles.Order, weights: Path, number: int) -> None:
    path = order.folder / "bank" / order.name / f"{number:05d}.npz"
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    plan = scene.Plan(order.size, order.heights, tiles.photographs(order.folder), mixed=True)
    kept: list[tuple[Image, Quad, int]] = []
    for _, rng in tiles.chances(order, number):
        bare = scene.laid_out(rng, plan, tiles.cupboard(order.folder, order.use))
        seen = light.sensed(rng, light.lit(rng, bare.image))
        claims = mining.harvested(bare, mining.detector_of(weights).find(seen, float(rng.choice(mining.SCALES))))
        for quad, label in [*tiles.places(rng, bare), *claims]:
            kept.append((*cut_out(bare.image, quad), label))
    patches, quads, cards = zip(*kept, strict=True)
    np.savez(path, patches=np.stack(patches), quads=np.stack(quads), cards=np.array(cards, np.int16))


def cut_out(image: Image, quad: Quad) -> tuple[Image, Quad]:
    """The surroundings of a quad, scaled so that it is TALL pixels high, and the quad in them."""
    ratio = TALL / max(sides(quad)[1], 1.0)
    shift = SIDE / 2 - quad.mean(axis=0) * ratio
    move = np.array([[ratio, 0, shift[0]], [0, ratio, shift[1]]], np.float32)
    patch = cv2.warpAffine(image, move, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8), np.asarray(quad * ratio + shift, np.float32)
