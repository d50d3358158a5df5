"""A round begun before midnight and corrected after it: the new day's file tells what the boxes got in all."""

import json
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import cards
from table_controller.play.felt import FLOOR, SECOND
from tests.asking import krupier
from tests.evening import EveningClock, open_felt, open_house


def test_a_round_over_midnight_is_told_with_the_lines_it_already_had(
    tmp_path: Path, house_key: Ed25519PrivateKey
) -> None:
    clock = EveningClock()
    first = open_felt(tmp_path / "T07-2026-11-29.db", house_key, clock)
    open_house(first)
    first.command(said.OpenBets(first.cause(), FLOOR))
    first.command(said.PlaceBet(first.cause(), FLOOR, 1, 1000))
    first.command(said.PlaceBet(first.cause(), FLOOR, 2, 1000))
    first.command(said.CloseBets(first.cause(), FLOOR))
    first.cards = iter(cards("TS 9S 7H 9D 8D TC"))
    first.play(lambda _point: (Action.STAND, None))
    first.recorder.close()
    second = open_felt(tmp_path / "T07-2026-11-30.db", house_key, clock)
    second.seq = first.seq
    second.command(said.CorrectBet(second.cause(), FLOOR, SECOND, 1, 2000))
    second.clear()
    second.recorder.leave()
    told = krupier("replay", tmp_path / "T07-2026-11-30.db", "--round", "1", "--json")
    assert told.exit_code == 0
    assert json.loads(told.stdout)["net"] == {"1": 2000, "2": 0}
