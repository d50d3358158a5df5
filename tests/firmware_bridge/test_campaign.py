"""A short cut of the campaign: thousands of frames in seconds; the full one is `make campaign-bridge`."""

import pytest

from .campaign import chunk


@pytest.mark.parametrize("seed", range(6))
def test_a_spoiled_line_loses_nothing_and_the_books_balance(seed: int) -> None:
    entry = chunk("null modem", seed, 3000)
    assert entry["frames"] >= 3000
    assert {"drop", "double", "split", "reorder", "flip", "stall", "splice"} <= set(entry["did"])


def test_a_spoiled_pseudo_terminal_loses_nothing() -> None:
    assert chunk("twin", 2, 400)["events"] > 50


@pytest.mark.usefixtures("simulator_ready")
def test_the_real_firmware_on_a_spoiled_line_loses_nothing() -> None:
    assert chunk("firmware", 3, 300)["events"] > 30
