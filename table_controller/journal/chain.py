"""The hash chain over every row and the seals on it: building it, checking it."""

from collections.abc import Iterable, Iterator

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from table_controller.journal.errors import JournalDamaged
from table_controller.journal.record import UNREADABLE, Draft, Moment, Record, content_digest, link

GENESIS = bytes(32)
SEAL = "journal.seal"
DAY_OPENED = "journal.day_opened"
DAY_CLOSED = "journal.day_closed"
# A signature says what it is for, so that one made for a seal can never pass for one on a closed file.
SEAL_PURPOSE = b"krupier seal 1\n"


class Head(Struct, frozen=True):
    """The last row of a journal: its number and its hash. An empty journal's head is its predecessor's hash under 0."""

    seq: int
    hash: bytes


class Seal(Struct, frozen=True):
    """Body of a seal: an Ed25519 signature, in hex, over the hash of the row before it."""

    signature: str


class DayOpened(Struct, frozen=True):
    """Body of a day's first row. The row's `prev` is yesterday's head, or 32 zero bytes for a table's first day."""

    table: str
    day: str
    key: str


def extend(head: Head, draft: Draft, moment: Moment, salt: bytes) -> Record:
    """The draft as the row that follows `head`."""
    row = Record(
        seq=head.seq + 1,
        at_ns=moment.at_ns,
        mono_ns=moment.mono_ns,
        kind=draft.kind,
        version=draft.version,
        round=draft.round,
        source=draft.source,
        source_seq=draft.source_seq,
        boot_id=draft.boot_id,
        body=draft.body,
        salt=salt,
        prev=head.hash,
        hash=b"",
    )
    return msgspec.structs.replace(row, hash=link(head.hash, content_digest(row)))


def seal_of(head: Head, key: Ed25519PrivateKey) -> Draft:
    """A seal over everything up to `head`."""
    signature = key.sign(SEAL_PURPOSE + head.hash)
    return Draft(kind=SEAL, body=msgspec.json.encode(Seal(signature.hex())), source="journal")


def checked(records: Iterable[Record], head: Head, key: Ed25519PublicKey) -> Iterator[Record]:
    """Yields each row that rightly follows `head`; raises JournalDamaged with the number of the first that does not."""
    for record in records:
        seq = head.seq + 1
        if record.seq != seq:
            raise JournalDamaged(f"record {seq} is missing; the next one found is {record.seq}", seq)
        if record.prev != head.hash:
            raise JournalDamaged(f"record {seq} does not follow the record before it", seq)
        if record.hash != link(record.prev, content_digest(record)):
            raise JournalDamaged(f"record {seq} is not what was written", seq)
        if record.kind == SEAL:
            check_seal(record, key)
        head = Head(seq, record.hash)
        yield record


def check_seal(record: Record, key: Ed25519PublicKey) -> None:
    """Raises JournalDamaged if the seal was not made with this key over the row before it."""
    try:
        signature = bytes.fromhex(msgspec.json.decode(record.body, type=Seal).signature)
        key.verify(signature, SEAL_PURPOSE + record.prev)
    except (InvalidSignature, *UNREADABLE):
        raise JournalDamaged(f"seal {record.seq} was not made with the key of this journal", record.seq) from None
