"""The dispute desk: rounds found by what is known of them, one round step by step, its papers to take along."""

from collections.abc import Mapping
from typing import Final

from flask import Blueprint, abort, current_app, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from dashboard import wording
from dashboard.desk import footage, telling
from dashboard.desk.days import Day, Days
from dashboard.desk.searching import EXCEPTIONS, QUESTIONS, Misread, wanted
from dashboard.desk.telling import Scene
from dashboard.house import house, language, say
from dashboard.pages import Group, Item
from dashboard.panels.table import felt_as
from dashboard.roles import Act, guarded
from table_controller.export.wording import Wording
from table_controller.journal.errors import JournalError, NotKept
from table_controller.views.rounds_index import Entry, Wanted, find

bp = Blueprint("desk", __name__, url_prefix="/desk")
GROUP: Final = Group(bp, (Item("desk.latest", "desk.title", "desk", Act.REPLAY, often=True),))
KEPT: Final = "krupier_days"
MOST: Final = 200


class UnreadableDay(Exception):
    """A day's record is damaged; the message says where."""


def days() -> Days:
    """All recorded days of the house."""
    found = current_app.extensions.setdefault(KEPT, Days(house().settings.data))
    assert isinstance(found, Days)
    return found


def day_of(table: str, day: str) -> Day:
    """A recorded day; aborts with 404 if there is none, raises UnreadableDay if it cannot be read."""
    try:
        return days().day(table, day)
    except NotKept:
        abort(404)
    except JournalError as damage:
        raise UnreadableDay(str(damage)) from None


@bp.app_errorhandler(UnreadableDay)
def unreadable(damage: UnreadableDay) -> ResponseReturnValue:
    """Says what is wrong with the record and what to do; nothing is shown of a day that cannot be trusted."""
    return render_template("desk/damaged.html", reason=str(damage)), 409


def words(day: Day) -> Wording:
    """Facts in the reader's language with the house's currency and the venue's time."""
    return telling.InWords(day.views.state, language(), house().settings.zone_info)


@bp.get("/")
@guarded(Act.REPLAY)
def latest() -> ResponseReturnValue:
    """The newest day of the table asked for, or of the first."""
    tables = days().tables()
    table = request.args.get("table", "")
    if not tables:
        return render_template("desk/none.html")
    chosen = table if table in tables else tables[0]
    return redirect(url_for("desk.rounds", table=chosen, day=request.args.get("day") or days().days(chosen)[0]))


@bp.get("/<table>/<day>")
@guarded(Act.REPLAY)
def rounds(table: str, day: str) -> ResponseReturnValue:
    """The rounds of a day that fit what is known."""
    here, misread, asked = day_of(table, day), "", Wanted()
    try:
        asked = wanted(request.args, day, house().settings.zone_info)
    except Misread as field:
        misread = str(field)
    index = here.views.index
    found = [] if misread else find(index.rounds.values(), asked)
    return render_template(
        "desk/rounds.html",
        here=here,
        found=list(reversed(found))[:MOST],
        left=max(0, len(found) - MOST),
        misread=misread,
        fields=request.args,
        searched=asked != Wanted() or bool(misread),
        say_fact=words(here),
        running=footage.on_the_table(here),
        **_choices(here),
    )


def _choices(here: Day) -> Mapping[str, object]:
    entries = here.views.index.rounds.values()
    return {
        "tables": days().tables(),
        "all_days": days().days(here.table),
        "dealers": sorted({entry.dealer for entry in entries if entry.dealer}),
        "players": sorted({seat.player for entry in entries for seat in entry.seats.values() if seat.player}),
        "boxes": sorted({box for entry in entries for box in entry.seats}),
        "questions": sorted({mark for entry in entries for mark in entry.questions}, key=str),
        "exceptions": sorted({mark for entry in entries for mark in entry.exceptions}, key=str),
        "marks": QUESTIONS | EXCEPTIONS,
    }


@bp.get("/<table>/<day>/<int:number>")
@guarded(Act.REPLAY)
def one_round(table: str, day: str, number: int) -> ResponseReturnValue:
    """A round from its first fact to its last, standing at the one asked for."""
    here = day_of(table, day)
    scenes = _scenes(here, number)
    at = _standing_at(scenes, request.args.get("seq", ""))
    entries = here.views.index.rounds
    return render_template(
        "desk/round.html",
        here=here,
        number=number,
        entry=entries.get(number, Entry(number, scenes[0].at_ns)),
        scenes=scenes,
        running=footage.on_the_table(here) == number,
        shots=footage.shots(here, number, scenes),
        clips=footage.clips(_newest(table), scenes[0].at_ns, scenes[-1].at_ns),
        gaps=footage.gaps(_newest(table), scenes[0].at_ns, scenes[-1].at_ns),
        lines=telling.lines_of(here.course(number)),
        around=(_neighbour(entries, number, -1), _neighbour(entries, number, 1)),
        say_fact=words(here),
        **_shown(here, scenes, at),
    )


@bp.get("/<table>/<day>/<int:number>/<int:seq>")
@guarded(Act.REPLAY)
def moment(table: str, day: str, number: int, seq: int) -> ResponseReturnValue:
    """One step of a round, as a piece of its page."""
    here = day_of(table, day)
    scenes = _scenes(here, number)
    if seq not in {scene.seq for scene in scenes}:
        abort(404)
    return render_template(
        "desk/moment.html", here=here, number=number, **_shown(here, scenes, _standing_at(scenes, str(seq)))
    )


@bp.get("/<table>/<day>/<int:number>/picture/<int:seq>")
@guarded(Act.REPLAY)
def picture(table: str, day: str, number: int, seq: int) -> ResponseReturnValue:
    """A picture of the round's evidence."""
    found = footage.picture_file(day_of(table, day), number, seq)
    if found is None:
        abort(404)
    return send_file(found[0], mimetype=found[1], max_age=0)


@bp.get("/video/<table>/<file>", defaults={"camera": 1})
@bp.get("/video/<table>/<int:camera>/<file>")
@guarded(Act.REPLAY)
def video(table: str, camera: int, file: str) -> ResponseReturnValue:
    """A segment of a camera's video; refused while it shows a round that is not settled."""
    if table not in days().tables():
        abort(404)
    found = footage.video_file(_newest(table), camera, file)
    if found is None:
        abort(404)
    return send_file(found, mimetype="video/mp4", conditional=True, max_age=0)


def _newest(table: str) -> Day:
    """What is on the table now is in its newest day."""
    return day_of(table, days().days(table)[0])


def _scenes(here: Day, number: int) -> tuple[Scene, ...]:
    try:
        return telling.scenes(here.course(number), words(here))
    except NotKept:
        abort(404)


def _standing_at(scenes: tuple[Scene, ...], seq: str) -> int:
    """The position of the last moment up to a row; the end where none is asked for."""
    if not (seq.isascii() and seq.isdecimal()):
        return len(scenes) - 1
    return max((at for at, scene in enumerate(scenes) if scene.seq <= int(seq)), default=0)


def _neighbour(entries: Mapping[int, Entry], number: int, step: int) -> int | None:
    others = sorted(entries)
    at = others.index(number) + step if number in entries else -1
    return others[at] if 0 <= at < len(others) else None


def _shown(here: Day, scenes: tuple[Scene, ...], at: int) -> Mapping[str, object]:
    """What the felt needs to be drawn as it was."""
    scene, speech = scenes[at], say(here.table)
    return {
        **felt_as(scene.board, scene.after, speech),
        "scene": scene,
        "at": at,
        "steps": len(scenes),
        "prompt": wording.prompt_line(speech, scene.prompt),
        "allowed": [speech(f"desk.act_{action}") for action in scene.legal],
    }
