"""What a closed day leaves beside its file: a signed digest of every byte of it."""

import hashlib
import os
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from table_controller.journal.errors import JournalDamaged, JournalUnwritable

CLOSED_PURPOSE = b"krupier closed day 1\n"


class ClosedDay(Struct, frozen=True):
    """A day's file once and for all: number of rows, head hash, SHA-256 of the file (all in hex)."""

    table: str
    day: str
    records: int
    head: str
    sha256: str


class Certificate(Struct, frozen=True):
    """The day, and the house's Ed25519 signature over its JSON, in hex."""

    closed: ClosedDay
    signature: str


def certificate_path(journal: Path) -> Path:
    """Where the certificate of a journal lies."""
    return journal.with_suffix(".closed.json")


def file_digest(path: Path) -> str:
    """SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def certify(closed: ClosedDay, key: Ed25519PrivateKey) -> bytes:
    """The one possible text of the certificate."""
    signature = key.sign(CLOSED_PURPOSE + msgspec.json.encode(closed)).hex()
    return canonical(Certificate(closed, signature))


def read_certificate(text: bytes, key: Ed25519PublicKey) -> ClosedDay:
    """The day it certifies; raises JournalDamaged if a byte of it is not as signed."""
    try:
        found = msgspec.json.decode(text, type=Certificate)
        key.verify(bytes.fromhex(found.signature), CLOSED_PURPOSE + msgspec.json.encode(found.closed))
    except (InvalidSignature, msgspec.MsgspecError, ValueError):
        raise JournalDamaged("the certificate of the closed day was not made with the key of this journal") from None
    plain = bytes.fromhex(found.signature).hex()  # the same signature could be written in capitals
    if canonical(Certificate(found.closed, plain)) != text:
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
