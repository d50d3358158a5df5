"""An absent player at a running table: a controller process with its own clock, a house that has his hand played."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card
from table_controller.core.house import ABSENT
from table_controller.demo.eyes import ScriptedEyes, Spot
from table_controller.journal.record import Record
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, Door, DoorClosed, ask_for
from table_controller.port.words import Look, Outcome, Status
from table_controller.shell.books import Books
from tests.evening import rows
from tests.shell.standing import eventually

SIGNAL, ASKED = "stimulus.signal", "event.disputed"


class Table:
    """A controller process without devices; the cards are told at its door."""

    def __init__(self, data: Path, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "table_controller.shell.controller", "--data", str(data), "--table", "T07"]
        with (data / "told").open("w") as told:
            self.process = subprocess.Popen(command, env=environment, stderr=told)
        self.data, self.door, self.taps = data, Door(data, "T07"), 0
        self.eyes = ScriptedEyes(self.door, "eyes", time.time_ns)

    def status(self) -> Status:
        for _ in range(800):
            with suppress(DoorClosed, OSError):
                found = self.door.look(Look())
                assert isinstance(found, Status)
                if found.down is None:
                    return found
            time.sleep(0.05)
        raise AssertionError("the table did not come up")

    def say(self, stimulus: said.Stimulus) -> None:
        self.taps += 1
        answer = self.door.ask(ask_for(stimulus, f"tap-{self.taps}", self.status().version))
        assert answer.outcome is Outcome.DONE, answer

    def deal(self, cards: str, *, answer_seconds: int) -> None:
        """Box 1 is dealt ten and two against a seven, or what is asked for."""
        house = houses.house_values("live_dealer")
        timers = {"card_seconds": 60, "answer_seconds": answer_seconds}
        rules = houses.rule_values("live_dealer")
        self.say(said.OpenTable(NOBODY, FLOOR, SECOND, rules, {**house, "timers": timers}, {}))
        self.say(said.LoadShoe(NOBODY, FLOOR))
        self.say(said.OpenBets(NOBODY, FLOOR))
        self.say(said.PlaceBet(NOBODY, FLOOR, 1, 1000))
        self.say(said.CloseBets(NOBODY, FLOOR))
        for at, card in enumerate(cards.split()):
            self.eyes.lay(Spot("dealer" if at == 1 else "box1"), card)

    def rows(self, kind: str) -> list[Record]:
        return [row for row in rows(Path(self.status().journal)) if row.kind == kind]

    def end(self) -> None:
        self.door.close()
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path, dict(os.environ))
    yield made
    made.end()


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Table]:
    """A table where numba cannot be imported."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "numba.py").write_text("raise ModuleNotFoundError(\"No module named 'numba'\", name='numba')\n", "utf-8")
    made = Table(tmp_path, {**os.environ, "PYTHONPATH": str(hidden)})
    yield made
    made.end()


def test_an_absent_players_hand_is_played_by_strategy_until_it_is_done(table: Table) -> None:
    table.deal("TS 7H 2D", answer_seconds=8)
    assert table.rows(SIGNAL) == []
    eventually(lambda: len(table.rows(SIGNAL)) == 1, 30)
    table.eyes.lay(Spot("box1"), "2H")
    eventually(lambda: len(table.rows(SIGNAL)) == 2, 6)  # he is known to be away: at once
    table.eyes.lay(Spot("box1"), "6H")
    eventually(lambda: len(table.rows(SIGNAL)) == 3, 6)
    signals = table.rows(SIGNAL)
    assert [row.source for row in signals] == [ABSENT] * 3
    assert [msgspec.json.decode(row.body)["action"] for row in signals] == ["hit", "hit", "stand"]
    assert table.rows(ASKED) == []


def test_without_the_numbers_the_floor_is_called_and_the_technician_is_told_why(bare: Table) -> None:
    bare.deal("TS 7H 2D", answer_seconds=5)
    eventually(lambda: len(bare.rows(ASKED)) == 1, 20)
    assert b"player_absent" in bare.rows(ASKED)[0].body
    assert bare.rows(SIGNAL) == []
    assert (bare.data / "told").read_text().count("krupier[numbers]") == 1


class Stands:
    def action(self, cards: Sequence[Card], up: Card, legal: Collection[Action]) -> Action:
        assert cards
        assert up
        return Action.STAND if Action.STAND in legal else Action.HIT


def test_the_tables_thread_does_not_wait_for_a_strategy_and_each_is_made_once() -> None:
    go_on, made = threading.Event(), list[RuleSet]()

    def make(rules: RuleSet) -> Stands:
        assert go_on.wait(10)
        made.append(rules)
        return Stands()

    books, rules = Books(pytest.fail, make), houses.rules_with("live_dealer", {})
    assert [books.of(rules) for _ in range(5)] == [None] * 5
    go_on.set()
    eventually(lambda: books.of(rules) is not None)
    assert isinstance(books.of(houses.rules_with("live_dealer", {})), Stands)
    assert len(made) == 1
