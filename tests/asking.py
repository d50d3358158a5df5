"""The commands as a person types them, and a house whose record may be spoilt."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from table_controller.cli import main
from tests.export.conftest import Evening

Krupier = Callable[..., Result]


def krupier(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


def refused(result: Result, *, status: int = 2) -> str:
    """The one line of an answer that is none."""
    assert result.exit_code == status
    assert result.exception is None or isinstance(result.exception, SystemExit)
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.fixture
def house(evening: Evening, tmp_path: Path) -> Path:
    """A copy of the evening's folder, to be spoilt."""
    shutil.copytree(evening.path.parent, tmp_path / "house")
    return tmp_path / "house"


def spoil(house: Path) -> None:
    path = house / "T07-2026-11-29.db"
    path.chmod(0o640)
    path.write_bytes(path.read_bytes().replace(b'"result":"lose"', b'"result":"push"', 1))
