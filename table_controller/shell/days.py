"""Which day's record a table writes: the day that is open, until its table is closed and the next day has begun."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from table_controller.core.stimuli import Cause, DayBegan
from table_controller.core.table import TableState
from table_controller.core.upkeep import wants_reader
from table_controller.journal.certificate import certificate_of
from table_controller.journal.day import open_day
from table_controller.journal.errors import DayIsOver
from table_controller.journal.naming import journal_path, journals, table_and_day
from table_controller.journal.writer import Clock
from table_controller.replay.opening import Warn, carry
from table_controller.shell.recorder import Recorder, open_recorder
from table_controller.shell.table import Table

NS = 1_000_000_000
DAY: Final = "day"


class Days(Struct, frozen=True, kw_only=True):
    """A table's records in a folder; its gaming day begins at `hour` by the house's clock."""

    folder: Path
    table: str
    key: Callable[[], Ed25519PrivateKey]
    clock: Clock
    warn: Warn
    game: str = "blackjack"
    zone: tzinfo = UTC
    hour: int = 6

    def today(self) -> str:
        """The gaming day it is now."""
        now = datetime.fromtimestamp(self.clock().at_ns / NS, self.zone)
        return (now - timedelta(hours=self.hour)).date().isoformat()

    def open(self) -> Recorder:
        """The record to write to. A day left open by a closed table is ended first."""
        days = journals(self.folder, self.table)
        if days and certificate_of(days[-1]) is None:
            try:
                recorder = self._open(days[-1])
            except DayIsOver:
                return self._open(self._next_path(days))
            if not self.is_over(recorder):
                return recorder
            recorder.close()
        return self._open(self._next_path(days))

    def tell(self, table: Table) -> None:
        """The judge hears of a new gaming day where the house has something to do on each."""
        state, today = table.recorder.state, self.today()
        if wants_reader(state) and state.upkeep.day != today:
            cause = Cause(DAY, state.cursors.get(DAY, -1) + 1, self.clock().at_ns)
            table.take(DayBegan(cause, today))

    def begin_as(self, state: TableState) -> None:
        """The first day of an empty folder begins with this state."""
        first = [carry(self.game, state)]
        open_day(journal_path(self.folder, self.table, self.today()), self.key(), self.clock, first).leave()

    def is_over(self, recorder: Recorder) -> bool:
        """Whether the day has passed and nobody plays it on."""
        state = recorder.state
        return state.rules is None and table_and_day(recorder.day.path)[1] < self.today()

    def _next_path(self, days: list[Path]) -> Path:
        path = journal_path(self.folder, self.table, self.today())
        if days and path <= days[-1]:
            raise DayIsOver(f"{days[-1].name} is closed; the next day has not begun")
        return path

    def _open(self, path: Path) -> Recorder:
        return open_recorder(path, self.key(), self.clock, self.game, self.warn)
