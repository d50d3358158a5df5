"""Small files, short functions: a newcomer should find any behaviour in under a minute."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("table_controller", "vision", "firmware_bridge", "dashboard")


def sources() -> Iterator[Path]:
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def too_long(kind: type | tuple[type, ...], limit: int) -> list[str]:
    return [
        f"{source.relative_to(ROOT)}:{node.lineno} {node.name} has {length} lines"
        for source in sources()
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, kind) and isinstance(node, ast.ClassDef | ast.FunctionDef)
        if (length := (node.end_lineno or 0) - node.lineno + 1) > limit
    ]


def test_no_function_is_longer_than_40_lines() -> None:
    assert too_long(ast.FunctionDef, 40) == []


def test_no_class_is_longer_than_150_lines() -> None:
    assert too_long(ast.ClassDef, 150) == []


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {str(source.relative_to(ROOT)): len(source.read_text("utf-8").splitlines()) for source in sources()}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
