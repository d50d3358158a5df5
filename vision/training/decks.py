"""The decks a scene draws from: rendered faces kept on disk, invented styles laid over them."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.training import art, glyphs
from vision.training.art import FACE_WIDTH, RANKS, Image
from vision.training.corners import index_boxes

BACK, JOKER, FOREIGN = 52, 53, -2
Rng = np.random.Generator


@dataclass(frozen=True)
class Deck:
    """One design; `faces` uint8 (54, 480, 336, 3), `boxes` (52, 4) in face pixels, two or four indices a card."""

    name: str
    use: str
    faces: Image
    boxes: NDArray[np.float32]
    indices: int = 2
    # Ranks that it prints as letters or numbers of another alphabet.
    foreign: str = ""

    def usable(self, card: int) -> bool:
        """False for a face the package's art left blank."""
        return float(self.faces[card].std()) > 8.0


@dataclass(frozen=True)
class Face:
    """One card to lay: its picture, the identity to learn (FOREIGN = reject), its index boxes on the upper half."""

    picture: Image
    card: int
    boxes: list[NDArray[np.float32]]


def render(folder: Path) -> None:
    """Render every deck of the catalogue once into `folder`/faces."""
    target = folder / "faces"
    target.mkdir(parents=True, exist_ok=True)
    for entry in art.catalogue()["deck"]:
        if not (path := target / f"{entry['name']}.npy").exists():
            np.save(path, art.faces(entry, folder / "art"))


def load(folder: Path, use: str) -> list[Deck]:
    entries = [entry for entry in art.catalogue()["deck"] if entry["use"] == use]
    return [_deck(entry, folder) for entry in entries]


def _deck(entry: dict[str, object], folder: Path) -> Deck:
    faces = np.load(folder / "faces" / f"{entry['name']}.npy", mmap_mode="r")
    indices = entry.get("indices", 2)
    assert isinstance(indices, int)
    foreign = str(entry.get("foreign", ""))
    return Deck(str(entry["name"]), str(entry["use"]), faces, index_boxes(faces), indices, foreign)


@dataclass(frozen=True)
class Cupboard:
    """All designs of one purpose, with the fonts for invented ones (none for held-out decks)."""

    decks: list[Deck]
    foreign: list[Deck]
    rank_fonts: list[str]
    suit_fonts: list[str]

    def hand(self, rng: Rng) -> "DeckInPlay":
        """One deck as a table would have it: as printed, or with an invented style."""
        if self.foreign and rng.random() < 0.06:
            return DeckInPlay(self.foreign[rng.integers(len(self.foreign))], None)
        deck = self.decks[rng.integers(len(self.decks))]
        if self.rank_fonts and rng.random() < 0.6:
            return DeckInPlay(deck, glyphs.invent(rng, self.rank_fonts, self.suit_fonts))
        return DeckInPlay(deck, None)


@dataclass(frozen=True)
class DeckInPlay:
    """A deck lying on the table."""

    deck: Deck
    style: glyphs.Style | None

    def face(self, rng: Rng, card: int) -> Face:
        if not self.deck.usable(card):
            return self.face(rng, (card + 1) % 52)
        picture = self.deck.faces[card]
        if self.style is not None:
            letters = str(rng.choice(glyphs.FOREIGN)) if rng.random() < 0.06 else None
            # A printed index that stays beside the invented ones would be taken for none.
            style = replace(self.style, four=self.style.four or self.deck.indices == 4)
            painted = glyphs.paint(picture, card, style, letters)
            if painted is not None:
                boxes = _both(painted[1]) if style.four else [painted[1]]
                return Face(painted[0], FOREIGN if letters else card, boxes)
        boxes = _both(self.deck.boxes[card]) if self.deck.indices == 4 else [self.deck.boxes[card]]
        return Face(picture, FOREIGN if RANKS[card // 4] in self.deck.foreign else card, boxes)

    def back(self) -> Face:
        return Face(self.deck.faces[BACK], BACK, [])

    def joker(self) -> Face:
        return Face(self.deck.faces[JOKER], JOKER, [])


def _both(box: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    return [box, np.array([FACE_WIDTH - box[2], box[1], FACE_WIDTH - box[0], box[3]], np.float32)]
