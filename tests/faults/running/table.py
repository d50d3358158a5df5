"""The whole running table: `krupier run` with its processes, boards on pseudo-terminals, a felt, and a dealer.

With `camera` the felt is the drawn table, seen by the real camera process and the real eyes; without, a script says at
the real door what the eyes would say. The dealer does what is due and never knows what is broken; people at the screens
answer questions and resume.
"""

import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from html import unescape
from pathlib import Path
from urllib.request import urlopen

from dashboard import create_app, start
from dashboard.drawing import Wanted, speech_of
from dashboard.house import EXTENSION, House
from dashboard.i18n import Speech
from dashboard.panels import Seen, alerting
from dashboard.settings import Settings
from firmware_bridge.events import DealerKey
from firmware_bridge.events import Signal as Key
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import BlackjackRound, DueKind, hole_index, round_of, rules_of
from table_controller.core.events import Disputed, RoundSettled, RoundVoided
from table_controller.core.house import Language
from table_controller.core.irregular import Remedy
from table_controller.core.people import Role
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Command
from table_controller.core.table import Dispute, Phase, TableState
from table_controller.demo.boards import DemoBoards
from table_controller.demo.boards import Said as Word
from table_controller.demo.dealer import SHOWN_AGAIN
from table_controller.demo.drawn import DrawnFelt
from table_controller.demo.eyes import Felt, ScriptedEyes, Spot
from table_controller.demo.follow import Follower
from table_controller.games import played
from table_controller.journal.naming import journals
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, Door, DoorClosed, ask_for
from table_controller.port.words import Answer, Look, Outcome, Said, Status
from tests.evening import rows
from tests.faults.table import SHOE
from vision.rendered.orders import Lens, Sight
from vision.rendered.source import OrderCaller

TABLE, CLOCK = "T07", "clock"
ROOT = Path(__file__).parents[3]
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


class PatientDoor(Door):
    """Says a thing until it was heard, as the eyes do."""

    def ask(self, said: Said) -> Answer:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(DoorClosed):
                answer = super().ask(said)
                if answer.outcome is not Outcome.DOWN:
                    return answer
            time.sleep(0.1)
        raise Stuck(f"nobody hears {said}")


class RunningTable:
    """Two boxes of Golden Wolf, the cards and the result of tests/faults/table.py, every round from a new shoe."""

    def __init__(self, folder: Path, *, camera: bool = False, clock: bool = False, copied: bool = False) -> None:
        """`clock`: its wall clock can be set; `copied`: its program is a copy that may be spoilt."""
        self.folder, self.data, self.config = folder, folder / "data", folder / "table.toml"
        self.camera, self.environment, self.ahead_s = camera, dict(os.environ), 0
        self.program = _copy(folder / "program") if copied else ROOT
        if clock:
            self.environment |= _stepped_clock(folder)
        self.port, self.taps, self.stalled = free_port(), 0, list[socket.socket]()
        self.boards = DemoBoards(folder)
        self.boards.start()
        self.config.write_text(self.configuration(), "utf-8")
        self.door, self._eyes_door = Door(self.data, TABLE), PatientDoor(self.data, TABLE)
        self.felt = self._felt()
        self.pulled, self.laid, self.turned, self.told = 0, dict[Place, list[str]](), False, list[Word]()
        self._follower: Follower | None = None
        self.start()
        self.open_screens()

    def open_screens(self) -> None:
        """Screens of this process's own, which show what every tablet of the table shows."""
        self.app = create_app(Settings(data=self.data, language=Language.ENGLISH, limits=False))
        self.feed = start(self.app)
        eventually(lambda: TABLE in self.feed.tables, "the screens follow the table")

    def configuration(self) -> str:
        boards = "".join(
            f'[[boards]]\nname = "{name}"\nport = "{port.path}"\nsecond_beam = true\nunpaired = true\n'
            for name, port in self.boards.ports.items()
        )
        eyes = '[camera]\nsource = "rendered:"\nrate = 4\n[recorder]\ngigabytes = 1\n' if self.camera else ""
        return (
            f'table = "{TABLE}"\ndata = "data"\nrules = "golden_wolf"\n{boards}{eyes}'
            f'[window]\nport = {self.port}\nhttps = false\nlanguage = "en"\n[budgets]\nsilent_ms = 5000\n'
        )

    def _felt(self) -> Felt:
        if not self.camera:
            return ScriptedEyes(self._eyes_door, f"eyes-{time.time_ns()}", self.now_ns)
        return DrawnFelt([self._desk], boxes=7)

    def now_ns(self) -> int:
        """The table's wall clock."""
        return time.time_ns() + self.ahead_s * 1_000_000_000

    def step_clock(self, seconds: int) -> None:
        """Somebody sets the wall clock of the whole table."""
        self.ahead_s += seconds
        with (self.folder / CLOCK).open("r+b") as file:
            file.write(struct.pack("q", self.ahead_s))

    @property
    def _desk(self) -> Path:
        return self.door.place.address.with_name(f"{TABLE}.orders")

    def look(self, sight: Sight) -> None:
        """What is wrong with the camera's view from now on."""
        caller = OrderCaller(self._desk)
        caller.say(Lens(sight=sight))
        caller.close()

    def lay_anew(self) -> None:
        """A drawn felt is gone with its process; a real one is not: every card lies where it lay."""
        self.felt, hole = self._felt(), hole_index(rules_of(self.state))
        for place, cards in list(self.laid.items()):
            for at, card in enumerate(cards):
                hidden = place == DEALER and at == hole and not self.turned
                self.felt.lay(spot(place), card, face_down=hidden)

    # -- the program

    def start(self) -> None:
        """Switch it on, and wait until its door answers."""
        command = [sys.executable, "-m", "table_controller", "run", "--config", str(self.config)]
        with (self.folder / "run.log").open("ab") as log:
            self.process = subprocess.Popen(command, env=self.environment, stderr=log, cwd=self.program)
        eventually(lambda: self.status() is not None and self.status_now().down is None, "the table comes up")

    def close(self) -> None:
        self.feed.stop()
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(40)
        self.door.close()
        self._eyes_door.close()
        self.boards.close()

    def pids(self) -> dict[str, int]:
        """The processes of the table that live now, by name."""
        mine = {pid: command_of(pid) for pid in children(self.process.pid)}
        ready = {pid: command for pid, command in mine.items() if "table_controller.leash" not in command}
        return {name: pid for pid, command in ready.items() for name, words in PARTS.items() if words in command}

    def shows(self) -> bool:
        """Whether the window answers and says that it follows the table."""
        with suppress(OSError), urlopen(f"http://127.0.0.1:{self.port}/alive", timeout=5):
            return True
        return False

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

    def asked(self, after: int) -> list[str]:
        """The questions with a higher number than this."""
        told = [event for row in rows(self.journal) if isinstance(event := WORDS.read(row), Disputed)]
        return [str(one.irregularity) for one in told if one.dispute > after]

    def check_record(self) -> None:
        """The record is whole, and replaying it from its first row gives the table as it is."""
        # Not in this process, whose readers would lose their locks: see open_reader.
        command = [sys.executable, "-m", "table_controller", "verify", str(self.journal)]
        verified = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        assert verified.returncode == 0, verified.stdout + verified.stderr
        assert Follower(self.journal).look() == self.state

    # -- what people read

    def _seen(self) -> Seen:
        return self.feed.tables[TABLE]

    def _speech(self) -> Speech:
        return speech_of(self._house.settings, Language.ENGLISH, self._seen())

    @property
    def _house(self) -> House:
        house = self.app.extensions[EXTENSION]
        assert isinstance(house, House)
        return house

    def dealer_reads(self) -> str:
        """The one line of the dealer's screen, in English."""
        html = self._house.drawings.draw(Wanted(TABLE, "dealer", Role.DEALER, Language.ENGLISH)).html
        found = re.search(r"<strong>(.*?)</strong>", html, re.DOTALL)
        return unescape(found[1]) if found is not None else ""

    def pit_reads(self, since_ns: int) -> str:
        """The alerts since then, and the lights that are out, as the pit's screen names them."""
        say = self._speech()
        told = [one for one in alerting.alerts_of(self._seen()).listed if one.at_ns >= since_ns]
        html = self._house.drawings.draw(Wanted(TABLE, "lights", Role.PIT_BOSS, Language.ENGLISH)).html
        out = re.findall(r'class="light off".*?<span>(.*?)</span>\s*<small>(.*?)[<\n]', html, re.DOTALL)
        lines = [alerting.title(say, one) for one in told] + [f"{name}: {why.strip()}" for name, why in out]
        down = self._seen().status
        lines += [down.down] if down is not None and down.down is not None else []
        return "; ".join(dict.fromkeys(unescape(line) for line in lines))

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

    def heard(self, word: Word, seconds: float = PATIENCE_S) -> None:
        """A board has said it; it is on record when this returns."""
        eventually(lambda: self.state.cursors.get(word.source, -1) >= word.number, f"{word} is heard", seconds)

    def press(self, box: int, key: Key) -> None:
        self.heard(self.boards.press(box, key))

    def pull(self) -> None:
        """A card leaves the shoe; the dealer has it in his hand."""
        self.told.append(self.boards.pull())
        self.pulled += 1

    @property
    def card_is_due(self) -> bool:
        rnd = round_of(self.state)
        return rnd is not None and rnd.due.kind is DueKind.CARD and not self.in_hand

    @property
    def in_hand(self) -> bool:
        return self.pulled > sum(map(len, self.laid.values()))

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
        self.felt.clear()
        self.pulled, self.laid, self.turned, self.told = 0, {}, False, []
        eventually(lambda: not any(sight.lies for sight in self.state.sights), "the felt is empty")
        eventually(self.is_well, "everything is well")
        self.done(said.LoadShoe(NOBODY, FLOOR))
        self.done(said.OpenBets(NOBODY, FLOOR))

    def _deal(self, rnd: BlackjackRound) -> None:
        match rnd.due.kind:
            case DueKind.BETS:
                self._bet(rnd)
            case DueKind.CARD:
                self._give(rnd)
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

    def _give(self, rnd: BlackjackRound) -> None:
        """The card that is due is drawn and laid, unless it lies there and nobody says so yet."""
        place, before = rnd.due.place, self._stands()
        if len(self.laid.get(place, ())) <= len(rnd.cards_at(place)):
            if not self.in_hand:
                self.pull()
            with suppress(Stuck):  # a shoe that lost its power says no more of it
                self.heard(self.told[-1], 10)
            self.lay(place, hidden=rnd.due.face is said.Face.DOWN)
        self._wait_for_change(before)

    def lay(self, place: Place, *, hidden: bool) -> None:
        """The card in his hand comes to rest at its place."""
        card = SHOE[self.pulled - 1]
        self.laid.setdefault(place, []).append(card)
        self.felt.lay(spot(place), card, face_down=hidden)

    def _turn(self) -> None:
        at, before = hole_index(rules_of(self.state)), self._stands()
        if not self.turned:
            self.turned = True
            self.felt.turn(Spot("dealer"), at, self.laid[DEALER][at])
        self._wait_for_change(before)

    def _pay(self, rnd: BlackjackRound) -> None:
        if all(box.paid for box in rnd.boxes):
            self.felt.clear()
        self.heard(self.boards.key(DealerKey.PAID))

    def _stands(self) -> tuple[object, ...]:
        state = self.state
        return round_of(state), state.disputes, state.paused

    def _wait_for_change(self, before: tuple[object, ...]) -> None:
        """Until the table has understood something; where it has not, a question comes in the house's time."""
        with suppress(Stuck):
            eventually(lambda: self._stands() != before, "the table moves", 10)

    def _answer(self) -> None:
        """A question may answer itself; a card nobody could know is shown again; else the floor chooses a remedy."""
        question = self.state.disputes[0]
        if self._answered(question):
            return
        if question.irregularity in SHOWN_AGAIN and question.place is not None:
            last = len(self.laid[question.place]) - 1
            turned = question.place == DEALER and self.turned
            self.felt.show_again(spot(question.place), hole_index(rules_of(self.state)) if turned else last)
            if self._answered(question):
                return
        assert self.state.house is not None
        for remedy in self.state.house.remedies[question.irregularity]:
            command = said.ResolveDispute(NOBODY, FLOOR, question.number, remedy, SECOND)
            if remedy is not Remedy.VOID and self.ask(command).outcome is Outcome.DONE:
                return
        if question in self.state.disputes:  # else it answered itself meanwhile
            raise Stuck(f"no remedy for {question}")

    def _answered(self, question: Dispute) -> bool:
        with suppress(Stuck):
            eventually(lambda: question not in self.state.disputes, "it answers itself", 4)
            return True
        return False

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


def children(parent: int) -> list[int]:
    """The processes a process has started and that live."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(folder.name))
    return found


def command_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def _copy(folder: Path) -> Path:
    """The program as this tree has it, to be spoilt."""
    for room in ("table_controller", "firmware_bridge", "vision", "dashboard", "models"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _stepped_clock(folder: Path) -> dict[str, str]:
    """What makes every process of the table go by a clock that can be set."""
    library, clock = folder / "stepped_clock.so", folder / CLOCK
    clock.write_bytes(struct.pack("q", 0))
    source = Path(__file__).with_name("stepped_clock.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return {"LD_PRELOAD": str(library), "STEPPED_CLOCK": str(clock)}


def spot(place: Place) -> Spot:
    """Where on the felt a hand lies."""
    return Spot("dealer") if place == DEALER else Spot(f"box{place.box}")


def eventually(true: Callable[[], object], what: str, seconds: float = PATIENCE_S) -> None:
    """It need not be so at once."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return
        time.sleep(0.05)
    raise Stuck(f"{what}: not within {seconds:.0f} s")
