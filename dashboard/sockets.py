"""The socket only speaks: at connecting it learns which panels a page shows, and nothing that comes in is listened to.

A tablet that does not take what it is sent is passed over until it does, and then gets the newest state at once.
"""

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any, Final, cast

from flask import Flask, request
from flask_socketio import SocketIO

from dashboard.drawing import NOTHING, Drawings, Wanted, now
from dashboard.feed import Feed
from dashboard.house import House, language, token_of_request
from dashboard.panels import Seen
from dashboard.people import Session
from dashboard.security import same_origin

LOG: Final = logging.getLogger(__name__)
MOST_PANELS: Final = 64
WAITING: Final = 24


class Listener:
    """One connected page: whose session, which panels, and the digest of each as last sent."""

    def __init__(self, token: str, wanted: tuple[Wanted, ...], line: socket.socket | None) -> None:
        self.token = token
        self.line = line
        self.wanted = wanted
        self.sent: dict[Wanted, str] = {}
        self.behind_since: float | None = None


class Speaker:
    """All connected pages."""

    def __init__(self, app: Flask, house: House, feed: Feed, drawings: Drawings) -> None:
        self._house = house
        self._feed = feed
        self._drawings = drawings
        self._lock = threading.RLock()
        self._listeners: dict[str, Listener] = {}
        self.io = SocketIO(
            app,
            async_mode="threading",
            transports=["websocket"],
            max_http_buffer_size=4096,
            ping_interval=10,
            ping_timeout=10,
        )
        self.io.on_event("connect", self._connected)
        self.io.on_event("disconnect", self._left)
        feed.listen(self.changed, self.tick)

    @property
    def connected(self) -> int:
        """How many pages listen."""
        return len(self._listeners)

    def _connected(self, _auth: object = None) -> bool:
        session, token = self._house.session(), token_of_request()
        if session is None or token is None or session.locked or not same_origin(request):
            return False
        with self._lock:
            if len(self._listeners) >= self._house.settings.sockets:
                return False
            listener = Listener(token, self._wants(session), _line())
            self._listeners[_sid()] = listener
        self._bring_up_to_date(_sid(), listener, None)
        return True

    def _wants(self, session: Session) -> tuple[Wanted, ...]:
        account = session.account
        names = [name.partition("/") for name in request.args.get("panels", "").split(",") if name][:MOST_PANELS]
        return tuple(Wanted(table, panel, account.role, language()) for table, _, panel in names)

    def _left(self, *_reason: object) -> None:
        with self._lock:
            self._listeners.pop(_sid(), None)

    def changed(self, seen: Seen) -> None:
        """A table changed: every page that shows a panel of it that looks different now is sent it."""
        for sid, listener in self._everybody():
            self._bring_up_to_date(sid, listener, seen.table)

    def tick(self) -> None:
        """Every second: who may no longer listen is cut off, the others hear that the window is alive."""
        tables = {
            seen.table: {"seq": seen.seq, "version": seen.state.version, "live": seen.live}
            for seen in self._feed.tables.values()
        }
        for sid, listener in self._everybody():
            session = self._house.sessions.of(listener.token, now())
            if session is None or session.locked:
                self._cut(sid, "locked" if session else "ended")
            elif self._stalled(sid, listener):
                self._cut(sid, "slow")
            else:
                self._bring_up_to_date(sid, listener, None)
                digests = {f"{wanted.table}/{wanted.panel}": digest for wanted, digest in listener.sent.items()}
                self._say(sid, "pulse", {"tables": tables, "digests": digests, "now": time.time_ns() // 1_000_000})

    def cut_off(self, token: str) -> None:
        """A session ended: its pages hear so and are disconnected."""
        for sid, listener in self._everybody():
            if listener.token == token:
                self._cut(sid, "ended")

    def waiting(self) -> dict[str, int]:
        """How many messages wait for each page."""
        return {sid: self._waiting(sid) for sid, _ in self._everybody()}

    def _everybody(self) -> list[tuple[str, Listener]]:
        with self._lock:
            return list(self._listeners.items())

    def _bring_up_to_date(self, sid: str, listener: Listener, table: str | None) -> None:
        for wanted in listener.wanted:
            if table not in (None, wanted.table):
                continue
            drawn = self._drawings.draw(wanted)
            if drawn is NOTHING or listener.sent.get(wanted) == drawn.digest or not self._keeps_up(sid, listener):
                continue
            listener.sent[wanted] = drawn.digest
            name = f"{wanted.table}/{wanted.panel}"
            self._say(sid, "panel", {"panel": name, "html": drawn.html, "digest": drawn.digest})

    def _keeps_up(self, sid: str, listener: Listener) -> bool:
        """Whether the page takes what it is sent; one that does not is passed over meanwhile."""
        if self._waiting(sid) < WAITING:
            listener.behind_since = None
            return True
        if listener.behind_since is None:
            listener.behind_since = time.monotonic()
        return False

    def _stalled(self, sid: str, listener: Listener) -> bool:
        if self._keeps_up(sid, listener) or listener.behind_since is None:
            return False
        return time.monotonic() - listener.behind_since > self._house.settings.stalled_seconds

    def _waiting(self, sid: str) -> int:
        eio = self._eio(sid)
        return 0 if eio is None else int(eio.queue.qsize())

    def _eio(self, sid: str) -> Any:  # noqa: ANN401 - engineio has no types
        server = self.io.server
        return server.eio.sockets.get(server.manager.eio_sid_from_sid(sid, "/"))

    def _say(self, sid: str, event: str, body: Mapping[str, object]) -> None:
        self.io.emit(event, body, to=sid)

    def _cut(self, sid: str, why: str) -> None:
        with self._lock:
            listener = self._listeners.pop(sid, None)
        eio = self._eio(sid)
        self._say(sid, "bye", {"why": why})
        if eio is not None:
            # Not io.server.disconnect: that waits until the page has taken all that is queued, for ever perhaps.
            eio.close(wait=False)
        if why == "slow" and listener is not None and listener.line is not None:
            with contextlib.suppress(OSError):
                listener.line.shutdown(socket.SHUT_RDWR)  # or its thread hangs on a page that takes nothing


def _line() -> socket.socket | None:
    """The connection itself, as the server in use hands it over."""
    environ = request.environ
    return cast("socket.socket | None", environ.get("gunicorn.socket") or environ.get("werkzeug.socket"))


def _sid() -> str:
    return str(cast(Any, request).sid)
