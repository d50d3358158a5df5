"""The figures of a day, or of a part of it: what a shift brought, between two moments."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from dashboard.desk.days import Day, Views, after, views_of
from table_controller.core.events import TableClosed, TableOpened
from table_controller.core.game import evolve
from table_controller.core.stimuli import Moved
from table_controller.games import GAMES
from table_controller.views.figures import Figures, Tally
from table_controller.views.incidents import Incidents

PER: Final = 1000


class Shift(Struct, frozen=True):
    """What happened between two moments; `since_ns` None is from the day's beginning, `until_ns` None to its end."""

    views: Views
    since_ns: int
    until_ns: int
    whole: bool

    @property
    def figures(self) -> Figures:
        """Rounds, bets, win, drop, hold."""
        return self.views.evening.figures

    @property
    def opening(self) -> int | None:
        """The float counted at the first opening; None if the table was open before."""
        first = next((one for one in self.views.counts if isinstance(one, TableOpened)), None)
        return _worth(first.chips) if first is not None else None

    @property
    def closing(self) -> int | None:
        """The last count at a closing; None while the table is open."""
        last = next((one for one in reversed(self.views.counts)), None)
        return _worth(last.chips) if isinstance(last, TableClosed) else None

    @property
    def by_count(self) -> int | None:
        """The win that the counts prove, None before a closing."""
        return self.figures.win_by_count

    @property
    def difference(self) -> int | None:
        """What the counts say beyond the rounds: a wrong payment nobody noticed, a chip lost."""
        return None if self.by_count is None else self.by_count - self.figures.counted_until

    def moved(self, what: Moved) -> int:
        """The sum of the slips of a kind."""
        return self.figures.moved.get(what.value, 0)


def _worth(chips: Mapping[int, int]) -> int:
    return sum(chip * number for chip, number in chips.items())


def shift_of(day: Day, since_ns: int | None, until_ns: int | None) -> Shift:
    """The part of a day between two moments; all of it where neither is given."""
    first, last = day.span_ns
    if since_ns is None and until_ns is None:
        return Shift(day.views, first, last, whole=True)
    since, until = since_ns or first, until_ns or last
    game, state = next(iter(GAMES.values())).game, day.start
    events = day.events()
    for at_ns, event in events:
        if at_ns < since:
            state = evolve(game, state, event)
    views = views_of(state)
    for at_ns, event in events:
        if since <= at_ns <= until:
            views = after(views, event, evolve(game, views.state, event))
    return Shift(views, since, until, whole=False)


class DealerLine(Struct, frozen=True):
    """A dealer's part: what was dealt, and what went wrong, by kind."""

    name: str
    tally: Tally
    errors: Mapping[str, int]

    @property
    def rate(self) -> float | None:
        """Errors per thousand rounds."""
        return self.tally.errors_per_1000_rounds


def dealer_lines(figures: Figures, incidents: Incidents) -> list[DealerLine]:
    """Every dealer who dealt, the one with the highest rate of errors first."""
    lines = [
        DealerLine(name, tally, {str(kind): count for kind, count in incidents.dealers.get(name, {}).items()})
        for name, tally in figures.dealers.items()
    ]
    return sorted(lines, key=lambda line: (-(line.rate or 0.0), line.name))
