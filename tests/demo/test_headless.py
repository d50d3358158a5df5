"""The whole table without hardware: what it settles is what the cards that were really dealt are worth."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from table_controller import houses
from table_controller.cli import main
from table_controller.core.stimuli import Command, PauseTable, ResumeTable
from table_controller.demo.floor import Screen
from table_controller.demo.follow import Follower
from table_controller.demo.opinion import owed
from table_controller.demo.truth import TrueBox, TrueHand, TrueRound
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR
from table_controller.port.client import NOBODY, Door, ask_for
from table_controller.port.words import Outcome
from tests.dashboard.browsing import free_port
from tests.evening import rows
from tests.vision.processes import eventually

SLIP_SEED = 4


def headless(data: Path, *words: str) -> tuple[int, dict[str, object]]:
    result = CliRunner().invoke(main, ["demo", "--headless", "--data", str(data), *words])
    (line,) = result.stdout.splitlines()
    return result.exit_code, json.loads(line)


@pytest.mark.parametrize("house", houses.NAMES)
def test_an_evening_is_settled_as_the_second_opinion_says(house: str, tmp_path: Path) -> None:
    status, told = headless(tmp_path, "--rules", house, "--rounds", "12", "--seed", "3")
    assert status == 0
    assert (told["rounds"], told["wrong_cards"], told["settled_otherwise"]) == (12, 0, [])
    assert verify_file(Path(str(told["journal"]))).ok


def test_boards_and_eyes_both_have_their_say_on_record(tmp_path: Path) -> None:
    _, told = headless(tmp_path, "--rules", "classic", "--rounds", "6", "--seed", str(SLIP_SEED))
    kinds = Counter(row.kind for row in rows(Path(str(told["journal"]))))
    assert kinds["controller.self_test"] == 1
    assert kinds["stimulus.card_drawn"] == kinds["stimulus.card_sighted"] - kinds["event.hole_revealed"]
    assert kinds["bridge.event"] > 4 * kinds["stimulus.card_drawn"]
    assert kinds["event.round_closed"] == 6


def test_the_same_seed_is_the_same_evening(tmp_path: Path) -> None:
    once, again, other = (
        headless(tmp_path / name, "--rounds", "4", "--seed", seed)[1]
        for name, seed in (("a", "5"), ("b", "5"), ("c", "6"))
    )
    del once["journal"], again["journal"], other["journal"]
    assert once == again
    assert once["money_in"] != other["money_in"]


def a_round(dealer: str, *hands: tuple[int, str], **box: int) -> TrueRound:
    cards = [TrueHand(stake, cards=text.split()) for stake, text in hands]
    return TrueRound(practice=False, boxes={1: TrueBox(100, hands=cards, **box)}, dealer=dealer.split())


@pytest.mark.parametrize(
    ("house", "played", "net"),
    [
        ("classic", a_round("TS 9H", (100, "TH TD")), 100),
        ("classic", a_round("TS 9H", (100, "AH TD")), 150),
        ("classic", a_round("TS AH", (100, "AH TD")), 0),
        ("classic", a_round("TS AH", (100, "TH TD"), insurance=50), 0),
        ("classic", a_round("TS 9H", (100, "TH TD"), insurance=50), 50),
        ("classic", a_round("TS 9H", (200, "5H 6D TC")), 200),
        ("classic", a_round("TS 6H TC", (100, "TH 2D TC")), -100),
        ("golden_wolf", a_round("TS 9H", (50, "AH TD")), 75),
        ("goldfishka", a_round("TS 9H", (100, "2H 2D 2C 2S 3H 3D 4C")), 150),
        ("live_dealer", a_round("TS 9H", (100, "8H 8D"), pairs=10), -100 + 120),
        ("live_dealer", a_round("TS 9H", (100, "8H 8S"), pairs=10), -100 + 60),
    ],
)
def test_the_second_opinion_knows_what_is_owed(house: str, played: TrueRound, net: int) -> None:
    assert owed(houses.rule_values(house), played)[1].net == net


PLAY = """
from pathlib import Path
import msgspec, sys
from table_controller.demo.show import Show, show
told = show(Show(rules="classic", seed=3, data=Path(sys.argv[1]), rounds=1, speed=20, port=None, source=None))
print(msgspec.json.encode(told).decode())
"""


@pytest.mark.slow
def test_the_demos_processes_play_and_a_stopped_demo_goes_on_at_its_table(tmp_path: Path) -> None:
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", PLAY, tmp_path], stdout=subprocess.PIPE, timeout=100, check=True)
        told = json.loads(done.stdout)
        assert (told["rounds"], told["wrong_cards"], told["settled_otherwise"]) == (1, 0, [])
    (journal,) = tmp_path.glob("T*.db")
    assert [row.kind for row in rows(journal)].count("event.round_closed") == 2
    assert verify_file(journal).ok


WATCH = """
import sys
from pathlib import Path
from table_controller.demo.show import Show, show
show(Show(rules="classic", seed=3, data=Path(sys.argv[1]), speed=20, port=int(sys.argv[2]), source=None))
"""


@pytest.mark.slow
def test_the_demos_dealer_rests_while_whoever_watches_has_paused_the_table(tmp_path: Path) -> None:
    demo = subprocess.Popen([sys.executable, "-c", WATCH, tmp_path, str(free_port())], stdout=subprocess.DEVNULL)
    try:
        door = Door(tmp_path, "T01")
        (journal,) = eventually(lambda: list(tmp_path.glob("T01-*.db")), 60)
        screen = Screen(door, Follower(journal).look, 0.02)

        def pulled() -> int:
            return sum(row.kind == "stimulus.card_drawn" for row in rows(journal))

        def tap(command: Command) -> None:
            name = type(command).__name__
            eventually(lambda: door.ask(ask_for(command, name, screen.state.version)).outcome is Outcome.DONE)

        assert screen.wait(lambda _: pulled() > 6, 60)
        tap(PauseTable(NOBODY, FLOOR, "look at this"))
        time.sleep(1)  # what was under way is done
        lay = pulled()
        time.sleep(4)
        assert (pulled(), screen.state.paused) == (lay, True)
        tap(ResumeTable(NOBODY, FLOOR))
        assert screen.wait(lambda _: pulled() > lay + 6, 60)
    finally:
        demo.send_signal(signal.SIGINT)
        demo.wait(30)
