"""What a person knows of a round, read from a search form: a time of the gaming day, a box, an amount, an alert."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Final

from table_controller.core.irregular import Irregularity
from table_controller.views.exceptions import ExceptionKind
from table_controller.views.rounds_index import Wanted

SECOND_NS: Final = 1_000_000_000
LONGEST: Final = 60
MOST: Final = 10_000_000_00


class Misread(ValueError):
    """A field that cannot be read; its name is the message."""


def wanted(fields: Mapping[str, str], day: str, zone: tzinfo, begins: int = 6) -> Wanted:
    """What is asked for; empty fields ask nothing. Times before `begins` o'clock are of the next calendar day.

    Raises Misread naming the field.
    """
    mark = _text(fields, "mark")
    return Wanted(
        since_ns=_moment(fields, "since", day, zone, begins),
        until_ns=_moment(fields, "until", day, zone, begins),
        box=_whole(fields, "box"),
        least=_money(fields, "least"),
        most=_money(fields, "most"),
        question=Irregularity(mark) if mark in QUESTIONS else None,
        exception=_exception(mark),
        dealer=_text(fields, "dealer") or None,
        player=_text(fields, "player") or None,
        number=_whole(fields, "number"),
    )


QUESTIONS: Final = frozenset(one.value for one in Irregularity)
EXCEPTIONS: Final = frozenset(one.value for one in ExceptionKind)


def _exception(mark: str) -> ExceptionKind | None:
    if mark and mark not in QUESTIONS | EXCEPTIONS:
        raise Misread("mark")
    return ExceptionKind(mark) if mark in EXCEPTIONS else None


def _text(fields: Mapping[str, str], name: str) -> str:
    value = fields.get(name, "").strip()
    if len(value) > LONGEST or not value.isprintable():
        raise Misread(name)
    return value


def _whole(fields: Mapping[str, str], name: str) -> int | None:
    value = _text(fields, name)
    if value and not (value.isascii() and value.isdecimal()):
        raise Misread(name)
    return int(value) if value else None


def _money(fields: Mapping[str, str], name: str) -> int | None:
    """An amount as people type it ("12,50", "1 200"), in minor units."""
    value = "".join(_text(fields, name).split()).replace(",", ".")
    if not value:
        return None
    try:
        minor = Decimal(value) * 100
    except InvalidOperation:
        raise Misread(name) from None
    if not value.isascii() or not minor.is_finite() or minor != int(minor) or not 0 <= minor <= MOST:
        raise Misread(name)
    return int(minor)


def _moment(fields: Mapping[str, str], name: str, day: str, zone: tzinfo, begins: int) -> int | None:
    """A time of day; an hour the clocks go through twice is taken whole. `until` means the end of its minute."""
    value = _text(fields, name)
    if not value:
        return None
    try:
        clock = time.fromisoformat(value)
    except ValueError:
        raise Misread(name) from None
    calendar = date.fromisoformat(day) + timedelta(days=1 if clock.hour < begins else 0)
    there = datetime.combine(calendar, clock, zone).replace(fold=1 if name == "until" else 0).astimezone(UTC)
    return int(there.timestamp()) * SECOND_NS + (60 * SECOND_NS - 1 if name == "until" and not clock.second else 0)
