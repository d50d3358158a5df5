"""The book of deck checks: which deck was proved complete with which model. No deck is dealt without a fitting pass."""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

NO_PROFILE = ""


class BookDamaged(ValueError):
    """A line of the book is no deck check; the message names file and line."""


@dataclass(frozen=True)
class Eyes:
    """What looks at the cards: the model's id, and the id of the house's deck profile (NO_PROFILE without one)."""

    model: str
    profile: str = NO_PROFILE


@dataclass(frozen=True)
class DeckPass:
    """One check: the deck's id as the house calls it, how many packs, when (UTC, ISO 8601), by which eyes, result.

    And who checked, and the pictures, each as its sha256 and name; older books do not say.
    """

    deck: str
    decks: int
    at: str
    model: str
    profile: str
    passed: bool
    by: str = ""
    pictures: tuple[str, ...] = ()


def profile_id(path: Path | None) -> str:
    """The id of a deck profile: the beginning of its sha256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path is not None else NO_PROFILE


def keep(book: Path, check: DeckPass) -> None:
    """Append one check, passed or not, and return only when it is on the disk."""
    with book.open("ab") as lines:
        lines.write(json.dumps(asdict(check)).encode() + b"\n")
        lines.flush()
        os.fsync(lines.fileno())


def ready(book: Path, deck: str, decks: int, eyes: Eyes) -> bool:
    """May these packs be dealt with these eyes? Only if their last check passed, and by the very same eyes.

    Raises BookDamaged when the book cannot be trusted.
    """
    same = [check for check in checks(book) if (check.deck, check.decks) == (deck, decks)]
    return bool(same) and same[-1].passed and Eyes(same[-1].model, same[-1].profile) == eyes


def checks(book: Path) -> Iterator[DeckPass]:
    """Every check, the oldest first; none when there is no book yet."""
    lines = book.read_bytes().splitlines() if book.exists() else []
    for number, line in enumerate(lines, 1):
        yield _check(line, f"{book}, line {number}")


def _check(line: bytes, where: str) -> DeckPass:
    try:
        told = dict(json.loads(line))
        known = {field.name: told[field.name] for field in fields(DeckPass) if field.name in told}
        check = DeckPass(**known | {"pictures": tuple(map(str, told.get("pictures", ())))})
    except (ValueError, KeyError, TypeError) as error:
        raise BookDamaged(f"{where}: not a deck check; move the book away and check the decks again") from error
    kinds = [
        isinstance(getattr(check, field.name), field.type) for field in fields(DeckPass) if isinstance(field.type, type)
    ]
    if not all(kinds):
        raise BookDamaged(f"{where}: not a deck check; move the book away and check the decks again")
    return check
