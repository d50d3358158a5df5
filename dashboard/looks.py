"""What every page template may use: words in the reader's language, panels, the menu, who is signed in."""

import secrets
from collections.abc import Sequence
from typing import Any

from flask import Flask, request
from markupsafe import Markup

from dashboard.drawing import Wanted
from dashboard.house import house, language, say, signed_in
from dashboard.i18n import OWN_NAMES
from dashboard.pages import Item
from dashboard.roles import Act, may
from table_controller.core.people import Role


def put_words_into_pages(app: Flask, menu: Sequence[Item]) -> None:
    """Makes the words known to every template drawn for a request."""

    def words() -> dict[str, Any]:
        found, view_args = signed_in(), request.view_args or {}
        table = view_args.get("table") or _only_table()
        role = found.account.role if found is not None and not found.locked else None
        seen = house().feed.tables.get(table or "")
        return {
            "say": say(table),
            "language": language(),
            "languages": OWN_NAMES,
            "theme": found.account.theme if found is not None else "dark",
            "me": found.account if found is not None else None,
            "menu": [item for item in menu if role is not None and may(role, item.act) and (table or not item.table)],
            "table": table,
            "seen": seen,
            "version": seen.state.version if seen is not None else 0,
            "may": lambda act: role is not None and may(role, Act(act)),
            "panel": _panel,
            "tap": lambda: secrets.token_hex(12),
            "seconds": _seconds,
            "idle_seconds": house().settings.idle_minutes * 60,
        }

    app.context_processor(words)


def _only_table() -> str | None:
    """The table a page means that does not name one: where a house has one table, that one."""
    tables = list(house().feed.tables)
    return tables[0] if len(tables) == 1 else None


def _panel(name: str, table: str) -> Markup:
    found = signed_in()
    if found is None:
        return Markup()
    return house().drawings.shell(Wanted(table, name, found.account.role, language()))


def _seconds() -> list[str]:
    """Who may stand by as second person: people of the pit with a PIN, but oneself."""
    found = signed_in()
    own = found.account.name if found is not None else ""
    pit = (Role.DEALER, Role.PIT_BOSS, Role.ADMINISTRATOR)
    return [
        one.name
        for one in house().people.accounts()
        if one.active and one.has_pin and one.role in pit and one.name != own
    ]
