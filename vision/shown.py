"""The decks as shown: pictures of faces, of the same cards turned over, and single cards shown again when asked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from table_controller.core.cards import Card
from vision import backs as looks_of
from vision import spread
from vision.backs import Look
from vision.geometry import Image, Quad
from vision.reader import Reading


@dataclass(frozen=True)
class Shown:
    """One card: which picture (from 0), row and place in the row (from 1), where, its name, and whether its back is
    another's; None for what could not be told."""

    picture: int
    row: int
    place: int
    quad: Quad
    card: Card | None
    foreign: bool | None = False

    @property
    def clear(self) -> bool:
        """Nothing about it need be asked again."""
        return self.card is not None and self.foreign is not None


@dataclass
class Decks:
    """Everything shown so far; `retake` are pictures of backs that do not fit their faces."""

    read: Callable[[Image], Reading]
    cards: list[Shown] = field(default_factory=list)
    retake: list[int] = field(default_factory=list)
    house: Look | None = None
    turned: bool = False

    @property
    def asked(self) -> list[int]:
        """The numbers of the cards that must be shown again, in the order of the pictures."""
        return [number for number, shown in enumerate(self.cards) if not shown.clear]

    def show(self, faces: Sequence[Image], backs: Sequence[Image]) -> None:
        """All faces, and their backs, as many pictures or none, in the same order."""
        looks: list[Look | None] = []
        for number, face in enumerate(faces):
            laid = spread.faces(self.read(face))
            found: list[Look | None] = [None] * len(laid)
            if backs:
                laid, found = self._turned(number, laid, backs[number])
            self.cards += numbered(number, laid)
            looks += found
        if backs:
            self.turned, self.house = True, looks_of.usual([one for one in looks if one is not None])
            self.cards = [
                replace(one, foreign=self._foreign(look)) for one, look in zip(self.cards, looks, strict=True)
            ]

    def _turned(
        self, number: int, laid: list[spread.Laid], picture: Image
    ) -> tuple[list[spread.Laid], list[Look | None]]:
        """A back where no face was seen is a card all the same; backs that do not fit say nothing about any card.

        A back whose outline was not seen is looked at where its face lay.
        """
        quads = spread.backs(self.read(picture))
        laid = spread.gathered(laid, quads)
        pairs = spread.paired(laid, quads)
        looks = [looks_of.look(picture, quad) for quad in quads]
        known = [
            _unseen(picture, one, quads) if back is None else looks[back]
            for one, back in zip(laid, pairs.backs, strict=True)
        ]
        # Bare cloth where a face lay, and a back where none did: the cards or the camera moved.
        if pairs.spare and None in known:
            self.retake.append(number)
            return laid, [None] * len(laid)
        every = [*laid, *(spread.Laid(quads[back], None) for back in pairs.spare)]
        known += [looks[back] for back in pairs.spare]
        order = spread.in_rows([one.quad for one in every])
        return [every[one] for one in order], [known[one] for one in order]

    def _foreign(self, look: Look | None) -> bool | None:
        return None if look is None or self.house is None else looks_of.foreign(look, self.house)

    def again(self, faces: Sequence[Image], backs: Sequence[Image] = ()) -> None:
        """Picture k shows, alone, the k-th card whose face (or back) is asked for; one that shows more changes nothing.

        Both are counted among what was asked before these pictures.
        """
        nameless = [number for number in self.asked if self.cards[number].card is None]
        backless = [number for number in self.asked if self.cards[number].foreign is None]
        for number, image in zip(nameless, faces, strict=False):
            laid = spread.faces(self.read(image))
            self.cards[number] = replace(self.cards[number], card=laid[0].card if len(laid) == 1 else None)
        for number, image in zip(backless, backs, strict=False):
            quads = spread.backs(self.read(image))
            told = self._foreign(looks_of.look(image, quads[0])) if len(quads) == 1 else None
            self.cards[number] = replace(self.cards[number], foreign=told)


def _unseen(picture: Image, face: spread.Laid, turned: Sequence[Quad]) -> Look | None:
    """The back of a face whose back's outline was not seen."""
    return looks_of.at_place(picture, face.quad) if spread.whole(face, turned) else None


def numbered(picture: int, laid: Sequence[spread.Laid]) -> Iterator[Shown]:
    """The cards of one picture with their rows and places."""
    for row, members in enumerate(spread.rows([one.quad for one in laid]) if laid else [], 1):
        for place, member in enumerate(members, 1):
            yield Shown(picture, row, place, laid[member].quad, laid[member].card)
