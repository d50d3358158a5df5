"""Serves the window: gunicorn, one worker, more threads than sockets, TLS if asked."""

import os
import sys
from collections.abc import Mapping
from typing import Any, Final

import click
from flask import Flask
from gunicorn.app.base import BaseApplication
from msgspec import Struct

from dashboard import create_app, start
from dashboard.house import EXTENSION
from dashboard.settings import Settings
from dashboard.signing_in import first_code
from dashboard.tls import certificate, fingerprint

SPARE_THREADS: Final = 40
NICENESS: Final = 5  # a hundred tablets never delay the judge on the same machine


class Serving(Struct, frozen=True, kw_only=True):
    """Where the window is served; `tls` makes and uses a certificate of the house's own."""

    address: str = "127.0.0.1"
    port: int = 8800
    tls: bool = False
    names: tuple[str, ...] = ()
    quiet: bool = True


class _Server(BaseApplication):  # type: ignore[misc] # gunicorn has no types
    """gunicorn with settings from here instead of a file."""

    def __init__(self, settings: Settings, options: Mapping[str, Any]) -> None:
        self._settings = settings
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """In the worker: a thread that follows journals must not be forked."""
        os.nice(NICENESS)
        app = create_app(self._settings)
        start(app)
        return app


def serve(settings: Settings, serving: Serving) -> None:
    """Serves until the process is told to end."""
    options: dict[str, Any] = {
        "bind": f"{serving.address}:{serving.port}",
        "workers": 1,
        "proc_name": "table_controller window",  # as it was started, where gunicorn may rename its process
        "worker_class": "gthread",
        "threads": settings.sockets + SPARE_THREADS,
        "worker_connections": settings.sockets * 2 + SPARE_THREADS,
        "keepalive": 15,
        "graceful_timeout": 3,
        "control_socket_disable": True,
        "loglevel": "warning" if serving.quiet else "info",
        "logger_class": "gunicorn.glogging.Logger",
    }
    if serving.tls:
        kept, key = certificate(settings.data / "keys", serving.names)
        options["certfile"], options["keyfile"] = str(kept), str(key)
        click.echo(f"krupier: the fingerprint of the window's certificate (SHA-256) is {fingerprint(kept)}", err=True)
    _tell_the_first(settings, f"{'https' if serving.tls else 'http'}://{serving.address}:{serving.port}/")
    sys.argv = sys.argv[:1]  # gunicorn would read ours
    _Server(settings, options).run()


def _tell_the_first(settings: Settings, address: str) -> None:
    house = create_app(settings).extensions[EXTENSION]
    click.echo(f"krupier: the window is at {address}", err=True)
    if not house.people.anybody():
        code = first_code(house)
        click.echo(f"krupier: nobody has an account yet; the code for the first administrator is {code}", err=True)
