"""How an evening went: win after every round, and what each hour brought."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core.events import Event
from table_controller.core.table import TableState
from table_controller.views import figures
from table_controller.views.figures import HOUR_NS, Figures, Tally


class Point(Struct, frozen=True):
    """The house's win by the rounds so far, minor units, and the number of rounds."""

    at_ns: int
    house_net: int
    rounds: int


class Pace(Struct, frozen=True):
    """A point for every change of the win; what each hour of the clock brought, by its number since the epoch."""

    points: tuple[Point, ...] = ()
    hours: Mapping[int, Tally] = {}
    figures: Figures = figures.initial


initial: Final = Pace()


def carried(state: TableState) -> Pace:
    """Where a day begins that starts with an open table, or in the middle of a round."""
    return Pace(figures=figures.carried(state))


def apply(view: Pace, event: Event) -> Pace:
    """The view after one more fact."""
    after = figures.apply(view.figures, event)
    before, now, at_ns = view.figures.house, after.house, after.at_ns or event.cause.at_ns
    if before == now:
        return replace(view, figures=after)
    hours = {**view.hours, at_ns // HOUR_NS: _more(view.hours.get(at_ns // HOUR_NS, Tally()), before, now)}
    if (before.house_net, before.rounds) == (now.house_net, now.rounds):
        return replace(view, figures=after, hours=hours)
    points = (*view.points, Point(at_ns, now.house_net, now.rounds))
    return replace(view, points=points, hours=hours, figures=after)


def _more(tally: Tally, before: Tally, now: Tally) -> Tally:
    return Tally(*(getattr(tally, n) + getattr(now, n) - getattr(before, n) for n in Tally.__struct_fields__))
