"""Stage: export. Weights to ONNX, calibrated on held-out decks, with the manifest the runtime checks."""

import hashlib
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.classifier import Answers, OnnxClassifier, chances_of
from vision.training import classifier, detector

MODELS = Path(__file__).parents[2] / "models"
TEMPERATURES = np.geomspace(0.5, 4.0, 25)


def export(folder: Path, seeds: tuple[int, ...], models: Path = MODELS) -> None:
    """Write detector.onnx, classifier<seed>.onnx, replay.npz and manifest.toml into `models`."""
    detector.newest(folder, models / "detector.onnx")
    names = [f"classifier{seed}.onnx" for seed in seeds]
    for seed, name in zip(seeds, names, strict=True):
        classifier.export(folder / f"photographed{seed}.pt", models / name)
    data = classifier.load(folder, "judge")
    answers = [answers_of(models / name, data) for name in names]
    keep_replay(models / "replay.npz", answers, data.cards)
    temperature = calibrated(answers, data.cards)
    (models / "manifest.toml").write_text(manifest(models, names, temperature), "utf-8")


def answers_of(path: Path, data: classifier.Crops) -> Answers:
    """One network's answers for all crops."""
    one = OnnxClassifier([path], temperature=1.0)
    pictures = list(data.pictures)
    parts = [one.answers(pictures[at : at + 256])[0] for at in range(0, len(pictures), 256)]
    return Answers(*(np.concatenate([getattr(part, key.name) for part in parts]) for key in fields(Answers)))


def keep_replay(path: Path, answers: list[Answers], cards: NDArray[np.int16], most: int = 1200) -> None:
    """What enrolment must not spoil: the answers on crops of held-out decks, in half precision."""
    real = np.flatnonzero(cards >= 0)[:most]
    kept: dict[str, NDArray[Any]] = {"cards": cards[real]}
    for number, each in enumerate(answers):
        for key in ("embedding", "rank", "suit"):
            kept[f"{key}{number}"] = getattr(each, key)[real].astype(np.float16)
    np.savez_compressed(path, allow_pickle=False, **kept)


def calibrated(answers: list[Answers], cards: NDArray[np.int16]) -> float:
    """The temperature with the least negative log likelihood on held-out crops (Guo et al. 2017)."""

    def cost(temperature: float) -> float:
        each = [chances_of(answer.rank, answer.suit, answer.index, temperature) for answer in answers]
        chances = np.mean(each, axis=0)
        real = cards >= 0
        right = chances[np.flatnonzero(real), cards[real]]
        none = 1 - chances[~real].sum(axis=1)
        return float(-np.log(np.concatenate([right, none]).clip(1e-7)).mean())

    return float(min(TEMPERATURES, key=cost))


def manifest(models: Path, names: list[str], temperature: float, threshold: float = 0.95) -> str:
    """The text of manifest.toml; the threshold is chosen on held-out renders, never on photographs."""
    licence = 'licence = "AGPL-3.0-or-later"'
    lines = ["# Written by `python -m vision.training export`; checked at start-up.", ""]
    entries = [("[detector]", "detector.onnx"), ("[replay]", "replay.npz")]
    for table, name in [*entries, *(("[[classifier]]", name) for name in names)]:
        digest = hashlib.sha256((models / name).read_bytes()).hexdigest()
        lines += [table, f'file = "{name}"', f'sha256 = "{digest}"', licence, ""]
    lines += ["[reading]", f"temperature = {temperature:.3f}", f"threshold = {threshold:.3f}", ""]
    return "\n".join(lines)
