"""A table without the extra `numbers`: what needs it says so, everything else goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment in which numba cannot be imported."""
    (tmp_path / "numba.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'numba'\", name='numba')\n", "utf-8"
    )
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    krupier = Path(sys.executable).with_name("krupier")
    return subprocess.run([krupier, *words], env=environment, capture_output=True, text=True, check=False)


def test_a_command_of_the_numbers_says_what_to_install(bare: dict[str, str]) -> None:
    result = run(bare, "edge", "classic")
    assert result.returncode == 2
    assert result.stderr == "krupier: edge classic: needs numba; pip install 'krupier[numbers]'\n"


def test_the_report_is_complete_but_for_theoretical_win(bare: dict[str, str], tmp_path: Path) -> None:
    run(bare, "demo", "--data", str(tmp_path / "evening"), "--rounds", "3", "--headless")
    told = json.loads(run(bare, "report", str(tmp_path / "evening"), "--json").stdout)
    assert told["rounds"] == 3 - 2  # Golden Wolf's first two are practice
    assert told["theoretical"] is None
    assert "krupier[numbers]" in run(bare, "report", str(tmp_path / "evening")).stdout


def test_cases_that_need_no_numbers_are_played(bare: dict[str, str], tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    check = {"id": "1", "kind": "bet_check", "profile": "classic", "bets": [{"box": 1, "main": 100}]}
    cell = {
        "id": "2",
        "kind": "strategy",
        "profile": "classic",
        "hand": {"type": "hard", "value": "16"},
        "dealer_up": "7",
    }
    cases.write_text(f"{json.dumps(check)}\n{json.dumps(cell)}\n", "utf-8")
    result = run(bare, "play", str(cases))
    first, second = map(json.loads, result.stdout.splitlines())
    assert first["accept"] is True
    assert second["error"] == "needs numba; pip install 'krupier[numbers]'"
