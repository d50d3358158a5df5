"""The tally of looks at other people's photographs: they only measure, and every measurement is written down."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

KEPT = ("labels", "found", "readings", "wrong", "phantom")


def note(tally: Path, weights: str, threshold: float, scores: Mapping[str, int]) -> None:
    """One more look: with which weights, at which threshold, what was counted."""
    counts = {key: scores.get(key, 0) for key in KEPT}
    line = {"looks": 1, "weights": weights, "threshold": threshold} | counts | {"why": "scored"}
    with tally.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


def told(tally: Path) -> str:
    """Markdown: how often the photographs were looked at, and what each look counted."""
    lines = [json.loads(line) for line in tally.read_text("utf-8").splitlines()] if tally.exists() else []
    times = sum(line["looks"] for line in lines)
    head = (
        f"The photographs were looked at {times} times so far. Nothing was trained on them.\n"
        "Two looks asked where doubt comes from; every rule, temperature and threshold was chosen on renders.\n\n"
    )
    table = [
        "| looks | weights | threshold | found | silent errors | phantoms | why |",
        "|---|---|---|---|---|---|---|",
    ]
    return head + "\n".join([*table, *map(_row, lines)])


def _row(line: Mapping[str, Any]) -> str:
    counted = " | | "
    if line["labels"]:
        found = f"{line['found'] / line['labels']:.1%}"
        counted = f"{found} | {line['wrong']} of {line['readings']} | {line['phantom']}"
    return f"| {line['looks']} | {line['weights'][-8:]} | {line['threshold']} | {counted} | {line['why']} |"
