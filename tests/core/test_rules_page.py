"""The page of rule sets names every key of a rule set and of a house file."""

from pathlib import Path

import pytest

from table_controller.core import house
from table_controller.core.blackjack import rules

PAGE = (Path(__file__).parents[2] / "docs/rules.md").read_text("utf-8")


@pytest.mark.parametrize("key", [*rules.KEYS, *house.KEYS])
def test_every_key_is_explained(key: str) -> None:
    assert f"`{key}`" in PAGE or f"`[{key}]`" in PAGE
