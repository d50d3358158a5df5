"""Follows every table's journal: reads the rows it has not seen, folds them, and tells whoever listens that it did."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from dashboard.gateway import Gateway
from dashboard.panels import FOLDS, Seen
from table_controller.core.events import Event
from table_controller.core.game import evolve
from table_controller.core.table import TableState
from table_controller.games import GAMES, PlayedGame, played
from table_controller.journal.errors import JournalError
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.record import Record, content_of
from table_controller.journal.sqlite_store import SqliteReader, open_reader
from table_controller.replay.opening import OPENING_STATE, Opening

LOG: Final = logging.getLogger(__name__)
POLL_SECONDS: Final = 0.05
LOOK_SECONDS: Final = 1.0
REST_SECONDS: Final = 5.0
LATE_SECONDS: Final = 10.0
ROWS_AT_ONCE: Final = 2000

Heard = Callable[[Seen], None]


class Follower:
    """One table's journal of one day, folded as far as it was read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.table, self.day = table_and_day(path)
        self._reader: SqliteReader = open_reader(path)
        self._game: PlayedGame = next(iter(GAMES.values()))
        self.seen = Seen(table=self.table, journal=path, day=self.day, state=self._game.game.empty, views=_start(None))

    def follow(self) -> bool:
        """Takes what is new; whether there was anything."""
        rows = self._reader.read(self.seen.seq, ROWS_AT_ONCE)
        for row in rows:
            self.seen = self._after(row)
        return bool(rows)

    def close(self) -> None:
        """Lets go of the file."""
        self._reader.close()

    def _after(self, row: Record) -> Seen:
        if row.kind == OPENING_STATE:
            return self._opened(row)
        said, state = self._game.words.read(row), self.seen.state
        if isinstance(said, Event):
            state = evolve(self._game.game, state, said)
        views = {name: fold.apply(self.seen.views[name], row, said, state) for name, fold in FOLDS.items()}
        return replace(self.seen, seq=row.seq, state=state, views=views, at_ns=row.at_ns)

    def _opened(self, row: Record) -> Seen:
        opening = content_of(row, Opening)
        self._game = played(opening.game)
        state = self._game.read_state(bytes(opening.state))
        return replace(self.seen, seq=row.seq, state=state, views=_start(state), at_ns=row.at_ns)


def _start(state: TableState | None) -> dict[str, object]:
    known = next(iter(GAMES.values())).game.empty if state is None else state
    return {name: fold.start(known) for name, fold in FOLDS.items()}


def _is_of(seen: Seen) -> bool:
    """Whether the controller speaks of the day that is followed."""
    return seen.status is not None and Path(seen.status.journal).name == seen.journal.name


class Feed:
    """All tables of a folder. `tables` is what is known now; listeners are told of each table that changed."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._followers: dict[str, Follower] = {}
        self._resting: dict[str, float] = {}
        self._listeners: list[Heard] = []
        self._ticking: list[Callable[[], None]] = []
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._ticked = time.monotonic()
        self._owed: dict[str, tuple[int, float]] = {}
        self.tables: dict[str, Seen] = {}

    def listen(self, heard: Heard, every_second: Callable[[], None]) -> None:
        """Be told of every change, and every second whether anything changed or not."""
        self._listeners.append(heard)
        self._ticking.append(every_second)

    def start(self) -> None:
        """Follows from now on, asks the controllers how they are, and keeps time, each in a thread of its own."""
        for work in (self._follow, self._look, self._tick):
            self._threads.append(threading.Thread(target=work, name=f"feed{work.__name__}", daemon=True))
            self._threads[-1].start()

    @property
    def is_live(self) -> bool:
        """Whether all its work goes on; from a window of which this is not true screens hear nothing any more."""
        late = time.monotonic() - LATE_SECONDS
        in_time = self._ticked > late and all(since > late for _, since in list(self._owed.values()))
        return in_time and all(thread.is_alive() for thread in self._threads)

    def stop(self) -> None:
        """Ends the threads."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        for follower in self._followers.values():
            follower.close()

    def _follow(self) -> None:
        days, looked = self._days(), time.monotonic()
        while not self._stop.wait(POLL_SECONDS):
            if time.monotonic() > looked + LOOK_SECONDS:
                days, looked = self._days(), time.monotonic()
            for path in days:
                for seen in self._read(path):
                    self._tell(seen)

    def _days(self) -> list[Path]:
        newest = {table_and_day(path)[0]: path for path in journals(self._data)}
        return list(newest.values())

    def _read(self, path: Path) -> Iterator[Seen]:
        table, _ = table_and_day(path)
        if time.monotonic() < self._resting.get(table, 0.0):
            return
        try:
            follower = self._follower(table, path)
            while follower.follow():
                yield self._known(table, follower.seen)
        except JournalError as error:
            LOG.warning("%s cannot be read now: %s", path.name, error)
            self._resting[table] = time.monotonic() + REST_SECONDS  # the other tables do not wait for it

    def _follower(self, table: str, path: Path) -> Follower:
        follower = self._followers.get(table)
        if follower is None or follower.path != path:
            if follower is not None:
                follower.close()
            follower = self._followers[table] = Follower(path)
        return follower

    def _known(self, table: str, read: Seen) -> Seen:
        """What was read, with what the controller said last."""
        with self._lock:
            before = self.tables.get(table)
            seen = read if before is None else replace(read, status=before.status, live=before.live)
            self.tables[table] = seen
        return seen

    def _look(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            for table in list(self.tables):
                status = Gateway(self._data, table).look()
                with self._lock:
                    known = self.tables[table]
                    seen = replace(known, status=status or known.status, live=status is not None)
                    self.tables[table] = seen
                self._note_owed(seen)
                self._tell(seen)

    def _note_owed(self, seen: Seen) -> None:
        """Since when rows are missing here that a controller has said it has written."""
        owed, _ = self._owed.get(seen.table, (0, 0.0))
        told = seen.status.seq if seen.live and seen.status is not None and _is_of(seen) else 0
        if seen.seq >= owed or not told:
            self._owed[seen.table] = (told, time.monotonic())

    def _tick(self) -> None:
        """Keeps time while all the feed's work goes on; a page that hears no time says that it is not live."""
        while not self._stop.wait(LOOK_SECONDS):
            dead = [thread.name for thread in self._threads if not thread.is_alive()]
            if dead:
                LOG.critical("%s has ended; the screens say that they are not live", ", ".join(dead))
                return
            for tick in self._ticking:
                tick()
            self._ticked = time.monotonic()

    def _tell(self, seen: Seen) -> None:
        for heard in self._listeners:
            heard(seen)
