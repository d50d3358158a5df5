"""How messages travel: bytes over a Unix socket, both ends knowing the table's key, msgspec JSON inside."""

import fcntl
import hashlib
import os
import secrets
import stat
import tempfile
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import msgspec

from table_controller.core.cards import Card
from table_controller.port.words import Said, Told

LONGEST: Final = 1 << 18  # a whole house and its rules are a tenth of it; nobody may make the controller buffer more
KEY_BYTES: Final = 32
LONGEST_ADDRESS: Final = 100  # Unix sockets have room for 107 bytes of name


class Unreadable(ValueError):
    """Bytes that are no message of this door."""


class PlaceTaken(RuntimeError):
    """The installer: another program is doing this for this table already; the message says what."""


class DoorPlace(NamedTuple):
    """Where a table's door is, and the file with the key that opens it."""

    address: Path
    key: Path


def door_of(data: Path, table: str) -> DoorPlace:
    """The door of a table whose data lie in this folder."""
    run = data.absolute() / "run"
    address = run / f"{table}.sock"
    if len(os.fsencode(address)) > LONGEST_ADDRESS:
        short = hashlib.sha256(os.fsencode(address)).hexdigest()[:24]
        address = Path(tempfile.gettempdir()) / f"krupier-{os.getuid()}-{short}" / "door.sock"
    return DoorPlace(address, run / f"{table}.key")


def camera_name(table: str, number: int) -> str:
    """What the files of a table's camera are named after; those of the first bear the table's own name."""
    return table if number == 1 else f"{table}.{number}"


def device_of(name: str, number: int) -> str:
    """A device or process of one of the table's cameras, as its light is named."""
    return name if number == 1 else f"{name}{number}"


def orders_place(data: Path, table: str, number: int = 1) -> Path:
    """The socket at which the drawn table before this camera takes orders."""
    return door_of(data, table).address.with_name(f"{camera_name(table, number)}.orders")


def make_private(folder: Path) -> None:
    """A folder only its owner can enter; raises PermissionError if it is somebody else's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")
    folder.chmod(0o700)


def hold(path: Path, what: str) -> IO[bytes]:
    """The right to be the only one, until it is closed or this process has ended; raises PlaceTaken."""
    make_private(path.parent)
    lock = path.open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise PlaceTaken(f"{what} already; end that one first ({path})") from None
    return lock


def make_door_key(place: DoorPlace) -> bytes:
    """A new key for a door that is about to open; it appears whole, readable by its owner alone."""
    key = secrets.token_hex(KEY_BYTES).encode()
    make_private(place.key.parent)
    draft = place.key.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key)
    draft.replace(place.key)
    return key


def read_door_key(place: DoorPlace) -> bytes:
    """The key of the door, the file as it is; raises OSError if there is none to use."""
    return place.key.read_bytes()


def write(message: Said | Told) -> bytes:
    """A message as bytes."""
    return _ENCODER.encode(message)


def read_said(body: bytes) -> Said:
    """What a caller says; raises Unreadable."""
    try:
        said: Said = _SAID.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from None
    return said


def read_told(body: bytes) -> Told:
    """What the controller answers; raises Unreadable."""
    try:
        told: Told = _TOLD.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from None
    return told


def _written(value: object) -> str:
    if isinstance(value, Card):
        return value.text
    raise NotImplementedError(f"{type(value).__name__} has no written form")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_written)
_SAID: Final[Any] = msgspec.json.Decoder(Said)
_TOLD: Final[Any] = msgspec.json.Decoder(Told)
