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
    """A configured controller and its shoe; the shoe's board has its own power.

    With `more` configuration the whole of `krupier run` is started instead.
    """

    def __init__(self, folder: Path, more: str = "") -> None:
        self.data = folder / "data"
        self.config = folder / "table.toml"
        self.port = folder / "shoe"
        self.board = Board(Eeprom(bytes(8), int(Fitted.SHOE | Fitted.BUTTONS | Fitted.DEALER_KEYS | Fitted.LAMPS)))
        self.peer = TwinPeer(self.board)
        self.pty = PtyPort(self.peer, self.port)
        self.pty.start()
        self.config.write_text(
            f'table = "{TABLE}"\ndata = "data"\n'
            f'[[boards]]\nname = "shoe"\nport = "{self.port}"\nunpaired = true\n{more}'
        )
        run = ("table_controller", "run", "--config") if more else ("table_controller.app",)
        self._command = [sys.executable, "-m", *run, str(self.config)]
        self.door = Door(self.data, TABLE)
        self.taps = 0
        self.start()

    def start(self) -> None:
        self.launch()
        self.status()

    def launch(self) -> None:
        """Start it; it may not come up."""
        self.process = subprocess.Popen(self._command)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)
        self.pty.close()

    def status(self) -> Status:
        """As soon as the door is open and the table is up."""
        for _ in range(800):
            with suppress(DoorClosed):
                found = self.door.look(Look())
                assert isinstance(found, Status)
                if found.down is None:
                    return found
            time.sleep(0.05)
        raise AssertionError("the table did not come up")

    def part(self, *words: str) -> int | None:
        """The process of `krupier run` with all of these words in its command line."""
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                named = all(one in command for one in words) and "table_controller.leash" not in command
                if parent == self.process.pid and named:
                    return int(folder.name)
        return None

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


def eventually(true: Callable[[], bool], seconds: float = 10.0) -> None:
    """It need not be so at once."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return
        time.sleep(0.03)
    raise AssertionError("it did not happen")
