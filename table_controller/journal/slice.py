"""Part of a day that proves where it belongs: some rows in full, of every other row only the digest.

Lines of JSON. The first says what the chain begins on; then one line a row, from the day's first to its last: either
the row's columns, or the digest of a row that is not shown. Whoever reads it can make every hash of the chain again.
"""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct

from table_controller.journal.chain import DAY_CLOSED, SEAL, DayOpened, Head, check_seal
from table_controller.journal.errors import JournalDamaged
from table_controller.journal.record import UNREADABLE, Record, content_digest, link
from table_controller.journal.verify import opening

DIGEST_BYTES: Final = 32


class Start(Struct, frozen=True):
    """First line: the head of the day before, in hex."""

    before: str


class Shown(Struct, frozen=True, array_like=True):
    """A row in full; its body as text, its salt in base64."""

    seq: int
    at_ns: int
    mono_ns: int
    kind: str
    version: int
    round: int | None
    source: str
    source_seq: int | None
    boot_id: str | None
    body: str
    salt: bytes
    hash: bytes


class Slice(Struct, frozen=True):
    """A checked slice: whose day, the rows shown, the last hash of the chain, whether the day is closed there."""

    opened: DayOpened
    key: Ed25519PublicKey
    shown: tuple[Record, ...]
    head: Head
    sealed: int
    closed: bool


def write_slice(records: Iterable[Record], shown: Callable[[Record], bool]) -> bytes:
    """The lines of a day. Its first row and every seal are always shown: without them nothing is proved."""
    lines: list[bytes] = []
    for record in records:
        if record.seq == 1:
            lines.append(msgspec.json.encode(Start(record.prev.hex())))
        if record.seq == 1 or record.kind in (SEAL, DAY_CLOSED) or shown(record):
            lines.append(msgspec.json.encode(_shown(record)))
        else:
            lines.append(msgspec.json.encode(content_digest(record)))
    return b"\n".join(lines) + b"\n"


def read_slice(content: bytes) -> Slice:
    """Makes the chain again; raises JournalDamaged naming the first record that is not what was written."""
    first, *lines = content.split(b"\n")
    head = Head(0, _before(first))
    shown: list[Record] = []
    for line in lines[:-1]:
        row = _row(line, head)
        if isinstance(row, Record):
            shown.append(row)
            _check(row, shown)
            head = Head(head.seq + 1, row.hash)
        else:
            head = Head(head.seq + 1, link(head.hash, row))
    if not shown:
        raise JournalDamaged("there is no record in the slice")
    opened, key = opening(shown[0])
    seals = [row.seq for row in shown if row.kind == SEAL]
    closed = any(row.kind == DAY_CLOSED for row in shown)
    return Slice(opened, key, tuple(shown), head, seals[-1] if seals else 0, closed)


def _check(row: Record, shown: list[Record]) -> None:
    if row.hash != link(row.prev, content_digest(row)):
        # What is not shown cannot be checked by itself, so damage there is named after the last good row before it.
        first_bad = shown[-2].seq + 1 if len(shown) > 1 else row.seq
        raise JournalDamaged(f"record {first_bad} is not what was written", first_bad)
    if row.kind == SEAL:
        check_seal(row, opening(shown[0])[1])


def _before(line: bytes) -> bytes:
    try:
        return bytes.fromhex(msgspec.json.decode(line, type=Start).before)
    except UNREADABLE:
        raise JournalDamaged("the slice does not say what its chain begins on") from None


def _row(line: bytes, head: Head) -> Record | bytes:
    """A line as `write_slice` writes it, to the byte: base64 has other spellings for the same bytes."""
    seq = head.seq + 1
    try:
        if line.startswith(b'"'):
            digest = msgspec.json.decode(line, type=bytes)
            if len(digest) == DIGEST_BYTES and msgspec.json.encode(digest) == line:
                return digest
        else:
            row = msgspec.json.decode(line, type=Shown)
            if row.seq == seq and msgspec.json.encode(row) == line:
                return _record(row, head)
    except UNREADABLE:
        pass
    raise JournalDamaged(f"record {seq} is not what was written", seq)


def _shown(record: Record) -> Shown:
    fields = {name: getattr(record, name) for name in Shown.__struct_fields__ if name != "body"}
    try:
        return Shown(**fields, body=record.body.decode())
    except UnicodeDecodeError:
        raise JournalDamaged(f"record {record.seq} is no text", record.seq) from None


def _record(row: Shown, head: Head) -> Record:
    fields = {name: getattr(row, name) for name in Shown.__struct_fields__ if name != "body"}
    return Record(**fields, body=row.body.encode(), prev=head.hash)
