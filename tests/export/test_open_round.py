"""A round that is still being played can be frozen, and its bundle does not know the hidden card."""

from datetime import UTC
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind
from table_controller.core.cards import cards
from table_controller.core.house import Language
from table_controller.export.archive import unpack
from table_controller.export.bundle import verify_bundle
from table_controller.export.make import Ask, export
from table_controller.play.felt import FLOOR
from tests.evening import EveningClock, open_felt, open_house


def test_the_bundle_of_an_open_round_does_not_know_the_hidden_card(
    tmp_path: Path, house_key: Ed25519PrivateKey
) -> None:
    path = tmp_path / "T07-2026-11-29.db"
    felt = open_felt(path, house_key, EveningClock())
    open_house(felt)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = iter(cards("TS 9D 8S 7C"))
    while felt.round.due.kind is not DueKind.SIGNAL:
        felt.deal()
    felt.recorder.note([], seal=True)
    bundle = tmp_path / "bundle.zip"
    bundle.write_bytes(export(path, Ask(1, None, Language.ENGLISH, UTC, 1), house_key))
    felt.recorder.leave()
    verdict = verify_bundle(bundle)
    assert (verdict.ok, verdict.closed) == (True, False)
    members = unpack(bundle.read_bytes())
    assert msgspec.json.decode(members["screen.json"])["round"]["dealer"] == ["9D", None]
    assert "a card face down" in members["report.html"].decode()
    for content in members.values():
        assert not any(written in content for written in (b'"7C"', b'\\"7C\\"', "7♣".encode()))
