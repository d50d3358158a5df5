"""The live table: the felt, what comes next, the round in figures, a tile among other tables."""

from collections.abc import Mapping
from typing import Final

from dashboard import wording
from dashboard.felt_picture import picture
from dashboard.i18n import Speech
from dashboard.panels import Fragment, Seen, Viewer, fold, panel
from dashboard.roles import Act
from table_controller.core.blackjack.phases.betting import exposure
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.events import Event
from table_controller.core.rules import TableRules
from table_controller.core.table import Phase, TableState
from table_controller.journal.record import Record
from table_controller.views import board
from table_controller.views.alerts import Alerts
from table_controller.views.board import Board, Memory

BOARD: Final = "board"
PHASES: Final[Mapping[str, str]] = {
    Phase.INSURANCE: "board.insurance_phase",
    Phase.DEALER: "board.dealer_phase",
}
"""Phases whose name is another word's as well."""


def _start(state: TableState) -> Memory:
    return board.carried(state, 0)


def _apply(memory: Memory, record: Record, said: object, state: TableState) -> Memory:
    return board.apply(memory, said, state, record.at_ns) if isinstance(said, Event) else memory


fold(BOARD, _start, _apply)


def board_of(seen: Seen) -> Board:
    """What a screen shows of a table now."""
    return board.board(seen.state, seen.views.get(BOARD, board.initial))


@panel("felt")
def felt(seen: Seen, viewer: Viewer) -> Fragment:
    """The table seen from the pit, and the same as a list."""
    return _felt(seen, viewer, turned=False)


@panel("felt_turned")
def felt_turned(seen: Seen, viewer: Viewer) -> Fragment:
    """The table seen from the players."""
    return _felt(seen, viewer, turned=True)


def _felt(seen: Seen, viewer: Viewer, *, turned: bool) -> Fragment:
    return "panels/felt.html", felt_as(board_of(seen), seen.state, viewer.say, turned=turned)


def felt_as(shown: Board, state: TableState, say: Speech, *, turned: bool = False) -> Mapping[str, object]:
    """What panels/felt.html is drawn from: a table now, or as it was at a moment of a recording."""
    house = state.house
    return {
        "board": shown,
        "picture": picture(shown, house.denominations if house is not None else (), turned=turned),
        "summary": wording.summary(say, shown),
        "lettering": wording.lettering(say, _blackjack(state.rules)),
        "count": lambda hand: wording.count(say, hand),
        "points": lambda hand: wording.points(say, hand),
        "card_text": lambda text: wording.card(say, text),
    }


def _blackjack(rules: TableRules | None) -> RuleSet | None:
    return rules if isinstance(rules, RuleSet) else None


@panel("next")
def next_line(seen: Seen, viewer: Viewer) -> Fragment:
    """What the dealer does next."""
    prompt = seen.prompt
    return "panels/next.html", {"prompt": prompt, "line": wording.prompt_line(viewer.say, prompt)}


@panel("round")
def round_figures(seen: Seen, viewer: Viewer) -> Fragment:
    """Round, phase, clock, shoe; the money only for those who may see it."""
    shown, money = board_of(seen), viewer.may(Act.SEE_MONEY)
    return "panels/round.html", {
        "board": shown,
        "phase": phase_name(viewer, shown),
        "house_net": seen.state.bank.house_net if money and seen.state.rules is not None else None,
        "exposure": exposure(seen.state) if money and shown.phase == Phase.BETTING else None,
    }


@panel("tile")
def tile(seen: Seen, viewer: Viewer) -> Fragment:
    """A table among others: its state, what comes next, its open alerts."""
    shown, prompt = board_of(seen), seen.prompt
    alerts = seen.views.get("alerts", Alerts())
    return "panels/tile.html", {
        "board": shown,
        "phase": phase_name(viewer, shown),
        "prompt": prompt,
        "line": wording.prompt_line(viewer.say, prompt),
        "open_alerts": alerts.open,
        "may_act": viewer.may(Act.ACKNOWLEDGE),
    }


def phase_name(viewer: Viewer, shown: Board) -> str:
    """The phase in the reader's words."""
    return viewer.say(PHASES.get(shown.phase, f"board.{shown.phase}"))
