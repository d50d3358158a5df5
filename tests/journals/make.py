"""Seals the days of a release: python -m tests.journals.make 0.1.0. Run once for each release, before it is tagged."""

import json
import sys
import tempfile
from pathlib import Path

from table_controller.core import stimuli as said
from table_controller.core.irregular import Remedy
from table_controller.core.places import Place
from table_controller.core.stimuli import Moved
from table_controller.journal.keys import make_key
from table_controller.play.felt import FLOOR, SECOND
from table_controller.play.recorded import RecordedFelt
from tests.evening import EveningClock, chips_of, move_money, open_felt, open_house, play_round
from tests.journals.told import told

HERE = Path(__file__).parent
HOUSES = {"classic": "T01", "live_dealer": "T02", "goldfishka": "T03"}


def main(version: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        key = make_key(Path(name, "house.key"))
        for house, table in HOUSES.items():
            path = HERE / version / f"{table}-2026-11-29.db"
            path.parent.mkdir(exist_ok=True)
            felt = open_felt(path, key, EveningClock(), seed=len(house))
            play(felt, house)
            felt.recorder.close()
            path.with_suffix(".lock").unlink()
            path.with_suffix(".told.json").write_text(json.dumps(told(path), indent=1) + "\n", "utf-8")


def play(felt: RecordedFelt, house: str) -> None:
    """Rounds, and between them one of everything that a day may bring."""
    open_house(felt, house)
    chip = chips_of(house)[0]
    stake = 600
    for _ in range(4):
        play_round(felt, stake=stake)
    for what in (Moved.BUY_IN, Moved.FILL, Moved.CREDIT, Moved.DROP, Moved.TIP, Moved.COLOUR_UP):
        move_money(felt, what, chip, 3)
    felt.say(said.DeviceLost(felt.cause(), "camera"))
    felt.say(said.OpenBets(felt.cause(), FLOOR))
    felt.say(said.DeviceBack(felt.cause(), "camera"))
    felt.command(said.PauseTable(felt.cause(), FLOOR, "fire alarm"))
    felt.command(said.ResumeTable(felt.cause(), FLOOR))
    wrong_payout(felt, stake)
    void_with_questions(felt, stake)
    felt.command(said.SignOn(felt.cause(), FLOOR, "dealer-2"))
    play_round(felt, stake=stake)
    felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, dict.fromkeys(chips_of(house), 40)))


def begin(felt: RecordedFelt, stake: int) -> None:
    """A round with one box, bets closed."""
    if felt.state.rules is not None and felt.state.rules.shuffle == "every_round":
        felt.load()
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    if felt.round.box(1) is None:
        felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, stake))
    felt.command(said.CloseBets(felt.cause(), FLOOR))


def wrong_payout(felt: RecordedFelt, stake: int) -> None:
    """Too much was handed over, and the house lets it stand."""
    begin(felt, stake)
    felt.play(lambda point: (point.legal[-1], None))
    felt.say(said.ReportPayout(felt.cause(), FLOOR, 1, 9999))
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, felt.state.disputes[-1].number, Remedy.LET_IT_STAND))
    felt.clear()


def void_with_questions(felt: RecordedFelt, stake: int) -> None:
    """A card at a place where none is due, a card nobody can read; the round is void."""
    begin(felt, stake)
    felt.say(said.CardSeen(felt.cause(), Place(1)))
    felt.say(said.CardSeen(felt.cause(), Place(6), next(felt.cards)))
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "nobody knows which cards these were"))
    felt.load()


if __name__ == "__main__":
    main(sys.argv[1])
