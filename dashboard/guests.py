"""The register of guests and who is excluded. Names are encrypted; the table's record knows a guest by number only."""

import hashlib
import hmac
import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from msgspec import Struct

from dashboard.people import People, whole
from table_controller.journal.policy import Retention

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS guests (
  number INTEGER PRIMARY KEY AUTOINCREMENT, told BLOB NOT NULL, mark TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL, excluded_until INTEGER NOT NULL DEFAULT 0
) STRICT
"""
FOR_EVER: Final = 1 << 40


class Told(Struct, frozen=True):
    """What is known of a guest; all of it encrypted on disk."""

    name: str
    document: str = ""
    why: str = ""


class Guest(Struct, frozen=True):
    """A guest of the house."""

    number: int
    told: Told
    at: int
    seen_at: int
    excluded_until: int

    @property
    def label(self) -> str:
        """How the table's record calls the guest."""
        return f"G{self.number}"


class Guests:
    """The register, in the file of people but under a key of its own."""

    def __init__(self, people: People, key: Path) -> None:
        self._people = people
        self._key = key

    def prepare(self) -> None:
        """Makes table and key where there are none."""
        self._people.do((SCHEMA, ()))
        if not self._key.exists():
            self._key.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(self._key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(Fernet.generate_key())

    def register(self, told: Told, now: int) -> Guest:
        """A guest, found again if the document (or without one the name) is known already."""
        sealed, mark = self._box().encrypt(msgspec.json.encode(told)), self._mark(told)
        self._people.do(
            ("INSERT OR IGNORE INTO guests (told, mark, at, seen_at) VALUES (?, ?, ?, ?)", (sealed, mark, now, now)),
            ("UPDATE guests SET seen_at = ? WHERE mark = ?", (now, mark)),
        )
        return next(one for one in self.everybody() if self._mark(one.told) == mark)

    def everybody(self) -> list[Guest]:
        """All guests, newest first; one whose key is lost is left out."""
        box, found = self._box(), []
        rows = self._people.rows("SELECT number, told, at, seen_at, excluded_until FROM guests ORDER BY number DESC")
        for number, told, at, seen_at, until in rows:
            assert isinstance(told, bytes)
            try:
                plain = msgspec.json.decode(box.decrypt(told), type=Told)
            except (InvalidToken, msgspec.MsgspecError):
                continue
            found.append(Guest(whole(number), plain, whole(at), whole(seen_at), whole(until)))
        return found

    def guest(self, number: int) -> Guest | None:
        """The guest of a number."""
        return next((one for one in self.everybody() if one.number == number), None)

    def may_play(self, label: str, now: int) -> bool:
        """Whether the guest of a label is registered and not excluded; raises ValueError if it is no label."""
        if not (label[:1] == "G" and label[1:].isascii() and label[1:].isdecimal() and len(label) < 12):
            raise ValueError(label)
        guest = self.guest(int(label[1:]))
        return guest is not None and guest.excluded_until <= now

    def exclude(self, number: int, until: int, why: str) -> None:
        """Seats are refused until then; 0 lifts it."""
        guest = self.guest(number)
        if guest is None:
            return
        told = Told(guest.told.name, guest.told.document, why)
        sealed = self._box().encrypt(msgspec.json.encode(told))
        self._people.do(("UPDATE guests SET excluded_until = ?, told = ? WHERE number = ?", (until, sealed, number)))

    def forget(self, now: int, policy: Retention = Retention()) -> int:  # noqa: B008 - a frozen value
        """Lets go of guests whose time is over (Poland, art. 15b: three years from year's end), excluded ones not."""
        today = datetime.fromtimestamp(now, UTC).date()
        gone = [
            one.number
            for one in self.everybody()
            if one.excluded_until <= now and policy.keeps_until(_day(one.seen_at)) < today
        ]
        self._people.do(*(("DELETE FROM guests WHERE number = ?", (number,)) for number in gone))
        return len(gone)

    def _box(self) -> Fernet:
        return Fernet(self._key.read_bytes())

    def _mark(self, told: Told) -> str:
        """Says whether two are the same guest, and nothing else to whoever has no key."""
        words = " ".join((told.document or told.name).split()).casefold()
        return hmac.new(self._key.read_bytes(), words.encode(), hashlib.sha256).hexdigest()


def _day(at: int) -> date:
    return datetime.fromtimestamp(at, UTC).date()
