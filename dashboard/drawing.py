"""Draws panels: one drawing for a table, role and language serves every tablet, until something changed."""

import hashlib
import logging
import threading
import time
from collections.abc import Mapping
from typing import Final, NamedTuple

from flask import Flask
from markupsafe import Markup

from dashboard.feed import Feed
from dashboard.i18n import Speech
from dashboard.panels import PANELS, Panel, Seen, Viewer
from dashboard.settings import Settings
from table_controller.core.house import Language
from table_controller.core.people import Role

LOG: Final = logging.getLogger(__name__)
KEPT: Final = 4000


class Wanted(NamedTuple):
    """A drawing: which panel of which table, for whom."""

    table: str
    panel: str
    role: Role
    language: Language


class Drawn(NamedTuple):
    """A panel as HTML, and a digest by which a tablet knows whether it has this one."""

    html: str
    digest: str


NOTHING: Final = Drawn("", "none")
BROKEN: Final = "broken"
"""The digest of a panel that could not be drawn."""


class Drawings:
    """The panels of all tables as last drawn."""

    def __init__(self, app: Flask, feed: Feed, settings: Settings) -> None:
        self._app = app
        self._feed = feed
        self._settings = settings
        self._lock = threading.Lock()
        self._kept: dict[Wanted, tuple[Seen, Drawn]] = {}

    def draw(self, wanted: Wanted) -> Drawn:
        """The panel as it looks now; nothing for a table nobody knows or a role that may not see it."""
        seen, panel = self._feed.tables.get(wanted.table), PANELS.get(wanted.panel)
        if seen is None or panel is None:
            return NOTHING
        with self._lock:
            known = self._kept.get(wanted)
        if known is not None and known[0] is seen:
            return known[1]
        viewer = Viewer(wanted.role, speech_of(self._settings, wanted.language, seen))
        if not viewer.may(panel.act):
            return NOTHING
        drawn = self._drawn_or_not(wanted, panel, seen, viewer)
        with self._lock:
            if len(self._kept) > KEPT:
                self._kept.clear()
            self._kept[wanted] = (seen, drawn)
        return drawn

    def _drawn_or_not(self, wanted: Wanted, panel: Panel, seen: Seen, viewer: Viewer) -> Drawn:
        try:
            return self._drawn(seen, viewer, *panel.draw(seen, viewer))
        except Exception:
            LOG.exception("%s of %s cannot be drawn; the other panels go on", wanted.panel, wanted.table)
            return Drawn("<p class='banner bad'>!</p>", BROKEN)

    def _drawn(self, seen: Seen, viewer: Viewer, template: str, values: Mapping[str, object]) -> Drawn:
        everybody = {"say": viewer.say, "seen": seen, "viewer": viewer, "table": seen.table}
        # Not flask.render_template: a panel is drawn outside of any request, and must not depend on one.
        html = self._app.jinja_env.get_template(template).render({**everybody, **values})
        return Drawn(html, hashlib.sha256(html.encode()).hexdigest()[:16])

    def shell(self, wanted: Wanted) -> Markup:
        """The panel inside the element the tablet's script keeps up to date."""
        drawn = self.draw(wanted)
        return Markup('<div class="panel" data-panel="{}/{}" data-digest="{}">{}</div>').format(
            wanted.table, wanted.panel, drawn.digest, Markup(drawn.html)
        )


def speech_of(settings: Settings, language: Language, seen: Seen | None) -> Speech:
    """The reader's language with the venue's zone and the table's currency."""
    house = seen.state.house if seen is not None else None
    return Speech(language, settings.zone, house.currency if house is not None else "PLN")


def now() -> int:
    """Seconds since the epoch."""
    return int(time.time())
