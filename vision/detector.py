"""Stage one: where in the picture are indices, whole cards and backs, and which way do they face?"""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image, Quad, overlap
from vision.network import THREADS, Network

STRIDE = 32
GREY = 114


class Kind(Enum):
    """What the detector knows."""

    INDEX = 0
    CARD = 1
    BACK = 2


@dataclass(frozen=True)
class Mark:
    """One find: its quad in pixels of the picture, reading order for indices; score 0-1."""

    kind: Kind
    quad: Quad
    score: float


class Detector(Protocol):
    """Anything that finds marks in a picture."""

    def find(self, image: Image, scale: float = 1.0) -> list[Mark]: ...


class OnnxDetector:
    """The trained pose network; one run over the whole picture scaled by `scale`."""

    def __init__(self, path: Path, least: float = 0.15, threads: int = THREADS) -> None:
        self._network, self._least = Network(path, threads), least

    def find(self, image: Image, scale: float = 1.0) -> list[Mark]:
        """Marks in pixels of `image`, best first, of two that cover one another only the better."""
        batch, ratio = _prepared(image, scale)
        marks = decode(self._network(batch)[0][0], self._least)
        return distinct([Mark(mark.kind, (mark.quad / ratio).astype(np.float32), mark.score) for mark in marks])


def _prepared(image: Image, scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    height, width = image.shape[:2]
    size = (max(STRIDE, round(width * scale)), max(STRIDE, round(height * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    scaled = cv2.resize(image, size, interpolation=way) if size != (width, height) else image
    right, below = -size[0] % STRIDE, -size[1] % STRIDE
    padded = cv2.copyMakeBorder(scaled, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(GREY, GREY, GREY))
    batch = np.ascontiguousarray(padded[None, ..., ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
    return np.asarray(batch, np.float32), np.array([size[0] / width, size[1] / height], np.float32)


def decode(answer: NDArray[np.float32], least: float) -> list[Mark]:
    """The network's raw columns (4 box + 3 classes + 4 keypoints x 3, n) as marks above `least`."""
    scores = answer[4:7]
    kinds, best = scores.argmax(axis=0), scores.max(axis=0)
    chosen = np.flatnonzero(best >= least)
    points = answer[7:19].reshape(4, 3, -1)[:, :2]
    return [Mark(Kind(int(kinds[n])), points[:, :, n].astype(np.float32), float(best[n])) for n in chosen]


def distinct(marks: list[Mark], most_overlap: float = 0.4) -> list[Mark]:
    """Best first; a mark that covers a better one of any kind is the same thing seen twice (class-agnostic)."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: -mark.score):
        if all(overlap(mark.quad, other.quad) < most_overlap for other in kept):
            kept.append(mark)
    return kept
