"""Writes docs/recognition.md from what was measured; photographs are only counted, never learnt from."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from vision import picture, weights
from vision.geometry import bounds
from vision.reader import Reading, shipped
from vision.training import evaluate, figures, looks, tables
from vision.training.clips import ClipResult

DOCS = Path(__file__).parents[2] / "docs"
MODELS = Path(__file__).parents[2] / "models"

HEAD = """# How well cards are read

Written by `make eval-vision`; every figure is that of the weights in `models/` at threshold {threshold:.3f}.
*Found*: share of cards with at least one clear index that were read right. *Silent error*: a reading that was let
through with a wrong rank or suit, as a share of all readings let through, with the upper end of its 95 % interval.
*Phantom*: a reading where no card lies. Index height is rank plus suit in pixels of the picture.

## Rendered tables, single frames, decks never trained on

{tables}

![Cards found against silent errors as the threshold moves](figures/risk_coverage.png)
![Stated confidence against the share that is right](figures/reliability.png)

## After the time rule

{clips}

## Photographs made by others

{photographs}
"""


def publish(cache: Path, photographs: str | None) -> None:
    """Write the page and its plots from the cached measurements."""
    manifest = weights.find()
    rows = evaluate.load(cache / "rows.jsonl") if (cache / "rows.jsonl").exists() else []
    if rows:
        figures.risk_coverage(rows, DOCS / "figures" / "risk_coverage.png")
        figures.reliability(rows, DOCS / "figures" / "reliability.png")
    text = HEAD.format(
        threshold=manifest.threshold,
        tables=tables.tables(rows, manifest.threshold) if rows else "Not measured yet.",
        clips=_clips(cache / "clips.jsonl"),
        photographs=_photographs(cache / "photographs.json", photographs),
    )
    DOCS.mkdir(exist_ok=True)
    (DOCS / "recognition.md").write_text(text, "utf-8")


def _clips(log: Path) -> str:
    if not log.exists():
        return "Not measured yet: `python -m vision.training clips`."
    clips = [ClipResult(**json.loads(line)) for line in log.read_text("utf-8").splitlines()]
    return f"Simulated table error: {tables.per_million(clips)}.\n\n{tables.clip_table(clips)}"


def _photographs(kept: Path, folder: str | None) -> str:
    """A fresh measurement, noted in the tally of looks, when the folder is there; the kept one otherwise."""
    if folder is not None:
        manifest, fresh = weights.find(), scored(Path(folder))
        kept.write_text(json.dumps(fresh), "utf-8")
        looks.note(MODELS / "looks.jsonl", kept.parent.name, manifest.threshold, fresh["all"])
    if not kept.exists():
        return "Left out: the photographs are not part of this repository (set KRUPIER_PHOTOS to their folder)."
    scores: dict[str, dict[str, int]] = json.loads(kept.read_text("utf-8"))
    lines = [
        "| source | images | labels | found | readings | silent errors | phantoms |",
        "|---|---|---|---|---|---|---|",
    ]
    for source, c in scores.items():
        found = f"{c.get('found', 0) / max(1, c['labels']):.1%}"
        errors = f"{c.get('wrong', 0)} | {c.get('phantom', 0)}"
        lines.append(f"| {source} | {c['images']} | {c['labels']} | {found} | {c.get('readings', 0)} | {errors} |")
    return "\n".join([*lines, "", looks.told(MODELS / "looks.jsonl")])


def scored(folder: Path) -> dict[str, Counter[str]]:
    """Count by source as the collection's own scoring does: by the centres of indices within labelled boxes."""
    eyes, totals = shipped(weights.find()), dict[str, Counter[str]]()
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        labels = json.loads(line)
        seen = eyes.read(picture.load(folder / labels["image"]))
        counts = _against(labels, seen)
        for name in (labels["source"], "all"):
            totals.setdefault(name, Counter()).update(counts)
    return dict(sorted(totals.items(), key=lambda entry: entry[0] == "all"))


def _against(labels: dict[str, Any], seen: Reading) -> Counter[str]:
    names = [(f"{'T' if k['rank'] == '10' else k['rank']}{k['suit']}", k["box"], k["kind"]) for k in labels["cards"]]
    points = [(str(card.card), bounds(quad)) for card in seen.cards for quad in card.indices]
    counts = Counter(images=1, labels=len(names), readings=len(points))
    for name, box, kind in names:
        counts["found"] += any(read == name and _meets(box, kind, index) for read, index in points)
    for read, index in points:
        here = [name for name, box, kind in names if _meets(box, kind, index)]
        counts["wrong"] += bool(here) and read not in here
        counts["phantom"] += not here and not (labels["unlabelled_partial_cards"] or labels["source"] == "bidly")
    return counts


def _meets(box: tuple[float, ...], kind: str, index: tuple[float, ...]) -> bool:
    return _inside(index, box, 0.15) or (kind == "corner" and _inside(box, index, 0.5))


def _inside(inner: tuple[float, ...], outer: tuple[float, ...], rim: float) -> bool:
    x, y = inner[0] + inner[2] / 2, inner[1] + inner[3] / 2
    across = -rim * outer[2] <= x - outer[0] <= outer[2] * (1 + rim)
    return across and -rim * outer[3] <= y - outer[1] <= outer[3] * (1 + rim)


def set_threshold(threshold: float, models: Path = MODELS) -> None:
    """Rewrite the threshold of models/manifest.toml."""
    path = models / "manifest.toml"
    path.write_text(re.sub(r"threshold = [\d.]+", f"threshold = {threshold:.3f}", path.read_text("utf-8")), "utf-8")
