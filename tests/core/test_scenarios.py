"""Each clause of the rules and each irregularity has a scenario named after it; every one of them must play out."""

from pathlib import Path

import pytest

from tests.scenario import SCENARIOS, check_laws, play

FILES = sorted(SCENARIOS.glob("*.round"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_table_behaves_as_the_scenario_says(path: Path) -> None:
    check_laws(play(path).felt)
