"""An evening worth looking at: reliefs, slips, a wrong payment, corrections, a void round, a camera that went away."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.events import Event
from table_controller.core.irregular import Remedy
from table_controller.core.stimuli import Moved
from table_controller.core.table import TableState
from table_controller.play.evening import Evening
from table_controller.play.felt import FLOOR, SECOND
from table_controller.play.recorded import RecordedFelt
from tests.evening import EIGHT_IN_THE_EVENING, EveningClock, open_felt

DEALERS = ("Ania", "Marek", "Olga")
PLAYERS = {2: "player-a", 3: "player-b", 5: "player-c"}
CHIP = 2500
FLOAT = {100: 200, 500: 200, 1000: 100, 2500: 80, 10000: 40}
LIMITS = {"min_bet": 500, "max_bet": 20000, "bet_step": 500}


@dataclass(slots=True, kw_only=True)
class CountedFelt(RecordedFelt):
    """A table whose float was counted."""

    def open(self, rules: dict[str, object], house: dict[str, object]) -> None:
        """The float as the two people found it."""
        self.command(said.OpenTable(self.cause(), FLOOR, SECOND, rules, house, FLOAT))
        self.load()


def _silent(_event: Event, _state: TableState) -> None: ...


def record_evening(
    folder: Path, key: Ed25519PrivateKey, rounds: int = 120, begins_ns: int = EIGHT_IN_THE_EVENING
) -> RecordedFelt:
    """Table T07 on 29 November 2026 from eight (UTC) on, or from another moment; the table stays open."""
    clock = EveningClock()
    clock.at_ns = begins_ns
    day = datetime.fromtimestamp(begins_ns / 10**9, UTC).date().isoformat()
    made = open_felt(folder / f"T07-{day}.db", key, clock, seed=5)
    felt = CountedFelt(recorder=made.recorder, clock=made.clock, state=made.state, chance=made.chance)
    evening = Evening(str(_rules(folder)), 5, _silent, felt)
    for box, player in PLAYERS.items():
        felt.command(said.TakeBox(felt.cause(), FLOOR, box, player))
    for number in range(1, rounds + 1):
        if number % 20 == 1:
            felt.command(said.SignOn(felt.cause(), FLOOR, DEALERS[number // 20 % len(DEALERS)]))
        _between(felt, number)
        evening.round()
    return felt


def _rules(folder: Path) -> Path:
    """The classic rules with a pit's limits, as a house writes them down."""
    text = files("table_controller").joinpath("rules", "classic.toml").read_text("utf-8")
    for key, value in LIMITS.items():
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
    path = folder / "pit.toml"
    path.write_text(text, "utf-8")
    return path


def _between(felt: RecordedFelt, number: int) -> None:
    if number % 15 == 0:
        _move(felt, Moved.BUY_IN, 40)
        _move(felt, Moved.DROP, 40)
    if number % 40 == 0:
        _move(felt, Moved.FILL, 20)
    if number % 50 == 0:
        _move(felt, Moved.TIP, 1)
    if number % 33 == 0:
        felt.say(said.DeviceLost(felt.cause(), "camera"))
        felt.say(said.OpenBets(felt.cause(), FLOOR))
        felt.clock.wait(40)
        felt.say(said.DeviceBack(felt.cause(), "camera"))
    if number % 45 == 0:
        void_round(felt)
    if number % 55 == 0:
        felt.command(said.PauseTable(felt.cause(), FLOOR, "a spilled drink"))
        felt.clock.wait(240)
        felt.command(said.ResumeTable(felt.cause(), FLOOR))


def _move(felt: RecordedFelt, what: Moved, chips: int) -> None:
    felt.command(said.MoveMoney(felt.cause(), FLOOR, what, {CHIP: chips}, SECOND))


def void_round(felt: RecordedFelt) -> None:
    """A round that ends before its first card."""
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 3, 500))
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "fire alarm"))


def pay_wrongly(felt: RecordedFelt, box: int, paid: int) -> None:
    """The dealer hands over something else than is due, and the floor has the difference paid."""
    felt.command(said.ReportPayout(felt.cause(), FLOOR, box, paid))
    one = felt.state.disputes[-1]
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, one.number, Remedy.PAY_DIFFERENCE))
