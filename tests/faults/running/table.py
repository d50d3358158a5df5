"""The whole running table: `krupier run` and all its processes, boards on pseudo-terminals, a filmed felt, a dealer.

The dealer does what is due and never knows what is broken; people at the screens answer questions and resume.
"""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from html import unescape
from pathlib import Path

from dashboard import create_app, start
from dashboard.drawing import Wanted
from dashboard.house import EXTENSION
from dashboard.settings import Settings
from firmware_bridge.events import DealerKey
from firmware_bridge.events import Signal as Key
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import BlackjackRound, DueKind, hole_index, round_of, rules_of
from table_controller.core.events import RoundSettled, RoundVoided
from table_controller.core.house import Language
from table_controller.core.irregular import Remedy
from table_controller.core.people import Role
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Command
from table_controller.core.table import Phase, TableState
from table_controller.demo.boards import DemoBoards, Said
from table_controller.demo.follow import Follower
from table_controller.games import played
from table_controller.journal.naming import journals
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, Door, DoorClosed, ask_for
from table_controller.port.words import Answer, Look, Outcome, Status
from tests.evening import rows
from tests.faults.running.felt import RATE, FilmedFelt
from tests.faults.table import SHOE
from vision import installing
from vision.rendered.orders import Lay, Take, Turn

TABLE = "T07"
PATIENCE_S = 150.0
WORDS = played("blackjack").words
PARTS = {
    "controller": "table_controller.app",
    "camera": "vision.filming",
    "vision": "vision.watching",
    "window": "table_controller window",
}


class Stuck(AssertionError):
    """The table does not go on; the message says what was waited for and how it stands."""


def free_port() -> int:
    with closing(socket.socket()) as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


class RunningTable:
    """Two boxes of Golden Wolf (tests/faults/table.py: the same cards, the same result), every round from a new shoe."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.folder, self.data, self.config = folder, folder / "data", folder / "table.toml"
        self.environment = {**os.environ, **(environment or {})}
        self.port, self.taps = free_port(), 0
        self.felt = FilmedFelt(TABLE)
        self.boards = DemoBoards(folder)
        self.boards.start()
        installing.save(self.felt.calibration, folder / "calibration.json")
        self.config.write_text(self._configuration(), "utf-8")
        self.door = Door(self.data, TABLE)
        self.pulled, self.laid = 0, dict[Place, list[str]]()
        self._follower: Follower | None = None
        self.start()
        self.app = create_app(Settings(data=self.data, language=Language.ENGLISH, limits=False))
        self.feed = start(self.app)

    def _configuration(self) -> str:
        boards = "".join(
            f'[[boards]]\nname = "{name}"\nport = "{port.path}"\nsecond_beam = true\nunpaired = true\n'
            for name, port in self.boards.ports.items()
        )
        return (
            f'table = "{TABLE}"\ndata = "data"\nrules = "golden_wolf"\n{boards}'
            f'[camera]\nsource = "{self.felt.url}"\ncalibration = "calibration.json"\njumbo = true\nrate = {RATE}\n'
            f'[recorder]\ngigabytes = 1\n[window]\nport = {self.port}\nhttps = false\nlanguage = "en"\n'
            "[budgets]\nsilent_ms = 5000\n"
        )

    # -- the program

    def start(self) -> None:
        """Switch it on, and wait until its door answers."""
        command = [sys.executable, "-m", "table_controller", "run", "--config", str(self.config)]
        with (self.folder / "run.log").open("ab") as log:
            self.process = subprocess.Popen(command, env=self.environment, stderr=log)
        eventually(lambda: self.status() is not None and self.status_now().down is None, "the table comes up")

    def close(self) -> None:
        self.feed.stop()
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(40)
        self.door.close()
        self.boards.close()
        self.felt.close()

    def pids(self) -> dict[str, int]:
        """The processes of the table that live now, by name."""
        found = dict[str, int]()
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if parent == self.process.pid and "table_controller.leash" not in command:
                    found |= {name: int(folder.name) for name, words in PARTS.items() if words in command}
        return found

    def signal(self, part: str, number: int) -> int:
        """To one process of the table; which one it was."""
        eventually(lambda: part in self.pids(), f"{part} runs")
        pid = self.pids()[part]
        os.kill(pid, number)
        return pid

    def status(self) -> Status | None:
        """What the door says; None while it is shut."""
        with suppress(DoorClosed):
            told = self.door.look(Look())
            return told if isinstance(told, Status) else None
        return None

    def status_now(self) -> Status:
        told = self.status()
        assert told is not None, "the door is shut"
        return told

    def is_well(self) -> bool:
        """The door is open, and nothing ails."""
        told = self.status()
        return told is not None and told.down is None and all(light.ok for light in told.lights)

    # -- what is on record

    @property
    def journal(self) -> Path:
        return journals(self.data, TABLE)[-1]

    @property
    def state(self) -> TableState:
        self._follower = self._follower or Follower(self.journal)
        return self._follower.look()

    @property
    def round(self) -> BlackjackRound:
        rnd = round_of(self.state)
        assert rnd is not None
        return rnd

    def kinds(self) -> list[str]:
        return [row.kind for row in rows(self.journal)]

    def ended(self) -> RoundSettled | RoundVoided:
        """How the last round ended."""
        told = [event for row in rows(self.journal) if (event := WORDS.read(row)) is not None]
        return [event for event in told if isinstance(event, RoundSettled | RoundVoided)][-1]

    def check_record(self) -> None:
        """The record is whole, and replaying it from its first row gives the table as it is."""
        assert verify_file(self.journal).ok
        assert Follower(self.journal).look() == self.state

    # -- what people read

    def reads(self, panel: str, role: Role) -> str:
        """A panel as a tablet of that role shows it, in English, without its form."""
        house = self.app.extensions[EXTENSION]
        html = house.drawings.draw(Wanted(TABLE, panel, role, Language.ENGLISH)).html
        return html if panel == "dealer" else " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())

    def dealer_reads(self) -> str:
        """The dealer's one line."""
        found = re.search(r"<strong>(.*?)</strong>", self.reads("dealer", Role.DEALER), re.DOTALL)
        return unescape(found[1]) if found is not None else ""

    def pit_reads(self) -> str:
        """The gravest alert of the pit."""
        return self.reads("alert_line", Role.PIT_BOSS)

    def ask(self, command: said.Stimulus) -> Answer:
        """A tap on a screen that is up to date; while the table is down it is tried again."""
        until, answer = time.monotonic() + PATIENCE_S, Answer(Outcome.DOWN, 0)
        while time.monotonic() < until:
            self.taps += 1
            with suppress(DoorClosed):
                answer = self.door.ask(ask_for(command, f"tap-{self.taps}", self.status_now().version))
                if answer.outcome in (Outcome.DONE, Outcome.REFUSED):
                    return answer
            time.sleep(0.1)
        raise Stuck(f"{type(command).__name__}: {answer}")

    def done(self, command: Command) -> None:
        answer = self.ask(command)
        if answer.outcome is not Outcome.DONE:
            raise Stuck(f"{type(command).__name__}: {answer}")

    # -- boards

    def heard(self, word: Said) -> None:
        """A board has said it; it is on record when this returns."""
        eventually(lambda: self.state.cursors.get(word.source, -1) >= word.number, f"{word} is heard")

    # -- the dealer

    def advance(self) -> None:
        """The next thing that is to be done at the table, whatever happened to it."""
        state = self.state
        if state.disputes:
            self._answer()
        elif state.paused:
            eventually(self.is_well, "everything is well")
            self.done(said.ResumeTable(NOBODY, FLOOR))
        elif state.rules is None:
            self._open()
        elif round_of(state) is None:
            self._begin()
        else:
            self._deal(self.round)

    def _open(self) -> None:
        rules, house = houses.rule_values("golden_wolf"), houses.house_values("golden_wolf")
        house = {**house, "witnesses": ["camera", "shoe"], "burns": {"new_shoe": 0, "new_dealer": 0, "shown": False}}
        self.done(said.OpenTable(NOBODY, FLOOR, SECOND, rules, house, {}))
        eventually(self.is_well, "everything is well")

    def _begin(self) -> None:
        self.felt.obey(Take())
        self.pulled, self.laid = 0, {}
        eventually(lambda: not any(sight.lies for sight in self.state.sights), "the felt is empty")
        eventually(self.is_well, "everything is well")
        self.done(said.LoadShoe(NOBODY, FLOOR))
        self.done(said.OpenBets(NOBODY, FLOOR))

    def _deal(self, rnd: BlackjackRound) -> None:
        match rnd.due.kind:
            case DueKind.BETS:
                self._bet(rnd)
            case DueKind.CARD if len(self.laid.get(rnd.due.place, ())) > len(rnd.cards_at(rnd.due.place)):
                self._wait_for_change()  # it lies there; nobody says so yet
            case DueKind.CARD:
                self.pull()
                self.lay(rnd.due.place)
                self._wait_for_change()
            case DueKind.ANSWER:
                self.press(rnd.due.place.box, Key.STAND)
            case DueKind.PEEK:
                self.heard(self.boards.key(DealerKey.PEEK_NO))
            case DueKind.SIGNAL:
                hits = rnd.due.place.box == 1 and len(rnd.cards_at(rnd.due.place)) == 2
                self.press(rnd.due.place.box, Key.HIT if hits else Key.STAND)
            case DueKind.REVEAL:
                self._turn()
            case DueKind.PAY:
                self._pay(rnd)
            case _:
                raise Stuck(f"the dealer does not know what to do: {rnd.due}")

    def _bet(self, rnd: BlackjackRound) -> None:
        missing = [box for box in (1, 3) if rnd.box(box) is None]
        if missing:
            self.done(said.PlaceBet(NOBODY, FLOOR, missing[0], 100))
        else:
            self.heard(self.boards.key(DealerKey.NO_MORE_BETS))

    def press(self, box: int, key: Key) -> None:
        self.heard(self.boards.press(box, key))

    def pull(self) -> str:
        """A card leaves the shoe; the dealer has it in his hand."""
        self.boards.pull()
        self.pulled += 1
        return SHOE[self.pulled - 1]

    def lay(self, place: Place, *, at: Place | None = None) -> None:
        """The card in his hand comes to rest at its place, or elsewhere."""
        card, order = SHOE[self.pulled - 1], len(self.laid.get(place, ()))
        hidden = place == DEALER and order == hole_index(rules_of(self.state)) and not self.round.revealed
        slot = "dealer" if (at or place) == DEALER else f"box{(at or place).box}"
        self.felt.obey(Lay(slot=slot, card=card, face_down=hidden))
        self.laid.setdefault(place, []).append(card)

    def _turn(self) -> None:
        at = hole_index(rules_of(self.state))
        if "turned" not in self.laid.get(Place(9), ()):
            self.felt.obey(Turn(slot="dealer", order=at))
            self.laid[Place(9)] = ["turned"]
        self._wait_for_change()

    def _pay(self, rnd: BlackjackRound) -> None:
        if all(box.paid for box in rnd.boxes):
            self.felt.obey(Take())
        self.heard(self.boards.key(DealerKey.PAID))

    def _wait_for_change(self) -> None:
        """Until the table has understood something: the house's time asks a question where it has not."""
        before = (round_of(self.state), self.state.disputes, self.state.paused)
        with suppress(Stuck):
            eventually(
                lambda: (round_of(self.state), self.state.disputes, self.state.paused) != before, "the table moves", 20
            )

    def _answer(self) -> None:
        """A question may answer itself; else the floor chooses the first remedy of the house that can be had."""
        question = self.state.disputes[0]
        with suppress(Stuck):
            eventually(lambda: question not in self.state.disputes, "it answers itself", 4)
            return
        assert self.state.house is not None
        for remedy in self.state.house.remedies[question.irregularity]:
            command = said.ResolveDispute(NOBODY, FLOOR, question.number, remedy, SECOND)
            if remedy is not Remedy.VOID and self.ask(command).outcome is Outcome.DONE:
                return
        raise Stuck(f"no remedy for {question}")

    def until(self, phase: Phase, cards: int = 0) -> None:
        """Deal until the table stands there; every device is well then."""
        self._go_on(lambda: self.state.phase is phase and self.pulled >= cards and not self.state.disputes, str(phase))
        eventually(self.is_well, "everything is well")

    def finish(self) -> None:
        """Play the running round to its end."""
        number = self.state.rounds
        self._go_on(
            lambda: self.state.rounds >= number and self.state.round is None and not self.state.disputes, "the end"
        )

    def _go_on(self, there: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + 3 * PATIENCE_S
        while not there():
            if time.monotonic() > end:
                raise Stuck(f"{what} is not reached: {self.state.phase}, {self.state.disputes}, {self.status()}")
            self.advance()


def eventually(true: Callable[[], object], what: str, seconds: float = PATIENCE_S) -> None:
    """It need not be so at once."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return
        time.sleep(0.05)
    raise Stuck(f"{what}: not within {seconds:.0f} s")
