"""Stage two: which rank and suit does a rectified index show, and is it an index at all?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import PACK, Card
from vision.geometry import Image
from vision.network import Network

Probabilities = NDArray[np.float32]
BATCH = 64
SUITS = 4


@dataclass(frozen=True)
class Opinion:
    """What looks at an index say: float32 (52,) in the order of PACK, summing to the chance that it is one."""

    chances: Probabilities

    @property
    def card(self) -> Card:
        return PACK[int(self.chances.argmax())]

    @property
    def confidence(self) -> float:
        """How sure the name is, times the root of the chance that it is an index at all.

        Wrong names come from indices that are surely indices, so a doubt whether it is one counts only half.
        """
        return float(self.chances.max() / np.sqrt(max(self.reality, 1e-9)))

    @property
    def suit_confidence(self) -> float:
        """How sure the suit alone is, whatever the rank, if this is an index."""
        by_suit = self.chances.reshape(-1, SUITS).sum(axis=0)
        return float(by_suit[int(self.chances.argmax()) % SUITS] / max(self.reality, 1e-9))

    @property
    def reality(self) -> float:
        """Chance that this is an index of the alphabet at all."""
        return float(self.chances.sum())


SILENT = Opinion(np.zeros(len(PACK), np.float32))


class Classifier(Protocol):
    """Anything that names crops (64, 48, 3), uint8 BGR."""

    def name(self, crops: Sequence[Image]) -> list[Opinion]: ...


@dataclass(frozen=True)
class Answers:
    """One network's raw answers for n crops: logits rank (n, 13), suit (n, 4), index (n, 1); embedding (n, 128)."""

    rank: Probabilities
    suit: Probabilities
    index: Probabilities
    embedding: Probabilities


Correction = Callable[[Answers], Answers]


class OnnxClassifier:
    """Several trained networks whose opinions are averaged: where they disagree the confidence falls.

    `corrections`, one a network, come from a house's deck profile.
    """

    def __init__(self, paths: Sequence[Path], temperature: float, corrections: Sequence[Correction] = ()) -> None:
        self._networks = [Network(path) for path in paths]
        self._temperature = temperature
        self._corrections = corrections or [lambda answers: answers] * len(self._networks)

    def name(self, crops: Sequence[Image]) -> list[Opinion]:
        batches = [crops[start : start + BATCH] for start in range(0, len(crops), BATCH)]
        return [opinion for batch in batches for opinion in self._batch(batch)]

    def answers(self, crops: Sequence[Image]) -> list[Answers]:
        """The raw answers of every network, before any correction."""
        ready = np.asarray(np.stack(crops).transpose(0, 3, 1, 2) / 255, np.float32)
        return [Answers(*network(ready)) for network in self._networks]

    def _batch(self, crops: Sequence[Image]) -> list[Opinion]:
        pairs = zip(self._corrections, self.answers(crops), strict=True)
        corrected = [correct(answers) for correct, answers in pairs]
        chances = [chances_of(each.rank, each.suit, each.index, self._temperature) for each in corrected]
        return [Opinion(row) for row in np.mean(chances, axis=0)]


def chances_of(rank: Probabilities, suit: Probabilities, index: Probabilities, temperature: float) -> Probabilities:
    """Logits (n, 13), (n, 4), (n, 1) to joint probabilities (n, 52) that sum to the chance of being an index."""
    joint = _softmax(rank / temperature)[:, :, None] * _softmax(suit / temperature)[:, None, :]
    real = 1 / (1 + np.exp(-index / temperature))
    return np.asarray(joint.reshape(len(rank), 52) * real, np.float32)


def _softmax(logits: Probabilities) -> Probabilities:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def pooled(opinions: Sequence[Opinion]) -> Opinion:
    """Several looks at one index as one opinion: the mean name, so that one dissenter is heard.

    Whether it is an index at all is told by the better half of the looks: the others may have been cut badly.
    """
    chances = np.stack([opinion.chances for opinion in opinions])
    real = np.sort(chances.sum(axis=1))
    better = float(real[len(real) // 2 :].mean())
    return Opinion(np.asarray(chances.mean(axis=0) * (better / max(float(real.mean()), 1e-9)), np.float32))
