"""Whether the program, its rules, its models and its firmware are still the files they were."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from table_controller.journal.certificate import file_digest
from table_controller.journal.naming import journals, table_and_day
from table_controller.journal.record import Draft, content_of
from table_controller.journal.sqlite_store import open_reader

CHECKED: Final = "controller.files_checked"
ROOMS: Final = ("table_controller", "firmware_bridge", "vision", "dashboard")
MADE_ALONG: Final = frozenset({".pyc", ".pyo", ".elf", ".o", ".hex", ".d"})


class Files(Struct, frozen=True):
    """Body of the row: the program's version, a digest over all, and one for each file (none where all are as ever)."""

    version: str
    sha256: str
    files: dict[str, str] = {}


def files_of(version: str, beside: Iterable[Path] = ()) -> Files:
    """The digests of everything that decides how a round ends; `beside` are the table's own files."""
    found = {name: file_digest(path) for name, path in _program()}
    found |= {path.name: file_digest(path) for path in beside if path.exists()}
    return Files(version, sha256(msgspec.json.encode(found, order="sorted")).hexdigest(), found)


def changed(before: Files | None, now: Files) -> list[str]:
    """The files that are not what they were; another version of the program is expected to differ."""
    if before is None or before.version != now.version:
        return []
    return sorted(name for name in {*before.files, *now.files} if before.files.get(name) != now.files.get(name))


def row_of(files: Files, before: Files | None) -> Draft:
    """The row that says with which files the table runs; what is as it was is not written again."""
    same = before is not None and before.sha256 == files.sha256
    body = msgspec.json.encode(Files(files.version, files.sha256) if same else files)
    return Draft(kind=CHECKED, body=body, source="controller")


def last_checked(journal: Path) -> Files | None:
    """The files this table ran with before, by its own record."""
    days = [day for day in journals(journal.parent, table_and_day(journal)[0]) if day <= journal]
    for day in reversed(days):
        reader = open_reader(day)
        try:
            rows = [content_of(row, Files) for row in reader.of_kinds(CHECKED)]
        finally:
            reader.close()
        listed = [row for row in rows if row.files]
        if listed:
            return listed[-1]
    return None


def _program() -> Iterator[tuple[str, Path]]:
    roots = {room: Path(str(found.origin)).parent for room in ROOMS if (found := find_spec(room)) is not None}
    beside = roots["vision"].parent / "models"  # where a source tree keeps the weights
    if not (roots["vision"] / "models").is_dir() and beside.is_dir():
        roots["models"] = beside
    for room, root in roots.items():
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix not in MADE_ALONG and "__pycache__" not in path.parts:
                yield f"{room}/{path.relative_to(root)}", path
