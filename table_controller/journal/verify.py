"""Checks a journal as a stranger would: from the file alone, and against what left the house on paper."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct

from table_controller.journal.certificate import ClosedDay, certificate_of, pages_digest, read_certificate
from table_controller.journal.chain import DAY_CLOSED, DAY_OPENED, SEAL, DayOpened, Head, checked
from table_controller.journal.errors import JournalDamaged, KeyUnusable
from table_controller.journal.evidence import EVIDENCE_KEPT, check_evidence
from table_controller.journal.keys import fingerprint, public_key
from table_controller.journal.naming import contradicts
from table_controller.journal.record import UNREADABLE, Record
from table_controller.journal.sqlite_store import SqliteReader, open_reader
from table_controller.journal.wal import lost_in_the_log

NOT_CERTIFIED: Final = "the day is closed but its certificate is missing"


class Verdict(Struct, frozen=True, kw_only=True):
    """What was found. `records` counts the good ones; `sealed` is the last row under a seal; hashes are hex."""

    ok: bool
    records: int
    first_bad: int | None = None
    reason: str | None = None
    path: str
    table: str | None = None
    day: str | None = None
    before: str | None = None
    head: str | None = None
    fingerprint: str | None = None
    sealed: int = 0
    closed: bool = False


class _Course:
    """What has been seen while walking down a journal."""

    def __init__(self) -> None:
        self.opened: DayOpened | None = None
        self.key: Ed25519PublicKey | None = None
        self.before = ""
        self.head = Head(0, b"")
        self.sealed = 0
        self.closed = False
        self.kinds = ("", "")


def verify_file(path: Path) -> Verdict:
    """Reads every row and says whether the journal is what was written. Never writes; never raises for a bad one."""
    course = _Course()
    try:
        _walk(path, course)
        _check_name(path, course)
        reason, first_bad = None, None
        if course.closed or certificate_of(path) is not None:
            _check_certificate(path, course)
    except (JournalDamaged, KeyUnusable) as error:
        reason, first_bad = str(error), getattr(error, "seq", None)
    return _verdict(path, course, reason, first_bad)


def refuse_damaged(verdict: Verdict) -> None:
    """Raises JournalDamaged unless the verdict is good."""
    if not verdict.ok:
        raise JournalDamaged(f"{Path(verdict.path).name}: {verdict.reason}", verdict.first_bad)


def journal_records(reader: SqliteReader) -> Iterator[Record]:
    """Every row in order; raises JournalDamaged, with the number of the row, where the file cannot be read."""
    last, damage = 0, None
    while damage is None:
        try:
            page = reader.read(last)
        except JournalDamaged:
            page, damage = reader.read_until_damage(last)
        if not page:
            break
        yield from page
        last = page[-1].seq
    if damage:
        raise JournalDamaged(damage.reason, last + 1)


def _walk(path: Path, course: _Course) -> None:
    damage = lost_in_the_log(path)
    reader = open_reader(path)
    try:
        records = journal_records(reader)
        first = next(records, None)
        if first is None:
            raise JournalDamaged("there is no record in the file")
        course.opened, course.key = opening(first)
        course.before = first.prev.hex()
        for record in checked(_chained(first, records), Head(0, first.prev), course.key):
            _note(record, course)
            if record.kind == EVIDENCE_KEPT:
                check_evidence(path, record)
    finally:
        reader.close()
    if damage:
        raise JournalDamaged(f"{damage}; records from {course.head.seq + 1} on are lost", course.head.seq + 1)


def _chained(first: Record, rest: Iterator[Record]) -> Iterator[Record]:
    yield first
    yield from rest


def opening(record: Record) -> tuple[DayOpened, Ed25519PublicKey]:
    """What a day's first row says, and the key it names; raises JournalDamaged."""
    try:
        if (record.seq, record.kind) != (1, DAY_OPENED):
            raise JournalDamaged("record 1 does not open a day", 1)
        opened = msgspec.json.decode(record.body, type=DayOpened)
        return opened, public_key(opened.key)
    except (*UNREADABLE, KeyUnusable):
        raise JournalDamaged("record 1 is not what was written", 1) from None


def _note(record: Record, course: _Course) -> None:
    if course.closed and record.kind != SEAL:
        raise JournalDamaged(f"record {record.seq} was added after the day was closed", record.seq)
    course.closed = course.closed or record.kind == DAY_CLOSED
    course.head = Head(record.seq, record.hash)
    course.kinds = (course.kinds[1], record.kind)
    if record.kind == SEAL:
        course.sealed = record.seq


def _check_name(path: Path, course: _Course) -> None:
    assert course.opened is not None
    wrong = contradicts(path, course.opened.table, course.opened.day)
    if wrong:
        raise JournalDamaged(wrong)


def _check_certificate(path: Path, course: _Course) -> None:
    assert course.key is not None
    assert course.opened is not None
    text = certificate_of(path)
    if text is None and course.kinds != (DAY_CLOSED, SEAL):
        raise JournalDamaged("the day is closed, but its last records are not the closing and its seal")
    if text is None:
        raise JournalDamaged(NOT_CERTIFIED)
    closed = read_certificate(text, course.key)
    found = ClosedDay(
        course.opened.table, course.opened.day, course.head.seq, course.head.hash.hex(), pages_digest(path)
    )
    if found == closed:
        return
    if found.records < closed.records:
        raise JournalDamaged(f"records from {found.records + 1} on are missing", found.records + 1)
    if (found.records, found.head) == (closed.records, closed.head):
        raise JournalDamaged("the file was changed outside its records")
    raise JournalDamaged("the certificate is of another day or another course of this day")


def _verdict(path: Path, course: _Course, reason: str | None, first_bad: int | None) -> Verdict:
    return Verdict(
        ok=reason is None,
        records=course.head.seq,
        first_bad=first_bad,
        reason=reason,
        path=str(path),
        table=course.opened.table if course.opened else None,
        day=course.opened.day if course.opened else None,
        before=course.before or None,
        head=course.head.hash.hex() or None,
        fingerprint=fingerprint(course.key) if course.key else None,
        sealed=course.sealed,
        closed=course.closed,
    )
