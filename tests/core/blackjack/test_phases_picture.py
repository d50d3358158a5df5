"""The picture of the phases in the documentation cannot lie: it is compared with the table of arrows."""

import re
from pathlib import Path

from table_controller.core.blackjack.transitions import ARROWS, BACK
from table_controller.core.table import Phase

PICTURE = Path(__file__).parents[3] / "docs/phases.md"


def test_the_picture_shows_every_arrow_and_no_other() -> None:
    found = re.findall(r"^ *(\w+) --> (\w+)(?: : (\w+))?$", PICTURE.read_text("utf-8"), re.MULTILINE)
    forward = frozenset((Phase(start), Phase(end)) for start, end, how in found if not how)
    back = frozenset((Phase(start), Phase(end)) for start, end, how in found if how == "back")
    assert (forward, back) == (ARROWS, BACK)
