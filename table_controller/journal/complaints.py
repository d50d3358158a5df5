"""A player's complaint about a round: opened, carried from day to day while it is open, closed by a named person."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from table_controller.journal.record import Draft, Record, content_of
from table_controller.journal.sqlite_store import open_reader

COMPLAINT_OPENED: Final = "journal.complaint_opened"
COMPLAINT_CLOSED: Final = "journal.complaint_closed"
COMPLAINTS_CARRIED: Final = "journal.complaints_carried"
COMPLAINT_KINDS: Final = (COMPLAINT_OPENED, COMPLAINT_CLOSED, COMPLAINTS_CARRIED)


class Complaint(Struct, frozen=True):
    """Which round of which day, whose box, what is said, and who took it down."""

    number: int
    day: str
    round: int
    box: int
    reason: str
    by: str


class Closed(Struct, frozen=True):
    """Who decided what about it."""

    number: int
    by: str
    decision: str


class Complaints(Struct, frozen=True):
    """Those that are open, and the last number given."""

    standing: tuple[Complaint, ...] = ()
    last: int = 0


def complaint_opened(complaint: Complaint, today: str) -> Draft:
    """The row that takes it down; on the day of the round itself it carries the round's number."""
    of_today = complaint.round if complaint.day == today else None
    return Draft(kind=COMPLAINT_OPENED, body=msgspec.json.encode(complaint), round=of_today, source=complaint.by)


def complaint_closed(closed: Closed) -> Draft:
    """The row that ends it."""
    return Draft(kind=COMPLAINT_CLOSED, body=msgspec.json.encode(closed), source=closed.by)


def carry_complaints(complaints: Complaints) -> Draft:
    """The row a new day begins with."""
    return Draft(kind=COMPLAINTS_CARRIED, body=msgspec.json.encode(complaints), source="journal")


def complaints_after(records: Iterable[Record]) -> Complaints:
    """The complaints that are open after these rows of one day, in order."""
    found = Complaints()
    for record in records:
        if record.kind == COMPLAINTS_CARRIED:
            found = content_of(record, Complaints)
        elif record.kind == COMPLAINT_OPENED:
            opened = content_of(record, Complaint)
            found = Complaints((*found.standing, opened), opened.number)
        elif record.kind == COMPLAINT_CLOSED:
            closed = content_of(record, Closed)
            left = tuple(one for one in found.standing if one.number != closed.number)
            found = Complaints(left, found.last)
    return found


def complaints_of(path: Path) -> Complaints:
    """The complaints that stand in a day's record."""
    reader = open_reader(path)
    try:
        return complaints_after(reader.of_kinds(*COMPLAINT_KINDS))
    finally:
        reader.close()


def complaint_bundle(journal: Path, number_of_round: int, number: int) -> Path:
    """Where the bundle that froze a complaint's round lies, beside the journal of its day."""
    return journal.parent / "complaints" / f"{journal.stem}-round-{number_of_round}-complaint-{number}.zip"
