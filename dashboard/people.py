"""Accounts of people and what was done to them, in a file of the window; sessions.py keeps its tables there too."""

import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from dashboard.passwords import hashed, matches
from table_controller.core.people import Person, Role

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS people (
  name TEXT PRIMARY KEY, role TEXT NOT NULL, password TEXT NOT NULL, pin TEXT NOT NULL DEFAULT '',
  language TEXT NOT NULL DEFAULT '', theme TEXT NOT NULL DEFAULT 'dark', active INTEGER NOT NULL DEFAULT 1,
  seen_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS failures (
  name TEXT NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, locked_until INTEGER NOT NULL,
  PRIMARY KEY (name, kind)
) STRICT;
CREATE TABLE IF NOT EXISTS sessions (
  token TEXT PRIMARY KEY, name TEXT NOT NULL, made_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
  locked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS tablets (
  token TEXT PRIMARY KEY, label TEXT NOT NULL, by TEXT NOT NULL, made_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS deeds (
  number INTEGER PRIMARY KEY, at INTEGER NOT NULL, by TEXT NOT NULL, what TEXT NOT NULL, whom TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""
PERSON: Final = (
    "people.name, role, language, theme, active, people.seen_at, pin != '', "
    "(SELECT COALESCE(MAX(locked_until), 0) FROM failures WHERE failures.name = people.name)"
)


class Account(Struct, frozen=True):
    """A person as the window knows it; passwords and PINs stay in the file."""

    name: str
    role: Role
    language: str = ""
    theme: str = "dark"
    active: bool = True
    seen_at: int = 0
    has_pin: bool = False
    locked_until: int = 0

    @property
    def person(self) -> Person:
        """The person as the table knows it."""
        return Person(self.name, self.role)


class Session(Struct, frozen=True):
    """An open session: whose, since when, last used when, and whether it waits for a PIN."""

    account: Account
    made_at: int
    seen_at: int
    locked: bool


class Tablet(Struct, frozen=True):
    """A tablet on which people sign in by name and PIN."""

    label: str
    by: str
    made_at: int
    token: str


class Deed(Struct, frozen=True):
    """Something that was done to an account, by whom and when."""

    at: int
    by: str
    what: str
    whom: str


class Taken(ValueError):
    """There is such an account already."""


class People:
    """The file of people. Every question is a short transaction of its own; opened for each, so threads never share.

    `tell_locked` hears whose password or PIN was locked after failures.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._own = threading.local()
        self.tell_locked: Callable[[str, str], None] = _nobody_listens

    def prepare(self) -> None:
        """Makes the file where there is none."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as file:
            file.executescript(SCHEMA)
        self._path.chmod(0o600)

    def anybody(self) -> bool:
        """Whether there is any account yet."""
        return bool(self._rows("SELECT 1 FROM people LIMIT 1"))

    def account(self, name: str) -> Account | None:
        """The account of a name."""
        return next(map(account_of, self._rows(f"SELECT {PERSON} FROM people WHERE name = ?", name)), None)

    def accounts(self) -> list[Account]:
        """Everybody, by name."""
        return [account_of(row) for row in self._rows(f"SELECT {PERSON} FROM people ORDER BY name")]

    def add(self, name: str, role: Role, password: str, by: str, at: int) -> None:
        """A new account; raises Taken."""
        try:
            with self._open() as file:
                file.execute(
                    "INSERT INTO people (name, role, password) VALUES (?, ?, ?)", (name, role, hashed(password))
                )
                _deed(file, at, by, "added", name)
        except sqlite3.IntegrityError:
            raise Taken(name) from None

    def add_first(self, name: str, password: str, pin: str, at: int) -> bool:
        """The first administrator; False if somebody was quicker."""
        with self._open() as file:
            made = file.execute(
                "INSERT INTO people (name, role, password, pin) SELECT ?, ?, ?, ? "
                "WHERE NOT EXISTS (SELECT 1 FROM people)",
                (name, Role.ADMINISTRATOR, hashed(password), hashed(pin)),
            ).rowcount
            if made:
                _deed(file, at, name, "first", name)
        return bool(made)

    def change(self, name: str, column: str, value: str | int, by: str, at: int) -> None:
        """Changes one thing about an account; a new role, a password or being disabled ends all its sessions."""
        if column not in ("role", "password", "pin", "language", "theme", "active"):
            raise ValueError(column)
        stored = hashed(str(value)) if column in ("password", "pin") else value
        with self._open() as file:
            file.execute(f"UPDATE people SET {column} = ? WHERE name = ?", (stored, name))
            if column in ("role", "password", "active"):
                file.execute("DELETE FROM sessions WHERE name = ?", (name,))
            if column in ("password", "pin"):
                file.execute("DELETE FROM failures WHERE name = ? AND kind = ?", (name, column))
            if column not in ("language", "theme"):
                _deed(file, at, by, "enabled" if (column, value) == ("active", 1) else column, name)

    def unlock(self, name: str, by: str, at: int) -> None:
        """Forgets failures."""
        with self._open() as file:
            file.execute("DELETE FROM failures WHERE name = ?", (name,))
            _deed(file, at, by, "unlocked", name)

    def check(self, name: str, word: str, kind: str, now: int, lock: tuple[int, int]) -> Account | None:
        """The account, if `word` is its password or PIN; `lock` is failures allowed and seconds locked after them.

        Passwords and PINs are counted apart: a stranger at the sign-in page cannot lock a PIN in use at a table.
        """
        known = self._rows(f"SELECT {kind}, active FROM people WHERE name = ?", name)
        row = known[0] if known else ("", 0)
        barred = self._rows("SELECT 1 FROM failures WHERE name = ? AND kind = ? AND locked_until > ?", name, kind, now)
        right = matches(str(row[0]), word)  # takes the same time for a name nobody has
        if not row[1] or barred:
            return None
        if right:
            self.do(("DELETE FROM failures WHERE name = ? AND kind = ?", (name, kind)))
            return self.account(name)
        if self._failed(name, kind, now, lock) and known:
            self.tell_locked(name, kind)
        return None

    def _failed(self, name: str, kind: str, now: int, lock: tuple[int, int]) -> bool:
        """Counts a failure; whether it was one too many."""
        most, seconds = lock
        with self._open() as file:
            (number,) = file.execute(
                "INSERT INTO failures VALUES (?, ?, 1, 0) ON CONFLICT DO UPDATE SET number = number + 1 "
                "RETURNING number",
                (name, kind),
            ).fetchone()
            if number >= most:
                file.execute(
                    "UPDATE failures SET number = 0, locked_until = ? WHERE name = ? AND kind = ?",
                    (now + seconds, name, kind),
                )
                _deed(file, now, name, "locked", name)
        return bool(number >= most)

    def deeds(self, limit: int = 200) -> list[Deed]:
        """What was done to accounts, newest first."""
        return [
            Deed(whole(at), str(by), str(what), str(whom))
            for at, by, what, whom in self._rows(
                "SELECT at, by, what, whom FROM deeds ORDER BY number DESC LIMIT ?", limit
            )
        ]

    def secret(self, name: str) -> str:
        """A secret of this house, made once and kept in the file."""
        with self._open() as file:
            file.execute("INSERT OR IGNORE INTO secrets VALUES (?, ?)", (name, secrets.token_hex(32)))
            (value,) = file.execute("SELECT value FROM secrets WHERE name = ?", (name,)).fetchone()
        return str(value)

    def rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """For the other tables of this file, which sessions.py knows."""
        return self._rows(sql, *values)

    def do(self, *acts: tuple[str, Sequence[object]]) -> None:
        """For the other tables of this file: all acts or none."""
        with self._open() as file:
            for sql, values in acts:
                file.execute(sql, values)

    def _rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        with self._open() as file:
            return file.execute(sql, values).fetchall()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        file = getattr(self._own, "file", None)
        if file is None:
            file = self._own.file = sqlite3.connect(self._path, timeout=5)
            file.execute("PRAGMA journal_mode=WAL")
        with file:
            yield file


def account_of(row: tuple[object, ...]) -> Account:
    name, role, language, theme, active, seen_at, has_pin, locked_until = row
    who = (str(name), Role(str(role)), str(language), str(theme))
    return Account(*who, bool(active), whole(seen_at), bool(has_pin), whole(locked_until))


def _nobody_listens(_name: str, _word: str) -> None:
    """Before the tables are there."""


def whole(value: object) -> int:
    return int(str(value))


def _deed(file: sqlite3.Connection, at: int, by: str, what: str, whom: str) -> None:
    file.execute("INSERT INTO deeds (at, by, what, whom) VALUES (?, ?, ?, ?)", (at, by, what, whom))
