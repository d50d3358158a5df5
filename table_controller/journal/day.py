"""Opens and closes the record of one gaming day of one table."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.journal.certificate import (
    ClosedDay,
    attach_certificate,
    certificate_of,
    pages_digest,
    read_certificate,
    sync_folder,
)
from table_controller.journal.chain import DAY_CLOSED, DAY_OPENED, GENESIS, SEAL, DayOpened, Head
from table_controller.journal.errors import AppendConflict, JournalDamaged
from table_controller.journal.keys import public_hex
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.record import Draft
from table_controller.journal.sqlite_store import SqliteStore, open_store
from table_controller.journal.verify import NOT_CERTIFIED, verify_file
from table_controller.journal.writer import Clock, Writer

CLOSED_MODE: Final = 0o440


class Day:
    """A gaming day being written. Made by `open_day`, ended by `close`."""

    def __init__(self, path: Path, store: SqliteStore, key: Ed25519PrivateKey, writer: Writer) -> None:
        self.path = path
        self.writer = writer
        self._store = store
        self._key = key

    @property
    def over(self) -> bool:
        """Whether the last row closed the day; then only `close` is left to do, to finish what a crash cut off."""
        return _is_closed(self._store)

    def close(self, last: Sequence[Draft] = ()) -> ClosedDay:
        """Writes the last rows, seals, empties the write-ahead log, certifies the file; can be repeated."""
        if not self.over:
            closing = Draft(kind=DAY_CLOSED, body=b"{}", source="journal")
            self.writer.write([*last, closing], seal=True)
        self._store.fold_up()
        head = self.writer.head
        self._store.close()
        return _certify(self.path, head, self._key)

    def leave(self) -> None:
        """Lets go of the file without closing the day."""
        self._store.close()


def open_day(path: Path, key: Ed25519PrivateKey, clock: Clock, first: Sequence[Draft] = ()) -> Day:
    """Opens a day's record, checking all that is there already; `first` are the rows a new day begins with.

    Raises JournalDamaged, writing nothing, if the file is not what was written; AppendConflict if a day before is open.
    """
    if not path.exists():
        _begin(path, key, clock, first)
    verdict = verify_file(path)
    if not verdict.ok and verdict.reason != NOT_CERTIFIED:  # else cut off between the last row and the certificate
        answer = "dealing is refused, the file is left as it is; put the backup in its place"
        raise JournalDamaged(f"{path.name}: {verdict.reason}; {answer}", verdict.first_bad)
    store = open_store(path)
    # After a failed sync the cache may show what the disk never took. Emptying the log writes and syncs it once more.
    store.fold_up()
    return Day(path, store, key, Writer(store, key, clock))


def _begin(path: Path, key: Ed25519PrivateKey, clock: Clock, first: Sequence[Draft]) -> None:
    """A day's file appears under its name whole or not at all."""
    before = _head_of_the_day_before(path, key)
    draft = path.with_suffix(".opening")
    for left_over in path.parent.glob(f"{draft.name}*"):
        left_over.unlink()
    store = open_store(draft)
    try:
        opening = DayOpened(*table_and_day(path), public_hex(key.public_key()))
        opened = Draft(kind=DAY_OPENED, body=msgspec.json.encode(opening), source="journal")
        Writer(store, key, clock, before).write([opened, *first])
        store.fold_up()
    finally:
        store.close()
    draft.replace(path)
    sync_folder(path.parent)


def _head_of_the_day_before(path: Path, key: Ed25519PrivateKey) -> bytes:
    table, _ = table_and_day(path)
    earlier = [other for other in journals(path.parent, table) if other.name < path.name]
    if not earlier:
        return GENESIS
    certificate = certificate_of(earlier[-1])
    if certificate is None:
        raise AppendConflict(f"{earlier[-1].name} is not closed; close it before opening {path.name}")
    return bytes.fromhex(read_certificate(certificate, key.public_key()).head)


def _is_closed(store: SqliteStore) -> bool:
    head = store.head()
    last = store.read(head.seq - 2) if head else []
    return [record.kind for record in last] == [DAY_CLOSED, SEAL]


def _certify(path: Path, head: Head, key: Ed25519PrivateKey) -> ClosedDay:
    closed = ClosedDay(*table_and_day(path), head.seq, head.hash.hex(), pages_digest(path))
    attach_certificate(path, closed, key)
    os.chmod(path, CLOSED_MODE)
    return closed
