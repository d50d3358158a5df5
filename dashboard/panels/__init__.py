"""Panels: pieces of a page that are drawn by the server and drawn again at every tablet when they change.

    @panel("lights")
    def lights(seen: Seen, viewer: Viewer) -> Fragment:
        return "panels/lights.html", {"lights": seen.status.lights if seen.status else ()}

A page shows one with `{{ panel("lights", table) }}`. A viewer is a role and a language, never a person, so that one
drawing serves every tablet alike. A panel module is listed in ALL below; a fold it needs is registered with `fold`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct

from dashboard.i18n import Speech
from dashboard.roles import Act, may
from table_controller.core.people import Role
from table_controller.core.table import TableState
from table_controller.journal.record import Record
from table_controller.port.words import Status
from table_controller.views.prompts import Prompt, next_action

ALL: Final = (
    "dashboard.panels.lights",
    "dashboard.panels.table",
    "dashboard.panels.alerting",
    "dashboard.panels.dealer",
    "dashboard.panels.pit",
    "dashboard.panels.practice",
    "dashboard.panels.theory",
)
"""The modules that draw panels, imported when the window is made."""


class Viewer(NamedTuple):
    """For whom a panel is drawn."""

    role: Role
    say: Speech

    def may(self, act: Act) -> bool:
        """Whether this viewer may do it; what he may not, he is not shown a button for."""
        return may(self.role, act)


class Seen(Struct, frozen=True, kw_only=True):
    """A table as the window knows it: the fold of its journal so far, and what its controller says of itself.

    `views` holds what the registered folds made of the journal; `live` is False while the controller does not answer.
    """

    table: str
    journal: Path
    day: str
    seq: int = 0
    state: TableState
    views: Mapping[str, Any] = {}
    status: Status | None = None
    live: bool = False
    at_ns: int = 0

    @property
    def prompt(self) -> Prompt:
        """What the dealer does next; while the disk does not take the record, nothing that is done would count."""
        down = self.status is not None and self.status.down is not None
        return Prompt("down", stops=True) if down else next_action(self.state)


Fragment = tuple[str, Mapping[str, object]]
Draw = Callable[[Seen, Viewer], Fragment]


class Panel(NamedTuple):
    """A panel: its name, who may see it, and how it is drawn."""

    name: str
    act: Act
    draw: Draw


class Fold(NamedTuple):
    """A view folded along with the journal: what it starts as for a day, and what it is after one more row.

    `apply(view, record, said, state)`: `said` is what the row says in today's words, `state` the state after it.
    """

    start: Callable[[TableState], Any]
    apply: Callable[[Any, Record, object, TableState], Any]


PANELS: Final[dict[str, Panel]] = {}
FOLDS: Final[dict[str, Fold]] = {}


def panel(name: str, act: Act = Act.SEE_TABLE) -> Callable[[Draw], Draw]:
    """Registers a panel under a name that pages use."""

    def register(draw: Draw) -> Draw:
        PANELS[name] = Panel(name, act, draw)
        return draw

    return register


def fold(
    name: str, start: Callable[[TableState], Any], apply: Callable[[Any, Record, object, TableState], Any]
) -> None:
    """Registers a view that panels and pages find under `seen.views[name]`."""
    FOLDS[name] = Fold(start, apply)
