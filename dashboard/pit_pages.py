"""The pit boss's pages: the table at work, its money, opening and closing, rules, corrections, open questions."""

import re
from typing import Final

import msgspec
from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.commands import TAP, answered, checked, told
from dashboard.decks import BOOK, checked_today
from dashboard.drawing import now
from dashboard.forms import Form, NotProved, Unusable, chips
from dashboard.house import house, me, table_seen
from dashboard.openers import last_closing
from dashboard.pages import Group, Item
from dashboard.panels import Seen
from dashboard.panels.alerting import alerts_of, pictures_of
from dashboard.panels.pit import bets, figures_of, slips_of
from dashboard.roles import Act, guarded
from dashboard.rule_words import rules_told
from table_controller import houses
from table_controller.core.blackjack.lying import coming
from table_controller.core.blackjack.round import BlackjackRound, hole_index, rules_of
from table_controller.core.cards import Rank, Suit
from table_controller.core.disputes import find
from table_controller.core.house import House as HouseFile
from table_controller.core.irregular import TWO_PEOPLE, Remedy
from table_controller.core.people import Role
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Moved, MoveMoney
from table_controller.port.words import Answer, Note, Outcome
from table_controller.views.alerts import question_id
from table_controller.views.slips import NEXT, STEP, Document, Stage, Step, document_of

bp = Blueprint("pit", __name__, url_prefix="/tables/<table>")
GROUP: Final = Group(
    bp,
    (
        Item("pit.pit", "pit.menu_pit", "tools", Act.RUN_PIT, table=True, often=True),
        Item("pit.money", "pit.menu_money", "money", Act.SEE_MONEY, table=True),
    ),
)
BY_HAND: Final = (Moved.BUY_IN, Moved.COLOUR_UP, Moved.TIP, Moved.DROP)
BY_DOCUMENT: Final = (Moved.FILL, Moved.CREDIT)


@bp.get("/pit")
@guarded(Act.RUN_PIT)
def pit(table: str) -> ResponseReturnValue:
    """The table at work."""
    return render_template("pit.html", seen=table_seen(table))


@bp.get("/money")
@guarded(Act.SEE_MONEY)
def money(table: str) -> ResponseReturnValue:
    """Slips, the float, fills and credits."""
    seen = table_seen(table)
    return render_template(
        "money.html", seen=seen, by_hand=BY_HAND, by_document=BY_DOCUMENT, denominations=_denominations(seen)
    )


@bp.get("/count")
@guarded(Act.COUNT_TABLE)
def count(table: str) -> ResponseReturnValue:
    """Opening and closing, counted by two people."""
    seen = table_seen(table)
    closed = seen.state.rules is None
    opener = last_closing(house().settings.data, table) if closed else None
    settings = house().settings
    wanted = request.args.get("house", "")
    chosen = wanted if wanted in settings.rule_sets else settings.usual_rules
    file = houses.house_values(settings.rule_sets[chosen])
    return render_template(
        "count.html",
        seen=seen,
        closed=closed,
        opener=opener,
        houses=tuple(settings.rule_sets),
        chosen=chosen,
        checked=checked_today(settings, table, seen.day) if closed else None,
        decks=houses.rule_values(settings.rule_sets[chosen])["decks"],
        check_due=file["deck_check"],
        book=settings.data / BOOK,
        denominations=file["denominations"] if closed else _denominations(seen),
        day=figures_of(seen),
    )


@bp.get("/rules")
@guarded(Act.SEE_TABLE)
def rules(table: str) -> ResponseReturnValue:
    """The rules in force; who may, changes limits and rule set between rounds."""
    seen = table_seen(table)
    return render_template("rules.html", seen=seen, told=rules_told(seen), houses=tuple(house().settings.rule_sets))


@bp.get("/corrections")
@guarded(Act.CORRECT)
def corrections(table: str) -> ResponseReturnValue:
    """A card, a bet or a payment that was recorded wrongly; a round that is void."""
    seen = table_seen(table)
    rnd = seen.state.round
    return render_template(
        "corrections.html",
        seen=seen,
        round=rnd,
        cards=_cards(seen),
        bets=bets(seen.state),
        due=coming(seen.state) if seen.state.faults else None,
        ranks=list(Rank),
        suits=list(Suit),
    )


@bp.get("/questions/<int:number>")
@guarded(Act.CORRECT)
def question(table: str, number: int) -> ResponseReturnValue:
    """An open question with the remedies this house allows for it."""
    seen = table_seen(table)
    asked = find(seen.state, number)
    if asked is None or seen.state.house is None:
        return redirect(url_for("pit.pit", table=table))
    alert = next((one for one in alerts_of(seen).listed if one.id == question_id(number)), None)
    return render_template(
        "question.html",
        seen=seen,
        asked=asked,
        alert=alert,
        pictures=pictures_of(seen, alert) if alert is not None else (),
        remedies=seen.state.house.remedies[asked.irregularity],
        two=TWO_PEOPLE,
        types=Remedy.TYPE_CARD,
        withdraws=Remedy.WITHDRAW,
        bets=bets(seen.state),
        ranks=list(Rank),
        suits=list(Suit),
    )


@bp.get("/boxes")
@guarded(Act.DEAL)
def boxes(table: str) -> ResponseReturnValue:
    """Who deals, and who plays which box."""
    seen = table_seen(table)
    dealers = [one.name for one in house().people.accounts() if one.active and one.role is Role.DEALER]
    guests = house().guests.everybody() if house().settings.guests else []
    open_to = [one for one in guests if one.excluded_until <= now()]
    return render_template("boxes.html", seen=seen, dealers=dealers, guests=open_to)


@bp.get("/slips/<what>/<int:number>")
@guarded(Act.SEE_MONEY)
def slip(table: str, what: str, number: int) -> ResponseReturnValue:
    """A slip to print and sign."""
    seen = table_seen(table)
    found = next((one for one in slips_of(seen).slips if (one.what, one.number) == (what, number)), None)
    if found is None:
        abort(404)
    return render_template("slip.html", seen=seen, slip=found)


@bp.post("/documents")
@guarded(Act.RUN_PIT)
def ask_document(table: str) -> ResponseReturnValue:
    """A fill or credit is asked for; its number is its place in the record."""
    form = Form(request.form)
    try:
        step = Step(Stage.ASKED, me().name, _what(form), chips(form))
        if not step.chips:
            raise Unusable("chips")
        answer = _note(table_seen(table), step, _tap(form))
    except Unusable as field:
        answer = Answer(Outcome.UNREADABLE, 0, "field", str(field))
    return told(answer)


@bp.post("/documents/<int:number>")
@guarded(Act.RUN_PIT)
def move_document(table: str, number: int) -> ResponseReturnValue:
    """The next step of a document; receiving it takes two people and moves the money."""
    seen, form = table_seen(table), Form(request.form)
    document = document_of(slips_of(seen), number)
    if document is None:
        abort(404)
    try:
        answer = _moved(seen, document, form)
    except Unusable as field:
        answer = Answer(Outcome.UNREADABLE, 0, "field", str(field))
    except NotProved as unproved:
        answer = Answer(Outcome.REFUSED, 0, str(unproved))
    return told(answer)


def _moved(seen: Seen, document: Document, form: Form) -> Answer:
    stage = form.text("stage")
    if stage not in [one.value for one in NEXT[document.stage]]:
        return Answer(Outcome.STALE, seen.state.version)
    step = Step(Stage(stage), me().name, document.what, number=document.number, why=form.text("why"))
    if step.stage is not Stage.RECEIVING:
        return _note(seen, step, _tap(form))
    checked(house(), me().name, form.text("pin"), "pin")
    second = form.text("second")
    if second in ("", me().name):
        raise NotProved("second_person")
    stood_by = checked(house(), second, form.text("second_pin"), "second_pin")
    if document.stage is Stage.SENT and (noted := _note(seen, step, _tap(form))).outcome is not Outcome.DONE:
        return noted
    # The tap's id is the document's own: however often this is sent, the money moves once.
    fields = {"what": document.what, "chips": document.chips, "second": stood_by}
    tap = f"document-{seen.day}-{document.number}-{form.whole('version')}"
    return answered(seen.table, tap, form.whole("version"), MoveMoney, {**fields, "by": me().person})


def _note(seen: Seen, step: Step, tap: str) -> Answer:
    note = Note(f"{me().name}:{tap}", STEP, msgspec.Raw(msgspec.json.encode(step)))
    return house().gateway(seen.table).ask(note)


def _what(form: Form) -> Moved:
    what = form.text("what")
    if what not in [one.value for one in BY_DOCUMENT]:
        raise Unusable("what")
    return Moved(what)


def _tap(form: Form) -> str:
    tap = form.text("id")
    if not re.fullmatch(TAP, tap):
        raise Unusable("id")
    return tap


def _denominations(seen: Seen) -> tuple[int, ...]:
    filed: HouseFile | None = seen.state.house
    return filed.denominations if filed is not None else ()


def _cards(seen: Seen) -> list[tuple[Place, int, str]]:
    """Every recorded card that may be corrected: its place, which one it is there, its name. Never the hole card."""
    rnd = seen.state.round
    if not isinstance(rnd, BlackjackRound):
        return []
    places = [Place(box.number, hand) for box in rnd.boxes for hand in range(len(box.hands))]
    hidden = hole_index(rules_of(seen.state)) if rules_of(seen.state).hole_card and not rnd.revealed else None
    return [
        (place, at, card.text)
        for place in [*places, DEALER]
        for at, card in enumerate(rnd.cards_at(place))
        if card is not None and (place != DEALER or at != hidden)
    ]
