"""The page of irregularities cannot drift from the table of remedies it describes."""

from pathlib import Path

import pytest

from table_controller.core.irregular import ALLOWED, Irregularity

PAGE = (Path(__file__).parents[2] / "docs/irregularities.md").read_text("utf-8").splitlines()


@pytest.mark.parametrize("irregularity", Irregularity)
def test_every_irregularity_stands_on_the_page_with_its_remedies_in_order(irregularity: Irregularity) -> None:
    (row,) = [line for line in PAGE if line.startswith(f"| `{irregularity}` |")]
    assert row.rsplit(" | ", 1)[1] == ", ".join(f"`{remedy}`" for remedy in ALLOWED[irregularity]) + " |"
