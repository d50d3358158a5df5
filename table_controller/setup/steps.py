"""The steps of the set-up in the browser: what each asks, what it shows, and the tools on its page."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, abort, flash, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from dashboard.passwords import weak_password, weak_pin
from dashboard.people import People, Taken
from dashboard.roles import ACCESS, Act
from dashboard.tls import certificate, fingerprint
from table_controller.config import Window, read_config
from table_controller.core.house import Language
from table_controller.core.people import Role
from table_controller.doctor.examine import examine
from table_controller.doctor.finding import Colour
from table_controller.doctor.wording import mended, title, told
from table_controller.houses import NAMES, NoSuchHouse
from table_controller.journal.keys import house_key
from table_controller.misconfigured import ConfigInvalid
from table_controller.setup import start
from table_controller.setup.boxes import BoxDesk
from table_controller.setup.file import read_answers
from table_controller.setup.found import cameras
from table_controller.setup.measure_pages import MeasureDesk
from table_controller.setup.pictures import one_picture
from table_controller.setup.summary import summary
from table_controller.setup.wording import TYPED
from vision.frames import CameraLost

SETTER: Final = "setup"
COUNT: Final = 2
"""How many count the float when a table is opened, each with a PIN."""


class Desk:
    """What the pages work with: the file, and the tools of the bigger pages."""

    def __init__(self, config: Path) -> None:
        self.config = config
        self.measuring, self.boxes = MeasureDesk(self), BoxDesk(self)

    @property
    def data(self) -> Path:
        """The folder of the record, as the file says."""
        return self.config.absolute().parent / str(read_answers(self.config).unwrap().get("data", "data"))

    @property
    def people(self) -> People:
        """The accounts of this table's window."""
        people = People(self.data / "people.db")
        people.prepare()
        return people

    def after(self, step: "Step") -> None:
        """What a saved step brings with it: the house's key, the tablets' certificate."""
        if step.name == "keeping":
            house_key(self.data)
        if step.name == "tablets":
            certificate(self.data / "keys", ())

    def add_to(self, app: Flask) -> None:
        """The tools of the pages."""
        self.measuring.add_to(app)
        self.boxes.add_to(app)
        app.add_url_rule("/camera.jpg", "picture", self.picture)
        app.add_url_rule("/person", "person", self.person, methods=["POST"])

    def picture(self) -> ResponseReturnValue:
        """What the chosen camera sees now."""
        source = request.args.get("source", "")
        if source not in {camera.source for camera in cameras()} and source != self._chosen():
            abort(404)
        try:
            return Response(one_picture(source, 1920, 1080), mimetype="image/jpeg")
        except CameraLost:
            abort(404)

    def _chosen(self) -> str:
        return str(read_answers(self.config).unwrap().get("camera", {}).get("source", ""))

    def person(self) -> ResponseReturnValue:
        """An account: the first one is the administrator's."""
        form, people, at = request.form, self.people, time.time_ns()
        name, password, pin = form.get("name", "").strip()[:40], form.get("password", ""), form.get("pin", "")
        session[TYPED] = {"name": name, "role": form.get("role", "")[:20]}
        if not name or weak_password(password, name) or weak_pin(pin):
            flash("person_weak", "bad")
        elif not people.anybody():
            people.add_first(name, password, pin, at)
            del session[TYPED]
        else:
            try:
                people.add(name, Role(form.get("role", Role.DEALER)), password, SETTER, at)
                people.change(name, "pin", pin, SETTER, at)
                del session[TYPED]
            except (Taken, ValueError):
                flash("person_taken", "bad")
        return redirect(url_for("step", name="people"))


Facts = Callable[[Desk, Mapping[str, Any]], dict[str, Any]]


class Step(Struct, frozen=True):
    """A page: the keys it asks for, and what else it shows; one that only asks has no template of its own."""

    name: str
    keys: tuple[str, ...]
    facts: Facts
    page: str = ""

    @property
    def template(self) -> str:
        """The file the page is drawn from."""
        return f"{self.page or self.name}.html"


def _nothing(_: Desk, __: Mapping[str, Any]) -> dict[str, Any]:
    return {}


def _rules(_: Desk, answers: Mapping[str, Any]) -> dict[str, Any]:
    wanted, language = request.args.get("house") or answers.get("rules", "classic"), Language(session.get("lang", "en"))
    try:
        lines = summary(str(wanted), language)
    except (NoSuchHouse, OSError):
        abort(404)
    return {"houses": NAMES, "wanted": wanted, "lines": lines}


def _camera(_: Desk, __: Mapping[str, Any]) -> dict[str, Any]:
    return {"cameras": cameras()}


def _measure(desk: Desk, answers: Mapping[str, Any]) -> dict[str, Any]:
    return desk.measuring.facts(answers)


def _boxes(desk: Desk, answers: Mapping[str, Any]) -> dict[str, Any]:
    return desk.boxes.facts(answers)


def _tablets(desk: Desk, _: Mapping[str, Any]) -> dict[str, Any]:
    made = desk.data / "keys" / "window.crt"
    return {"fingerprint": fingerprint(made) if made.exists() else ""}


def _people(desk: Desk, _: Mapping[str, Any]) -> dict[str, Any]:
    accounts = desk.people.accounts()
    able = [one.role for one in accounts if one.active and one.has_pin]
    return {
        "accounts": accounts,
        "roles": [role.value for role in Role],
        "counting": max(0, COUNT - sum(role in ACCESS[Act.COUNT_TABLE] for role in able)),
        "dealers": able.count(Role.DEALER),
    }


def _check(desk: Desk, _: Mapping[str, Any]) -> dict[str, Any]:
    language = Language(session.get("lang", "en"))
    found = [
        (one.colour.value, title(one, language), told(one, language), mended(one, language), one.colour)
        for one in examine(desk.config)
    ]
    window = _window(desk)
    return {
        "findings": [line[:4] for line in found],
        "reds": sum(line[4] is Colour.RED for line in found),
        "command": start.typed("run", "--config", str(desk.config.absolute())),
        "window": window,
        "address": window and start.address(window),
        "hint": window and start.hint(window),
    }


def _window(desk: Desk) -> Window | None:
    """Where the tablets come in, if the file can be read; the findings tell why it cannot."""
    try:
        return read_config(desk.config).window
    except (ConfigInvalid, OSError):
        return None


STEPS: Final = (
    Step("place", ("window.language", "table", "zone", "day_begins"), _nothing, "asked"),
    Step("rules", ("rules",), _rules),
    Step("camera", ("camera.source",), _camera),
    Step("measure", (), _measure),
    Step("boxes", (), _boxes),
    Step("keeping", ("data", "backup", "recorder.gigabytes"), _nothing, "asked"),
    Step("tablets", ("window.address", "window.port", "window.https"), _tablets),
    Step("people", (), _people),
    Step("check", (), _check),
)
