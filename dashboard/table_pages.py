"""The pages of a running table: the felt, the dealer's screen, the alerts and the taps that acknowledge them."""

from typing import Any, Final

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.commands import TAP, told
from dashboard.forms import Form, Unusable
from dashboard.house import house, me, table_seen
from dashboard.pages import Group, Item
from dashboard.panels.alerting import alerts_of
from dashboard.roles import Act, guarded
from table_controller.port.words import Answer, Note, Outcome
from table_controller.views.alerts import ACKNOWLEDGED, CALLED, Acknowledged, Called

bp = Blueprint("live", __name__)
GROUP: Final = Group(
    bp,
    (
        Item("live.table", "live.menu_table", "table", Act.SEE_TABLE, table=True, often=True),
        Item("live.dealer", "live.menu_dealer", "dealer", Act.DEAL, table=True),
        Item("live.alerts", "live.menu_alerts", "alert", Act.ACKNOWLEDGE, table=True, often=True),
    ),
)


@bp.get("/tables/<table>")
@guarded(Act.SEE_TABLE)
def table(table: str) -> ResponseReturnValue:
    """The felt, what comes next, and how the table is."""
    table_seen(table)
    turned = request.args.get("from") == "players"
    return render_template("table.html", felt="felt_turned" if turned else "felt", turned=turned)


@bp.get("/tables/<table>/dealer")
@guarded(Act.DEAL)
def dealer(table: str) -> ResponseReturnValue:
    """The dealer's screen."""
    table_seen(table)
    return render_template("dealer.html")


@bp.get("/tables/<table>/alerts")
@guarded(Act.ACKNOWLEDGE)
def alerts(table: str) -> ResponseReturnValue:
    """What somebody must look at, and who has."""
    table_seen(table)
    return render_template("alerts.html")


@bp.post("/tables/<table>/alerts/acknowledge")
@guarded(Act.ACKNOWLEDGE)
def acknowledge(table: str) -> ResponseReturnValue:
    """A named person has seen an alert; it goes on record with the time."""
    seen = table_seen(table)
    alert = request.form.get("alert", "")
    if not any(one.id == alert and one.open for one in alerts_of(seen).listed):
        return told(Answer(Outcome.REFUSED, seen.state.version, "nothing_to_do"))
    return _noted(table, ACKNOWLEDGED, Acknowledged(alert, me().person))


@bp.post("/tables/<table>/call")
@guarded(Act.DEAL)
def call(table: str) -> ResponseReturnValue:
    """The dealer wants the supervisor."""
    table_seen(table)
    return _noted(table, CALLED, Called(me().person))


def _noted(table: str, what: str, body: Any) -> ResponseReturnValue:  # noqa: ANN401 - one of the floor's notes
    try:
        tap = Form(request.form).text("id")
    except Unusable:
        tap = ""
    if not TAP.fullmatch(tap):
        return told(Answer(Outcome.UNREADABLE, 0, "field", "id"))
    note = Note(f"{me().name}:{tap}", what, msgspec.Raw(msgspec.json.encode(body)))
    return told(house().gateway(table).ask(note))
