"""The set-up in the browser: a page a step, each saved by itself; open only to whoever has the console's code."""

import hmac
import secrets
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, abort, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import HTTPException

from dashboard.security import HEADERS
from table_controller.core.house import Language
from table_controller.journal.errors import KeyUnusable
from table_controller.misconfigured import ConfigInvalid, Mistake
from table_controller.setup.file import AnswerRefused, read_answers, write_answers
from table_controller.setup.questions import QUESTIONS, question, still_needed
from table_controller.setup.steps import STEPS, Desk, Step
from table_controller.setup.wording import TYPED, Says

INSIDE: Final = "inside"
OWN: Final = {"setup.css": "text/css", "measure.js": "text/javascript"}


def create_setup(config: Path, code: str) -> Flask:
    """The pages; `code` is what the console tells the technician."""
    app = Flask(__name__, static_folder=str(files("dashboard").joinpath("static")))
    app.config.update(
        SECRET_KEY=secrets.token_hex(32), SESSION_COOKIE_SAMESITE="Strict", SESSION_COOKIE_NAME="krupier_setup"
    )
    CSRFProtect(app)
    desk = Desk(config)
    app.before_request(lambda: _only_inside(code))
    app.after_request(_headers)
    app.context_processor(lambda: _words(config))
    app.register_error_handler(HTTPException, lambda error: _refused(error, config))
    app.add_url_rule("/", "start", lambda: redirect(url_for("step", name=STEPS[0].name)))
    app.add_url_rule("/code", "code", lambda: _code(code), methods=["GET", "POST"])
    app.add_url_rule("/step/<name>", "step", lambda name: _shown(desk, _step(name)))
    app.add_url_rule("/step/<name>", "save", lambda name: _saved(desk, _step(name)), methods=["POST"])
    app.add_url_rule("/own/<name>", "own", _own)
    desk.add_to(app)
    return app


def _step(name: str) -> Step:
    return next((one for one in STEPS if one.name == name), None) or abort(404)


def _only_inside(code: str) -> ResponseReturnValue | None:
    if session.get(INSIDE) == code or request.endpoint in ("code", "static", "own"):
        return None
    return redirect(url_for("code"))


def _code(code: str) -> ResponseReturnValue:
    if request.method == "POST":
        if not hmac.compare_digest(request.form.get("code", "").strip().encode(), code.encode()):
            abort(403)
        session[INSIDE] = code
        return redirect(url_for("start"))
    return render_template("code.html")


def _shown(desk: Desk, step: Step) -> str:
    """The page of a step. A board lies on the bench only while its page is looked at: elsewhere its port is wanted."""
    if step.name != "boxes":
        desk.boxes.leave_bench()
    answers = read_answers(desk.config).unwrap()
    return render_template(
        step.template, step=step, answers=answers, typed=session.pop(TYPED, {}), **step.facts(desk, answers)
    )


def _saved(desk: Desk, step: Step) -> ResponseReturnValue:
    """Writes what the step asks; what was refused is told above the same page, and nothing is lost."""
    session[TYPED] = {key: request.form.get(key, "")[:400] for key in step.keys}
    try:
        write_answers(
            desk.config, {**still_needed(read_answers(desk.config).unwrap()), **_given(step.keys, request.form)}
        )
        desk.after(step)
    except AnswerRefused as wrong:
        for line in wrong.told(str(session.get("lang", "en"))).splitlines():
            flash(line.partition(": ")[2] or line, "bad")
        return redirect(url_for("step", name=step.name))
    except KeyUnusable as wrong:
        flash(str(wrong), "bad")
        return redirect(url_for("step", name=step.name))
    del session[TYPED]
    following = STEPS[min(STEPS.index(step) + 1, len(STEPS) - 1)]
    return redirect(url_for("step", name=following.name))


def _given(keys: Sequence[str], form: Mapping[str, str]) -> dict[str, object]:
    given: dict[str, object] = {}
    for key in keys:
        one = question(key)
        assert one is not None
        try:
            given[key] = one.read(form.get(key, "")[:400])
        except ValueError:
            wrong = ConfigInvalid("form", [Mistake(key, "whole")])
            raise AnswerRefused(str(wrong), wrong) from None
    return given


def _words(config: Path) -> dict[str, Any]:
    try:
        now = read_answers(config).unwrap()
    except AnswerRefused:
        now = {}
    language = Language(request.args.get("lang") or session.get("lang") or QUESTIONS[0].now(now))
    session["lang"] = language.value
    keys = {one.key: one for one in QUESTIONS}
    return {
        "say": Says(language),
        "language": language.value,
        "steps": STEPS,
        "questions": keys,
    }


def _refused(error: HTTPException, config: Path) -> ResponseReturnValue:
    words = _words(config)["say"]
    return render_template("refused.html", text=words("web", "refused"), code=error.code), error.code or 500


def _own(name: str) -> Response:
    if name not in OWN:
        abort(404)
    return Response(files(__package__).joinpath("static", name).read_bytes(), mimetype=OWN[name])


def _headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
