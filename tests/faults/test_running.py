"""Some of the faults of the running table; all of them: `make campaign-running`."""

from collections.abc import Iterator

import pytest

from table_controller.core.table import Phase
from tests.faults.running.__main__ import Evening
from tests.faults.running.faults import FAULTS

BY_NAME = {fault.name: fault for fault in FAULTS}


STRUCK = (
    ("controller killed", Phase.PLAYING),
    ("shoe unplugged", Phase.DEALING),
    ("disk full", Phase.DEALING),
    ("started twice", Phase.PLAYING),
)


@pytest.fixture(scope="module")
def evening() -> Iterator[Evening]:
    one = Evening()
    yield one
    one.end()


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("name", "phase"), STRUCK)
def test_a_fault_of_the_running_table_ends_as_its_row_says(evening: Evening, name: str, phase: Phase) -> None:
    outcome = evening.strike(BY_NAME[name], phase)
    assert outcome.wrong == ""
    assert (outcome.did, outcome.ended) == (BY_NAME[name].does, "as dealt")
    assert outcome.dealer


def test_at_least_forty_combinations_are_struck() -> None:
    assert sum(len(fault.phases) for fault in FAULTS) >= 40
