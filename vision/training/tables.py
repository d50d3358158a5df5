"""docs/recognition.md: what the shipped reader reaches, as tables, from the rows of a measurement."""

import math
from collections import Counter
from collections.abc import Callable, Sequence

from vision.training.clips import ClipResult
from vision.training.counts import rate, score, upper_bound
from vision.training.evaluate import Kind, Row

BANDS = ((0.0, 18.0), (18.0, 28.0), (28.0, math.inf))
# Blur as standard deviation in index heights: of an index of 24 px it is 0.7 px to soft, 1.4 px to blurred.
BLURS = {"sharp": (0.0, 0.03), "soft": (0.03, 0.06), "blurred": (0.06, math.inf)}


def band_name(band: tuple[float, float]) -> str:
    return f"over {band[0]:.0f} px" if math.isinf(band[1]) else f"{band[0]:.0f}-{band[1]:.0f} px"


def band_of(row: Row) -> tuple[float, float]:
    return next(band for band in BANDS if band[0] <= row.index_height < band[1])


def blur_name(row: Row) -> str:
    return next(name for name, (low, high) in BLURS.items() if low <= row.blur < high)


def tables(rows: Sequence[Row], threshold: float) -> str:
    """Markdown: per index height, per deck design, per rank, and every confusion at the threshold."""
    head = "| | cards | found | silent errors | phantoms |\n|---|---|---|---|---|\n"

    def table(title: str, names: Sequence[str], belongs: Callable[[Row, str], bool]) -> str:
        groups = [(name, [row for row in rows if belongs(row, name)]) for name in names]
        lines = [f"| {name} | {score(own, threshold).cells} |" for name, own in groups if own]
        return f"### {title}\n\n{head}" + "\n".join(lines) + "\n"

    bands = {band_name(band): band for band in BANDS}
    parts = [
        table(
            "Per index height (rank plus suit)",
            list(bands),
            lambda row, n: band_of(row) == bands[n],
        ),
        table(
            "Per sharpness, 18 px and more (sharp: blur under 3 % of the index height; blurred: over 6 %)",
            [f"{band_name(band)}, {blur}" for band in BANDS[1:] for blur in BLURS],
            lambda row, n: n == f"{band_name(band_of(row))}, {blur_name(row)}",
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
