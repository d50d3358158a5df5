"""A running table for tests: its controller as a process, a board on a real pseudo-terminal."""

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.events import EventKind
from firmware_bridge.messages import Fitted
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import values_of
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, Door, DoorClosed, ask_for
from table_controller.port.words import Answer, Look, Outcome, Status
from tests.evening import rows

TABLE = "T07"
CARD_US = 80_000


class StandingTable:
    """A configured controller and its shoe; the shoe's board has its own power."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.config = folder / "table.toml"
        self.port = folder / "shoe"
        self.board = Board(Eeprom(bytes(8), int(Fitted.SHOE | Fitted.BUTTONS | Fitted.DEALER_KEYS | Fitted.LAMPS)))
        self.peer = TwinPeer(self.board)
        self.pty = PtyPort(self.peer, self.port)
        self.pty.start()
        self.config.write_text(
            f'table = "{TABLE}"\ndata = "data"\n[[boards]]\nname = "shoe"\nport = "{self.port}"\nunpaired = true\n'
        )
        self.door = Door(self.data, TABLE)
        self.taps = 0
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "table_controller.app", str(self.config)])
        self.status()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        self.pty.close()

    def status(self) -> Status:
        """As soon as the door is open and the table is up."""
        for _ in range(200):
            with suppress(DoorClosed):
                found = self.door.look(Look())
                assert isinstance(found, Status)
                if found.down is None:
                    return found
            time.sleep(0.05)
        raise AssertionError("the table did not come up")

    def ask(self, stimulus: said.Stimulus) -> Answer:
        """As a person at an up-to-date screen."""
        for _ in range(20):
            self.taps += 1
            answer = self.door.ask(ask_for(stimulus, f"tap-{self.taps}-{time.monotonic_ns()}", self.status().version))
            if answer.outcome is not Outcome.STALE:
                return answer
        raise AssertionError("always stale")

    def open_for_bets(self, house: str = "classic") -> None:
        """Opened by two people, shoe in, box 1 has a bet, no more bets."""
        rules = values_of(houses.rules_with(house, {}))
        self.ask(said.OpenTable(NOBODY, FLOOR, SECOND, rules, {**houses.house_values(house), "burns": NO_BURNS}, {}))
        eventually(lambda: self.light("shoe") is True)
        for command in (
            said.LoadShoe(NOBODY, FLOOR),
            said.OpenBets(NOBODY, FLOOR),
            said.PlaceBet(NOBODY, FLOOR, 1, 1000),
            said.CloseBets(NOBODY, FLOOR),
        ):
            answer = self.ask(command)
            assert answer.outcome is Outcome.DONE, (command, answer)

    def draw(self) -> None:
        """A card leaves the shoe."""
        self.peer.note(EventKind.BEAM_BROKEN, 0, 2_000_000)
        self.peer.note(EventKind.BEAM_CLEARED, 0, CARD_US)

    def light(self, device: str) -> bool | None:
        """How a device is shown; None if it is not shown at all."""
        return next((light.ok for light in self.status().lights if light.device == device), None)

    def kinds(self) -> list[str]:
        """What is on record, by kind."""
        return [row.kind for row in rows(Path(self.status().journal))]


NO_BURNS = {"new_shoe": 0, "new_dealer": 0, "shown": False}


def eventually(true: Callable[[], bool], seconds: float = 6.0) -> None:
    """It need not be so at once."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return
        time.sleep(0.03)
    raise AssertionError("it did not happen")
