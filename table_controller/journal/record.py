"""One row of the record, and the two hashes that bind it to the rows before it."""

import hashlib
from typing import Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from table_controller.journal.errors import JournalDamaged

T = TypeVar("T")

SALT_BYTES = 16
BODY_LIMIT = 1 << 20  # a megabyte; a larger body is a fault of the sender, and must not fill the disk


class Moment(NamedTuple):
    """Both clocks of this machine in nanoseconds: UTC since the epoch, and monotonic since boot."""

    at_ns: int
    mono_ns: int


class Draft(Struct, frozen=True, kw_only=True):
    """What is to be recorded. `body` is JSON this room never reads; `source_seq`, `boot_id` are the source's own."""

    kind: str
    body: bytes
    version: int = 1
    round: int | None = None
    source: str
    source_seq: int | None = None
    boot_id: str | None = None


class Record(Struct, frozen=True, array_like=True):
    """A draft with its place in the chain; columns are those of the table `journal`."""

    seq: int
    at_ns: int
    mono_ns: int
    kind: str
    version: int
    round: int | None
    source: str
    source_seq: int | None
    boot_id: str | None
    body: bytes
    salt: bytes
    prev: bytes
    hash: bytes


UNREADABLE: Final = (msgspec.MsgspecError, ValueError, RecursionError)
"""What reading JSON from a stranger may raise: another shape, no JSON or no UTF-8, nested too deep."""

_header = msgspec.json.Encoder()


def content_digest(record: Record) -> bytes:
    """SHA-256 of the row without its place in the chain: a JSON array of its columns, a newline, the body.

    Bytes (the salt) are base64 in it. The salt makes the digest of a masked row say nothing about the row.
    """
    r = record
    columns = (r.seq, r.at_ns, r.mono_ns, r.kind, r.version, r.round, r.source, r.source_seq, r.boot_id, r.salt)
    return hashlib.sha256(_header.encode(columns) + b"\n" + r.body).digest()


def link(prev: bytes, digest: bytes) -> bytes:
    """The hash of a row: SHA-256 of the hash before it and the digest of its content."""
    return hashlib.sha256(prev + digest).digest()


def content_of(record: Record, shape: type[T]) -> T:
    """What the body of one of the journal's own rows says; raises JournalDamaged with the number of the row."""
    try:
        return msgspec.json.decode(record.body, type=shape)
    except UNREADABLE:
        raise JournalDamaged(f"record {record.seq} cannot be read as {record.kind}", record.seq) from None
