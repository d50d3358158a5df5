"""The register of guests, where the house keeps one: who is there, who is excluded until when."""

from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.drawing import now
from dashboard.guests import FOR_EVER, Told
from dashboard.house import house, say
from dashboard.pages import Group, Item
from dashboard.roles import Act, guarded
from dashboard.signing_in import clean_name

bp = Blueprint("guests", __name__, url_prefix="/guests")
GROUP: Final = Group(bp, (Item("guests.register", "guests.menu", "guests", Act.GUESTS),))


@bp.get("/")
@guarded(Act.GUESTS)
def register() -> ResponseReturnValue:
    """Everybody on the register; `q` finds by a part of the name or the number."""
    wanted = request.args.get("q", "").strip().casefold()
    found = [one for one in house().guests.everybody() if wanted in f"{one.label} {one.told.name}".casefold()]
    return render_template("guests.html", guests=found[:200], wanted=wanted, now=now(), for_ever=FOR_EVER)


@bp.post("/")
@guarded(Act.GUESTS)
def add() -> ResponseReturnValue:
    """A guest is registered, or found again."""
    name, document = clean_name(request.form.get("name", "")), clean_name(request.form.get("document", ""))
    if not name:
        flash(say()("guests.no_name"), "bad")
        return redirect(url_for("guests.register"))
    guest = house().guests.register(Told(name, document), now())
    if guest.excluded_until > now():
        flash(say()("guests.is_excluded", label=guest.label), "bad")
    else:
        flash(say()("guests.registered", label=guest.label), "good")
    return redirect(url_for("guests.register"))


@bp.post("/<int:number>/exclude")
@guarded(Act.GUESTS)
def exclude(number: int) -> ResponseReturnValue:
    """Seats are refused until a day, for ever, or again given."""
    if house().guests.guest(number) is None:
        abort(404)
    how, until = request.form.get("how", ""), 0
    if how == "until":
        until = _end_of(request.form.get("day", ""))
    elif how == "for_ever":
        until = FOR_EVER
    elif how != "lift":
        abort(400)
    house().guests.exclude(number, until, clean_name(request.form.get("why", "")))
    flash(say()("guests.changed"), "good")
    return redirect(url_for("guests.register"))


def _end_of(day: str) -> int:
    try:
        at = int(datetime.fromisoformat(day[:10]).replace(hour=23, minute=59, tzinfo=UTC).timestamp())
    except (ValueError, OverflowError):
        abort(400)
    return min(max(at, 0), FOR_EVER)
