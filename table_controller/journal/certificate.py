"""What a closed day carries at the end of its file: a signed digest of every byte before it."""

import hashlib
import os
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from table_controller.journal.errors import JournalDamaged, JournalUnwritable
from table_controller.journal.record import UNREADABLE

CLOSED_PURPOSE = b"krupier closed day 1\n"
BEGINS, ENDS = b'\n{"closed":{', b"}\n"
LONGEST = 2048  # bytes of a certificate, names of tables included
HEADER_BYTES = 100  # of a SQLite file
MEGA_PAGE = 65536  # does not fit its two bytes and is written as 1


class ClosedDay(Struct, frozen=True):
    """A day once and for all: number of rows, head hash, SHA-256 of the SQLite file without its certificate, in hex."""

    table: str
    day: str
    records: int
    head: str
    sha256: str


class Certificate(Struct, frozen=True):
    """The day, and the house's Ed25519 signature over its JSON, in hex."""

    closed: ClosedDay
    signature: str


def certificate_of(journal: Path) -> bytes | None:
    """The text of a journal's certificate; None if the day is open, or its closing was cut off.

    SQLite reads as many pages as the file's header says and nothing behind them; there the certificate lies.
    """
    with journal.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - LONGEST))
        tail = file.read()
    at = tail.rfind(BEGINS)
    return tail[at:] if at >= 0 and tail.endswith(ENDS) else None


def attach_certificate(journal: Path, closed: ClosedDay, key: Ed25519PrivateKey) -> None:
    """Puts the certificate at the end, in the place of one that was cut off; on disk when it returns."""
    with journal.open("r+b") as file:
        file.truncate(pages_length(journal))
        file.seek(0, os.SEEK_END)
        file.write(certify(closed, key))
        file.flush()
        os.fsync(file.fileno())


def pages_length(journal: Path) -> int:
    """How many bytes SQLite reads: page size and number of pages as its header says."""
    with journal.open("rb") as file:
        header = file.read(HEADER_BYTES)
    page_size = int.from_bytes(header[16:18], "big")
    return (MEGA_PAGE if page_size == 1 else page_size) * int.from_bytes(header[28:32], "big")


def pages_digest(journal: Path) -> str:
    """SHA-256 in hex of all that lies before the certificate."""
    content = journal.read_bytes()
    return hashlib.sha256(content[: len(content) - len(certificate_of(journal) or b"")]).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def certify(closed: ClosedDay, key: Ed25519PrivateKey) -> bytes:
    """The one possible text of the certificate."""
    signature = key.sign(CLOSED_PURPOSE + msgspec.json.encode(closed)).hex()
    return b"\n" + canonical(Certificate(closed, signature))


def read_certificate(text: bytes, key: Ed25519PublicKey) -> ClosedDay:
    """The day it certifies; raises JournalDamaged if a byte of it is not as signed."""
    try:
        found = msgspec.json.decode(text, type=Certificate)
        key.verify(bytes.fromhex(found.signature), CLOSED_PURPOSE + msgspec.json.encode(found.closed))
    except (InvalidSignature, *UNREADABLE):
        raise JournalDamaged("the certificate of the closed day was not made with the key of this journal") from None
    plain = bytes.fromhex(found.signature).hex()  # the same signature could be written in capitals
    if b"\n" + canonical(Certificate(found.closed, plain)) != text:
        raise JournalDamaged("the certificate of the closed day is not as it was written")
    return found.closed


def canonical(value: Struct) -> bytes:
    """JSON with a newline, always the same for the same value: a reader that encodes again finds any changed byte."""
    return msgspec.json.encode(value) + b"\n"


def write_durably(path: Path, content: bytes) -> None:
    """The whole file or none of it, on disk when it returns; raises JournalUnwritable."""
    draft = path.with_name(path.name + ".new")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise JournalUnwritable(f"{path.name}: {os.strerror(error.errno or 0)}") from None


def sync_folder(folder: Path) -> None:
    """Makes a new or removed name in the folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
