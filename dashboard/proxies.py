"""The word of a reverse proxy about where a request came from is taken from the house's own proxies and nobody else."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from werkzeug.middleware.proxy_fix import ProxyFix

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

TOLD: Final = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PREFIX",
    "HTTP_X_FORWARDED_PROTO",
)


class BehindProxies:
    """Behind `count` proxies that speak from `addresses`; what others say of themselves is dropped unread."""

    def __init__(self, app: "WSGIApplication", count: int, addresses: tuple[str, ...]) -> None:
        self._app = app
        self._fixed = ProxyFix(app, count, count, count)
        self._addresses = addresses if count else ()

    def __call__(self, environ: "WSGIEnvironment", begin: "StartResponse") -> Iterable[bytes]:
        """One request."""
        if environ.get("REMOTE_ADDR") in self._addresses:
            return self._fixed(environ, begin)
        for name in TOLD:
            environ.pop(name, None)
        return self._app(environ, begin)
