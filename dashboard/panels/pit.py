"""The pit boss's work at a glance: how the table stands, what may be done now, open questions, slips and documents."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from dashboard.panels import Fragment, Seen, Viewer, fold, panel
from dashboard.roles import Act
from table_controller.core import stimuli as said
from table_controller.core.blackjack.phases.betting import exposure
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.events import Event
from table_controller.core.people import Person
from table_controller.core.shoe_life import usual_cut
from table_controller.core.step import why_not
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.core.table import TableState, may_refuse_play
from table_controller.core.upkeep import wants_reader
from table_controller.games import GAMES
from table_controller.journal.record import Record
from table_controller.views import figures, slips
from table_controller.views.figures import Figures
from table_controller.views.slips import NEXT, STEP, Slips, Stage

HOUR_NS: Final = 3_600_000_000_000
FLOOR: Final = "floor"


def _figures(view: Figures, _record: Record, said_: object, _state: TableState) -> Figures:
    return figures.apply(view, said_) if isinstance(said_, Event) else view


def _slips(view: Slips, record: Record, said_: object, _state: TableState) -> Slips:
    if record.kind == STEP:
        return slips.noted(view, bytes(record.body), record.at_ns)
    return slips.apply(view, said_, record.at_ns) if isinstance(said_, Event) else view


def _no_slips(state: TableState) -> Slips:
    """A day that begins with an open table knows the opening's worth but not its chips."""
    return slips.initial if state.rules is None else replace(slips.initial, closed_with=None)


fold("figures", figures.carried, _figures)
fold("slips", _no_slips, _slips)


class Action(NamedTuple):
    """A button: what it asks for, with which fields, how it looks, why it would be refused now; `two` people tap it."""

    kind: str
    text: str
    fields: Mapping[str, str]
    look: str
    icon: str
    refused: str = ""
    two: bool = False


class Cut(NamedTuple):
    """What may be said of the cut of a new shoe: which boxes there are, how deep the cut card usually lies."""

    boxes: int
    behind: int


def cut_due(state: TableState) -> Cut | None:
    """The cut that may be recorded now, where the house asks for one."""
    behind = usual_cut(state)
    if not behind or state.rules is None or state.shoe is None or state.round is not None or not state.shoe.shuffled:
        return None
    return Cut(state.rules.boxes, state.shoe.behind or behind)


def counts_hours(state: TableState) -> bool:
    """Whether the house watches the age of the cards, so that two people load new ones."""
    return state.house is not None and state.house.deck_hours is not None


def _actions(seen: Seen, viewer: Viewer) -> list[Action]:
    by, cause = Person("somebody", viewer.role), Cause(FLOOR, 0)
    paused = seen.state.paused
    offered: list[tuple[Action, Stimulus]] = [
        (Action("open_bets", "pit.open_bets", {"practice": ""}, "primary", "play"), said.OpenBets(cause, by)),
        (Action("close_bets", "pit.close_bets", {}, "", "check"), said.CloseBets(cause, by)),
        (
            Action("open_bets", "pit.open_practice", {"practice": "1"}, "", "dealer"),
            said.OpenBets(cause, by, practice=True),
        ),
        (Action("load_shoe", "pit.load_shoe", {"new_cards": ""}, "", "shoe"), said.LoadShoe(cause, by)),
        (
            Action("load_shoe", "pit.load_new", {"new_cards": "1"}, "", "shoe", two=counts_hours(seen.state)),
            said.LoadShoe(cause, by, True, Person("somebody else", viewer.role)),
        ),
        (Action("resume_table", "pit.resume", {}, "primary", "play"), said.ResumeTable(cause, by))
        if paused
        else (
            Action("pause_table", "pit.pause", {"reason": FLOOR}, "danger", "pause"),
            said.PauseTable(cause, by, FLOOR),
        ),
    ]
    if wants_reader(seen.state) and not seen.state.upkeep.reader_inspected:
        action = Action("inspect_reader", "pit.inspect_reader", {}, "primary", "check")
        offered.insert(0, (action, said.InspectReader(cause, by)))
    game = next(iter(GAMES.values())).game
    told = ((action, why_not(game, seen.state, stimulus)) for action, stimulus in offered)
    return [action._replace(refused=refusal.reason if refusal is not None else "") for action, refusal in told]


@panel("pit_actions", Act.RUN_PIT)
def pit_actions(seen: Seen, viewer: Viewer) -> Fragment:
    """What may be done now; what may not, with the very reason it would be refused with."""
    return "panels/pit_actions.html", {"actions": _actions(seen, viewer), "cut": cut_due(seen.state)}


@panel("pit_status", Act.SEE_MONEY)
def pit_status(seen: Seen, _viewer: Viewer) -> Fragment:
    """Where the table stands, its win and its pace, and what it may still lose."""
    state, day = seen.state, figures_of(seen)
    hours = day.house.active_ns / HOUR_NS
    budget = state.rules.budget if state.rules is not None else None
    values: dict[str, Any] = {
        "state": state,
        "day": day,
        "win_per_hour": round(day.win / hours, -2) if hours > 0.05 else None,
        "pace": round(day.house.rounds_per_hour or 0),
        "exposure": exposure(state) if state.round is not None and not state.round.practice else 0,
        "budget_left": budget + state.bank.house_net if budget is not None else None,
        "over_budget": may_refuse_play(state),
        "practice": state.round is not None and state.round.practice,
        "bets": bets(state),
        "decks_ns": state.upkeep.decks_ns if counts_hours(state) else None,
    }
    return "panels/pit_status.html", values


@panel("questions", Act.SEE_TABLE)
def questions(seen: Seen, viewer: Viewer) -> Fragment:
    """Open questions; who may answer finds the way to the house's remedies."""
    return "panels/questions.html", {"questions": seen.state.disputes, "answers": viewer.may(Act.CORRECT)}


@panel("slips", Act.SEE_MONEY)
def slip_list(seen: Seen, _viewer: Viewer) -> Fragment:
    """Every slip of the day, newest first."""
    return "panels/slips.html", {"slips": slips_of(seen).slips[::-1]}


@panel("tray", Act.SEE_MONEY)
def tray(seen: Seen, _viewer: Viewer) -> Fragment:
    """The float by denomination: the opening count and what slips have changed of it."""
    view, house = slips_of(seen), seen.state.house
    chips = house.denominations if house is not None else ()
    bank = seen.state.bank
    by_slips = bank.opening + bank.fills - bank.credits - bank.buy_ins
    values = {"denominations": chips, "view": view, "by_slips": by_slips, "bank": bank, "open": house is not None}
    return "panels/tray.html", values


@panel("documents", Act.SEE_MONEY)
def documents(seen: Seen, viewer: Viewer) -> Fragment:
    """Fills and credits on their way, the open ones first."""
    view = slips_of(seen)
    done = (Stage.DONE, Stage.VOID)
    ordered = sorted(view.documents, key=lambda one: (one.stage in done, -one.number))
    return "panels/documents.html", {
        "documents": ordered,
        "next": NEXT,
        "acts": viewer.may(Act.RUN_PIT),
        "Stage": Stage,
    }


def figures_of(seen: Seen) -> Figures:
    """The day in figures so far."""
    view: Figures = seen.views.get("figures", figures.initial)
    return view


def slips_of(seen: Seen) -> Slips:
    """The day's slips and documents so far."""
    view: Slips = seen.views.get("slips", slips.initial)
    return view


def bets(state: TableState) -> list[tuple[int, int]]:
    """The bets that lie: box and amount, doubling and splits included."""
    rnd = state.round
    if not isinstance(rnd, BlackjackRound):
        return []
    return [(box.number, sum(hand.stake for hand in box.hands) or box.main) for box in rnd.boxes]
