"""The page on which the camera is measured: sheets to print, a look through it, boxes dragged, all of it kept."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
from flask import Flask, Response, abort, flash, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from table_controller.config import DRAWN
from table_controller.core.parameters import Unusable
from table_controller.houses import NoSuchHouse, rules_with
from table_controller.journal.errors import KeyUnusable
from table_controller.journal.keys import house_key
from table_controller.setup.file import AnswerRefused, read_answers, write_answers
from table_controller.setup.measuring import Measured, keep, measure, picture_of
from table_controller.setup.wording import setup_texts
from vision.frames import CameraLost
from vision.sheet import PAPERS, sheet
from vision.table_view import Table

if TYPE_CHECKING:
    from table_controller.setup.steps import Desk

CALIBRATION: Final = "calibration.json"
PLAN: Final = "markers.toml"
SHOWN: Final = {"source", "width", "height", "rate"}


class MeasureDesk:
    """What the page works with; `measured` is the last look through the camera, not kept yet."""

    def __init__(self, desk: "Desk") -> None:
        self._desk = desk
        self.measured: Measured | None = None

    def add_to(self, app: Flask) -> None:
        """The tools of the page."""
        app.add_url_rule("/measure", "measure", self.measure, methods=["POST"])
        app.add_url_rule("/measured.jpg", "measured", self.picture)
        app.add_url_rule("/markers-<paper>.pdf", "markers", self.markers)

    def facts(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """What the page shows."""
        camera, says = answers.get("camera", {}), setup_texts(str(session.get("lang", "en")))["measure"]
        return {
            "source": camera.get("source"),
            "drawn": str(camera.get("source", "")).startswith(DRAWN),
            "measured": self.measured,
            "shapes": [] if self.measured is None else self.measured.shapes(jumbo=bool(camera.get("jumbo"))),
            "kept": picture_of(self._file()).exists(),
            "name_of": lambda name: says["dealer"] if name == "dealer" else says["box"].format(number=name[3:]),
        }

    def measure(self) -> ResponseReturnValue:
        """Look through the camera, or keep what was measured with the places as they were dragged."""
        says = setup_texts(str(session.get("lang", "en")))["measure"]
        try:
            if request.form.get("act") == "take":
                self.measured = measure(self._table(), self._desk.config.parent / PLAN)
            elif self.measured is not None:
                self._keep(self.measured)
                self.measured = None
                flash(says["done"], "good")
        except (CameraLost, AnswerRefused, NoSuchHouse, Unusable, KeyUnusable, OSError) as wrong:
            flash(str(wrong), "bad")
        except ValueError as wrong:
            flash(says["not_there"] if request.form.get("act") == "keep" else str(wrong), "bad")
        return redirect(url_for("step", name="measure"))

    def _keep(self, measured: Measured) -> None:
        """The three files, and their name in the table's own file."""
        told = json.loads(request.form.get("middles", "{}")[:4000])
        middles = {str(name): (float(x), float(y)) for name, (x, y) in told.items()}
        measured = replace(measured, moves=measured.dragged(middles))
        keep(measured, self._file(), house_key(self._desk.data))
        if not self._answers().get("camera", {}).get("calibration"):
            write_answers(self._desk.config, {"camera.calibration": CALIBRATION})

    def picture(self) -> ResponseReturnValue:
        """The picture that was measured last, or the one that was kept."""
        if self.measured is not None:
            _, coded = cv2.imencode(".jpg", self.measured.picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
            return Response(coded.tobytes(), mimetype="image/jpeg")
        kept = picture_of(self._file())
        return Response(kept.read_bytes(), mimetype="image/jpeg") if kept.exists() else abort(404)

    def markers(self, paper: str) -> ResponseReturnValue:
        """The sheets to print."""
        if paper not in PAPERS:
            abort(404)
        return Response(sheet(paper, str(session.get("lang", "en"))), mimetype="application/pdf")

    def _answers(self) -> Mapping[str, Any]:
        return read_answers(self._desk.config).unwrap()

    def _file(self) -> Path:
        named = self._answers().get("camera", {}).get("calibration") or CALIBRATION
        return self._desk.config.absolute().parent / str(named)

    def _table(self) -> Table:
        answers = self._answers()
        camera = {key: value for key, value in answers.get("camera", {}).items() if key in SHOWN}
        boxes = rules_with(str(answers.get("rules", "classic")), {}).boxes
        return Table(boxes=boxes, calibration=self._file(), name=str(answers.get("table", "T01")), **camera)
