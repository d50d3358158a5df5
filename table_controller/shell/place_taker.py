"""Takes the place of absent players at a running table, where the house wants their hands played by its strategy."""

from table_controller.core.blackjack.round import rules_of
from table_controller.core.blackjack.words import Signal
from table_controller.core.life import plays_when_absent
from table_controller.journal.writer import Clock
from table_controller.port.words import Outcome
from table_controller.shell.books import Books
from table_controller.shell.hearing import answer_of
from table_controller.shell.stand_in import signal_for_absent
from table_controller.shell.table import Table


class PlaceTaker:
    """The table's thread calls `turn` after every letter and every quarter of a second."""

    def __init__(self, table: Table, clock: Clock, books: Books) -> None:
        self._table = table
        self._clock = clock
        self._books = books
        self._refused: tuple[int, Signal] | None = None

    def turn(self) -> None:
        """Says what an absent player's hand does, if it is due and the strategy is ready; what was refused, once."""
        if self._table.down is not None:
            return
        state = self._table.recorder.state
        if state.rules is None or not plays_when_absent(state):
            return
        strategy = self._books.of(rules_of(state))
        signal = signal_for_absent(state, strategy, self._clock().at_ns) if strategy is not None else None
        if signal is None or self._was_refused(state.moved_at_ns, signal):
            return
        if answer_of(self._table.take(signal)).outcome is not Outcome.DONE:
            self._refused = state.moved_at_ns, signal

    def _was_refused(self, moved_at_ns: int, signal: Signal) -> bool:
        if self._refused is None:
            return False
        before, refused = self._refused
        same = (refused.box, refused.hand, refused.action) == (signal.box, signal.hand, signal.action)
        return same and before == moved_at_ns
