"""The one door for commands: every tap carries its own id and the version of the state it was made from."""

import logging
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from flask import Blueprint, abort, flash, redirect, request
from flask.typing import ResponseReturnValue

from dashboard.drawing import now
from dashboard.forms import Form, NotProved, Unusable
from dashboard.house import House, house, me, say
from dashboard.kinds import KINDS, Kind
from dashboard.pages import Group
from dashboard.roles import Act, guarded, may
from dashboard.security import wants_json
from table_controller.core.codec import ENCODER
from table_controller.core.people import Person, Role
from table_controller.core.stimuli import Cause, Command, Stimulus
from table_controller.games import GAMES
from table_controller.port.words import Answer, Ask, Outcome

LOG: Final = logging.getLogger(__name__)
bp = Blueprint("commands", __name__)
GROUP: Final = Group(bp)
TAP: Final = re.compile(r"[0-9A-Za-z-]{8,64}")
STATUS: Final = {
    Outcome.DONE: 200,
    Outcome.REFUSED: 409,
    Outcome.STALE: 409,
    Outcome.DOWN: 503,
    Outcome.UNREADABLE: 400,
}


@bp.post("/commands")
@guarded(Act.OWN_ACCOUNT)
def command() -> ResponseReturnValue:
    """One command to one table; what became of it, as JSON for the page's script or as a message on the page."""
    form = Form(request.form)
    kind = KINDS.get(request.form.get("kind", ""))
    if kind is None:
        abort(400)
    if not may(me().role, kind.act):
        abort(403)
    try:
        answer = _asked(form, kind)
    except Unusable as field:
        answer = Answer(Outcome.UNREADABLE, 0, "field", str(field))
    except NotProved as unproved:
        answer = Answer(Outcome.REFUSED, 0, str(unproved))
    return told(answer)


def _asked(form: Form, kind: Kind) -> Answer:
    tap, table = form.text("id"), form.text("table")
    if not TAP.fullmatch(tap):
        raise Unusable("id")
    if table not in house().feed.tables:
        raise Unusable("table")
    version = form.whole("version")
    second = _proved(form, kind)
    fields = _fields(kind, form, me().person, second)
    if kind.first is not None:
        kind.first(house(), form, fields)
    return answered(table, tap, version, kind.stimulus, fields)


def answered(table: str, tap: str, version: int, stimulus: type[Stimulus], fields: Mapping[str, Any]) -> Answer:
    """Asks a table for a stimulus of these fields; raises Unusable for what no table understands."""
    answer = house().gateway(table).ask(Ask(f"{me().name}:{tap}", version, body_of(stimulus, fields), me().person))
    LOG.info("%s %s at %s: %s %s", me().name, stimulus.__name__, table, answer.outcome, answer.reason)
    return answer


def written(kind: Kind, form: Form, by: Person, second: Person | None) -> msgspec.Raw:
    """A command of the table of kinds as the codec writes it, its cause left out; raises Unusable."""
    return body_of(kind.stimulus, _fields(kind, form, by, second))


def _fields(kind: Kind, form: Form, by: Person, second: Person | None) -> dict[str, Any]:
    fields: dict[str, Any] = dict(kind.read(form))
    if issubclass(kind.stimulus, Command):
        fields["by"] = by
    if kind.second or kind.maybe:
        fields["second"] = second
    return fields


def body_of(stimulus: type[Stimulus], fields: Mapping[str, Any]) -> msgspec.Raw:
    """The stimulus as the codec writes it, its cause left out; raises Unusable for what no table understands."""
    plain = {"kind": str(stimulus.__struct_config__.tag), "cause": Cause("floor", 0), **fields}
    codec = next(iter(GAMES.values())).codec
    try:
        read = codec.stimulus(ENCODER.encode(plain))
    except msgspec.ValidationError as wrong:
        raise Unusable(_field_of(wrong)) from None
    body: dict[str, msgspec.Raw] = msgspec.json.decode(ENCODER.encode(read), type=dict[str, msgspec.Raw])
    del body["cause"]
    return msgspec.Raw(msgspec.json.encode(body))


def _field_of(wrong: msgspec.ValidationError) -> str:
    found = re.search(r"\$\.(\w+)", str(wrong))
    return found[1] if found else "form"


def _proved(form: Form, kind: Kind) -> Person | None:
    """Checks one's own PIN and the second person's; returns the second person, if one was named."""
    if kind.pin:
        checked(house(), me().name, form.text("pin"), "pin")
    named = form.text("second") if kind.second or kind.maybe else ""
    if kind.second and not named:
        raise NotProved("second_person")
    if not named:
        return None
    if named == me().name:
        raise NotProved("second_person")
    return checked(house(), named, form.text("second_pin"), "second_pin")


def checked(of: House, name: str, pin: str, why: str) -> Person:
    """The person of a name who knows the PIN; raises NotProved."""
    account = of.people.check(name, pin, "pin", now(), of.lock)
    if account is None or account.role in (Role.TECHNICIAN, Role.SURVEILLANCE):
        raise NotProved(why)
    return account.person


def told(answer: Answer) -> ResponseReturnValue:
    """What became of a command, in words."""
    text = _sentence(answer)
    if wants_json():
        return {**_plain(answer), "text": text}, STATUS[answer.outcome]
    flash(text, "good" if answer.outcome is Outcome.DONE else "bad")
    return redirect(_where_from())


def _plain(answer: Answer) -> Mapping[str, object]:
    return {"outcome": answer.outcome, "version": answer.version, "reason": answer.reason, "detail": answer.detail}


def _sentence(answer: Answer) -> str:
    speech = say()
    text = speech(f"codes.outcome_{answer.outcome}")
    if answer.outcome in (Outcome.REFUSED, Outcome.UNREADABLE) and answer.reason:
        text = speech.code("codes", f"reason_{answer.reason}")
        if answer.reason == "field":
            return f"{text}: {speech.code('codes', f'field_{answer.detail}')}"
    return text


def _where_from() -> str:
    """The page the form was on, by path alone, so that nobody is sent elsewhere."""
    path = request.form.get("back", "/")
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"
