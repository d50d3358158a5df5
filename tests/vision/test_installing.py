"""The installer's command, on the simulated table of the calibration tests."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from table_controller.cli import main
from tests.vision.test_calibration import MARKERS, PLACES, picture
from vision.calibration import calibrate
from vision.installing import load, save

PLAN = "\n".join(f"[[marker]]\nid = {name}\nx = {x}\ny = {y}\nside = 60\n" for name, (x, y) in PLACES.items())


def run(folder: Path, width: int, plan: str = PLAN, *more: str) -> Result:
    view, plan_file = folder / "view.png", folder / "plan.toml"
    cv2.imwrite(str(view), picture(width))
    plan_file.write_text(plan)
    return CliRunner().invoke(main, ["calibrate", str(view), "--plan", str(plan_file), *more])


def test_every_box_and_the_dealer_get_a_plain_verdict(tmp_path: Path) -> None:
    result = run(tmp_path, 3840, PLAN, "--jumbo")
    *zones, last = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [zone["zone"] for zone in zones] == ["dealer", *(f"box{number}" for number in range(1, 8))]
    assert {zone["verdict"] for zone in zones} == {"good"}
    assert last["markers"] == [0, 1, 2, 3]


def test_too_few_pixels_are_said_plainly_and_fail(tmp_path: Path) -> None:
    result = run(tmp_path, 1280)
    assert result.exit_code == 1
    assert "too few pixels" in result.stdout


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("[[marker]]\nid = 0\nx = 1\ny = 2\n", "'side' is missing"),
        ("marker =", "plan.toml"),
        ("", "'marker' is missing"),
    ],
)
def test_an_unusable_plan_is_one_line_that_names_the_key(plan: str, reason: str, tmp_path: Path) -> None:
    result = run(tmp_path, 1280, plan)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_calibration_written_and_read_back_maps_alike(tmp_path: Path) -> None:
    made = calibrate([picture(1920)], MARKERS)
    save(made, tmp_path / "table.json")
    kept = load(tmp_path / "table.json")
    places = np.array([[0.0, 0.0], [300.0, 500.0]])
    assert np.allclose(kept.to_picture(places), made.to_picture(places))
