"""A gaming day is over when its table is closed and the next one has begun; never in the middle of play."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import values_of
from table_controller.journal.certificate import certificate_of
from table_controller.journal.folder import verify_folder
from table_controller.journal.naming import journals, table_and_day
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, ask_for
from table_controller.port.words import Outcome
from table_controller.shell.controller import Controller, Plan
from table_controller.shell.days import Days
from tests.evening import nobody_warns
from tests.shell.test_checks import DAY_S, TwoClocks

EVENING_NS = 1_796_065_200_000_000_000  # 2026-11-30, 19:00 UTC


@pytest.fixture
def clock() -> TwoClocks:
    made = TwoClocks()
    made.at_ns = EVENING_NS
    return made


@pytest.fixture
def start(tmp_path: Path, clock: TwoClocks, house_key: Ed25519PrivateKey) -> Iterator[Callable[[], Controller]]:
    started: list[Controller] = []

    def make() -> Controller:
        days = Days(folder=tmp_path, table="T07", key=lambda: house_key, clock=clock, warn=nobody_warns)
        controller = Controller(Plan(days=days, tick_s=0))
        controller.loop.turn()
        started.append(controller)
        return controller

    yield make
    for controller in started:
        leave(controller)


def leave(controller: Controller) -> None:
    if controller.hearing.table.down is None:
        controller.hearing.table.recorder.leave()
        controller.hearing.table.down = "left"


def ask(controller: Controller, command: said.Command, tap: str) -> Outcome:
    return controller.hearing.hear(ask_for(command, tap, controller.hearing.version)).outcome


def open_table(controller: Controller, **wants: object) -> None:
    rules = values_of(houses.rules_with("classic", {}))
    opening = said.OpenTable(NOBODY, FLOOR, SECOND, rules, {**houses.house_values("classic"), **wants}, {})
    assert ask(controller, opening, "open") is Outcome.DONE


def why_no_bets(controller: Controller, tap: str) -> str:
    return controller.hearing.hear(ask_for(said.OpenBets(NOBODY, FLOOR), tap, controller.hearing.version)).reason


def days_of(folder: Path) -> list[tuple[str, bool]]:
    return [(table_and_day(day)[1], certificate_of(day) is not None) for day in journals(folder)]


def test_a_closed_table_goes_on_to_the_next_day_by_itself(
    start: Callable[[], Controller], clock: TwoClocks, tmp_path: Path
) -> None:
    controller = start()
    open_table(controller)
    assert ask(controller, said.CloseTable(NOBODY, FLOOR, SECOND, {}), "close") is Outcome.DONE
    clock.wait(DAY_S)
    controller.loop.turn()
    assert days_of(tmp_path) == [("2026-11-30", True), ("2026-12-01", False)]
    assert verify_folder(tmp_path).ok


def test_an_open_table_stays_in_its_day_however_long_it_plays(
    start: Callable[[], Controller], clock: TwoClocks, tmp_path: Path
) -> None:
    controller = start()
    open_table(controller)
    clock.wait(2 * DAY_S)
    controller.loop.turn()
    leave(controller)
    again = start()
    assert days_of(tmp_path) == [("2026-11-30", False)]
    assert again.hearing.state.paused


def test_a_program_started_the_day_after_ends_the_day_that_was_left(
    start: Callable[[], Controller], clock: TwoClocks, tmp_path: Path
) -> None:
    leave(start())
    clock.wait(DAY_S)
    start()
    assert days_of(tmp_path) == [("2026-11-30", True), ("2026-12-01", False)]


def test_the_small_hours_belong_to_the_evening_before(
    start: Callable[[], Controller], clock: TwoClocks, tmp_path: Path
) -> None:
    clock.wait(10 * 3600)  # five in the morning
    start()
    assert days_of(tmp_path) == [("2026-11-30", False)]


def test_a_day_that_was_closed_is_not_opened_again(start: Callable[[], Controller]) -> None:
    controller = start()
    controller.hearing.table.end_day()
    controller.loop.revive()
    controller.loop.turn()
    assert "the next day has not begun" in str(controller.loop.shown.status.down)


def test_the_reader_is_inspected_anew_on_a_table_that_plays_into_the_next_gaming_day(
    start: Callable[[], Controller], clock: TwoClocks, tmp_path: Path
) -> None:
    controller = start()
    open_table(controller, reader_check=True)
    controller.loop.turn()
    assert ask(controller, said.LoadShoe(NOBODY, FLOOR), "load") is Outcome.DONE
    assert why_no_bets(controller, "bets-1") == "reader_unchecked"
    assert ask(controller, said.InspectReader(NOBODY, FLOOR), "inspect-1") is Outcome.DONE
    clock.wait(3600)
    controller.loop.turn()
    leave(controller)
    controller = start()
    assert ask(controller, said.ResumeTable(NOBODY, FLOOR), "resume") is Outcome.DONE
    assert why_no_bets(controller, "bets-2") == ""
    assert ask(controller, said.VoidRound(NOBODY, FLOOR, SECOND, "nobody plays"), "void") is Outcome.DONE
    clock.wait(DAY_S)
    controller.loop.turn()
    assert why_no_bets(controller, "bets-3") == "reader_unchecked"
    assert ask(controller, said.InspectReader(NOBODY, FLOOR), "inspect-2") is Outcome.DONE
    assert why_no_bets(controller, "bets-4") == ""
    assert controller.hearing.state.upkeep.day == "2026-12-01"
    assert verify_folder(tmp_path).ok
