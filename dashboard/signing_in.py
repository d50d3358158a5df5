"""Signing in by password, or by PIN on a tablet of the house; the first administrator; the idle lock; one's account."""

import hmac
from typing import Final

from flask import Blueprint, Response, flash, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from dashboard.drawing import now
from dashboard.house import TABLET, TOKEN, House, house, me, say, signed_in, token_of_request
from dashboard.i18n import OWN_NAMES
from dashboard.pages import Group
from dashboard.passwords import weak_password, weak_pin
from dashboard.people import Account
from dashboard.roles import Act, guarded, public
from table_controller.core.house import Language

bp = Blueprint("signing_in", __name__)
GROUP: Final = Group(bp)
YEAR_SECONDS: Final = 31_536_000
THEMES: Final = ("dark", "light")
LONGEST_NAME: Final = 40


def clean_name(text: str) -> str:
    """A person's name as it may be kept: no control characters, not too long; empty if nothing is left."""
    return "".join(letter for letter in text.strip() if letter.isprintable())[:LONGEST_NAME]


def tablet_is_known() -> bool:
    """Whether this is a tablet of the house, on which a PIN is enough."""
    token = request.cookies.get(TABLET)
    return bool(token) and house().sessions.tablet(str(token)) is not None


def enter(account: Account) -> None:
    """A new session, with nothing of the old one in it."""
    if (old := token_of_request()) is not None:
        house().sessions.end(old)
    session.clear()
    session[TOKEN] = house().sessions.begin(account.name, now())
    session.permanent = False


@bp.get("/sign-in")
@public
def sign_in() -> ResponseReturnValue:
    """The first page anybody sees."""
    if not house().people.anybody():
        return redirect(url_for("signing_in.first"))
    found = signed_in()
    if found is not None:
        return redirect(url_for("signing_in.unlock" if found.locked else "home.start"))
    names = [one for one in house().people.accounts() if one.active and one.has_pin] if tablet_is_known() else []
    return render_template("sign_in.html", names=names)


@bp.post("/sign-in")
@public
def sign_in_now() -> ResponseReturnValue:
    """By name and password, or on a tablet of the house by name and PIN."""
    kind = "pin" if request.form.get("pin") and tablet_is_known() else "password"
    name, word = request.form.get("name", "").strip(), request.form.get(kind, "")
    account = house().people.check(name, word, kind, now(), house().lock) if name and word else None
    if account is None:
        flash(say()("frame.not_signed_in", n=house().settings.tries), "bad")
        return redirect(url_for("signing_in.sign_in"))
    enter(account)
    return redirect(url_for("home.start"))


@bp.post("/sign-out")
@guarded(Act.SIGN_IN)
def sign_out() -> ResponseReturnValue:
    """Ends this session, its sockets too."""
    token = token_of_request()
    if token is not None:
        house().sessions.end(token)
        house().cut_off(token)
    session.clear()
    return redirect(url_for("signing_in.sign_in"))


@bp.get("/first")
@public
def first() -> ResponseReturnValue:
    """While there is nobody yet: the first administrator, who knows the code shown where the program was started."""
    if house().people.anybody():
        return redirect(url_for("signing_in.sign_in"))
    return render_template("first.html")


@bp.post("/first")
@public
def first_now() -> ResponseReturnValue:
    """Makes the first administrator."""
    form = request.form
    name, password, pin = clean_name(form.get("name", "")), form.get("password", ""), form.get("pin", "")
    if not hmac.compare_digest(form.get("code", "").strip().encode(), first_code(house()).encode()):
        return _again("signing_in.first", "first_code")
    if not name or weak_password(password, name):
        return _again("signing_in.first", "weak_password")
    if weak_pin(pin):
        return _again("signing_in.first", "weak_pin")
    if not house().people.add_first(name, password, pin, now()):
        return redirect(url_for("signing_in.sign_in"))
    account = house().people.account(name)
    assert account is not None
    enter(account)
    return redirect(url_for("home.start"))


def first_code(of: House) -> str:
    """What whoever starts the program is told, so that no stranger in the network makes himself administrator."""
    return of.people.secret("first")[:8]


@bp.get("/unlock")
@guarded(Act.SIGN_IN)
def unlock() -> ResponseReturnValue:
    """The session waits for its PIN."""
    found = signed_in()
    if found is not None and not found.locked:
        return redirect(url_for("home.start"))
    return render_template("unlock.html")


@bp.post("/unlock")
@guarded(Act.SIGN_IN)
def unlock_now() -> ResponseReturnValue:
    """By PIN, or by password for somebody who has no PIN."""
    kind = "pin" if me().has_pin else "password"
    account = house().people.check(me().name, request.form.get("word", ""), kind, now(), house().lock)
    if account is None:
        return _again("signing_in.unlock", "not_unlocked")
    house().sessions.unlock(token_of_request() or "", now())
    return redirect(url_for("home.start"))


@bp.post("/lock")
@guarded(Act.SIGN_IN)
def lock() -> ResponseReturnValue:
    """Locks this session now."""
    token = token_of_request() or ""
    house().sessions.lock(token)
    house().cut_off(token)
    return redirect(url_for("signing_in.unlock"))


@bp.get("/me")
@guarded(Act.OWN_ACCOUNT)
def account() -> ResponseReturnValue:
    """One's own account."""
    return render_template("account.html", languages=OWN_NAMES, themes=THEMES)


@bp.post("/me/looks")
@guarded(Act.OWN_ACCOUNT)
def looks() -> ResponseReturnValue:
    """Language and theme."""
    language, theme = request.form.get("language", ""), request.form.get("theme", "")
    if language in tuple(Language):
        house().people.change(me().name, "language", language, me().name, now())
    if theme in THEMES:
        house().people.change(me().name, "theme", theme, me().name, now())
    return redirect(url_for("signing_in.account"))


@bp.post("/me/pin")
@guarded(Act.OWN_ACCOUNT)
def new_pin() -> ResponseReturnValue:
    """A new PIN, by password."""
    if (wrong := _password_is_wrong()) is not None:
        return wrong
    if weak_pin(request.form.get("pin", "")):
        return _again("signing_in.account", "weak_pin")
    house().people.change(me().name, "pin", request.form["pin"], me().name, now())
    flash(say()("frame.pin_changed"), "good")
    return redirect(url_for("signing_in.account"))


@bp.post("/me/password")
@guarded(Act.OWN_ACCOUNT)
def new_password() -> ResponseReturnValue:
    """A new password, by the old one; every session of the person ends but this one begins anew."""
    if (wrong := _password_is_wrong()) is not None:
        return wrong
    password = request.form.get("new_password", "")
    if weak_password(password, me().name):
        return _again("signing_in.account", "weak_password")
    person = me()
    house().people.change(person.name, "password", password, person.name, now())
    enter(person)
    flash(say()("frame.password_changed"), "good")
    return redirect(url_for("signing_in.account"))


def _password_is_wrong() -> ResponseReturnValue | None:
    word = request.form.get("password", "")
    right = house().people.check(me().name, word, "password", now(), house().lock)
    return None if right is not None else _again("signing_in.account", "not_unlocked")


@bp.post("/language")
@public
def choose_language() -> ResponseReturnValue:
    """The language of this tablet before anybody signs in."""
    answer: Response = make_response(redirect(url_for("signing_in.sign_in")))
    wanted = request.form.get("language", "")
    if wanted in tuple(Language):
        keep(answer, "krupier_language", wanted)
    return answer


def keep(answer: Response, name: str, value: str) -> None:
    """A cookie of this tablet, for a year."""
    secure = house().settings.https
    answer.set_cookie(name, value, max_age=YEAR_SECONDS, httponly=True, samesite="Strict", secure=secure)


def _again(endpoint: str, text: str) -> ResponseReturnValue:
    flash(say()(f"frame.{text}"), "bad")
    return redirect(url_for(endpoint))
