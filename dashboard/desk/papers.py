"""What is taken along from the desk: the bundle of a round, its report to print."""

import base64
import hashlib
import io
import logging
import time
import uuid
from typing import Final

import msgspec
from flask import Blueprint, abort, flash, make_response, redirect, request, send_file, url_for
from flask.typing import ResponseReturnValue

from dashboard.desk import footage
from dashboard.desk.days import Day
from dashboard.desk.pages import day_of
from dashboard.house import house, language, me, say
from dashboard.pages import Group
from dashboard.roles import Act, guarded
from table_controller.core.house import Language
from table_controller.export.archive import unpack
from table_controller.export.bundle import REPORT
from table_controller.export.make import Ask
from table_controller.export.make import export as make_bundle
from table_controller.journal.errors import JournalError, KeyUnusable, NotKept
from table_controller.journal.keys import key_path, load_key
from table_controller.port.words import Note

LOG: Final = logging.getLogger(__name__)
bp = Blueprint("papers", __name__, url_prefix="/desk")
GROUP: Final = Group(bp)
TAKEN: Final = "floor.bundle_exported"


class Taken(msgspec.Struct, frozen=True):
    """Body of the note that a round left the house in a file: which, for whom, by whom."""

    day: str
    round: int
    box: int | None
    by: str


@bp.post("/<table>/<day>/<int:number>/export")
@guarded(Act.EXPORT)
def export(table: str, day: str, number: int) -> ResponseReturnValue:
    """The bundle of a round, to keep. That it was taken goes on record where the table runs."""
    here, box = day_of(table, day), _box(request.form.get("box", ""))
    try:
        bundle = _bundle(here, number, box, _name(here, number, box))
    except KeyUnusable as why:
        flash(say()("desk.no_key", reason=str(why)), "bad")
        return redirect(url_for("desk.one_round", table=table, day=day, number=number))
    _note(here, number, box)
    return send_file(io.BytesIO(bundle), "application/zip", as_attachment=True, download_name=_name(here, number, box))


@bp.get("/<table>/<day>/<int:number>/paper")
@guarded(Act.EXPORT)
def paper(table: str, day: str, number: int) -> ResponseReturnValue:
    """The report of a round as it stands in the bundle, to print."""
    here, box = day_of(table, day), _box(request.args.get("box", ""))
    try:
        bundle = _bundle(here, number, box, _name(here, number, box))
    except KeyUnusable as why:
        flash(say()("desk.no_key", reason=str(why)), "bad")
        return redirect(url_for("desk.one_round", table=table, day=day, number=number))
    page = make_response(unpack(bundle)[REPORT])
    page.headers["Content-Type"] = "text/html; charset=utf-8"
    page.headers["Content-Security-Policy"] = f"default-src 'none'; style-src {_digest_of_style(page.get_data())}"
    return page


def _bundle(here: Day, number: int, box: int | None, name: str) -> bytes:
    """Aborts with 404 if there is no such round or box, 409 while its bets are not all decided."""
    if footage.on_the_table(here) == number:
        abort(409)
    wanted = request.values.get("lang", "")
    tongue = Language(wanted) if wanted in {one.value for one in Language} else language()
    ask = Ask(number, box, tongue, house().settings.zone_info, time.time_ns(), name)
    key = load_key(key_path(house().settings.data))
    try:
        return make_bundle(here.path, ask, key)
    except NotKept:
        abort(404)
    except KeyUnusable:
        raise
    except JournalError as damage:
        abort(409, str(damage))


def _box(text: str) -> int | None:
    if text and not (text.isascii() and text.isdecimal()):
        abort(400)
    return int(text) if text else None


def _name(here: Day, number: int, box: int | None) -> str:
    return f"{here.table}-{here.day}-round-{number}{f'-box-{box}' if box is not None else ''}.zip"


def _note(here: Day, number: int, box: int | None) -> None:
    taken = Taken(here.day, number, box, me().name)
    answer = house().gateway(here.table).ask(Note(uuid.uuid4().hex, TAKEN, msgspec.Raw(msgspec.json.encode(taken))))
    LOG.info("round %s of %s was exported by %s: %s", number, here.path.name, me().name, answer.outcome)


def _digest_of_style(page: bytes) -> str:
    """The one style of a paper, by its digest: nothing else may style or run on it."""
    style = page.partition(b"<style>")[2].partition(b"</style>")[0]
    return f"'sha256-{base64.b64encode(hashlib.sha256(style).digest()).decode()}'"
