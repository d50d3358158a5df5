"""The house's signing key: made once, readable by its owner alone, known to strangers by its fingerprint."""

import hashlib
import os
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from table_controller.journal.errors import KeyUnusable
from table_controller.journal.naming import journals

KEY_BYTES = 32
OTHERS = 0o077


def make_key(path: Path) -> Ed25519PrivateKey:
    """Makes a key file only its owner can read; raises KeyUnusable if the file exists, for a key is never replaced."""
    key = Ed25519PrivateKey.generate()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise KeyUnusable(f"{path}: a key is there already; move it away by hand if it must be replaced") from None
    with os.fdopen(handle, "wb") as file:
        file.write(key.private_bytes_raw().hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return key


def key_path(data: Path) -> Path:
    """Where the house's key lies beside its record."""
    return data / "keys" / "house.key"


def house_key(data: Path) -> Ed25519PrivateKey:
    """The house's key beside its record, made where nothing is recorded yet; raises KeyUnusable.

    A record that has begun is never sealed on with a new key: whoever compares fingerprints would take it for forged.
    """
    path = key_path(data)
    if path.exists():
        return load_key(path)
    if journals(data):
        raise KeyUnusable(f"{path}: the key that sealed the record is not here; put it back from the house's safe")
    return make_key(path)


def load_key(path: Path) -> Ed25519PrivateKey:
    """Reads the key; raises KeyUnusable if it is missing, malformed or readable by anyone but its owner."""
    try:
        mode = path.stat().st_mode
        text = path.read_text("ascii").strip()
    except FileNotFoundError:
        raise KeyUnusable(f"{path}: no key here; make one with: krupier key new {path}") from None
    except (OSError, ValueError) as error:
        raise KeyUnusable(f"{path}: cannot be read as a key: {error}") from None
    if mode & OTHERS:
        raise KeyUnusable(f"{path}: others may read the key; run: chmod 600 {path}")
    return Ed25519PrivateKey.from_private_bytes(_exactly_32(text, path))


def public_hex(key: Ed25519PublicKey) -> str:
    """The 32 bytes of a public key in hex."""
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw).hex()


def public_key(text: str) -> Ed25519PublicKey:
    """The inverse of `public_hex`; raises KeyUnusable."""
    return Ed25519PublicKey.from_public_bytes(_exactly_32(text, None))


def fingerprint(key: Ed25519PublicKey) -> str:
    """SHA-256 of the public key in hex: short enough to print, enough to know the house by."""
    return hashlib.sha256(bytes.fromhex(public_hex(key))).hexdigest()


def _exactly_32(text: str, path: Path | None) -> bytes:
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise KeyUnusable(f"{path or 'public key'}: not a key of {KEY_BYTES} bytes in hex")
    return raw
