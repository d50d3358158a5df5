"""A line knows its room: each room has its own words and may not use its neighbour's."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

FOREIGN_WORDS = {
    "table_controller/core": {"frame", "pixel", "port", "socket", "request", "thread"},
    "table_controller/journal": {"hand", "bust", "lamp", "html"},
    "vision": {"hit", "stand", "bet", "payout"},
    "firmware_bridge": {"hand", "round", "payout"},
    "dashboard": {"settle", "decide"},
}


def words(identifier: str) -> set[str]:
    """The words of a snake_case or CamelCase name, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)}


def public_names(source: Path) -> Iterator[str]:
    yield source.stem
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name


@pytest.mark.parametrize("room", FOREIGN_WORDS)
def test_a_room_does_not_speak_its_neighbours_language(room: str) -> None:
    offenders = [
        f"{source.relative_to(ROOT)}: {name}"
        for source in sorted((ROOT / room).rglob("*.py"))
        for name in public_names(source)
        if words(name) & FOREIGN_WORDS[room]
    ]
    assert offenders == []


def test_words_are_found_in_either_spelling() -> None:
    assert words("HTMLFrameOfCards") >= {"html", "frame", "cards"}
    assert words("open_the_port") >= {"port"}
