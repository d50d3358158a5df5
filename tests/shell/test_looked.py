"""A card is missed by the pictures the eyes have looked at, not by the clock: eyes that are late make no question."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import values_of
from table_controller.core.irregular import Irregularity
from table_controller.core.stimuli import Cause
from table_controller.houses import house_values, rules_with
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, ask_for
from table_controller.port.words import Health, Outcome
from table_controller.shell.hearing import LATEST_NS, Hearing
from table_controller.shell.lights import Lights
from table_controller.shell.recorder import open_recorder
from table_controller.shell.table import Table
from tests.evening import nobody_warns
from tests.shell.standing import NO_BURNS
from tests.shell.test_checks import S, TwoClocks


@pytest.fixture
def clock() -> TwoClocks:
    return TwoClocks()


@pytest.fixture
def drawn(tmp_path: Path, clock: TwoClocks, house_key: Ed25519PrivateKey) -> Iterator[Hearing]:
    """A card has left the shoe, and six seconds are gone; the house gives the eyes five."""
    path = tmp_path / "T07-2026-11-29.db"
    table = Table(lambda: open_recorder(path, house_key, clock, "blackjack", nobody_warns))
    table.revive(clock().at_ns)
    hearing = Hearing(table, "blackjack", clock, Lights({}, clock().at_ns))
    house = {**house_values("classic"), "burns": NO_BURNS, "witnesses": ["camera", "shoe"]}
    for number, command in enumerate(
        (
            said.OpenTable(NOBODY, FLOOR, SECOND, values_of(rules_with("classic", {})), house, {}),
            said.LoadShoe(NOBODY, FLOOR),
            said.OpenBets(NOBODY, FLOOR),
            said.PlaceBet(NOBODY, FLOOR, 1, 1000),
            said.CloseBets(NOBODY, FLOOR),
        )
    ):
        assert hearing.hear(ask_for(command, str(number), hearing.version)).outcome is Outcome.DONE
    table.take(said.CardDrawn(Cause("shoe", 1, clock().at_ns)))
    clock.wait(6)
    yield hearing
    table.recorder.leave()


def is_missed(hearing: Hearing) -> bool:
    hearing.tick()
    return [one.irregularity for one in hearing.state.disputes] == [Irregularity.DRAWN_NOT_SEEN]


def looked(hearing: Hearing, clock: TwoClocks, *, seconds_ago: int, eyes: str = "vision") -> None:
    hearing.hear(Health(eyes, ok=True, looked_ns=clock().at_ns - seconds_ago * S))


def test_where_no_eyes_say_how_far_they_are_the_clock_counts(drawn: Hearing) -> None:
    assert is_missed(drawn)


def test_a_card_may_still_be_seen_in_pictures_not_looked_at_yet(drawn: Hearing, clock: TwoClocks) -> None:
    looked(drawn, clock, seconds_ago=3)
    assert not is_missed(drawn)
    looked(drawn, clock, seconds_ago=0)
    assert is_missed(drawn)


def test_of_the_eyes_at_two_cameras_the_hindmost_are_waited_for(drawn: Hearing, clock: TwoClocks) -> None:
    looked(drawn, clock, seconds_ago=3, eyes="vision2")
    looked(drawn, clock, seconds_ago=0)
    assert not is_missed(drawn)
    looked(drawn, clock, seconds_ago=0, eyes="vision2")
    assert is_missed(drawn)


def test_eyes_that_come_to_no_end_are_not_waited_for_for_ever(drawn: Hearing, clock: TwoClocks) -> None:
    looked(drawn, clock, seconds_ago=6)
    assert not is_missed(drawn)
    clock.wait(LATEST_NS // S)
    assert is_missed(drawn)


def test_eyes_whose_clock_runs_ahead_hasten_nothing(drawn: Hearing, clock: TwoClocks) -> None:
    clock.wait(-2)
    looked(drawn, clock, seconds_ago=-60)
    assert not is_missed(drawn)
