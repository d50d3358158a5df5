"""What a journal is called: its table and its gaming day."""

import re
from datetime import date
from pathlib import Path
from typing import Final

from table_controller.journal.errors import NotKept

SUFFIX: Final = ".db"
NAME: Final = re.compile(rf"(.+)-(\d{{4}}-\d\d-\d\d){re.escape(SUFFIX)}", re.ASCII | re.DOTALL)


def journal_path(folder: Path, table: str, day: str) -> Path:
    """`T07-2026-11-29.db`; days are ISO dates, so names sort by time."""
    return folder / f"{table}-{day}{SUFFIX}"


def journals(folder: Path, table: str = "*") -> list[Path]:
    """The journals of a folder, oldest day first within a table."""
    return sorted(folder.glob(f"{table}-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]{SUFFIX}"))


def table_and_day(path: Path) -> tuple[str, str]:
    """What the name of a journal says; raises NotKept if it is no journal's name."""
    name = NAME.fullmatch(path.name)
    if name is None:
        raise NotKept(f"{path.name} is not the name of a journal; it would read like T07-2026-11-29{SUFFIX}")
    return name[1], name[2]


def is_day(text: str) -> bool:
    """Whether it is a day as the names of journals have it, such as 2026-11-29."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def contradicts(path: Path, table: str, day: str) -> str | None:
    """What is wrong where a journal's name speaks of another table or day; any other name says nothing."""
    name = NAME.fullmatch(path.name)
    if name is None or name.groups() == (table, day):
        return None
    return f"by its name it is {name[1]} {name[2]}, by its first record {table} {day}"
