"""The program itself: Python, the libraries it was tested with, SQLite."""

import platform
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version

from packaging.requirements import Requirement

from table_controller.doctor.finding import Finding, green, red
from table_controller.journal.sqlite_store import SQLITE_VERSION

LEAST_PYTHON = (3, 11)
LEAST_SQLITE = (3, 37, 0)
"""STRICT tables came with 3.37.0 (sqlite.org/stricttables.html)."""
AT_THE_TABLE = "run"


def python(running: str = platform.python_version()) -> Finding:
    """The interpreter."""
    if _numbers(running)[:2] < LEAST_PYTHON:
        return red("python", "python_old", version=running)
    return green("python", "version", version=running)


def sqlite(running: str = SQLITE_VERSION) -> Finding:
    """The library under the record."""
    if _numbers(running) < LEAST_SQLITE:
        return red("sqlite", "sqlite_old", version=running)
    return green("sqlite", "version", version=running)


def libraries(program: Distribution | None = None) -> Finding:
    """Every library a running table needs, within the versions the program asks for."""
    program = program or distribution("krupier")
    wanted = [Requirement(text) for text in program.requires or ()]
    at_the_table = [one for one in wanted if one.marker is None or one.marker.evaluate({"extra": AT_THE_TABLE})]
    wrong = [fault for fault in map(_fault, at_the_table) if fault]
    if wrong:
        return red("libraries", "libraries_wrong", wrong=", ".join(wrong))
    return green("libraries", "libraries_right", count=len(at_the_table), version=program.version)


def _fault(wanted: Requirement) -> str | None:
    try:
        there = version(wanted.name)
    except PackageNotFoundError:
        return f"{wanted} (-)"
    return None if wanted.specifier.contains(there, prereleases=True) else f"{wanted} ({there})"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdecimal())
