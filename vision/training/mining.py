"""Crops of fresh tables, every card of another deck: as cut, and as the detector hands them over with its mistakes."""

from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np

from vision.detector import Kind, Mark, OnnxDetector
from vision.geometry import Image, Quad, rectify, sides
from vision.training import scene, tiles

LEAST_SCORE = 0.08
SCALES = (0.8, 1.0, 1.35)
NEAR, ALIKE = 0.3, 0.8


@lru_cache(maxsize=1)
def detector_of(path: Path) -> OnnxDetector:
    cv2.setNumThreads(1)
    return OnnxDetector(path, least=LEAST_SCORE, threads=1)


def mine(order: tiles.Order, weights: Path) -> None:
    """Render the order's tables, let the detector loose on them, keep the crops."""
    tiles.shard_by_shard(order, "mined", partial(_shard, order, weights))


def _shard(order: tiles.Order, weights: Path, number: int) -> None:
    path = order.folder / "crops" / order.name / f"{number:05d}.npz"
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    plan = scene.Plan(order.size, order.heights, tiles.photographs(order.folder), mixed=True)
    crops: list[tuple[Image, int]] = []
    for _, rng in tiles.chances(order, number):
        picture = scene.compose(rng, plan, tiles.cupboard(order.folder, order.use))
        crops += tiles.cut(rng, picture)
        marks = detector_of(weights).find(picture.image, float(rng.choice(SCALES)))
        crops += [(rectify(picture.image, quad), label) for quad, label in harvested(picture, marks)]
    pictures = np.stack([crop for crop, _ in crops])
    np.savez(path, crops=pictures, cards=np.array([card for _, card in crops], np.int16))


def harvested(picture: scene.Scene, marks: list[Mark]) -> Iterator[tuple[Quad, int]]:
    """Every index the detector claims, with what the truth says about it; arguable ones are left out."""
    for mark in marks:
        if mark.kind is not Kind.INDEX:
            continue
        label = _label(mark.quad, picture.indices)
        if label is not None:
            yield mark.quad, label


def _label(quad: Quad, indices: list[scene.Index]) -> int | None:
    """The card of the index the quad lies on, read the right way round; REJECT for anything else; None if arguable."""
    over = [index for index in indices if _distance(quad, index.quad) < NEAR and index.visible > 0.1]
    if not over:
        far = all(_distance(quad, index.quad) > 2 * NEAR for index in indices)
        return tiles.REJECT if far else None
    index = max(over, key=lambda index: index.visible)
    if _likeness(quad, index.quad) < ALIKE:
        return tiles.REJECT
    ratio = sides(quad)[1] / max(sides(index.quad)[1], 1e-6)
    return tiles.crop_label(index) if 0.75 < ratio < 1.35 else None


def _distance(quad: Quad, truth: Quad) -> float:
    """Between centres, in index heights."""
    return float(np.hypot(*(quad.mean(axis=0) - truth.mean(axis=0)))) / max(sides(truth)[1], 1e-6)


def _likeness(quad: Quad, truth: Quad) -> float:
    """Cosine between the two reading directions."""
    one, other = (each[3] + each[2] - each[0] - each[1] for each in (quad, truth))
    return float(one @ other / (np.hypot(*one) * np.hypot(*other) + 1e-9))
