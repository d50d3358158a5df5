"""Alerts: what somebody must look at. Each stays until a named person has acknowledged it, and then in the history.

A fold of facts and of the floor's notes; an alert's id is the same on every machine that reads the record.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import reduce
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core import upkeep_words as tended
from table_controller.core.blackjack import words as bj
from table_controller.core.events import Event
from table_controller.core.irregular import Irregularity
from table_controller.core.people import Person
from table_controller.core.places import DEALER, Place
from table_controller.core.step import kind_of
from table_controller.core.table import DOES_NOT_BLOCK, Dispute, TableState

ACKNOWLEDGED: Final = "floor.alert_acknowledged"
CALLED: Final = "floor.supervisor_called"
LOCKED: Final = "floor.account_locked"
"""The notes of the floor that this fold reads."""


class Severity(StrEnum):
    """Stop: the game waits. Warn: it goes on, somebody must act. Note: somebody should know."""

    STOP = "stop"
    WARN = "warn"
    NOTE = "note"


class Alert(Struct, frozen=True):
    """One of them. `what` says which device, question or command; `ended_ns` is 0 while its cause lasts."""

    id: str
    code: str
    severity: Severity
    what: str
    at_ns: int
    round: int | None = None
    dealer: str = ""
    place: Place | None = None
    amount: int = 0
    detail: str = ""
    by: str = ""
    pictures: tuple[str, ...] = ()
    times: int = 1
    ended_ns: int = 0
    acknowledged_by: str = ""
    acknowledged_ns: int = 0

    @property
    def open(self) -> bool:
        """Nobody has acknowledged it."""
        return not self.acknowledged_by


class Alerts(Struct, frozen=True):
    """All of the day, oldest first, and where the table stands; `circles` are the pictures of bets that moved.

    `closed_ns` says since when the table is closed, None while it is open.
    """

    listed: tuple[Alert, ...] = ()
    round: int | None = None
    dealer: str = ""
    circles: Mapping[int, tuple[str, ...]] = {}
    closed_ns: int | None = 0

    @property
    def open(self) -> tuple[Alert, ...]:
        """Those nobody has acknowledged: what lasts before what is over, the gravest first, then the newest."""
        order = list(Severity)
        waiting = [one for one in self.listed if one.open]
        return tuple(sorted(waiting, key=lambda one: (bool(one.ended_ns), order.index(one.severity), -one.at_ns)))


class Acknowledged(Struct, frozen=True):
    """Body of the note: which alert, by whom."""

    alert: str
    by: Person


class Called(Struct, frozen=True):
    """Body of the note: somebody at the table wants the supervisor."""

    by: Person


class Locked(Struct, frozen=True):
    """Body of the note: whose password or PIN was typed wrongly too often."""

    name: str
    word: str


initial: Final = Alerts()
COUNTED: Final = frozenset({"command_refused", "account_locked"})
"""What comes again and again before anybody has looked is one alert that counts."""

DECKS_AGE: Final = frozenset({"decks_due", "decks_overdue"})
"""What is over when new cards are in the shoe."""

STOPS_PLAY: Final = frozenset(
    {Irregularity.SHOE_EMPTY, Irregularity.UNREADABLE, Irregularity.FACE_DOWN, Irregularity.PAST_POSTING}
)
"""Questions that other cards need not wait for, and yet somebody must come at once."""


def carried(state: TableState, at_ns: int) -> Alerts:
    """Where a day begins that goes on from another: what was open yesterday is open today."""
    rnd = state.round.number if state.round is not None else None
    view = Alerts(round=rnd, dealer=state.dealer or "", closed_ns=at_ns if state.rules is None else None)
    for one in state.disputes:
        view = _add(view, _question(one, at_ns))
    if state.upkeep.decks_overdue:
        view = _add(view, Alert(f"decks_overdue:{at_ns}", "decks_overdue", Severity.WARN, "", at_ns))
    for device in state.faults:
        view = _add(view, Alert(f"device_failed:{device}:{at_ns}", "device_failed", Severity.STOP, device, at_ns))
    return view


def apply(view: Alerts, event: Event, at_ns: int) -> Alerts:
    """The alerts after one more fact, recorded at `at_ns`."""
    match event:
        case fact.TableOpened() | fact.TableClosed():
            return replace(view, closed_ns=at_ns if isinstance(event, fact.TableClosed) else None)
        case fact.RoundOpened():
            return replace(view, round=event.number, circles={})
        case fact.CircleTouched():
            kept = tuple(file for file in (event.before, event.after) if file is not None)
            return replace(view, circles={**view.circles, event.box: kept})
        case fact.RoundClosed():
            return replace(view, round=None)
        case fact.DealerSignedOn():
            return replace(view, dealer=event.dealer)
        case fact.DisputeResolved():
            return _ended(view, question_id(event.dispute), at_ns)
        case fact.DeviceRecovered():
            return _recovered(view, event.device, at_ns)
        case fact.ShoeLoaded(new_cards=True):
            aged = [one.id for one in view.listed if one.code in DECKS_AGE and not one.ended_ns]
            return reduce(lambda after, which: _ended(after, which, at_ns), aged, view)
        case fact.TableResumed():
            paused = next((one.id for one in view.listed if one.code == "table_paused" and not one.ended_ns), "")
            return _ended(view, paused, at_ns)
        case _:
            return _raised(view, event, at_ns)


def acknowledge(view: Alerts, note: Acknowledged, at_ns: int) -> Alerts:
    """The first person to say so is the one on record."""
    listed = tuple(
        replace(one, acknowledged_by=note.by.name, acknowledged_ns=at_ns) if one.id == note.alert and one.open else one
        for one in view.listed
    )
    return replace(view, listed=listed)


def call(view: Alerts, note: Called, at_ns: int) -> Alerts:
    """The supervisor is wanted at the table."""
    alert = Alert(f"supervisor_called:{at_ns}", "supervisor_called", Severity.WARN, "", at_ns, by=note.by.name)
    return _add(view, alert)


def lock(view: Alerts, note: Locked, at_ns: int) -> Alerts:
    """Somebody tries to be this person, or has forgotten; it is about no round and no dealer."""
    warn = Severity.WARN
    return _listed(view, Alert(f"account_locked:{at_ns}", "account_locked", warn, note.name, at_ns, detail=note.word))


def _raised(view: Alerts, event: Event, at_ns: int) -> Alerts:
    alert = _question_of(event, at_ns) or _noted(event, at_ns)
    if alert is None:
        return view
    view = _add(view, alert)
    return replace(view, round=None) if isinstance(event, fact.RoundVoided) else view


def _add(view: Alerts, alert: Alert) -> Alerts:
    """Where the table stands."""
    alert = replace(alert, round=view.round, dealer=view.dealer)
    if alert.what == Irregularity.PAST_POSTING and alert.place is not None:
        alert = replace(alert, pictures=view.circles.get(alert.place.box, ()))
    return _listed(view, alert)


def _listed(view: Alerts, alert: Alert) -> Alerts:
    same = [one for one in view.listed if one.open and one.code == alert.code and one.code in COUNTED]
    known = next((one for one in same if (one.what, one.by, one.detail) == (alert.what, alert.by, alert.detail)), None)
    if known is None:
        return replace(view, listed=(*view.listed, alert))
    counted = replace(known, times=known.times + 1, at_ns=alert.at_ns)
    return replace(view, listed=tuple(counted if one is known else one for one in view.listed))


def _ended(view: Alerts, which: str, at_ns: int) -> Alerts:
    listed = tuple(replace(one, ended_ns=at_ns) if one.id == which else one for one in view.listed)
    return replace(view, listed=listed)


def _recovered(view: Alerts, device: str, at_ns: int) -> Alerts:
    """A device that was not there and came while nobody could play (a table that is started) needs nobody's word."""
    lasting = [one for one in view.listed if not one.ended_ns and one.code == "device_failed"]
    found = next((one for one in lasting if one.what == device), None)
    if found is None:
        return view
    if view.closed_ns is not None and found.open and found.at_ns >= view.closed_ns:
        return replace(view, listed=tuple(one for one in view.listed if one is not found))
    return _ended(view, found.id, at_ns)


def question_id(number: int) -> str:
    """The alert of an open question."""
    return f"question:{number}"


def _question(one: Dispute, at_ns: int) -> Alert:
    """A card at the dealer's place is not named: it may be the hole card."""
    grave = one.irregularity not in DOES_NOT_BLOCK or one.irregularity in STOPS_PLAY
    named = one.card.text if one.card is not None and one.place is not None and one.place != DEALER else ""
    return Alert(
        id=question_id(one.number),
        code="question",
        severity=Severity.STOP if grave else Severity.WARN,
        what=str(one.irregularity),
        at_ns=at_ns,
        place=one.place or (Place(one.box) if one.box else None),
        amount=one.paid - one.owed,
        detail=named,
    )


def _question_of(event: Event, at_ns: int) -> Alert | None:
    match event:
        case fact.Disputed():
            return _question(Dispute(event.dispute, event.irregularity, event.place, event.card), at_ns)
        case fact.ShoeRanOut():
            return _question(Dispute(event.dispute, Irregularity.SHOE_EMPTY), at_ns)
        case fact.PayoutReported():
            wrong = Irregularity.WRONG_PAYOUT
            one = Dispute(event.dispute, wrong, box=event.box, owed=event.due, paid=event.paid)
            return replace(_question(one, at_ns), by=event.by.name)
        case _:
            return None


NOTED: Final[Mapping[type[Event], Severity]] = {
    fact.DeviceFailed: Severity.STOP,
    fact.TablePaused: Severity.STOP,
    fact.RoundVoided: Severity.NOTE,
    fact.BetCorrected: Severity.NOTE,
    fact.CardCorrected: Severity.NOTE,
    fact.PayoutCorrected: Severity.NOTE,
    fact.CommandRefused: Severity.NOTE,
    fact.FloorCalled: Severity.WARN,
    tended.DecksDue: Severity.WARN,
    tended.DecksOverdue: Severity.WARN,
    tended.CutCardMisplaced: Severity.WARN,
    bj.HoleShown: Severity.WARN,
}
"""Facts that are alerts beside the questions."""


def _noted(event: Event, at_ns: int) -> Alert | None:
    severity = NOTED.get(type(event))
    if severity is None:
        return None
    kind = "supervisor_called" if isinstance(event, fact.FloorCalled) else kind_of(event)
    alert = Alert(f"{kind}:{event.cause.source}:{event.cause.seq}", kind, severity, "", at_ns)
    match event:
        case fact.DeviceFailed():
            return replace(alert, what=event.device)
        case fact.TablePaused() | fact.RoundVoided():
            return replace(alert, by=event.by.name, detail=event.reason)
        case fact.BetCorrected():
            return replace(alert, by=event.by.name, place=Place(event.box), amount=event.amount - event.was)
        case fact.CardCorrected():
            return replace(alert, by=event.by.name, place=event.place)
        case fact.PayoutCorrected():
            return replace(alert, place=Place(event.box), amount=event.difference)
        case tended.CutCardMisplaced():
            return replace(alert, detail=f"{event.behind} → {event.left}")
        case fact.CommandRefused():
            return replace(alert, by=event.by.name, what=event.command, detail=event.reason)
        case _:
            return alert
