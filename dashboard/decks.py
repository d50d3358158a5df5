"""The deck check of the day, from the book that `krupier deckcheck --store TABLE DATA/decks.jsonl` keeps."""

from datetime import datetime, timedelta
from typing import Final

import msgspec
from msgspec import Struct

from dashboard.settings import Settings
from table_controller.core.stimuli import DecksChecked

BOOK: Final = "decks.jsonl"


class Kept(Struct, frozen=True):
    """A line of the book, as far as an opening needs it: `deck` is the table's name."""

    deck: str
    decks: int
    at: str
    passed: bool
    by: str = ""


def checked_today(settings: Settings, table: str, day: str) -> DecksChecked | None:
    """The table's newest check, if it passed, was done by somebody, and on this gaming day (YYYY-MM-DD) or since.

    None too where the book cannot be read: a damaged one proves nothing.
    """
    try:
        lines = (settings.data / BOOK).read_bytes().splitlines()
        own = [one for line in lines if (one := msgspec.json.decode(line, type=Kept)).deck == table]
        newest = own[-1] if own else None
        if newest is None or not newest.passed or not newest.by or _day(newest.at, settings) < day:
            return None
    except (OSError, ValueError):
        return None
    return DecksChecked(newest.by, newest.at, newest.decks)


def _day(at: str, settings: Settings) -> str:
    """The gaming day of a moment."""
    local = datetime.fromisoformat(at).astimezone(settings.zone_info)
    return (local - timedelta(hours=settings.day_begins)).date().isoformat()
