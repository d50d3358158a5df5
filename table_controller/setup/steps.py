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
from dashboard.tls import certificate, fingerprint
from firmware_bridge.errors import BridgeError, PortUnusable
from firmware_bridge.greeting import Policy
from firmware_bridge.keys import KeyFile, default_path
from firmware_bridge.link import Adapter, usb_adapters
from firmware_bridge.texts import text as board_text
from firmware_bridge.visit import pair
from table_controller.core.house import Language
from table_controller.core.people import Role
from table_controller.doctor.examine import examine
from table_controller.doctor.finding import Colour
from table_controller.doctor.wording import mended, title, told
from table_controller.houses import NAMES, NoSuchHouse
from table_controller.journal.keys import house_key
from table_controller.setup.bench import LAMPS, Bench
from table_controller.setup.file import AnswerRefused, put_board, read_answers
from table_controller.setup.found import cameras
from table_controller.setup.measure_pages import MeasureDesk
from table_controller.setup.pictures import one_picture
from table_controller.setup.summary import summary
from vision.frames import CameraLost

SETTER: Final = "setup"
EVERYTHING: Final = 0x7F


class Desk:
    """What the pages work with: the file, and the one board that is on the bench."""

    def __init__(self, config: Path) -> None:
        self.config = config
        self.bench: Bench | None = None
        self.measuring = MeasureDesk(self)

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

    def adapters(self) -> list[Adapter]:
        """What is plugged in, and the ports that the file names outright."""
        boards = read_answers(self.config).unwrap().get("boards", [])
        return [*usb_adapters(), *(Adapter(str(one["port"]), str(one["port"])) for one in boards if "port" in one)]

    @property
    def keys(self) -> KeyFile:
        """The pairing keys this table uses."""
        named = read_answers(self.config).unwrap().get("pairing_keys")
        return KeyFile(self.config.absolute().parent / str(named) if named else default_path())

    def after(self, step: "Step") -> None:
        """What a saved step brings with it: the house's key, the tablets' certificate."""
        if step.name == "keeping":
            house_key(self.data)
        if step.name == "tablets":
            certificate(self.data / "keys", ())

    def add_to(self, app: Flask) -> None:
        """The tools of the pages."""
        self.measuring.add_to(app)
        app.add_url_rule("/camera.jpg", "picture", self.picture)
        app.add_url_rule("/board", "board", self.board, methods=["POST"])
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

    def board(self) -> ResponseReturnValue:
        """Name, pair or try a board, or light one of its lamps."""
        adapter = next((one for one in self.adapters() if one.identity == request.form.get("adapter")), None)
        act, lamp = request.form.get("act", ""), request.form.get("lamp", "")
        try:
            if act == "name" and adapter is not None:
                key = "port" if adapter.path == adapter.identity else "adapter"
                put_board(self.config, {"name": request.form.get("name", ""), key: adapter.identity})
            elif act == "add":
                put_board(self.config, {"name": request.form.get("name", ""), "port": request.form.get("port", "")})
            elif act == "pair" and adapter is not None:
                self._leave_bench()
                pairing = pair(adapter.path, EVERYTHING)
                self.keys.put(pairing.device, pairing.key)
            elif act == "try" and adapter is not None:
                self._leave_bench()
                self.bench = Bench(adapter.path, Policy(self.keys.key_of), str(session.get("lang", "en")))
            elif act == "light" and self.bench is not None:
                self.bench.light(int(lamp) if lamp.isdecimal() and int(lamp) < LAMPS else None)
            elif act == "leave":
                self._leave_bench()
        except PortUnusable as unusable:
            path = adapter.path if adapter is not None else ""
            flash(board_text(unusable.check, str(session.get("lang", "en")), path=path), "bad")
        except AnswerRefused as wrong:
            flash(wrong.told(str(session.get("lang", "en"))), "bad")
        except BridgeError as wrong:
            flash(str(wrong), "bad")
        return redirect(url_for("step", name="boxes"))

    def _leave_bench(self) -> None:
        if self.bench is not None:
            self.bench.leave()
            self.bench = None

    def person(self) -> ResponseReturnValue:
        """An account: the first one is the administrator's."""
        form, people, at = request.form, self.people, time.time_ns()
        name, password, pin = form.get("name", "").strip()[:40], form.get("password", ""), form.get("pin", "")
        if not name or weak_password(password, name) or weak_pin(pin):
            flash("person_weak", "bad")
        elif not people.anybody():
            people.add_first(name, password, pin, at)
        else:
            try:
                people.add(name, Role(form.get("role", Role.DEALER)), password, SETTER, at)
                people.change(name, "pin", pin, SETTER, at)
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
    named = {str(board.get("adapter") or board.get("port")): board["name"] for board in answers.get("boards", [])}
    language = str(session.get("lang", "en"))
    state = "" if desk.bench is None else board_text(desk.bench.state, language, path=desk.bench.path)
    return {
        "adapters": desk.adapters(),
        "named": named,
        "bench": desk.bench,
        "bench_state": state,
        "lamps": range(LAMPS),
    }


def _tablets(desk: Desk, _: Mapping[str, Any]) -> dict[str, Any]:
    made = desk.data / "keys" / "window.crt"
    return {"fingerprint": fingerprint(made) if made.exists() else ""}


def _people(desk: Desk, _: Mapping[str, Any]) -> dict[str, Any]:
    return {"accounts": desk.people.accounts(), "roles": [role.value for role in Role]}


def _check(desk: Desk, _: Mapping[str, Any]) -> dict[str, Any]:
    language = Language(session.get("lang", "en"))
    found = [
        (one.colour.value, title(one, language), told(one, language), mended(one, language), one.colour)
        for one in examine(desk.config)
    ]
    return {"findings": [line[:4] for line in found], "reds": sum(line[4] is Colour.RED for line in found)}


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
