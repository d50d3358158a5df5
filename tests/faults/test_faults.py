"""Whatever fails, at whatever phase: the table pauses or goes on as the page says, and nothing is lost."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.faults.campaign import PAGE, at_every_phase, line
from tests.faults.faults import FAULTS, Fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_at_any_phase_ends_as_the_page_says(
    quick_folder: Path, house_key: Ed25519PrivateKey, fault: Fault
) -> None:
    found = at_every_phase(house_key, quick_folder, fault)
    assert line(fault, found) in PAGE.read_text("utf-8").splitlines()


def test_the_page_tells_of_these_faults_and_no_others() -> None:
    told = [
        row.split(" | ")[0].removeprefix("| ") for row in PAGE.read_text("utf-8").splitlines() if "| ---" not in row
    ]
    assert [name for name in told if name in {fault.name for fault in FAULTS}] == [fault.name for fault in FAULTS]
