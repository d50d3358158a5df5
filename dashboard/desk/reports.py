"""Reports: a day in figures and charts, its exceptions, the report of a shift to print."""

import time
from collections.abc import Mapping
from typing import Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.desk.days import Day
from dashboard.desk.pages import day_of, days, words
from dashboard.desk.searching import QUESTIONS, Misread, wanted
from dashboard.desk.shift import dealer_lines, shift_of
from dashboard.house import house, say
from dashboard.pages import Group, Item
from dashboard.roles import Act, guarded
from dashboard.worth import WORTHS
from table_controller.core.irregular import Irregularity
from table_controller.core.stimuli import Moved
from table_controller.export.wording import Wording
from table_controller.views.exceptions import ExceptionKind
from table_controller.views.figures import HOUR_NS
from table_controller.views.incidents import Kind
from table_controller.views.pace import Pace

bp = Blueprint("reports", __name__, url_prefix="/reports")
GROUP: Final = Group(bp, (Item("reports.latest", "reports.title", "chart", Act.REPORTS),))
SECOND_NS: Final = 1_000_000_000
PATIENCE_S: Final = 5.0


@bp.get("/")
@guarded(Act.REPORTS)
def latest() -> ResponseReturnValue:
    """The newest day of the table asked for, or of the first."""
    tables, table = days().tables(), request.args.get("table", "")
    if not tables:
        return render_template("desk/none.html")
    chosen = table if table in tables else tables[0]
    return redirect(url_for("reports.figures", table=chosen, day=request.args.get("day") or days().days(chosen)[0]))


@bp.get("/<table>/<day>")
@guarded(Act.REPORTS)
def figures(table: str, day: str) -> ResponseReturnValue:
    """The day in figures and charts."""
    here = day_of(table, day)
    views = here.views
    return render_template(
        "desk/figures.html",
        shift=shift_of(here, None, None),
        win=_win(views.evening),
        pace=_pace(views.evening),
        kinds=_ranked(views.errors.kinds, words(here)),
        devices=sorted(views.errors.devices.items(), key=lambda one: -one[1]),
        dealers=dealer_lines(views.evening.figures, views.errors),
        theory=WORTHS.theory(views.bets, PATIENCE_S),
        named=lambda code: _named(code, words(here)) or say()(f"reports.slip_{code}"),
        **_common(here),
    )


@bp.get("/<table>/<day>/exceptions")
@guarded(Act.REPORTS)
def exceptions(table: str, day: str) -> ResponseReturnValue:
    """Everything an auditor asks about first, newest first; one kind of it where one is asked for."""
    here, kind = day_of(table, day), request.args.get("kind", "")
    listed = here.views.listed.listed
    counted = {one: sum(entry.kind is one for entry in listed) for one in ExceptionKind}
    return render_template(
        "desk/exceptions.html",
        listed=[entry for entry in reversed(listed) if kind in ("", entry.kind)],
        counted={one: count for one, count in counted.items() if count},
        kind=kind,
        total=len(listed),
        **_common(here),
    )


@bp.get("/<table>/<day>/shift")
@guarded(Act.REPORTS)
def shift(table: str, day: str) -> ResponseReturnValue:
    """A shift on paper."""
    here, misread = day_of(table, day), ""
    since = until = None
    try:
        asked = wanted(
            {name: request.args.get(name, "") for name in ("since", "until")}, day, house().settings.zone_info
        )
        since, until = asked.since_ns, asked.until_ns
    except Misread as field:
        misread = str(field)
    made = shift_of(here, since, until)
    return render_template(
        "desk/shift.html",
        shift=made,
        misread=misread,
        fields=request.args,
        dealers=dealer_lines(made.figures, made.views.errors),
        theory=WORTHS.theory(made.views.bets, PATIENCE_S),
        standing=here.complaints().standing,
        made_ns=time.time_ns(),
        **_common(here),
    )


def _common(here: Day) -> Mapping[str, object]:
    return {
        "here": here,
        "tables": days().tables(),
        "all_days": days().days(here.table),
        "say_fact": words(here),
        "Moved": Moved,
    }


def _win(evening: Pace) -> list[list[float]]:
    """Seconds and the house's win in whole money, for the chart."""
    points = evening.points
    return [[point.at_ns / SECOND_NS for point in points], [point.house_net / 100 for point in points]]


def _pace(evening: Pace) -> list[list[float]]:
    """The middle of each hour in seconds, and its rounds per hour."""
    hours = [(hour, tally.rounds_per_hour) for hour, tally in sorted(evening.hours.items())]
    known = [(hour, rate) for hour, rate in hours if rate is not None]
    return [[(hour + 0.5) * HOUR_NS / SECOND_NS for hour, _ in known], [round(rate, 1) for _, rate in known]]


def _ranked(kinds: Mapping[Kind, int], say_fact: Wording) -> list[tuple[str, str, int]]:
    """Each kind with its name and number, the most frequent first; errors that are no question go by their code."""
    named = [(str(one), _named(str(one), say_fact), count) for one, count in kinds.items()]
    return sorted(named, key=lambda one: (-one[2], one[0]))


def _named(code: str, say_fact: Wording) -> str:
    return say_fact.word(Irregularity(code)) if code in QUESTIONS else ""
