"""A page's socket as a test holds it: the very protocol of the page's script, on a real connection to a real server."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from simple_websocket import Client, ConnectionClosed
from werkzeug.serving import make_server


@contextmanager
def served(app: Flask, send_bytes: int = 0) -> Iterator[int]:
    """The window on a port of its own; `send_bytes` bounds what the system keeps for a page that does not read."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    if send_bytes:
        server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_bytes)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()


class Page:
    """One connected page. `heard` is all it was told, in order; `closed` when the server cut it off."""

    def __init__(self, port: int, cookie: str, panels: str = "T01/lights", origin: str | None = "") -> None:
        host = f"127.0.0.1:{port}"
        headers = {"Cookie": cookie}
        if origin is not None:
            headers["Origin"] = origin or "http://127.0.0.1"  # this client names no port in Host either
        url = f"ws://{host}/socket.io/?EIO=4&transport=websocket&panels={panels}"
        self.heard: list[tuple[str, Any]] = []
        self.raw: list[str] = []
        self.closed = False
        self.refused = False
        self._socket = Client.connect(url, headers=headers)
        self._socket.send("40")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            while True:
                said = str(self._socket.receive())
                self.raw.append(said)
                if said == "2":
                    self._socket.send("3")
                elif said.startswith("42"):
                    name, body = json.loads(said[2:])
                    self.heard.append((name, body))
                elif said.startswith(("44", "41", "1")):
                    self.refused = self.refused or said.startswith("44")
                    self.closed = True
        except ConnectionClosed:
            self.closed = True

    def say(self, name: str, body: object) -> None:
        """What no page of ours does."""
        self._socket.send("42" + json.dumps([name, body]))

    def wait(self, what: str, seconds: float = 5.0) -> Any:
        """The newest message of a name, waited for."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = [body for name, body in self.heard if name == what]
            if found:
                return found[-1]
            time.sleep(0.01)
        raise AssertionError(f"no {what} in {seconds} s; heard {self.raw}")

    def count(self, what: str) -> int:
        """How often a message of this name was heard."""
        return sum(name == what for name, _ in self.heard)

    def wait_closed(self, seconds: float) -> None:
        """Until the server has cut it off."""
        end = time.monotonic() + seconds
        while not self.closed:
            assert time.monotonic() < end, f"still open after {seconds} s"
            time.sleep(0.01)

    def leave(self) -> None:
        """The page is closed."""
        self._socket.close()


def cookie_of(client: FlaskClient) -> str:
    """The session cookie of a test's browser."""
    cookie = client.get_cookie("krupier")
    assert cookie is not None
    return f"krupier={cookie.value}"
