"""People: accounts, roles, who is signed in, tablets of the house, what was done to accounts; who may do what."""

from typing import Final

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from dashboard.access import matrix, matrix_csv
from dashboard.drawing import now
from dashboard.house import TABLET, house, me, say
from dashboard.pages import Group, Item
from dashboard.passwords import weak_password, weak_pin
from dashboard.people import Taken
from dashboard.roles import Act, guarded
from dashboard.signing_in import clean_name, keep
from table_controller.core.people import Role

bp = Blueprint("people", __name__, url_prefix="/people")
GROUP: Final = Group(bp, (Item("people.everybody", "frame.people", "people", Act.PEOPLE),))


@bp.get("/")
@guarded(Act.PEOPLE)
def everybody() -> ResponseReturnValue:
    """All accounts."""
    people, sessions = house().people, house().sessions
    return render_template(
        "people.html",
        accounts=people.accounts(),
        open_sessions=sessions.counted(),
        tablets=sessions.tablets(),
        deeds=people.deeds(),
        roles=list(Role),
        now=now(),
    )


@bp.post("/")
@guarded(Act.PEOPLE)
def add() -> ResponseReturnValue:
    """A new account with a first password, which its person changes."""
    form = request.form
    name, role, password = clean_name(form.get("name", "")), form.get("role", ""), form.get("password", "")
    if not name or role not in tuple(Role) or weak_password(password, name):
        return _back("weak_password", "bad")
    try:
        house().people.add(name, Role(role), password, me().name, now())
    except Taken:
        return _back("name_taken", "bad")
    return _back("added", "good")


@bp.post("/change")
@guarded(Act.PEOPLE)
def change() -> ResponseReturnValue:
    """Role, password, PIN, disabled or enabled, unlocked: for somebody else than oneself."""
    people, form = house().people, request.form
    name, what, value = form.get("name", ""), form.get("what", ""), form.get("value", "")
    if people.account(name) is None:
        abort(404)
    if name == me().name:
        return _back("not_oneself", "bad")
    if what == "unlock":
        people.unlock(name, me().name, now())
    elif what == "sign_out":
        house().sessions.end_all(name)
    elif (stored := _readable(what, value, name)) is not None:
        people.change(name, what, stored, me().name, now())
    else:
        return _back("unusable", "bad")
    return _back("changed", "good")


def _readable(what: str, value: str, name: str) -> str | int | None:
    """The value as it is kept, None if it is no value of that."""
    match what:
        case "role" if value in tuple(Role):
            return value
        case "active" if value in ("0", "1"):
            return int(value)
        case "password" if not weak_password(value, name):
            return value
        case "pin" if not weak_pin(value):
            return value
        case _:
            return None


@bp.post("/tablets")
@guarded(Act.PEOPLE)
def enrol() -> ResponseReturnValue:
    """This tablet is one of the house from now on."""
    label = clean_name(request.form.get("label", "")) or say()("frame.tablet")
    answer: Response = make_response(redirect(url_for("people.everybody")))
    keep(answer, TABLET, house().sessions.enrol(label, me().name, now()))
    return answer


@bp.post("/tablets/dismiss")
@guarded(Act.PEOPLE)
def dismiss() -> ResponseReturnValue:
    """A tablet is trusted no more."""
    house().sessions.dismiss(request.form.get("token", ""))
    return _back("changed", "good")


@bp.get("/access")
@guarded(Act.PEOPLE)
def access() -> ResponseReturnValue:
    """Who may do what, taken from the very checks."""
    if request.args.get("format") == "csv":
        return Response(matrix_csv(current_app), mimetype="text/csv")
    return render_template("access.html", rows=matrix(current_app), roles=list(Role))


def _back(text: str, kind: str) -> ResponseReturnValue:
    flash(say()(f"frame.{text}"), kind)
    return redirect(url_for("people.everybody"))
