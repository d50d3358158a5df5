"""The figures of one or more days, as JSON and as lines for a person."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from table_controller.core.events import Event, TableOpened
from table_controller.core.notation import write
from table_controller.export.wording import Wording
from table_controller.journal.chain import DayOpened
from table_controller.journal.clocks import ClockSet, clock_settings
from table_controller.journal.verify import opening
from table_controller.replay.opening import Warn, load
from table_controller.views import exceptions, figures, numbers, wagers
from table_controller.views.figures import Tally

Json = dict[str, object]


class DayReport(NamedTuple):
    """The folds over all rows of the days."""

    figures: figures.Figures
    exceptions: exceptions.Exceptions
    numbers: numbers.Numbers
    clock: tuple[tuple[str, ClockSet], ...]
    currency: str
    table: str
    days: tuple[str, ...]
    wagers: wagers.Wagered


def report_on(paths: Sequence[Path], warn: Warn) -> DayReport:
    """Folds consecutive days of one table."""
    first = load(paths[0], warn)
    money, listed, counted = figures.carried(first.start), exceptions.initial, numbers.carried(first.start)
    bets = wagers.carried(first.start)
    clock: list[tuple[str, ClockSet]] = []
    opened: list[DayOpened] = []
    currency = ""
    for path in paths:
        day = first if path == paths[0] else load(path, warn)
        for event in map(day.said, day.rows):
            if isinstance(event, TableOpened):
                currency = str(event.house["currency"])
            if isinstance(event, Event):
                money, listed, counted = (
                    figures.apply(money, event),
                    exceptions.apply(listed, event),
                    numbers.apply(counted, event),
                )
                bets = wagers.apply(bets, event)
        opened.append(opening(day.rows[0])[0])
        clock += [(path.name, jump) for jump in clock_settings(day.rows)]
    days = tuple(one.day for one in opened)
    return DayReport(money, listed, counted, tuple(clock), currency, opened[0].table, days, bets)


def as_json(report: DayReport) -> Json:
    """Amounts in minor units, hold and rates as numbers, None where there is nothing to divide by."""
    money = report.figures
    return {
        **_tally(money.house),
        "win": money.win,
        "win_by_count": money.win_by_count,
        "drop": money.drop,
        "hold": money.hold,
        "moved": dict(money.moved),
        "dealers": {name: _tally(tally) for name, tally in money.dealers.items()},
        "exceptions": [
            {
                "kind": one.kind.value,
                "round": one.round,
                "dealer": one.dealer,
                "at_ns": one.event.cause.at_ns,
                "what": write(one.event),
            }
            for one in report.exceptions.listed
        ],
        "gaps": [{"what": gap.what, "after": gap.after, "found": gap.found} for gap in report.numbers.gaps],
        "unended_rounds": list(report.numbers.unended),
        "clock_set": [{"day": day, "seq": jump.seq, "seconds": jump.by_ns / 1e9} for day, jump in report.clock],
    }


def _tally(tally: Tally) -> Json:
    return {
        "rounds": tally.rounds,
        "handle": tally.handle,
        "house_net": tally.house_net,
        "errors": tally.errors,
        "rounds_per_hour": tally.rounds_per_hour,
        "errors_per_1000_rounds": tally.errors_per_1000_rounds,
    }


def as_lines(report: DayReport, say: Wording) -> Iterator[str]:
    """The same for a person."""
    money = report.figures
    hold = say.percent(money.hold) if money.hold is not None else "–"
    pace = money.house.rounds_per_hour
    yield say.label(
        "title", "report", table=report.table, day=" – ".join(dict.fromkeys(report.days[:: len(report.days) - 1 or 1]))
    )
    yield ""
    yield _line(say, "rounds", str(money.house.rounds))
    yield _line(say, "pace", f"{pace:.0f}" if pace is not None else "–")
    yield _line(say, "handle", say.money(money.house.handle))
    yield _line(say, "house_net", say.money(money.house.house_net))
    yield _line(say, "win", say.money(money.win))
    yield _line(say, "drop", say.money(money.drop))
    yield _line(say, "hold", hold)
    if money.dealers:
        yield f"\n{say.label('per_dealer', 'report')}"
    for name, tally in sorted(money.dealers.items()):
        yield f"  {name}: {_dealer(say, tally)}"
    yield f"\n{say.label('exceptions', 'report')}: {len(report.exceptions.listed) + len(report.clock)}"
    for one in report.exceptions.listed:
        kind = say.label(one.kind.value, "exception")
        yield f"  {say.moment(one.event.cause.at_ns)}  {one.round or '–'}  {kind}: {say.event(one.event)}"
    for day, jump in report.clock:
        yield f"  {day} #{jump.seq}  {say.label('clock', 'exception')}: {jump.by_ns / 1e9:+.1f} s"
    gaps = [f"{gap.what} {gap.after} → {gap.found}" for gap in report.numbers.gaps]
    yield f"\n{say.label('gaps', 'report')}: {', '.join(gaps) or '–'}"


def _line(say: Wording, key: str, value: str) -> str:
    return f"{say.label(key, 'report'):<20} {value}"


def _dealer(say: Wording, tally: Tally) -> str:
    pace, errors = tally.rounds_per_hour, tally.errors_per_1000_rounds
    return ", ".join(
        [
            f"{say.label('rounds', 'report').lower()} {tally.rounds}",
            say.money(tally.house_net),
            f"{pace:.0f} {say.label('per_hour', 'report')}" if pace is not None else "–",
            f"{errors:.0f} {say.label('errors', 'report')}" if errors is not None else "–",
        ]
    )
