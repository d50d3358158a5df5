"""What stands between the network and every page: sign-in, role, Origin, token against forgery, limits, headers."""

from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_limiter import Limiter
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import HTTPException

from dashboard.drawing import now
from dashboard.house import house, say, signed_in, token_of_request
from dashboard.roles import Act, act_of, is_public, may
from dashboard.settings import Settings

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
LONGEST_BODY: Final = 64 << 10
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def secure(app: Flask, settings: Settings, cookie_key: str) -> Limiter:
    """Puts every guard before the app; returns the limiter, for pages with a limit of their own."""
    app.config.update(
        SECRET_KEY=cookie_key,
        SESSION_COOKIE_NAME="__Host-krupier" if settings.https else "krupier",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_SECURE=settings.https,
        MAX_CONTENT_LENGTH=LONGEST_BODY,
        WTF_CSRF_TIME_LIMIT=None,
        RATELIMIT_ENABLED=settings.limits,
        RATELIMIT_HEADERS_ENABLED=False,
    )
    app.before_request(_origin)
    app.before_request(_guard)
    CSRFProtect(app)
    app.after_request(_headers)
    app.register_error_handler(HTTPException, refused)
    return Limiter(_who, app=app, storage_uri="memory://", default_limits=["1200 per minute"])


def _who() -> str:
    return token_of_request() or request.remote_addr or "unknown"


def same_origin(asked: Request) -> bool:
    """Whether a browser says that the request comes from a page of this very window; silence is no."""
    origin = urlsplit(asked.headers.get("Origin", ""))
    return (origin.scheme, origin.netloc) == (asked.scheme, asked.host)


def _origin() -> None:
    if request.method not in READING and not same_origin(request):
        abort(403, "origin")


def _guard() -> ResponseReturnValue | None:
    view = current_app.view_functions.get(request.endpoint or "")
    if request.endpoint == "static" or is_public(view):
        return None
    session = signed_in()
    if session is None:
        return _away("signing_in.sign_in", 401)
    act = act_of(view)
    if session.locked and act is not Act.SIGN_IN:
        return _away("signing_in.unlock", 423)
    if view is not None and (act is None or not may(session.account.role, act)):
        abort(403, "role")
    if request.headers.get("X-Krupier-Quiet") is None and not session.locked:
        house().sessions.touch(token_of_request() or "", now())
    return None


def _away(endpoint: str, status: int) -> ResponseReturnValue:
    """A person reading a page is sent to sign in; a script is told why not."""
    if request.method in READING and not wants_json():
        return redirect(url_for(endpoint))
    return {"outcome": "refused", "text": say()("frame.sign_in_first")}, status


def wants_json() -> bool:
    """Whether the page's script is asking, and not a person."""
    return request.accept_mimetypes.best == "application/json"


def _headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)  # a paper has a stricter policy of its own
    if current_app.config["SESSION_COOKIE_SECURE"]:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if request.endpoint == "static":
        response.headers["Cache-Control"] = "public, max-age=3600"
    elif "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response


def refused(error: HTTPException) -> ResponseReturnValue:
    """Every refusal, in the reader's language and without a word about the inside."""
    code = error.code or 500
    key = f"frame.error_{code}" if code in (400, 403, 404, 405, 413, 429) else "frame.error_500"
    if wants_json():
        return {"outcome": "refused", "text": say()(key)}, code
    return render_template("error.html", code=code, text=say()(key)), code
