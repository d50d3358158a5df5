"""The record on disk: one SQLite file, write-ahead log, every append synced. The only file with SQL on the edge."""

import contextlib
import fcntl
import functools
import os
import sqlite3
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import IO

import msgspec

from table_controller.journal.certificate import certificate_of
from table_controller.journal.chain import Head
from table_controller.journal.errors import JournalBusy, JournalDamaged, JournalError, JournalUnwritable
from table_controller.journal.record import Record
from table_controller.journal.store import refuse_strangers

COLUMNS = ", ".join(Record.__struct_fields__)
PLACES = ", ".join("?" * len(Record.__struct_fields__))
SQLITE_VERSION = sqlite3.sqlite_version
LAYOUT = 1  # PRAGMA user_version of the file
BUSY_SECONDS = 5.0
# Every so many appends the write-ahead log (about 3 pages of 4 KiB each) is copied back, so that it stays near 3 MB.
CHECKPOINT_EVERY = 256
LOG_LIMIT_BYTES = 4 << 20


class SqliteReader:
    """Reads a journal that somebody else may be writing; each read is a transaction of its own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def read(self, after: int, limit: int = 1000) -> list[Record]:
        with _translated():
            found = self._connection.execute(
                f"SELECT {COLUMNS} FROM journal WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit)
            )
            return [msgspec.convert(row, Record) for row in found]

    def read_until_damage(self, after: int, limit: int = 1000) -> tuple[list[Record], JournalDamaged | None]:
        """As `read`, but keeps the good rows in front of one that cannot be read."""
        rows: list[Record] = []
        try:
            for seq in range(after, after + limit):
                found = self.read(seq, 1)
                if not found:
                    break
                rows += found
        except JournalDamaged as damage:
            return rows, damage
        return rows, None

    def head(self) -> Head | None:
        with _translated():
            row = self._connection.execute("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
            return Head(*row) if row else None

    def of_kinds(self, *kinds: str) -> list[Record]:
        """Every row of these kinds, in order."""
        marks = ", ".join("?" * len(kinds))
        with _translated():
            rows = self._connection.execute(
                f"SELECT {COLUMNS} FROM journal WHERE kind IN ({marks}) ORDER BY seq", kinds
            ).fetchall()
            return [msgspec.convert(row, Record) for row in rows]

    def copy_to(self, path: Path) -> None:
        """A copy as of one instant, the write-ahead part included, without disturbing the writer."""
        with _translated(), contextlib.closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")

    def close(self) -> None:
        self._connection.close()


class SqliteStore(SqliteReader):
    """The one writer of a file, for the life of the process."""

    def __init__(self, connection: sqlite3.Connection, lock: IO[bytes]) -> None:
        super().__init__(connection)
        self._lock = lock
        self._appends = 0

    def append(self, records: Sequence[Record]) -> None:
        with _translated(), _transaction(self._connection):
            refuse_strangers(self.head(), records)
            self._connection.executemany(
                f"INSERT INTO journal ({COLUMNS}) VALUES ({PLACES})", map(msgspec.structs.astuple, records)
            )
        self._appends += 1

    def tidy(self) -> None:
        """Now and then copies the write-ahead log back, as far as readers allow.

        SQLite's own way is switched off: it copies inside the commit, and its failure would look like a failed append.
        """
        if self._appends >= CHECKPOINT_EVERY:
            self._appends = 0
            with _translated():
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def settings(self) -> dict[str, object]:
        """What this connection really runs with."""
        names = ("journal_mode", "synchronous", "user_version")
        return {name: self._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}

    def fold_up(self) -> None:
        """Empties the write-ahead log into the file; JournalBusy if a reader holds on to it."""
        with _translated():
            held, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if held:
            raise JournalBusy("a reader holds the journal; the day cannot be closed until it lets go")

    def close(self) -> None:
        super().close()
        self._lock.close()


def open_reader(path: Path) -> SqliteReader:
    """Opens a journal that exists, for reading alone."""
    # A closed day never changes again, so it can be read from a read-only disk, with no files beside it. A file that is
    # being written is not looked into: closing it would drop the locks of this process's other readers, the writer
    # would take itself for the last one and remove the log at its end, and they would read the removed one for ever.
    closed = path.exists() and not _is_written(path) and certificate_of(path) is not None
    mode = "mode=ro&immutable=1" if closed else "mode=ro"
    with _translated():
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None, check_same_thread=False
        )
        return SqliteReader(connection)


def open_store(path: Path) -> SqliteStore:
    """Opens or creates a journal for its one writer; raises JournalBusy if there is another."""
    lock = take_lock(path)
    try:
        with _translated():
            connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            _prepare(connection)
    except JournalError:
        lock.close()
        raise
    return SqliteStore(connection, lock)


def _prepare(connection: sqlite3.Connection) -> None:
    for setting in ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=0"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute(f"PRAGMA journal_size_limit={LOG_LIMIT_BYTES}")
    # Layout and its number change in one transaction: a start that was cut off begins again from nothing.
    with _transaction(connection):
        layout = connection.execute("PRAGMA user_version").fetchone()[0]
        if layout == 0:
            for statement in _statements():
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={LAYOUT}")
        elif layout != LAYOUT:
            raise JournalDamaged(f"the file has layout {layout}; this program writes layout {LAYOUT}")
        elif _schema(connection) != _shipped_schema():
            raise JournalDamaged("the file's tables and triggers are not those of a journal")


def _schema(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    """Every table, index, view and trigger of a file: what it is, its name, how it was made."""
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


@functools.cache
def _shipped_schema() -> list[tuple[str, ...]]:
    with contextlib.closing(sqlite3.connect(":memory:")) as empty:
        for statement in _statements():
            empty.execute(statement)
        return _schema(empty)


def _statements() -> Iterator[str]:
    statement = ""
    for line in files(__package__).joinpath("schema.sql").read_text("utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def take_lock(path: Path) -> IO[bytes]:
    """The right to write a journal, until it is closed; raises JournalBusy if another program has it."""
    try:
        lock = path.with_suffix(".lock").open("ab")
    except OSError as error:
        raise JournalUnwritable(f"{path.parent}: {os.strerror(error.errno or 0)}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise JournalBusy(f"{path.name}: another program is writing this journal") from None
    return lock


def _is_written(path: Path) -> bool:
    """Whether a writer of this journal lives; whoever only keeps writers away has no index in memory beside it."""
    try:
        with path.with_suffix(".lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return path.with_name(f"{path.name}-shm").exists()
    except OSError:
        return False
    return False


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Drivers' errors never leave this file."""
    try:
        yield
    except msgspec.ValidationError as error:
        raise JournalDamaged(f"a stored row is not a record: {error}") from None
    except UnicodeDecodeError:  # sqlite3 cannot even read its own complaint about a damaged file
        raise JournalDamaged("the file cannot be read as a journal") from None
    except sqlite3.Error as error:
        raise _meaning(error) from error


def _meaning(error: sqlite3.Error) -> JournalError:
    code = (
        getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    )  # the low byte is the kind, the rest detail
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalBusy(f"another program holds the journal: {error}")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return JournalUnwritable(f"the disk does not take the record: {error}")
    return JournalDamaged(f"the file cannot be read as a journal: {error}")
