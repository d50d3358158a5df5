"""The installer's command: views of the printed markers in, a calibration and a verdict for every box out."""

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import click
import numpy as np

from vision import picture
from vision.calibration import Calibration, CalibrationFailed, Lens, Points, calibrate, marker_corners
from vision.felt import JUMBO_INDEX, STANDARD_INDEX, Verdict, felt, index_heights
from vision.sheet import LANGUAGES, PAPERS
from vision.sheet import plan as printed_plan
from vision.sheet import sheet as printed

Moves = Mapping[str, tuple[float, float]]


class PlanUnusable(ValueError):
    """The plan of the markers cannot be used; the message names the file and the key."""


def read_plan(path: Path) -> dict[int, Points]:
    """Marker corners in millimetres from a TOML file of [[marker]] tables with id, x, y and side.

    x and y are the marker's upper left corner; the origin is the middle of the dealer's cards, y runs to the players.
    """
    try:
        told = tomllib.loads(path.read_text("utf-8"))
        markers = [(int(m["id"]), float(m["x"]), float(m["y"]), float(m["side"])) for m in told["marker"]]
    except OSError as error:
        raise PlanUnusable(f"{path}: {error.strerror}; name the plan of the markers with --plan") from error
    except KeyError as error:
        raise PlanUnusable(f"{path}: {error} is missing; every [[marker]] needs id, x, y and side") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError, ValueError) as error:
        raise PlanUnusable(f"{path}: {error}") from error
    return {name: marker_corners(x, y, side) for name, x, y, side in markers}


def save(calibration: Calibration, path: Path, moves: Moves | None = None) -> None:
    """Homography, lens, seen markers and how far boxes lie from their usual place, as JSON; read back by `load` and
    `load_moves`."""
    seen = {str(name): np.round(corners, 3).tolist() for name, corners in calibration.seen.items()}
    whole: dict[str, object] = {
        "homography": calibration.homography.tolist(),
        "error_mm": calibration.error_mm,
        "seen": seen,
        "moves": {name: list(by) for name, by in (moves or {}).items()},
    }
    if calibration.lens is not None:
        lens = calibration.lens
        whole["lens"] = {"matrix": lens.matrix.tolist(), "distortion": lens.distortion.ravel().tolist()}
    path.write_text(json.dumps(whole, indent=1) + "\n", "utf-8")


def load(path: Path) -> Calibration:
    told = json.loads(path.read_text("utf-8"))
    seen = {int(name): np.array(corners, np.float64) for name, corners in told["seen"].items()}
    bent = told.get("lens")
    lens = Lens(np.array(bent["matrix"], np.float64), np.array(bent["distortion"], np.float64)) if bent else None
    return Calibration(np.array(told["homography"], np.float64), float(told["error_mm"]), seen, lens)


def load_moves(path: Path) -> Moves:
    """How far the dealer's place and boxes lie from their usual ones, millimetres; those not moved are left out."""
    told = json.loads(path.read_text("utf-8")).get("moves", {})
    return {str(name): (float(x), float(y)) for name, (x, y) in told.items()}


@click.command("calibrate")
@click.argument("views", nargs=-1, type=click.Path(path_type=Path))
@click.option("--plan", type=click.Path(path_type=Path), help="TOML file with the places of the markers.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the calibration here (JSON).")
@click.option("--boxes", default=7, show_default=True, type=click.IntRange(1, 9))
@click.option("--jumbo", is_flag=True, help="The house plays with jumbo-index cards.")
@click.option(
    "--sheet", type=click.Path(path_type=Path), help="Print the markers: write this PDF, and its plan beside it."
)
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True)
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the sheet.")
def command(
    views: tuple[Path, ...],
    plan: Path | None,
    output: Path | None,
    boxes: int,
    jumbo: bool,
    sheet: Path | None,
    paper: str,
    lang: str,
) -> None:
    """Calibrate from pictures of the markers; exit status 1 when a box gets too few pixels."""
    if sheet is not None:
        _print(sheet, paper, lang)
        return
    if not views or plan is None:
        _refuse("name pictures of the markers and --plan, or print the markers first: krupier calibrate --sheet m.pdf")
    try:
        calibration = calibrate([picture.load(view) for view in views], read_plan(plan))
    except (CalibrationFailed, PlanUnusable, picture.UnreadablePicture) as error:
        _refuse(str(error))
    if output is not None:
        save(calibration, output)
    heights = index_heights(calibration, felt(boxes), JUMBO_INDEX if jumbo else STANDARD_INDEX)
    for height in heights:
        line = {"zone": height.zone, "index_pixels": round(height.pixels, 1), "verdict": height.verdict.value}
        click.echo(json.dumps(line))
    click.echo(json.dumps({"error_mm": round(calibration.error_mm, 2), "markers": sorted(calibration.seen)}))
    sys.exit(1 if any(height.verdict is Verdict.TOO_FEW_PIXELS for height in heights) else 0)


def _print(target: Path, paper: str, language: str) -> None:
    try:
        target.write_bytes(printed(paper, language))
        target.with_suffix(".toml").write_text(printed_plan(), "utf-8")
    except OSError as error:
        _refuse(f"{target}: {error.strerror}; name a file that can be written")
    click.echo(f"{target} {target.with_suffix('.toml')}")


def _refuse(message: str) -> NoReturn:
    click.echo(f"krupier: {message}", err=True)
    sys.exit(2)
