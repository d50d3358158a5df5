"""The money that crossed the table outside the rounds: every slip, the tray by them, fills and credits asked for.

A fill or credit is a document with a life of its own: asked for at the table, sent by the cage, received by two people,
or void; a void one keeps its number. Its steps are notes of the floor, the money moves with the slip that follows.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from table_controller.core.events import Event, MoneyMoved, TableClosed, TableOpened
from table_controller.core.money import worth
from table_controller.core.stimuli import Moved

STEP: Final = "floor.document"
TRAY: Final[Mapping[Moved, int]] = {Moved.FILL: 1, Moved.CREDIT: -1, Moved.BUY_IN: -1}
"""What a slip does to the chips in the tray; a drop is cash, a colour-up is chips for chips, a tip was a player's."""


class Stage(StrEnum):
    """Where a document stands."""

    ASKED = "asked"
    SENT = "sent"
    RECEIVING = "receiving"
    DONE = "done"
    VOID = "void"


NEXT: Final[Mapping[Stage, tuple[Stage, ...]]] = {
    Stage.ASKED: (Stage.SENT, Stage.VOID),
    Stage.SENT: (Stage.RECEIVING, Stage.VOID),
    Stage.RECEIVING: (Stage.RECEIVING, Stage.VOID),
    Stage.DONE: (),
    Stage.VOID: (),
}
"""No step may be left out; the last one, DONE, is made by the slip itself."""


class Step(Struct, frozen=True):
    """Body of a note: who took a document where; a new one names no number, its place in the record is its number."""

    stage: Stage
    by: str
    what: Moved = Moved.FILL
    chips: dict[int, int] = {}
    number: int = 0
    why: str = ""


class Document(Struct, frozen=True):
    """A fill or credit: its number without gaps, what it is for, and who did what to it when."""

    number: int
    what: Moved
    chips: dict[int, int]
    stage: Stage
    steps: tuple[tuple[Stage, str, int], ...]
    slip: int = 0
    why: str = ""

    @property
    def amount(self) -> int:
        """In minor units."""
        return worth(self.chips)


class Slip(Struct, frozen=True):
    """A numbered slip as it was written."""

    what: Moved
    number: int
    amount: int
    chips: dict[int, int]
    by: str
    second: str
    at_ns: int


class Slips(Struct, frozen=True):
    """All slips and documents of a day, and the chips of the tray by opening count and slips."""

    slips: tuple[Slip, ...] = ()
    documents: tuple[Document, ...] = ()
    opening: Mapping[int, int] = {}
    tray: Mapping[int, int] = {}
    closed_with: Mapping[int, int] | None = None


initial: Final = Slips()


def apply(view: Slips, event: Event, at_ns: int) -> Slips:
    """The view after one more fact."""
    match event:
        case TableOpened():
            return replace(view, opening=event.chips, tray=event.chips, closed_with=None)
        case TableClosed():
            return replace(view, closed_with=event.chips, tray={}, opening={})
        case MoneyMoved():
            return _moved(view, event, at_ns)
        case _:
            return view


def noted(view: Slips, body: bytes, at_ns: int) -> Slips:
    """The view after a step of a document; one that cannot be taken changes nothing."""
    try:
        step = msgspec.json.decode(body, type=Step)
    except msgspec.MsgspecError:
        return view
    taken = (step.stage, step.by, at_ns)
    if step.stage is Stage.ASKED:
        new = Document(len(view.documents) + 1, step.what, step.chips, Stage.ASKED, (taken,))
        return replace(view, documents=(*view.documents, new))
    document = document_of(view, step.number)
    if document is None or step.stage not in NEXT[document.stage]:
        return view
    return _with(
        view, replace(document, stage=step.stage, steps=(*document.steps, taken), why=step.why or document.why)
    )


def document_of(view: Slips, number: int) -> Document | None:
    """The document of that number."""
    return view.documents[number - 1] if 1 <= number <= len(view.documents) else None


def _with(view: Slips, document: Document) -> Slips:
    kept = list(view.documents)
    kept[document.number - 1] = document
    return replace(view, documents=tuple(kept))


def _moved(view: Slips, event: MoneyMoved, at_ns: int) -> Slips:
    second = event.second.name if event.second is not None else ""
    slip = Slip(event.what, event.number, event.amount, event.chips, event.by.name, second, at_ns)
    sign = TRAY.get(event.what, 0)
    chips = set(view.tray) | set(event.chips)
    tray = {chip: view.tray.get(chip, 0) + sign * event.chips.get(chip, 0) for chip in chips} if sign else view.tray
    view = replace(view, slips=(*view.slips, slip), tray=tray)
    waiting = next(
        (
            one
            for one in view.documents
            if (one.stage, one.what, one.chips) == (Stage.RECEIVING, event.what, event.chips)
        ),
        None,
    )
    if waiting is None:
        return view
    taken = (Stage.DONE, event.by.name, at_ns)
    return _with(view, replace(waiting, stage=Stage.DONE, slip=event.number, steps=(*waiting.steps, taken)))
