"""Which rows one player may see: his own box, the dealer, and what concerns everybody; never another box or a total."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from table_controller.core.events import BetsClosed, RoundSettled
from table_controller.core.places import Place

TOTALS: Final = (BetsClosed, RoundSettled)  # sums over all boxes; with his own results a player could subtract


def boxes_of(said: object) -> set[int]:
    """The boxes a stimulus or fact is about; the dealer's place is none."""
    return {box for box in _boxes(said) if box}


def visible(said: object, box: int | None) -> bool:
    """Whether the player of a box may see this; box None sees everything."""
    if box is None:
        return True
    return boxes_of(said) <= {box} and not isinstance(said, TOTALS)


def _boxes(said: object) -> Iterator[int]:
    if isinstance(said, Place):
        yield said.box
    elif isinstance(said, msgspec.Struct):
        for name in said.__struct_fields__:
            value = getattr(said, name)
            if name == "box" and isinstance(value, int):
                yield value
            elif name in ("boxes", "carried", "net", "back") and isinstance(value, tuple | Mapping):
                yield from value
            else:
                yield from _boxes(value)
    elif isinstance(said, tuple):
        for one in said:
            yield from _boxes(one)
