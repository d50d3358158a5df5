"""Card art from packages: fetched with apt and npm, rendered once into one array of faces a deck."""

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

FACE_WIDTH, FACE_HEIGHT = 336, 480
RANKS, SUITS = "A23456789TJQK", "SHDC"
ART_NAMES = dict(zip(RANKS, ["1", *map(str, range(2, 11)), "jack", "queen", "king"], strict=True))
ART_SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
GRID_ROWS = {"C": 0, "D": 1, "H": 2, "S": 3}


def catalogue() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("decks.toml").read_text("utf-8"))


def fetch(folder: Path) -> None:
    """Download and unpack every package of decks.toml below `folder`; what is there already is kept."""
    wanted = catalogue()
    for package in [*wanted["debian"]["packages"], *wanted["fonts"]["packages"]]:
        if not (target := folder / "debian" / package).exists():
            _unpack_debian(package, folder / "downloads", target)
    for package in wanted["npm"]["packages"]:
        if not (target := folder / "npm" / package.rpartition("@")[0]).exists():
            _unpack_npm(package, folder / "downloads", target)


def _unpack_debian(package: str, downloads: Path, target: Path) -> None:
    downloads.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", "-qq", package], cwd=downloads, check=True)
    archive = sorted(downloads.glob(f"{package}_*.deb"))[-1]
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["dpkg", "-x", archive, target], check=True)


def _unpack_npm(package: str, downloads: Path, target: Path) -> None:
    downloads.mkdir(parents=True, exist_ok=True)
    packed = subprocess.run(
        ["npm", "pack", "--json", package], cwd=downloads, check=True, capture_output=True, text=True
    )
    target.mkdir(parents=True)
    subprocess.run(
        ["tar", "xzf", downloads / _packed_name(packed.stdout), "-C", target, "--strip-components=1"], check=True
    )


def _packed_name(report: str) -> str:
    entries = json.loads(report)
    first = entries[0] if isinstance(entries, list) else next(iter(entries.values()))
    return str(first["filename"]).removeprefix("@").replace("/", "-")


def rasterise(source: Path, *options: str) -> Image:
    """Render an SVG with librsvg, BGRA."""
    run = subprocess.run(["rsvg-convert", *options, source], check=True, capture_output=True)
    return np.asarray(cv2.imdecode(np.frombuffer(run.stdout, np.uint8), cv2.IMREAD_UNCHANGED), np.uint8)


def on_paper(image: Image) -> Image:
    """Flatten transparency onto white and scale to the size of a face."""
    if image.shape[2] == 4:
        alpha = image[..., 3:].astype(np.float32) / 255
        image = (image[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)
    return np.asarray(cv2.resize(image, (FACE_WIDTH, FACE_HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def faces(entry: dict[str, Any], folder: Path) -> Image:
    """All faces of one deck of decks.toml, uint8 (54, 480, 336, 3)."""
    room = "npm" if entry["layout"] == "files" else "debian"
    source = folder / room / entry["package"] / entry["path"]
    layouts = {"grid": _grid_faces, "ids": _id_faces, "files": _file_faces}
    return np.stack([on_paper(face) for face in layouts[entry["layout"]](source, entry)])


def _grid_faces(source: Path, _entry: dict[str, Any]) -> list[Image]:
    sheet = rasterise(source, "-w", str(13 * 400))
    height, width = sheet.shape[0] / 5, sheet.shape[1] / 13

    def cell(row: int, column: int) -> Image:
        return sheet[
            round(row * height) : round((row + 1) * height), round(column * width) : round((column + 1) * width)
        ]

    return [cell(GRID_ROWS[suit], rank) for rank in range(13) for suit in SUITS] + [cell(4, 2), cell(4, 0)]


def _id_faces(source: Path, _entry: dict[str, Any]) -> list[Image]:
    names = [f"{ART_NAMES[rank]}_{ART_SUITS[suit]}" for rank in RANKS for suit in SUITS]
    return [rasterise(source, "-h", "620", "-a", "--export-id", name) for name in [*names, "back", "back"]]


def _file_faces(source: Path, entry: dict[str, Any]) -> list[Image]:
    cards = [
        str(source).format(rank=rank, suit=suit, number=number, suit_lower=suit.lower())
        for number, rank in enumerate(RANKS, 1)
        for suit in SUITS
    ]
    back = str(source).removesuffix(entry["path"]) + entry["back"]
    return [rasterise(Path(card), "-h", "620", "-a") for card in [*cards, back, back]]
