"""Complaints: taken down at a round, listed, closed by a named person with what was decided."""

import re
import uuid
from typing import Final, NamedTuple

from flask import Blueprint, abort, flash, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from dashboard.desk.days import Day
from dashboard.desk.pages import day_of, days
from dashboard.house import house, me, say
from dashboard.pages import Group, Item
from dashboard.roles import Act, guarded
from table_controller.journal.complaints import (
    COMPLAINT_CLOSED,
    COMPLAINT_OPENED,
    COMPLAINTS_CARRIED,
    Closed,
    Complaint,
    Complaints,
    complaint_bundle,
)
from table_controller.journal.naming import is_day, journal_path
from table_controller.journal.record import content_of
from table_controller.port.words import Answer, Complain, Conclude, Outcome

bp = Blueprint("complaints", __name__, url_prefix="/complaints")
GROUP: Final = Group(bp, (Item("complaints.everything", "desk.complaints", "edit", Act.REPLAY),))
LOCKS: Final = ("next_round", "table", "none")
TAP: Final = re.compile(r"[0-9A-Za-z-]{8,64}")
LONGEST: Final = 200


class Case(NamedTuple):
    """A complaint with how it ended; `closed` None while it stands."""

    table: str
    at_ns: int
    complaint: Complaint
    closed: Closed | None
    closed_ns: int


@bp.get("/")
@guarded(Act.REPLAY)
def everything() -> ResponseReturnValue:
    """What stands at every table, and what was closed on its newest day."""
    newest = [days().day(table, days().days(table)[0]) for table in days().tables()]
    cases = [case for day in newest for case in _cases(day)]
    return render_template(
        "desk/complaints.html",
        standing=[case for case in cases if case.closed is None],
        closed=[case for case in cases if case.closed is not None],
        running=set(house().feed.tables),
    )


def _cases(day: Day) -> list[Case]:
    opened: dict[int, tuple[int, Complaint]] = {}
    ended: dict[int, tuple[int, Closed]] = {}
    for row in day.complaint_rows():
        if row.kind == COMPLAINTS_CARRIED:
            opened |= {one.number: (0, one) for one in content_of(row, Complaints).standing}
        elif row.kind == COMPLAINT_OPENED:
            one = content_of(row, Complaint)
            opened[one.number] = row.at_ns, one
        elif row.kind == COMPLAINT_CLOSED:
            end = content_of(row, Closed)
            ended[end.number] = row.at_ns, end
    return [_case(day.table, *opened[number], ended.get(number)) for number in sorted(opened, reverse=True)]


def _case(table: str, at_ns: int, complaint: Complaint, ended: tuple[int, Closed] | None) -> Case:
    return Case(table, at_ns, complaint, *(ended[1], ended[0]) if ended is not None else (None, 0))


@bp.post("/<table>/<day>/<int:number>")
@guarded(Act.CORRECT)
def complain(table: str, day: str, number: int) -> ResponseReturnValue:
    """Takes a complaint down through the table's door."""
    form = request.form
    box, reason, lock = form.get("box", ""), form.get("reason", "").strip(), form.get("lock", "")
    readable = box.isascii() and box.isdecimal() and 0 < len(reason) <= LONGEST and reason.isprintable()
    if not readable or lock not in LOCKS:
        abort(400)
    day_of(table, day)
    said = Complain(id=_tap(), by=me().person, day=day, round=number, box=int(box), reason=reason, lock=lock)
    answer = house().gateway(table).ask(said)
    if answer.outcome is Outcome.DONE:
        flash(say()("desk.taken_down", number=answer.detail), "good")
    else:
        flash(say()("desk.not_taken", why=_why(answer)), "bad")
    return redirect(url_for("desk.one_round", table=table, day=day, number=number))


@bp.post("/<table>/close/<int:number>")
@guarded(Act.CORRECT)
def conclude(table: str, number: int) -> ResponseReturnValue:
    """Closes a complaint with what was decided."""
    decision = request.form.get("decision", "").strip()
    if not 0 < len(decision) <= LONGEST or not decision.isprintable():
        abort(400)
    answer = house().gateway(table).ask(Conclude(id=_tap(), by=me().person, number=number, decision=decision))
    if answer.outcome is Outcome.DONE:
        flash(say()("desk.concluded", number=number), "good")
    else:
        flash(say()("desk.not_taken", why=_why(answer)), "bad")
    return redirect(url_for("complaints.everything"))


@bp.get("/<table>/<day>/<int:number>/<int:complaint>.zip")
@guarded(Act.EXPORT)
def bundle(table: str, day: str, number: int, complaint: int) -> ResponseReturnValue:
    """The bundle that froze the round when the complaint was taken down."""
    if not is_day(day) or table not in days().tables():
        abort(404)
    path = complaint_bundle(journal_path(days().folder, table, day), number, complaint)
    if not path.is_file():
        abort(404)
    return send_file(path, "application/zip", as_attachment=True, download_name=path.name)


def _tap() -> str:
    """The tap's own id, so that a double tap takes nothing down twice; a new one where the form brought none."""
    tap = request.form.get("id", "")
    return f"{me().name}:{tap if TAP.fullmatch(tap) else uuid.uuid4().hex}"


def _why(answer: Answer) -> str:
    if answer.reason == "not_kept":
        return say()("desk.not_kept")
    if answer.reason:
        return say().code("codes", f"reason_{answer.reason}")
    return say()(f"codes.outcome_{answer.outcome}")
