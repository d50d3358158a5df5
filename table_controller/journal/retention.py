"""Legal holds and purging: what is held stays, what goes is recorded first."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import msgspec
from msgspec import Struct

from table_controller.journal.certificate import certificate_of, file_digest, sync_folder
from table_controller.journal.day import Day
from table_controller.journal.errors import NotAllowed
from table_controller.journal.naming import is_day, journals, table_and_day
from table_controller.journal.policy import Retention
from table_controller.journal.record import Draft, Record, content_of
from table_controller.journal.sqlite_store import open_reader

HOLD_PLACED = "journal.hold_placed"
HOLD_LIFTED = "journal.hold_lifted"
HOLDS_CARRIED = "journal.holds_carried"
PURGED = "journal.purged"
HOLD_KINDS = (HOLD_PLACED, HOLD_LIFTED, HOLDS_CARRIED)


class Hold(Struct, frozen=True, order=True):
    """A day that must not be purged, whatever the policy says; `by` is the person who ordered it."""

    table: str
    day: str
    reason: str
    by: str


class Holds(Struct, frozen=True):
    """All holds that stand; carried into each day's first rows, so that no hold is forgotten when its own day goes."""

    standing: tuple[Hold, ...] = ()


class Purged(Struct, frozen=True):
    """A file that was removed: its name, SHA-256 and certificate's head, so that the chain can still be followed."""

    file: str
    sha256: str
    head: str


def place_hold(hold: Hold) -> Draft:
    """The row that orders a hold; raises NotAllowed unless it says which day, why, and by whose order."""
    if not is_day(hold.day):
        raise NotAllowed(f"{hold.day!r} is no day to hold; write it like 2026-11-29")
    if not hold.by.strip() or not hold.reason.strip():
        raise NotAllowed("a day is held by name and for a reason")
    return Draft(kind=HOLD_PLACED, body=msgspec.json.encode(hold), source=hold.by)


def lift_hold(hold: Hold, by: str) -> Draft:
    """The row that ends a hold; raises NotAllowed without a name."""
    if not by.strip():
        raise NotAllowed("a hold is lifted by name")
    return Draft(kind=HOLD_LIFTED, body=msgspec.json.encode(hold), source=by)


def carry_holds(holds: Holds) -> Draft:
    """The row a new day begins with."""
    return Draft(kind=HOLDS_CARRIED, body=msgspec.json.encode(holds), source="journal")


def holds_after(records: Iterable[Record]) -> Holds:
    """The holds that stand after these rows of one day, in order."""
    standing: set[Hold] = set()
    for record in records:
        if record.kind == HOLDS_CARRIED:
            standing = set(content_of(record, Holds).standing)
        elif record.kind == HOLD_PLACED:
            standing.add(content_of(record, Hold))
        elif record.kind == HOLD_LIFTED:
            standing.discard(content_of(record, Hold))
    return Holds(tuple(sorted(standing)))


def holds_of(path: Path) -> Holds:
    """The holds that stand at the end of a journal."""
    reader = open_reader(path)
    try:
        return holds_after(reader.of_kinds(*HOLD_KINDS))
    finally:
        reader.close()


def due(journal: Path, policy: Retention, today: date) -> list[Path]:
    """Closed days of the journal's own table past their time and under no hold that stands there, oldest first.

    Another table's holds stand in its own record, so another table's days are not this one's to judge.
    """
    held = {hold.day for hold in holds_of(journal).standing}
    days = [(path, table_and_day(path)[1]) for path in journals(journal.parent, table_and_day(journal)[0])]
    return [
        path
        for path, day in days
        if certificate_of(path) is not None and day not in held and policy.keeps_until(date.fromisoformat(day)) < today
    ]


def purge(day: Day, policy: Retention, today: date) -> list[str]:
    """Removes what is due beside an open day, recording each file first; returns the names that went."""
    gone = []
    for path in due(day.path, policy, today):
        day.writer.write([_purged(path)])
        path.unlink()
        sync_folder(path.parent)
        gone.append(path.name)
    return gone


def _purged(path: Path) -> Draft:
    reader = open_reader(path)
    try:
        head = reader.head()
    finally:
        reader.close()
    body = Purged(path.name, file_digest(path), head.hash.hex() if head else "")
    return Draft(kind=PURGED, body=msgspec.json.encode(body), source="journal")
