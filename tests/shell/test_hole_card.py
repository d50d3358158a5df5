"""The hole card's identity lies in no byte on the disk before it is turned, whatever the camera and the shoe saw."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import HoleTurned
from table_controller.core.cards import Card
from table_controller.core.places import DEALER, Place
from table_controller.play.felt import FLOOR
from table_controller.play.recorded import RecordedFelt
from tests.evening import EveningClock, open_felt

HOLE = Card.parse("QD")


def on_disk(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())


def dealt(felt: RecordedFelt) -> None:
    """One box, a seven up; the hole card is drawn, laid face down, and glimpsed on its way."""
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 100))
    for place, card in ((Place(1), "TS"), (DEALER, "7H"), (Place(1), "9C")):
        felt.say(said.CardDrawn(felt.cause(), Card.parse(card)))
        felt.say(said.CardSeen(felt.cause(), place, Card.parse(card)))
    felt.say(said.CardDrawn(felt.cause(), HOLE))
    felt.say(said.CardSeen(felt.cause(), DEALER, HOLE, said.Face.DOWN))
    felt.say(said.CardSeen(felt.cause(), DEALER, HOLE, said.Face.UP))
    felt.say(HoleTurned(felt.cause(), HOLE))


@pytest.mark.parametrize("witnesses", [["camera"], ["camera", "shoe"]])
def test_nothing_on_the_disk_names_the_hole_card_before_it_is_turned(
    tmp_path: Path, house_key: Ed25519PrivateKey, witnesses: list[str]
) -> None:
    felt = open_felt(tmp_path / "T07-2026-11-29.db", house_key, EveningClock())
    rules = {**houses.rule_values("golden_wolf"), "decks": 1}
    felt.open(rules, {**houses.house_values("golden_wolf"), "witnesses": witnesses})
    dealt(felt)
    assert b'"9C"' in on_disk(tmp_path)
    assert b'"QD"' not in on_disk(tmp_path)
    felt.recorder.leave()
