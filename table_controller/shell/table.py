"""A table that survives its disk: while nothing can be recorded nothing is taken; afterwards it waits for a person."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from table_controller.core.people import Person, Role
from table_controller.core.step import Step
from table_controller.core.stimuli import Cause, PauseTable, Stimulus
from table_controller.core.table import TableState
from table_controller.journal.errors import JournalError, JournalUnwritable
from table_controller.journal.record import Draft
from table_controller.shell.recorder import Recorder

SYSTEM: Final = Person("krupier", Role.TECHNICIAN)


class Table:
    """Judge and pen of one table. `down` says why nothing is taken, None while all is well."""

    def __init__(self, open_record: Callable[[], Recorder]) -> None:
        self._open_record = open_record
        self._recorder: Recorder | None = None
        self.down: str | None = "the program has just started"

    @property
    def recorder(self) -> Recorder:
        """The open record; raises JournalUnwritable, saying why, while the table is down."""
        if self._recorder is None:
            raise JournalUnwritable(str(self.down))
        return self._recorder

    def take(self, stimulus: Stimulus, boot_id: str | None = None, beside: Sequence[Draft] = ()) -> Step:
        """As Recorder.take. What keeps the record from being written takes the table down until `revive`."""
        with self._down_if_unwritable():
            return self.recorder.take(stimulus, boot_id, beside)

    def note(self, drafts: Sequence[Draft], *, seal: bool = False) -> None:
        """As Recorder.note; a record that fails takes the table down."""
        with self._down_if_unwritable():
            self.recorder.note(drafts, seal=seal)

    def tidy(self) -> None:
        """Housekeeping, after everything taken has been acknowledged; a record that fails here does too."""
        with self._down_if_unwritable():
            self.recorder.tidy()

    def end_day(self) -> None:
        """The day is closed and certified; `revive` opens the next one."""
        with self._down_if_unwritable():
            self.recorder.close()
        self._recorder, self.down = None, "the next day is being opened"

    def revive(self, at_ns: int) -> None:
        """Opens the record, checked from its first row; a table that was open for play is paused as the first new fact.

        Raises what stands in the way; the table then stays as it is.
        """
        if self._recorder is not None:
            return
        recorder = self._open_record()
        try:
            if recorder.state.rules is not None and not recorder.state.paused:
                recorder.take(_pause(recorder.state, str(self.down), at_ns))
        except JournalError:
            recorder.leave()
            raise
        self._recorder, self.down = recorder, None

    @contextmanager
    def _down_if_unwritable(self) -> Iterator[None]:
        try:
            yield
        except JournalError as error:
            self._go_down(str(error))
            raise

    def _go_down(self, reason: str) -> None:
        if self._recorder is not None:
            self._recorder.leave()
        self._recorder, self.down = None, reason


def _pause(state: TableState, reason: str, at_ns: int) -> PauseTable:
    return PauseTable(Cause("journal", state.cursors.get("journal", -1) + 1, at_ns), SYSTEM, reason)
