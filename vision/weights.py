"""Where the recognition weights lie, and the proof that they are the ones the manifest describes."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

PLACES = (Path(__file__).with_name("models"), Path(__file__).parents[1] / "models")


class WeightsMissing(RuntimeError):
    """No usable weights: the installer must put back the models/ folder."""


@dataclass(frozen=True)
class Manifest:
    """What models/manifest.toml promises."""

    detector: Path
    classifiers: tuple[Path, ...]
    temperature: float
    threshold: float
    replay: Path

    @property
    def fingerprint(self) -> str:
        """Names the classifiers; a deck profile fits only those it was learnt with."""
        return digest(*self.classifiers)

    @property
    def model(self) -> str:
        """Names all that decides a reading: detector, classifiers, temperature and threshold."""
        return f"{digest(self.detector, *self.classifiers)}-{self.temperature:.3f}-{self.threshold:.3f}"


def digest(*paths: Path) -> str:
    """A short name for the contents of several files."""
    return "-".join(hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in paths)


def find(places: tuple[Path, ...] = PLACES) -> Manifest:
    """The first manifest found beside the installed package or in the source tree, its files checked by sha256.

    Raises WeightsMissing when there is none, or a file is absent or altered.
    """
    for place in places:
        if (path := place / "manifest.toml").exists():
            return read(path)
    raise WeightsMissing(
        f"{places[0] / 'manifest.toml'}: no recognition weights; reinstall krupier with its models folder"
    )


def read(path: Path) -> Manifest:
    told = tomllib.loads(path.read_text("utf-8"))
    detector, replay = (_checked(path.parent, told[name]) for name in ("detector", "replay"))
    classifiers = tuple(_checked(path.parent, entry) for entry in told["classifier"])
    reading = told["reading"]
    return Manifest(detector, classifiers, float(reading["temperature"]), float(reading["threshold"]), replay)


def _checked(folder: Path, entry: dict[str, str]) -> Path:
    path = folder / entry["file"]
    if not path.exists():
        raise WeightsMissing(f"{path}: named in manifest.toml but not there; reinstall krupier")
    if hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
        raise WeightsMissing(f"{path}: not the file manifest.toml describes (sha256 differs); reinstall krupier")
    return path
