"""A house with a key, a clock that ticks by itself, and days to write on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.journal.certificate import certificate_of
from table_controller.journal.day import Day, open_day
from table_controller.journal.naming import journal_path
from table_controller.journal.record import Draft, Moment

NOON = 1_795_953_600_000_000_000


class TickingClock:
    """One microsecond later at every look; can be set wrong like any clock."""

    def __init__(self) -> None:
        self.at_ns, self.mono_ns = NOON, 0

    def __call__(self) -> Moment:
        self.at_ns += 1000
        self.mono_ns += 1000
        return Moment(self.at_ns, self.mono_ns)


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock()


OpenDay = Callable[[str], Day]


@pytest.fixture
def open_table(tmp_path: Path, house_key: Ed25519PrivateKey, clock: TickingClock) -> Iterator[OpenDay]:
    """Opens (again) the record of table T07 for a day."""
    opened: list[Day] = []

    def open_one(day: str) -> Day:
        opened.append(open_day(journal_path(tmp_path, "T07", day), house_key, clock))
        return opened[-1]

    yield open_one
    for day in opened:
        day.leave()


def tear_off_certificate(path: Path) -> bytes:
    """Cuts a closed day's certificate off and returns it."""
    certificate = certificate_of(path)
    assert certificate is not None
    path.chmod(0o640)
    path.write_bytes(path.read_bytes()[: -len(certificate)])
    return certificate


def said(seq: int, text: str = "{}", round_number: int | None = None) -> Draft:
    """Something a camera said."""
    return Draft(kind="stimulus.card_seen", body=text.encode(), source="camera", source_seq=seq, round=round_number)


def play_rounds(day: Day, rounds: int, per_round: int = 4) -> None:
    """Rounds of so many rows each, every one sealed."""
    for number in range(1, rounds + 1):
        for seq in range(per_round - 1):
            day.writer.write([said(number * 100 + seq, f'{{"slot": {seq}}}', number)])
        day.writer.write([said(number * 100 + per_round, '{"end": true}', number)], seal=True)
