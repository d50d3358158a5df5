"""Stage: export. Weights to ONNX, calibrated on held-out decks, with the manifest the runtime checks."""

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.classifier import chances_of
from vision.network import Network
from vision.training import classifier, detector

MODELS = Path(__file__).parents[2] / "models"
TEMPERATURES = np.geomspace(0.5, 4.0, 25)


def export(folder: Path, seeds: tuple[int, ...], models: Path = MODELS) -> None:
    """Write detector.onnx, classifier<seed>.onnx and manifest.toml into `models`."""
    detector.export(detector.finished(folder), models / "detector.onnx")
    names = [f"classifier{seed}.onnx" for seed in seeds]
    for seed, name in zip(seeds, names, strict=True):
        classifier.export(folder / f"classifier{seed}.pt", models / name)
    temperature = calibrated([models / name for name in names], classifier.load(folder, "val"))
    (models / "manifest.toml").write_text(manifest(models, names, temperature), "utf-8")


def logits(path: Path, data: classifier.Crops) -> list[NDArray[np.float32]]:
    """Rank, suit and index logits of one network for all crops."""
    network = Network(path)
    pictures = data.pictures.transpose(0, 3, 1, 2)
    parts = [network(np.asarray(pictures[at : at + 256] / 255, np.float32))[:3] for at in range(0, len(pictures), 256)]
    return [np.concatenate([part[number] for part in parts]) for number in range(3)]


def calibrated(paths: list[Path], data: classifier.Crops) -> float:
    """The temperature with the least negative log likelihood on held-out crops (Guo et al. 2017)."""
    answers = [logits(path, data) for path in paths]

    def cost(temperature: float) -> float:
        chances = np.mean([chances_of(rank, suit, index, temperature) for rank, suit, index in answers], axis=0)
        real = data.cards >= 0
        right = chances[np.flatnonzero(real), data.cards[real]]
        none = 1 - chances[~real].sum(axis=1)
        return float(-np.log(np.concatenate([right, none]).clip(1e-7)).mean())

    return float(min(TEMPERATURES, key=cost))


def manifest(models: Path, names: list[str], temperature: float, threshold: float = 0.9) -> str:
    """The text of manifest.toml; the threshold is chosen on held-out renders, never on photographs."""
    licence = 'licence = "AGPL-3.0-or-later"'
    lines = ["# Written by `python -m vision.training export`; checked at start-up.", ""]
    for table, name in [("[detector]", "detector.onnx"), *(("[[classifier]]", name) for name in names)]:
        digest = hashlib.sha256((models / name).read_bytes()).hexdigest()
        lines += [table, f'file = "{name}"', f'sha256 = "{digest}"', licence, ""]
    lines += ["[reading]", f"temperature = {temperature:.3f}", f"threshold = {threshold:.3f}", ""]
    return "\n".join(lines)
