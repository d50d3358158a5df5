"""docs/recognition.md: what the shipped reader reaches, with plots, from the rows of a measurement."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes

from vision.training.clips import ClipResult
from vision.training.counts import rate, score, upper_bound
from vision.training.evaluate import Kind, Row

BANDS = ((0.0, 18.0), (18.0, 28.0), (28.0, math.inf))


def band_name(band: tuple[float, float]) -> str:
    return f"over {band[0]:.0f} px" if math.isinf(band[1]) else f"{band[0]:.0f}-{band[1]:.0f} px"


def tables(rows: Sequence[Row], threshold: float) -> str:
    """Markdown: per index height, per deck design, per rank, and every confusion at the threshold."""
    head = "| | cards | found | silent errors | phantoms |\n|---|---|---|---|---|\n"

    def table(title: str, names: Sequence[str], belongs: Callable[[Row, str], bool]) -> str:
        groups = [(name, [row for row in rows if belongs(row, name)]) for name in names]
        lines = [f"| {name} | {score(own, threshold).cells} |" for name, own in groups]
        return f"### {title}\n\n{head}" + "\n".join(lines) + "\n"

    bands = {band_name(band): band for band in BANDS}
    parts = [
        table(
            "Per index height (rank plus suit)",
            list(bands),
            lambda row, n: bands[n][0] <= row.index_height < bands[n][1],
        ),
        table(
            "Per deck design, none of them used for training",
            sorted({row.deck for row in rows}),
            lambda row, n: row.deck == n,
        ),
        table("Per rank", list("A23456789TJQK"), lambda row, n: (row.truth or row.read)[0] == n),
        f"### Confusions at the threshold\n\n{confusions(rows, threshold)}\n",
    ]
    return "\n".join(parts)


def confusions(rows: Sequence[Row], threshold: float) -> str:
    pairs = Counter((row.truth, row.read) for row in rows if row.kind is Kind.WRONG and row.confidence >= threshold)
    return "\n".join(f"* {truth} read as {read}: {count}" for (truth, read), count in pairs.most_common()) or "None."


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


def clip_table(clips: Sequence[ClipResult]) -> str:
    """Markdown: what was said under the time rule, per deck design, with the statistical bound."""
    lines = ["| | clips | cards | said right | said wrong | phantoms |", "|---|---|---|---|---|---|"]
    for name in [*sorted({clip.deck for clip in clips}), "all"]:
        own = [clip for clip in clips if name in (clip.deck, "all")]
        cards, right, wrong = (sum(getattr(clip, key) for clip in own) for key in ("cards", "right", "wrong"))
        phantom = sum(clip.phantom for clip in own)
        said = f"{wrong} ({rate(wrong, wrong + right)})"
        lines.append(f"| {name} | {len(own)} | {cards} | {right / max(1, cards):.1%} | {said} | {phantom} |")
    return "\n".join(lines)


def per_million(clips: Sequence[ClipResult]) -> str:
    """Wrong cards said aloud per million cards dealt, with the 95 % bound."""
    right, wrong = sum(clip.right for clip in clips), sum(clip.wrong for clip in clips)
    most = upper_bound(wrong, wrong + right) * 1e6
    return f"{wrong / max(1, wrong + right) * 1e6:,.0f} per million cards, with 95 % confidence at most {most:,.0f}"
