"""The work that is killed: seven boxes are paid one after another, each acknowledged only when it is on disk."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from table_controller.journal.day import Day, open_day
from table_controller.journal.keys import load_key
from table_controller.journal.record import Draft, Moment
from table_controller.journal.sqlite_store import CHECKPOINT_EVERY, open_reader
from tests.journal.crash.tracer import mark

PAID = "event.paid"
BOXES = 7
ROUNDS = 2


def payments() -> Iterator[tuple[int, int]]:
    """(number of the dealer's press, money) for every box of every round; no two sums of amounts are equal."""
    for number in range(1, ROUNDS * BOXES + 1):
        yield number, 2**number


def clock() -> Moment:
    return Moment(1, 1)


def paid(path: Path) -> dict[int, int]:
    """What the record says was paid, by press; a press paid twice is an error."""
    reader = open_reader(path)
    found: dict[int, int] = {}
    for record in reader.read(0, 10_000):
        if record.kind == PAID:
            assert record.source_seq is not None
            assert record.source_seq not in found, f"press {record.source_seq} was paid twice"
            found[record.source_seq] = msgspec.json.decode(record.body)["amount"]
    reader.close()
    return found


class Plan(NamedTuple):
    """Under the tracer or not, closing the day at the end or not; `hasty` breaks the first law on purpose."""

    traced: bool
    close: bool
    hasty: bool = False


def settle(journal: Path, key_path: Path, acknowledge: int, plan: Plan) -> None:
    """Pays whatever the record does not hold yet, and tells `acknowledge` (a descriptor) the number of each press."""
    day = open_day(journal, load_key(key_path), clock)
    done = paid(journal)
    if plan.traced:
        _play_up_to_a_checkpoint(day)
        mark()
    for press, amount in payments():
        if plan.hasty:
            os.write(acknowledge, bytes([press]))
        if press not in done:
            _pay(day, press, amount)
        if not plan.hasty:
            os.write(acknowledge, bytes([press]))
        day.writer.tidy()
    if plan.close:
        day.close()


def _pay(day: Day, press: int, amount: int) -> None:
    number = (press - 1) // BOXES + 1
    body = msgspec.json.encode({"amount": amount})
    pressed = Draft(kind="stimulus.pressed", body=body, source="dealer", source_seq=press, round=number)
    fact = Draft(kind=PAID, body=body, source="judge", source_seq=press, round=number)
    day.writer.write([pressed, fact], seal=press % BOXES == 0)


def _play_up_to_a_checkpoint(day: Day) -> None:
    """So that the settlement falls together with the moment the write-ahead log is copied back."""
    for number in range(CHECKPOINT_EVERY - BOXES):
        day.writer.write([Draft(kind="stimulus.tick", body=b"{}", source="clock", source_seq=number)])
