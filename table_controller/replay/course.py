"""A round as it went: the table after every fact, and the rules each fact follows from."""

from collections.abc import Iterator

from msgspec import Struct

from table_controller.core.events import Event
from table_controller.core.game import evolve
from table_controller.core.table import TableState
from table_controller.replay.walk import Walk, rows_of_round
from table_controller.views.clauses import Clause, clauses


class Moment(Struct, frozen=True):
    """A fact with its row, when it was recorded, the table before and after it, and the rules behind it."""

    seq: int
    at_ns: int
    event: Event
    before: TableState
    after: TableState
    clauses: tuple[Clause, ...] = ()


def course_of(walk: Walk, number: int) -> Iterator[Moment]:
    """The moments of a round of the day, in order; raises NotKept if the day has no such round."""
    rows = rows_of_round(walk.day, number)
    before = walk.to(rows.start - 1)
    for seq in rows:
        row = walk.day.rows[seq - 1]
        said = walk.day.said(row)
        if isinstance(said, Event):
            after = evolve(walk.day.game.game, before, said)
            yield Moment(seq, row.at_ns, said, before, after, clauses(before, said))
            before = after
