"""Alerts: the line on every page of a table, and the list where a person says that he has seen them."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from dashboard import wording
from dashboard.i18n import Speech
from dashboard.panels import Fragment, Seen, Viewer, fold, panel
from dashboard.roles import Act
from table_controller.core.events import Event
from table_controller.core.places import DEALER
from table_controller.core.table import TableState
from table_controller.journal.evidence import EVIDENCE_KEPT, Evidence
from table_controller.journal.record import Record
from table_controller.views import alerts
from table_controller.views.alerts import Acknowledged, Alert, Alerts, Called, Locked

ALERTS, PICTURES = "alerts", "pictures"
SHOWN: Final = 40
REMEMBERED: Final = 12
MOMENT_NS: Final = 3_000_000_000


def _start(state: TableState) -> Alerts:
    return alerts.carried(state, 0)


def _apply(view: Alerts, record: Record, said: object, _state: TableState) -> Alerts:
    if isinstance(said, Event):
        return alerts.apply(view, said, record.at_ns)
    if record.kind == alerts.ACKNOWLEDGED:
        return alerts.acknowledge(view, msgspec.json.decode(record.body, type=Acknowledged), record.at_ns)
    if record.kind == alerts.CALLED:
        return alerts.call(view, msgspec.json.decode(record.body, type=Called), record.at_ns)
    if record.kind == alerts.LOCKED:
        return alerts.lock(view, msgspec.json.decode(record.body, type=Locked), record.at_ns)
    return view


fold(ALERTS, _start, _apply)


class Kept(NamedTuple):
    """A picture of a box: the row that speaks of it, when, and the file's name."""

    seq: int
    at_ns: int
    file: str


Pictures = Mapping[tuple[int, int], tuple[Kept, ...]]
"""Round and box -> its last pictures. Pictures of the whole table are not among them: they may show the hole card."""


def _kept(pictures: Pictures, record: Record, _said: object, _state: TableState) -> Pictures:
    if record.kind != EVIDENCE_KEPT or record.round is None:
        return pictures
    evidence = msgspec.json.decode(record.body, type=Evidence)
    if evidence.box is None:
        return pictures
    at = (record.round, evidence.box)
    one = Kept(record.seq, record.at_ns, evidence.name)
    return {**pictures, at: (*pictures.get(at, ())[1 - REMEMBERED :], one)}


fold(PICTURES, lambda _state: {}, _kept)


def pictures_of(seen: Seen, alert: Alert) -> tuple[Kept, ...]:
    """What shows an alert: the pictures it names, else the last ones of its box up to a moment after."""
    if alert.round is None or alert.place is None or alert.place == DEALER:
        return ()
    kept: tuple[Kept, ...] = seen.views.get(PICTURES, {}).get((alert.round, alert.place.box), ())
    if alert.pictures:
        return tuple(one for one in kept if one.file in alert.pictures)
    return tuple(one for one in kept if one.at_ns <= alert.at_ns + MOMENT_NS)[-2:]


def alerts_of(seen: Seen) -> Alerts:
    """The day's alerts of a table."""
    view = seen.views.get(ALERTS, alerts.initial)
    assert isinstance(view, Alerts)
    return view


def title(say: Speech, alert: Alert) -> str:
    """What happened, in a few words."""
    if alert.code == "question":
        return wording.code_text(say, "irregularity", alert.what)
    match alert.code:
        case "device_failed":
            what = wording.code_text(say, "device", alert.what)
        case "account_locked":
            what = alert.what
        case _:
            what = say.code("alerts", f"command_{alert.what}")
    return say(f"alerts.title_{alert.code}", what=what)


def to_do(say: Speech, alert: Alert) -> str:
    """What a person does about it."""
    return say(f"alerts.do_{alert.what if alert.code == 'question' else alert.code}")


def detail(say: Speech, alert: Alert) -> str:
    """Where and how much, as far as it is known; of a refusal, the reason."""
    match alert.code:
        case "question":
            told = wording.card(say, alert.detail) if alert.detail else ""
        case "account_locked":
            told = say(f"alerts.locked_{alert.detail}")
        case "command_refused":
            told = wording.code_text(say, "reason", alert.detail.partition(": ")[0])
        case _:
            told = alert.detail
    where = wording.place(say, alert.place) if alert.place is not None else ""
    amount = say.signed(alert.amount) if alert.amount else ""
    return ", ".join(part for part in (where, told, amount) if part)


@panel("alert_line", Act.SEE_TABLE)
def alert_line(seen: Seen, viewer: Viewer) -> Fragment:
    """The gravest open alert; the page's script sounds when a new one comes."""
    waiting = alerts_of(seen).open
    return "panels/alert_line.html", {"alerts": waiting, "titles": [title(viewer.say, one) for one in waiting[:1]]}


@panel("alerts", Act.ACKNOWLEDGE)
def alert_list(seen: Seen, viewer: Viewer) -> Fragment:
    """All open alerts with what to do, and those acknowledged today with who and when."""
    view = alerts_of(seen)
    known = [one for one in view.listed if not one.open]
    return "panels/alerts.html", {
        "waiting": view.open,
        "known": sorted(known, key=lambda one: -one.acknowledged_ns)[:SHOWN],
        "title": lambda alert: title(viewer.say, alert),
        "to_do": lambda alert: to_do(viewer.say, alert),
        "detail": lambda alert: detail(viewer.say, alert),
        "pictures": lambda alert: pictures_of(seen, alert),
        "open_questions": {f"question:{one.number}" for one in seen.state.disputes},
        "may_correct": viewer.may(Act.CORRECT),
        "may_replay": viewer.may(Act.REPLAY),
    }
