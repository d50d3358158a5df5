"""docs/recognition.md: plots of a measurement."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes

from vision.training.counts import score
from vision.training.evaluate import Kind, Row


def risk_coverage(rows: Sequence[Row], target: Path) -> None:
    """Coverage (cards found) against risk (wrong among accepted), one point a threshold."""
    levels = np.unique(np.quantile([row.confidence for row in rows if row.confidence > 0], np.linspace(0, 1, 120)))
    scores = [score(rows, float(level)) for level in levels]
    axes = _axes("cards found", "wrong among accepted readings")
    axes.plot([s.found / max(1, s.cards) for s in scores], [s.wrong / max(1, s.wrong + s.found) for s in scores])
    axes.set_yscale("symlog", linthresh=1e-4)
    _save(target)


def reliability(rows: Sequence[Row], target: Path) -> None:
    """Share of right readings against stated confidence, in ten equal bins."""
    axes = _axes("stated confidence", "share right")
    read = [(row.confidence, row.kind is Kind.CARD) for row in rows if row.confidence > 0]
    points = []
    for low in np.arange(0, 1, 0.1):
        inside = [right for confidence, right in read if low <= confidence < low + 0.1 + (low > 0.85)]
        if inside:
            points.append((low + 0.05, float(np.mean(inside))))
    axes.plot([0, 1], [0, 1], linestyle=":", color="grey")
    axes.plot(*zip(*points, strict=True), marker="o")
    _save(target)


def _axes(across: str, along: str) -> Axes:
    figure, axes = pyplot.subplots(figsize=(5, 3.6))
    figure.set_layout_engine("tight")
    axes.set_xlabel(across)
    axes.set_ylabel(along)
    axes.grid(alpha=0.3)
    return axes


def _save(target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    pyplot.savefig(target, dpi=110, metadata={"Software": None})
    pyplot.close()
