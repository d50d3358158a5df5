"""Theoretical win beside the actual one, of the day's bets so far; never worked out while a panel is drawn."""

from dashboard.panels import Fragment, Seen, Viewer, fold, panel
from dashboard.roles import Act
from dashboard.worth import WORTHS
from table_controller.core.events import Event
from table_controller.core.table import TableState
from table_controller.journal.record import Record
from table_controller.views import wagers
from table_controller.views.wagers import Wagered

WAGERS = "wagers"


def _apply(view: Wagered, _record: Record, said: object, _state: TableState) -> Wagered:
    return wagers.apply(view, said) if isinstance(said, Event) else view


fold(WAGERS, wagers.carried, _apply)


@panel("theory", Act.SEE_MONEY)
def theory(seen: Seen, _viewer: Viewer) -> Fragment:
    """What the bets should have brought, the band chance keeps it in, and what they did bring."""
    view: Wagered = seen.views.get(WAGERS, wagers.initial)
    return "panels/theory.html", {"theory": WORTHS.theory(view)}
