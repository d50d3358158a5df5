"""A house's deck profile: learnt from pictures that show the whole deck once, kept in one file, used on request."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from vision.cardsheet import SheetCard, assemble
from vision.classifier import Answers, Correction, OnnxClassifier
from vision.enrolment import Head, Samples, assign, learn
from vision.geometry import Image, grown, rectify
from vision.reader import Reader, search_scales

LOOKS = (0.92, 1.0, 1.06, 1.12)
PACK_SIZE = 52
LEAST_CHANCE = 1e-3


class ProfileRefused(ValueError):
    """No profile was made or loaded; the message says why and what to do."""


@dataclass(frozen=True)
class DeckProfile:
    """One correction for each classifier network; `fingerprint` names the networks."""

    fingerprint: str
    heads: tuple[Head, ...]

    def correction(self, number: int, answers: Answers) -> Answers:
        """The answers of network `number` as corrected for this deck."""
        taken = _samples(answers, np.zeros(len(answers.rank), np.int64))
        rank, suit = self.heads[number].correct(taken)
        return Answers(rank.astype(np.float32), suit.astype(np.float32), answers.index, answers.embedding)

    @property
    def corrections(self) -> list[Correction]:
        """What OnnxClassifier takes, one a network."""
        return [partial(self.correction, number) for number in range(len(self.heads))]

    def save(self, path: Path) -> None:
        parts = {f"rank{number}": head.rank for number, head in enumerate(self.heads)}
        parts |= {f"suit{number}": head.suit for number, head in enumerate(self.heads)}
        with path.open("wb") as target:
            np.savez(target, allow_pickle=False, fingerprint=np.array(self.fingerprint), **parts)

    @staticmethod
    def load(path: Path, fingerprint: str) -> "DeckProfile":
        """Raises ProfileRefused for a file that is none, or was learnt with other weights."""
        try:
            with np.load(path, allow_pickle=False) as kept:
                made_for = str(kept["fingerprint"])
                count = sum(name.startswith("rank") for name in kept.files)
                heads = tuple(Head(kept[f"rank{number}"], kept[f"suit{number}"]) for number in range(count))
        except (OSError, ValueError, KeyError, BadZipFile, EOFError) as error:
            raise ProfileRefused(f"{path}: not a deck profile; make one with krupier deckcheck --learn") from error
        if made_for != fingerprint:
            raise ProfileRefused(f"{path}: learnt with other weights; run krupier deckcheck --learn again")
        return DeckProfile(made_for, heads)


def load_replay(path: Path, networks: int) -> list[Samples]:
    """The answers on other decks that a profile must not spoil, one set a network."""
    with np.load(path, allow_pickle=False) as kept:
        cards = kept["cards"].astype(np.int64)
        parts = [
            [kept[f"{key}{n}"].astype(np.float64) for key in ("embedding", "rank", "suit")] for n in range(networks)
        ]
    return [Samples(embedding, rank, suit, cards) for embedding, rank, suit in parts]


def enrol(
    reader: Reader, classifier: OnnxClassifier, images: Sequence[Image], replay: Sequence[Samples]
) -> tuple[Head, ...]:
    """Learn the deck shown in `images`, every card once; raises ProfileRefused when that is not so or does not help."""
    shown = [(image, card) for image in images for card in _sheet(reader, image)]
    if len(shown) != PACK_SIZE:
        raise ProfileRefused(f"{len(shown)} cards seen, 52 wanted; show every card once, nothing covered")
    chances = np.stack([np.mean([index.opinion.chances for index in card.indices], axis=0) for _, card in shown])
    names = assign(np.asarray(chances, np.float64) + LEAST_CHANCE)
    crops = [
        [rectify(image, grown(index.quad, look)) for index in card.indices for look in LOOKS] for image, card in shown
    ]
    cards = np.repeat(names, [len(own) for own in crops])
    answers = classifier.answers([crop for own in crops for crop in own])
    heads = [learn(_samples(each, cards), other) for each, other in zip(answers, replay, strict=True)]
    if all(head is None for head in heads):
        raise ProfileRefused("a profile would not make this deck better read without harming others; none was written")
    return tuple(head or _nothing(each) for head, each in zip(heads, answers, strict=True))


def _sheet(reader: Reader, image: Image) -> list[SheetCard]:
    marks = [mark for scale in search_scales(image) for mark in reader.detector.find(image, scale)]
    return assemble([index for index in reader.indices(image, marks) if index.opinion.reality > 0.5])


def _samples(answers: Answers, cards: NDArray[np.int64]) -> Samples:
    embedding, rank, suit = (np.asarray(part, np.float64) for part in (answers.embedding, answers.rank, answers.suit))
    return Samples(embedding, rank, suit, cards)


def _nothing(answers: Answers) -> Head:
    size = answers.embedding.shape[1] + 1
    return Head(np.zeros((size, 13)), np.zeros((size, 4)))
