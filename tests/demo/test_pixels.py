"""Through pixels: the drawn felt is seen by the shipped recogniser, at the table's own clock."""

from pathlib import Path

import pytest

from table_controller import houses
from table_controller.demo.headless import Wanted, play_headless


@pytest.mark.slow
@pytest.mark.parametrize("house", [houses.NAMES[0], houses.NAMES[-1]])
def test_rounds_seen_through_pixels_are_settled_as_the_second_opinion_says(house: str, tmp_path: Path) -> None:
    told = play_headless(Wanted(house, 2, 2, "rendered:"), tmp_path, lambda _: None)
    assert (told.rounds, told.wrong_cards, told.settled_otherwise, told.felt_told_empty) == (2, 0, [], 0)
    assert told.verified
    assert list(tmp_path.glob("evidence/*/round-2/*.jpg"))
