"""The tally of looks at other people's photographs: they only measure, and every measurement is written down."""

import json
from collections.abc import Mapping
from pathlib import Path

KEPT = ("labels", "found", "readings", "wrong", "phantom")


def note(tally: Path, weights: str, threshold: float, scores: Mapping[str, int]) -> None:
    """One more look: with which weights, at which threshold, what was counted."""
    line = {"looks": 1, "weights": weights, "threshold": threshold} | {key: scores.get(key, 0) for key in KEPT}
    with tally.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


def told(tally: Path) -> str:
    """Markdown: how often the photographs were looked at, and what each look counted."""
    lines = [json.loads(line) for line in tally.read_text("utf-8").splitlines()] if tally.exists() else []
    times = sum(line["looks"] for line in lines)
    head = f"The photographs were looked at {times} times so far; nothing was trained on them or chosen by them.\n\n"
    table = ["| looks | weights | threshold | found | silent errors | phantoms |", "|---|---|---|---|---|---|"]
    for line in lines:
        found = f"{line['found'] / max(1, line['labels']):.1%}"
        errors, level = f"{line['wrong']} of {line['readings']}", line["threshold"]
        table.append(f"| {line['looks']} | {line['weights'][-8:]} | {level} | {found} | {errors} | {line['phantom']} |")
    return head + "\n".join(table)
