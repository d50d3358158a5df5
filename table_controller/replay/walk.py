"""Walking through a recorded day: the state at any row, a step forward, a step back."""

from typing import Final

from table_controller.core.events import Event
from table_controller.core.game import evolve
from table_controller.core.table import TableState
from table_controller.journal.errors import NotKept
from table_controller.journal.record import Record
from table_controller.replay.opening import Recorded

APART: Final = 256  # rows between two states kept, so that a step back replays at most so many


class Walk:
    """Stands after row `seq` of a day; 0 is before the first row."""

    def __init__(self, day: Recorded) -> None:
        self.day = day
        self._kept = [day.start]
        self.seq = 0
        self.state = day.start

    def forward(self) -> TableState:
        """After the next row; raises NotKept at the end."""
        return self.to(self.seq + 1)

    def back(self) -> TableState:
        """After the row before; raises NotKept at the beginning."""
        return self.to(self.seq - 1)

    def to(self, seq: int) -> TableState:
        """After row `seq`; raises NotKept if the day has no such row."""
        if not 0 <= seq <= len(self.day.rows):
            raise NotKept(f"the day has rows 1 to {len(self.day.rows)}, not {seq}")
        while len(self._kept) <= seq // APART:
            self._kept.append(self._between(len(self._kept) - 1, len(self._kept) * APART))
        self.state = self._between(seq // APART, seq)
        self.seq = seq
        return self.state

    def _between(self, kept: int, seq: int) -> TableState:
        state = self._kept[kept]
        for record in self.day.rows[kept * APART : seq]:
            said = self.day.said(record)
            if isinstance(said, Event):
                state = evolve(self.day.game.game, state, said)
        return state


def state_at(day: Recorded, seq: int) -> TableState:
    """The state after row `seq`; raises NotKept."""
    return Walk(day).to(seq)


def rows_of_round(day: Recorded, number: int) -> range:
    """The row numbers of a round's course, first to last; raises NotKept if the day has no such round.

    What the journal itself notes about a round (evidence, complaints) may come later and is not part of its course.
    """
    of_round = [record.seq for record in played_rows(day) if record.round == number]
    if not of_round:
        rounds = [record.round for record in played_rows(day) if record.round is not None]
        there = f"rounds {min(rounds)} to {max(rounds)}" if rounds else "no round"
        raise NotKept(f"there is no round {number} on this day; it has {there}")
    return range(of_round[0], of_round[-1] + 1)


def played_rows(day: Recorded) -> list[Record]:
    """What was said and judged at the table; what the journal notes may be about a round of another day."""
    return [record for record in day.rows if not record.kind.startswith("journal.")]


def events_between(day: Recorded, rows: range) -> list[Event]:
    """The facts of these rows."""
    said = (day.said(day.rows[seq - 1]) for seq in rows)
    return [fact for fact in said if isinstance(fact, Event)]
