"""What a request can ask of the window: the settings, people, sessions and tables behind it, and who is asking."""

import secrets
from collections.abc import Callable
from typing import Final, cast

import msgspec
from flask import abort, current_app, g, request, session

from dashboard.drawing import Drawings, now, speech_of
from dashboard.feed import Feed
from dashboard.gateway import Gateway
from dashboard.guests import Guests
from dashboard.i18n import Speech, language_of
from dashboard.panels import Seen
from dashboard.people import Account, People, Session
from dashboard.sessions import Sessions
from dashboard.settings import Settings
from table_controller.core.house import Language
from table_controller.port.words import Note
from table_controller.views.alerts import LOCKED, Locked

EXTENSION: Final = "krupier"
TOKEN: Final = "token"
TABLET: Final = "krupier_tablet"


class House:
    """Everything behind the window, made once in create_app."""

    def __init__(self, settings: Settings, people: People, feed: Feed) -> None:
        self.settings = settings
        self.people = people
        self.feed = feed
        self.sessions = Sessions(people, settings.idle_minutes * 60, settings.session_hours * 3600)
        self.guests = Guests(people, settings.data / "keys" / "guests.key")
        self.drawings: Drawings
        self.cut_off: Callable[[str], None] = _nobody_listens
        people.tell_locked = self._tell_locked

    @property
    def lock(self) -> tuple[int, int]:
        """Failures allowed, and seconds locked after them."""
        return self.settings.tries, self.settings.lock_minutes * 60

    def session(self) -> Session | None:
        """The session this request belongs to."""
        token = token_of_request()
        return self.sessions.of(token, now()) if token else None

    def gateway(self, table: str) -> Gateway:
        """The door of a table."""
        return Gateway(self.settings.data, table)

    def _tell_locked(self, name: str, word: str) -> None:
        """An alert at every table that plays, for nobody knows at which one the locked person is wanted."""
        body = msgspec.Raw(msgspec.json.encode(Locked(name, word)))
        for table in [one.table for one in list(self.feed.tables.values()) if one.live]:
            self.gateway(table).ask(Note(secrets.token_hex(12), LOCKED, body))


def _nobody_listens(_token: str) -> None:
    """Before the socket is there."""


def token_of_request() -> str | None:
    """The token in the request's signed cookie."""
    token = session.get(TOKEN)
    return token if isinstance(token, str) else None


def house() -> House:
    """The house of the running request."""
    return cast(House, current_app.extensions[EXTENSION])


def signed_in() -> Session | None:
    """Who is asking, looked up once a request."""
    if "signed_in" not in g:
        g.signed_in = house().session()
    return cast(Session | None, g.signed_in)


def me() -> Account:
    """Who is asking, on a page that nobody reaches without signing in."""
    found = signed_in()
    assert found is not None
    return found.account


def language() -> Language:
    """The person's language; before signing in the tablet's own choice, else the house's."""
    found, otherwise = signed_in(), house().settings.language
    chosen = found.account.language if found is not None else ""
    return language_of(chosen or request.cookies.get("krupier_language", ""), otherwise)


def say(table: str | None = None) -> Speech:
    """The reader's language on this page; of a table, with its currency."""
    return speech_of(house().settings, language(), house().feed.tables.get(table or ""))


def table_seen(table: str) -> Seen:
    """A table by name; aborts with 404 if there is none."""
    return house().feed.tables.get(table) or abort(404)
