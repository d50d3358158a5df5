"""Practice: the plan, what was planted and called goes on record, the score card of the day."""

from typing import Final

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.commands import TAP, told
from dashboard.desk.pages import day_of
from dashboard.forms import Form, Unusable, flag
from dashboard.house import house, language, me, table_seen
from dashboard.pages import Group, Item
from dashboard.panels import Seen
from dashboard.panels.practice import lesson_of
from dashboard.roles import Act, guarded
from table_controller.core.blackjack.round import BlackjackRound, round_of
from table_controller.port.words import Answer, Note, Outcome
from table_controller.practice.lesson import LARGEST_SEED, PLANNED, Plan, to_do_wrong
from table_controller.practice.mistakes import CALLED, PLANTED, Called
from table_controller.practice.score import ScoreCard, score
from table_controller.practice.telling import told as card_told

bp = Blueprint("practice", __name__, url_prefix="/tables/<table>/practice")
GROUP: Final = Group(bp, (Item("practice.practice", "practice.menu", "check", Act.RUN_PIT, table=True),))


@bp.get("")
@guarded(Act.RUN_PIT)
def practice(table: str) -> ResponseReturnValue:
    """The plan, and the score card; a mistake nobody has found yet is not on it while its round is played."""
    seen = table_seen(table)
    card = card_of(seen)
    lines = card_told(card, language()) if card.rounds else []
    return render_template("practice.html", seen=seen, lesson=lesson_of(seen), lines=lines)


def card_of(seen: Seen) -> ScoreCard:
    """The day's score card without what is still to be found in the round on the table."""
    card, rnd = score(day_of(seen.table, seen.day).recorded), seen.state.round
    running = rnd.number if rnd is not None else None
    card.lines = [line for line in card.lines if line.noticed or line.round != running]
    return card


@bp.post("/plan")
@guarded(Act.RUN_PIT)
def plan(table: str) -> ResponseReturnValue:
    """Whether mistakes are made on purpose from now on, and by which plan."""
    seen, form = table_seen(table), Form(request.form)
    try:
        seed = form.whole("seed")
        if seed > LARGEST_SEED:
            raise Unusable("seed")
        body = Plan(mistakes=flag(form, "mistakes"), seed=seed, by=me().name)
        answer = _note(seen, _tap(form), PLANNED, body)
    except Unusable as field:
        answer = Answer(Outcome.UNREADABLE, 0, "field", str(field))
    return told(answer)


@bp.post("/planted")
@guarded(Act.DEAL)
def planted(table: str) -> ResponseReturnValue:
    """The dealer's screens show a mistake whose moment has come; it goes on record once a round, for all of them."""
    seen = table_seen(table)
    lesson = lesson_of(seen)
    found = to_do_wrong(lesson, seen.state)
    if found is None or request.form.get("round") != str(found.round):
        return told(Answer(Outcome.REFUSED, seen.state.version, "nothing_to_do"))
    if found.round in lesson.planted:
        return told(Answer(Outcome.DONE, seen.state.version))
    return told(_note(seen, f"planted:{seen.day}:{found.round}", PLANTED, found, found.round))


@bp.post("/called")
@guarded(Act.RUN_PIT)
def called(table: str) -> ResponseReturnValue:
    """A supervisor says that a box was paid wrongly in the practice round on the table."""
    seen, form = table_seen(table), Form(request.form)
    rnd = round_of(seen.state)
    if rnd is None or not rnd.practice:
        return told(Answer(Outcome.REFUSED, seen.state.version, "no_round"))
    try:
        box = _box(rnd, form)
    except Unusable as field:
        return told(Answer(Outcome.UNREADABLE, 0, "field", str(field)))
    if box in lesson_of(seen).called.get(rnd.number, ()):
        return told(Answer(Outcome.REFUSED, seen.state.version, "nothing_to_do"))
    called = Called(rnd.number, box, me().name)
    return told(_note(seen, f"called:{seen.day}:{rnd.number}:{box}", CALLED, called, rnd.number))


def _box(rnd: BlackjackRound, form: Form) -> int:
    box = form.whole("box")
    if form.whole("round") != rnd.number:
        raise Unusable("round")
    if box not in {one.number for one in rnd.boxes}:
        raise Unusable("box")
    return box


def _tap(form: Form) -> str:
    tap = form.text("id")
    if not TAP.fullmatch(tap):
        raise Unusable("id")
    return f"{me().name}:{tap}"


def _note(seen: Seen, tap: str, what: str, body: msgspec.Struct, number: int | None = None) -> Answer:
    note = Note(tap, what, msgspec.Raw(msgspec.json.encode(body)), number)
    return house().gateway(seen.table).ask(note)
