"""Fields of a form read as what the table understands; anything else is refused by name, never guessed."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

from table_controller.core.cards import Card
from table_controller.core.places import Place

LONGEST: Final = 200
MOST: Final = 10_000_000
CHIP: Final = re.compile(r"chip_(\d{1,9})")


class Unusable(ValueError):
    """A field that cannot be read; its name is the message."""


class NotProved(Exception):
    """A PIN was missing or wrong, nobody stood by, or a guest may not play; the message is the code of its text."""


class Form:
    """The fields of one request."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields

    def text(self, name: str) -> str:
        """A short text, "" if it was left empty."""
        value = self.fields.get(name, "").strip()
        if len(value) > LONGEST or not value.isprintable():
            raise Unusable(name)
        return value

    def maybe(self, name: str) -> str | None:
        """A short text, None if it was left empty."""
        return self.text(name) or None

    def whole(self, name: str) -> int:
        """A whole number that is not negative."""
        value = self.text(name)
        if not (value.isascii() and value.isdecimal()) or int(value) > MOST:
            raise Unusable(name)
        return int(value)

    def money(self, name: str) -> int:
        """An amount as people type it ("12,50", "1 200"), in minor units."""
        value = re.sub(r"\s", "", self.text(name)).replace(",", ".")
        try:
            minor = Decimal(value) * 100
        except InvalidOperation:
            raise Unusable(name) from None
        if not value.isascii() or not minor.is_finite() or minor != int(minor) or not 0 <= minor <= MOST * 100:
            raise Unusable(name)
        return int(minor)


def reading(**fields: Callable[[Form, str], object]) -> Callable[[Form], Mapping[str, object]]:
    """Reads these fields, each by its own reader."""
    return lambda form: {name: read(form, name) for name, read in fields.items()}


def flag(form: Form, name: str) -> bool:
    """Ticked or not."""
    return form.text(name) in ("1", "on", "true", "yes")


def typed_card(form: Form) -> str | None:
    """A card as one field or as rank and suit; None for none."""
    return optional(form.text("card") or form.text("rank") + form.text("suit"))


def optional(text: str) -> str | None:
    """A card as written on the table, None for none."""
    try:
        return Card.parse(text).text if text else None
    except ValueError:
        raise Unusable("card") from None


def place(form: Form) -> Place:
    """A place such as "box3.1" or "dealer"."""
    try:
        return Place.parse(form.text("place"))
    except ValueError:
        raise Unusable("place") from None


def chips(form: Form) -> dict[int, int]:
    """A count by denomination: the field chip_500 holds how many chips of 500 minor units there are."""
    named = {int(found[1]): name for name in form.fields if (found := CHIP.fullmatch(name))}
    counted = {chip: form.whole(name) for chip, name in named.items() if form.text(name)}
    return {chip: number for chip, number in sorted(counted.items()) if number}


def insides(form: Form) -> dict[str, int]:
    """A count of the 52 cards: the field card_KS holds how many kings of spades there are."""
    names = [name for name in form.fields if name.startswith("card_")]
    return {optional(name.removeprefix("card_")) or "": form.whole(name) for name in names if form.text(name)}


def numbers(form: Form, name: str) -> tuple[int, ...]:
    """Whole numbers with commas between them."""
    parts = [part for part in form.text(name).split(",") if part.strip()]
    return tuple(Form({name: part}).whole(name) for part in parts)
