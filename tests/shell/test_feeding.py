"""What of the tapes belongs to an evening: all that passed meanwhile, and how an open line came to be open."""

from pathlib import Path

import pytest

from firmware_bridge.tape import Begun, Passed, Way, write_line
from table_controller.port.fed import FedClock
from table_controller.replay.again import Evening
from table_controller.shell.feeding import strips_of


def evening(began_ns: int, ended_ns: int) -> Evening:
    return Evening(began_ns, ended_ns, (), {}, ())


def tape(folder: Path, name: str, *lines: Passed) -> Path:
    file = folder / f"{name}.tape"
    file.write_bytes(write_line(Begun(0, 0)) + b"".join(map(write_line, lines)))
    return file


def test_the_boards_are_heard_in_the_order_of_time_until_the_record_ends(tmp_path: Path) -> None:
    one, two = Passed("shoe", Way.HEARD, 30, b"b"), Passed("keys", Way.HEARD, 20, b"a")
    late = Passed("shoe", Way.CLOSED, 99)
    assert strips_of([tape(tmp_path, "1", one, two, late)], evening(10, 50)) == [(20, two), (30, one)]


def test_a_line_that_was_open_before_is_heard_since_it_was_opened(tmp_path: Path) -> None:
    before = [Passed("shoe", Way.HEARD, 1), Passed("shoe", Way.OPENED, 2), Passed("shoe", Way.SAID, 3, b"who")]
    closed = Passed("keys", Way.HEARD, 4)  # nobody knows of what session
    now = Passed("shoe", Way.HEARD, 20, b"card")
    tapes = [tape(tmp_path, "1", *before, closed), tape(tmp_path, "2", now)]
    assert [passed for _, passed in strips_of(tapes, evening(10, 50))] == [*before[1:], now]


def test_the_clock_of_an_evening_stands_and_goes_on_where_it_stood(tmp_path: Path) -> None:
    clock = FedClock(tmp_path, "T07")
    with pytest.raises(OSError, match=r"T07\.fed"):
        clock.read()
    clock.begin(1000, 5)
    assert clock.read().now_of(1001) is None
    clock.run(50)
    assert clock.read().now_of(1010) == 60
    clock.stand(70)
    assert clock.read().then_ns == 1020
    assert (clock.read().now_of(1020), clock.read().now_of(1021)) == (70, None)
    clock.run(100)
    assert clock.read().now_of(1021) == 101
    clock.end(7)
    assert clock.read().last_row == 7
