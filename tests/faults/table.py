"""A whole table in one process with a clock of its own: the real judge, record and translations; eyes, shoe and people
say what they would say. The dealer looks at what is due and does it, so that a round can go on after anything."""

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from firmware_bridge.events import DealerKey, DeviceEvent, EventKind
from firmware_bridge.events import Signal as Key
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import BlackjackRound, DueKind, round_of
from table_controller.core.irregular import Remedy
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Cause, Command, Face, Stimulus
from table_controller.core.table import Phase, TableState
from table_controller.journal.errors import JournalError
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, ask_for
from table_controller.port.words import Answer, Chips, Gone, Health, Outcome, Sighted
from table_controller.shell.hearing import Hearing
from table_controller.shell.lights import Lights, expected
from table_controller.shell.pulses import Meanings
from table_controller.shell.recorder import open_recorder
from table_controller.shell.table import Table
from tests.evening import EveningClock, nobody_warns, rows

DEVICES = ("camera", "vision", "recorder", "shoe")
SHOE = ("TS", "9H", "AH", "6D", "8C", "5S", "4D", "2C", "KD", "QC", "JH", "7S", "3C", "2H")
"""Box 1: T 6, hits 4; box 3: 9 8, stands; the dealer: ace up, a five hidden, draws a two: eighteen."""
HOLE = "5S"
HOURS, BEHIND = 24, 78
WANTS: dict[str, object] = {
    "witnesses": ["camera", "shoe"],
    "back_check": True,
    "reader_check": True,
    "deck_hours": HOURS,
    "cut_percent": 25,
}
NET = {1: 100, 3: -100}
UNREADABLE = "?"


class Lying(Struct):
    """A card on the felt: its name, where, and under which number the eyes last said it."""

    card: str
    place: Place
    x: int
    face: Face
    since_ns: int
    number: int = 0
    back: str = "blue"


class FaultyTable:
    """Two boxes of Golden Wolf with a camera, a shoe that counts, and all that a house may want done in time."""

    def __init__(self, folder: Path, key: Ed25519PrivateKey) -> None:
        self.folder, self.house_key, self.clock = folder, key, EveningClock()
        self.well = dict.fromkeys(DEVICES, "")
        self.seqs, self.taps, self.pulled = {"shoe": 0, "keys": 0}, 0, 0
        self.eyes, self.sightings, self.lying = 1, 0, list[Lying]()
        self.blind = self.cut_off = False
        self.unsent = list[DeviceEvent]()
        self.asked, self.spoilt = list[str](), ""
        self.start()

    @property
    def path(self) -> Path:
        return self.folder / "T07-2026-11-29.db"

    @property
    def state(self) -> TableState:
        return self.hearing.state

    @property
    def round(self) -> BlackjackRound:
        rnd = round_of(self.state)
        assert rnd is not None
        return rnd

    def start(self) -> None:
        """The controller's program begins; every device is heard anew."""
        opened = partial(open_recorder, self.path, self.house_key, self.clock, "blackjack", nobody_warns)
        table = Table(opened)
        table.revive(self.clock.at_ns)
        now = self.clock.at_ns
        self.hearing = Hearing(table, "blackjack", self.clock, Lights(expected(DEVICES), now))
        self.meanings = {"shoe": Meanings(), "keys": Meanings()}
        self.wait(0.1)

    def power_cut(self) -> None:
        """Nothing is closed; the program comes up on what the disk has."""
        copy = self.folder.with_name(self.folder.name + "-again")
        shutil.copytree(self.folder, copy)
        self.hearing.table.recorder.leave()
        self.folder = copy
        self.start()

    def wait(self, seconds: float) -> None:
        """Time goes by in quarters of a second; devices that are well say so."""
        for _ in range(max(1, round(seconds * 4))):
            self.clock.wait(0.25)
            for device, trouble in self.well.items():
                if trouble != "silent":
                    self.hearing.hear(Health(device, not trouble, trouble))
            self.tick()

    def tick(self) -> None:
        if self.hearing.table.down is None:
            try:
                self.hearing.tick()
            except JournalError:
                return

    def ask(self, command: Stimulus, tap: str | None = None, version: int | None = None) -> Answer:
        """A tap on a screen that shows the table as it is."""
        self.taps += 1
        version = self.hearing.version if version is None else version
        return self.hearing.hear(ask_for(command, tap or f"tap-{self.taps}", version))

    def done(self, command: Command) -> None:
        answer = self.ask(command)
        assert answer.outcome is Outcome.DONE, answer

    # -- what boards say

    def board(self, device: str, kind: EventKind, arg: int, value: int = 0) -> None:
        """An event of a board; while its line is cut the board keeps it."""
        self.seqs[device] += 1
        at_us = self.clock.at_ns // 1000
        event = DeviceEvent(device, 1, self.seqs[device], kind, arg, value, at_us, None)
        if self.cut_off and device == "shoe":
            self.unsent.append(event)
        else:
            self._mean(event, self.clock.at_ns)

    def _mean(self, event: DeviceEvent, at_ns: int) -> None:
        def cause(at: int) -> Cause:
            return Cause(event.device, event.seq * 4 + at, at_ns)

        if self.hearing.table.down is not None:
            self.unsent.append(event)
            return
        for stimulus in self.meanings[event.device](self.state, event, cause):
            try:
                self.hearing.table.take(stimulus)
            except JournalError:
                self.unsent.append(event)

    def line_back(self) -> None:
        """The board says what it kept, each at its own time."""
        self.cut_off, kept, self.unsent = False, self.unsent, []
        for event in kept:
            self._mean(event, event.at_us * 1000)

    def pulse(self) -> None:
        self.board("shoe", EventKind.BEAM_BROKEN, 0)
        self.clock.wait(0.1)
        self.board("shoe", EventKind.BEAM_CLEARED, 0, 100_000)

    def key(self, key: DealerKey) -> None:
        self.board("keys", EventKind.KEY_DOWN, key)
        self.wait(0.25)

    def button(self, box: int, key: Key) -> None:
        self.board("keys", EventKind.BUTTON_DOWN, box * 16 + key)
        self.wait(0.25)

    # -- what the eyes say

    def see(self, card: Lying) -> None:
        """The eyes say what lies there, if they are awake."""
        if self.blind or self.hearing.table.down is not None:
            return
        self.sightings += 1
        card.number = self.sightings
        slot = "dealer" if card.place == DEALER else f"box{card.place.box}"
        down = card.face is Face.DOWN
        seen = Sighted(
            source=f"eyes-{self.eyes}",
            number=card.number,
            slot=slot,
            x=card.x,
            y=0.0,
            card=None if down or card.card == UNREADABLE else card.card,
            face_down=down,
            confidence=0.99,
            since_ns=card.since_ns,
            at_ns=self.clock.at_ns,
            back=card.back if down else "",
        )
        self.hearing.hear(seen)

    def gone(self, card: Lying, *, covered: bool = False) -> None:
        if self.blind:
            return
        self.sightings += 1
        number, now = self.sightings, self.clock.at_ns
        self.hearing.hear(Gone(source=f"eyes-{self.eyes}", number=number, was=card.number, at_ns=now, covered=covered))

    def chips_move(self, box: int) -> None:
        self.sightings += 1
        self.hearing.hear(Chips(source=f"eyes-{self.eyes}", number=self.sightings, box=box, at_ns=self.clock.at_ns))

    def eyes_anew(self) -> None:
        """The eyes' program was started again: it numbers from one and says all it may look at once more."""
        self.eyes, self.sightings, self.blind = self.eyes + 1, 0, False
        hidden = self.hidden
        for card in self.lying:
            if not (hidden and card.place == DEALER):
                self.see(card)

    @property
    def hidden(self) -> bool:
        return any(card.face is Face.DOWN for card in self.lying)

    def pull(self) -> str:
        """A card leaves the shoe."""
        self.pulse()
        self.pulled += 1
        return SHOE[self.pulled - 1]

    def lay(self, name: str, place: Place, face: Face = Face.UP) -> Lying:
        """A card comes to rest somewhere."""
        self.clock.wait(0.5)
        x = place.box * 220 + 20 * sum(card.place == place for card in self.lying)
        card = Lying(name, place, x, face, self.clock.at_ns)
        self.lying.append(card)
        self.see(card)
        self.wait(0.25)
        return card

    # -- the dealer

    def advance(self) -> None:
        """The next thing that is to be done at the table."""
        phase = self.state.phase
        if phase is Phase.CLOSED:
            rules, house = houses.rule_values("golden_wolf"), houses.house_values("golden_wolf")
            self.done(said.OpenTable(NOBODY, FLOOR, SECOND, rules, {**house, **WANTS}, {}))
            self.done(said.InspectReader(NOBODY, FLOOR))
            self.new_cards()
        elif phase is Phase.PAUSED:
            self.done(said.ResumeTable(NOBODY, FLOOR))
        elif phase is Phase.IDLE:
            self.key(DealerKey.DEAL)
        elif phase is Phase.BETTING:
            self._bet()
        else:
            self._deal()

    def new_cards(self) -> None:
        """Two people change the cards; box 1 cuts, and the cut card lies a quarter from the back."""
        self.done(said.LoadShoe(NOBODY, FLOOR, True, SECOND))
        self.done(said.CutShoe(NOBODY, FLOOR, Place(1), BEHIND))

    def day_begins(self, day: str) -> None:
        """The gaming day changes, whatever the table does."""
        cause = Cause("day", self.state.cursors.get("day", -1) + 1, self.clock.at_ns)
        self.hearing.table.take(said.DayBegan(cause, day))

    def _bet(self) -> None:
        for box in (1, 3):
            if self.round.box(box) is None:
                self.done(said.PlaceBet(NOBODY, FLOOR, box, 100))
                return
        self.key(DealerKey.NO_MORE_BETS)

    def _deal(self) -> None:
        due = self.round.due
        match due.kind:
            case DueKind.CARD if any(sight.waits and sight.lies for sight in self.state.sights):
                self.wait(5.5)  # the dealer has given the card; nobody says so yet
            case DueKind.CARD:
                self.lay(self.pull(), due.place, due.face)
            case DueKind.ANSWER:
                self.button(due.place.box, Key.STAND)
            case DueKind.PEEK:
                self.key(DealerKey.PEEK_NO)
            case DueKind.SIGNAL:
                hits = due.place.box == 1 and len(self.round.cards_at(due.place)) == 2
                self.button(due.place.box, Key.HIT if hits else Key.STAND)
            case DueKind.REVEAL:
                self._turn()
            case DueKind.PAY:
                self._pay()
            case _:
                raise AssertionError(f"the dealer does not know what to do: {due}")

    def _turn(self) -> None:
        for card in self.lying:
            if card.face is Face.DOWN:
                self.gone(card)
                card.face, card.since_ns = Face.UP, self.clock.at_ns
                self.see(card)
        self.wait(0.25)

    def _pay(self) -> None:
        self.key(DealerKey.PAID)
        if round_of(self.state) is None:
            self.take_away()

    def take_away(self) -> None:
        for card in self.lying:
            self.gone(card)
        self.lying = []

    def until(self, phase: Phase, *, cards: int = 0) -> None:
        """Deal until the table stands there."""
        for _ in range(80):
            if self.state.phase is phase and len(self.lying) >= cards:
                return
            self.advance()
        raise AssertionError(f"{phase} was not reached; it is {self.state.phase}")

    def finish(self) -> None:
        """Answer what is open, go on, and play the round to its end."""
        for _ in range(80):
            if self.state.rounds and self.state.round is None and not self.state.disputes:
                return
            if self.state.disputes:
                self.answer()
            else:
                self.advance()
        raise AssertionError(f"the round does not end: {self.state.phase}, {self.state.disputes}")

    def answer(self) -> None:
        """The floor chooses the first remedy of the house that can be had."""
        question = self.state.disputes[0]
        assert self.state.house is not None
        refused = []
        for remedy in self.state.house.remedies[question.irregularity]:
            if remedy is Remedy.VOID:
                continue
            tried = self.ask(said.ResolveDispute(NOBODY, FLOOR, question.number, remedy, SECOND))
            if tried.outcome is Outcome.DONE:
                self.asked.append(f"{question.irregularity}: {remedy}")
                return
            refused.append(str(tried))
        raise AssertionError(f"no remedy for {question}: {refused}")

    # -- what is on record

    def kinds(self) -> Sequence[str]:
        return [row.kind for row in rows(self.path)]

    def on_disk(self) -> bytes:
        return b"".join(file.read_bytes() for file in self.folder.iterdir() if file.is_file())

    def check_record(self) -> None:
        """The record is whole, and replaying it gives the table as it is."""
        verdict = verify_file(self.path)
        assert verdict.ok, verdict
        state = self.state
        self.hearing.table.recorder.leave()
        reopened = open_recorder(self.path, self.house_key, self.clock, "blackjack", nobody_warns)
        assert reopened.state == state
        reopened.leave()
