"""A short evening with evidence, and bundles made of it."""

from datetime import UTC
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core.house import Language
from table_controller.export.make import Ask, export
from table_controller.journal.day import open_day
from table_controller.journal.evidence import evidence_folder, keep_evidence
from table_controller.journal.keys import make_key
from table_controller.journal.record import Draft
from tests.evening import EveningClock, open_felt, open_house, play_round, rows

DISPUTED = 2
BOX = 3


class Evening(NamedTuple):
    """A closed day of four rounds; round 2 has a picture of everything and one of box 3."""

    path: Path
    key: Ed25519PrivateKey

    def bundle(self, folder: Path, *, box: int | None = None, language: Language = Language.ENGLISH) -> Path:
        """The bundle of round 2."""
        out = folder / "bundle.zip"
        out.write_bytes(export(self.path, Ask(DISPUTED, box, language, UTC, 1), self.key))
        return out


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    folder = tmp_path_factory.mktemp("evening")
    path, key = folder / "T07-2026-11-29.db", make_key(folder / "house.key")
    felt = open_felt(path, key, EveningClock())
    open_house(felt)
    for number in range(1, 4):
        play_round(felt)
        if number == DISPUTED:
            pictures = evidence_folder(path, number)
            play_round(felt)  # evidence may be kept when the next round is over already
            pictures.mkdir(parents=True)
            (pictures / "table.jpg").write_bytes(b"picture of the whole table")
            (pictures / "box-3.jpg").write_bytes(b"picture of box 3")
            felt.recorder.note([keep_evidence(pictures / "table.jpg", number)])
            felt.recorder.note([keep_evidence(pictures / "box-3.jpg", number, BOX)], seal=True)
    felt.recorder.close()
    return Evening(path, key)


def forge(evening: Evening, folder: Path, was: bytes, now: bytes) -> Evening:
    """The whole day written again with a change and sealed with the forger's own key."""
    key = make_key(folder / "house.key")
    path = folder / evening.path.name
    day = open_day(path, key, EveningClock())
    for row in rows(evening.path)[1:]:
        if not row.kind.startswith("journal."):
            body = row.body.replace(was, now)
            day.writer.write(
                [Draft(kind=row.kind, body=body, version=row.version, round=row.round, source=row.source)],
                seal=row.kind == "event.round_settled",
            )
        elif row.kind == "journal.opening_state":
            day.writer.write([Draft(kind=row.kind, body=row.body, source=row.source)])
    day.close()
    return Evening(path, key)
