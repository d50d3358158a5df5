"""Recorded days of all tables, read once and then only what is new; every page of the desk is drawn from them."""

import logging
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core.events import Event, MoneyMoved, TableClosed, TableOpened
from table_controller.core.game import evolve
from table_controller.core.table import TableState
from table_controller.journal.complaints import COMPLAINT_KINDS, Complaints, complaints_after
from table_controller.journal.errors import NotKept
from table_controller.journal.evidence import EVIDENCE_KEPT, Evidence, evidence_of
from table_controller.journal.naming import is_day, journal_path, journals, table_and_day
from table_controller.journal.record import Record
from table_controller.journal.sqlite_store import open_reader
from table_controller.replay.course import Moment, course_of
from table_controller.replay.opening import Recorded, load
from table_controller.replay.walk import Walk
from table_controller.views import agreement, exceptions, incidents, numbers, pace, rounds_index, wagers

LOG: Final = logging.getLogger(__name__)
DAYS_KEPT: Final = 6
COURSES_KEPT: Final = 16


class Picture(Struct, frozen=True):
    """A file of evidence: the row that speaks of it, when it was kept, of which round."""

    seq: int
    at_ns: int
    round: int
    kept: Evidence


class Views(Struct, frozen=True):
    """What the folds made of a day as far as row `seq`."""

    state: TableState
    index: rounds_index.Index
    evening: pace.Pace
    errors: incidents.Incidents
    numbered: numbers.Numbers
    listed: exceptions.Exceptions = exceptions.initial
    witnesses: agreement.Agreement = agreement.initial
    bets: wagers.Wagered = wagers.initial
    slips: tuple[MoneyMoved, ...] = ()
    counts: tuple[TableOpened | TableClosed, ...] = ()
    pictures: tuple[Picture, ...] = ()
    seq: int = 0


def views_of(state: TableState) -> Views:
    """Where a day begins that starts in this state."""
    start = rounds_index.carried(state), pace.carried(state), incidents.carried(state), numbers.carried(state)
    witnesses = agreement.Agreement(dealer=state.dealer or agreement.NOBODY)
    return Views(state, *start, witnesses=witnesses, bets=wagers.carried(state))


def after(views: Views, event: Event, state: TableState) -> Views:
    """The views after one more fact, which led to this state."""
    return replace(
        views,
        state=state,
        index=rounds_index.apply(views.index, event),
        evening=pace.apply(views.evening, event),
        errors=incidents.apply(views.errors, event),
        numbered=numbers.apply(views.numbered, event),
        listed=exceptions.apply(views.listed, event),
        witnesses=agreement.apply(views.witnesses, event),
        bets=wagers.apply(views.bets, event),
        slips=(*views.slips, event) if isinstance(event, MoneyMoved) else views.slips,
        counts=(*views.counts, event) if isinstance(event, TableOpened | TableClosed) else views.counts,
    )


class Day:
    """One table's day. Threads may share it; what they get does not change under them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.table, self.day = table_and_day(path)
        self._turn = threading.Lock()
        found = load(path, lambda text: LOG.warning("%s", text))
        self._rows = list(found.rows)
        self._recorded = Recorded(found.game, found.start, self._rows)
        self._walk = Walk(self._recorded)
        self._courses: OrderedDict[tuple[int, int], tuple[Moment, ...]] = OrderedDict()
        self._views = views_of(found.start)
        self._fold()

    def catch_up(self) -> None:
        """Takes the rows written since."""
        with self._turn:
            reader = open_reader(self.path)
            try:
                while new := reader.read(len(self._rows)):
                    self._rows.extend(new)
            finally:
                reader.close()
            self._fold()

    @property
    def views(self) -> Views:
        """What the folds make of it."""
        return self._views

    @property
    def start(self) -> TableState:
        """The state the day began with."""
        return self._recorded.start

    @property
    def recorded(self) -> Recorded:
        """Its rows as far as they were read, and the state before them."""
        return Recorded(self._recorded.game, self._recorded.start, list(self._rows))

    @property
    def span_ns(self) -> tuple[int, int]:
        """When its first and its last row were written."""
        return self._rows[0].at_ns, self._rows[-1].at_ns

    @property
    def closed(self) -> bool:
        """Whether the day has been closed and sealed."""
        return any(row.kind == "journal.day_closed" for row in self._rows[-2:])

    def course(self, number: int) -> tuple[Moment, ...]:
        """The moments of a round; raises NotKept if the day has no such round."""
        with self._turn:
            key = number, self._views.seq
            if key not in self._courses:
                self._courses[key] = tuple(course_of(self._walk, number))
                if len(self._courses) > COURSES_KEPT:
                    self._courses.popitem(last=False)
            return self._courses[key]

    def events(self) -> list[tuple[int, Event]]:
        """Every fact of the day with the time of its row."""
        said = ((row.at_ns, self._recorded.said(row)) for row in list(self._rows))
        return [(at_ns, one) for at_ns, one in said if isinstance(one, Event)]

    def complaints(self) -> Complaints:
        """Those that stand."""
        return complaints_after(row for row in list(self._rows) if row.kind in COMPLAINT_KINDS)

    def complaint_rows(self) -> list[Record]:
        """All that was noted about complaints."""
        return [row for row in list(self._rows) if row.kind in COMPLAINT_KINDS]

    def _fold(self) -> None:
        views = self._views
        for row in self._rows[views.seq :]:
            said = self._recorded.said(row)
            if isinstance(said, Event):
                views = after(views, said, evolve(self._recorded.game.game, views.state, said))
            elif row.kind == EVIDENCE_KEPT:
                picture = Picture(row.seq, row.at_ns, row.round or 0, evidence_of(row))
                views = replace(views, pictures=(*views.pictures, picture))
        self._views = replace(views, seq=len(self._rows))


class Days:
    """All days of a folder; the last ones asked for are kept in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._turn = threading.Lock()
        self._kept: OrderedDict[Path, Day] = OrderedDict()

    def tables(self) -> list[str]:
        """The tables that have a record."""
        return sorted({table_and_day(path)[0] for path in journals(self.folder)})

    def days(self, table: str) -> list[str]:
        """The days of a table, newest first."""
        return [table_and_day(path)[1] for path in reversed(journals(self.folder)) if table_and_day(path)[0] == table]

    def day(self, table: str, day: str) -> Day:
        """A day as it is on disk now; raises NotKept if there is none, JournalDamaged if it cannot be read."""
        path = journal_path(self.folder, table, day)
        if not is_day(day) or path not in journals(self.folder):
            raise NotKept(f"there is no record of table {table} on {day}")
        with self._turn:
            found = self._kept.pop(path, None) or Day(path)
            self._kept[path] = found
            if len(self._kept) > DAYS_KEPT:
                self._kept.popitem(last=False)
        found.catch_up()
        return found
