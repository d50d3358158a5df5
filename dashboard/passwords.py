"""Passwords and PINs are kept as argon2id; the tokens of sessions and tablets, long and random, as SHA-256."""

import hashlib
import secrets
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST_PASSWORD: Final = 10
PIN_DIGITS: Final = range(4, 9)
HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # OWASP's least for argon2id


def hashed(word: str) -> str:
    """A password or PIN as it is kept."""
    return HASHER.hash(word)


def matches(kept: str, word: str) -> bool:
    """Whether it is the word that was kept. Nothing kept takes as long as something."""
    try:
        HASHER.verify(kept or _nobodys(), word)
    except (VerificationError, InvalidHashError):
        return False
    return bool(kept)


@cache
def _nobodys() -> str:
    return HASHER.hash(secrets.token_hex(16))


def new_token() -> str:
    """A token nobody can guess."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """A token as it is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


def weak_password(word: str, name: str) -> bool:
    """Too short, or the account's own name."""
    return len(word) < SHORTEST_PASSWORD or name.lower() in word.lower()


def weak_pin(word: str) -> bool:
    """Not four to eight digits, one digit repeated, or digits in a row."""
    digits = word.isascii() and word.isdecimal() and len(word) in PIN_DIGITS
    return not digits or len(set(word)) == 1 or word in "01234567890" or word in "09876543210"
