"""What a board says is on record before it may forget it: real processes, a real pseudo-terminal, the real wire."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.events import DealerKey, EventKind, Fault, Signal
from table_controller.core import stimuli as said
from table_controller.journal.sqlite_store import open_reader
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR
from table_controller.port.client import NOBODY
from table_controller.shell.lamps import DEAL, NO_MORE_BETS, PAUSE
from tests.shell.standing import StandingTable, eventually


@pytest.fixture
def table(tmp_path: Path) -> Iterator[StandingTable]:
    standing = StandingTable(tmp_path)
    yield standing
    standing.close()


def drawn(table: StandingTable) -> int:
    return table.kinds().count("stimulus.card_drawn")


def test_the_self_test_is_on_record_before_a_board_hears_a_word(table: StandingTable) -> None:
    eventually(lambda: "bridge.event" in table.kinds())
    kinds = table.kinds()
    assert kinds.index("controller.self_test") < kinds.index("bridge.event")
    assert "controller.files_checked" in kinds


def test_a_card_leaving_the_shoe_is_on_record_once_and_the_board_may_forget_it(table: StandingTable) -> None:
    table.open_for_bets()
    for _ in range(3):
        table.draw()
    eventually(lambda: drawn(table) == 3)
    eventually(lambda: not table.board.ring.records)
    assert verify_file(Path(table.status().journal)).ok


def test_a_card_drawn_while_the_controller_is_dead_is_not_lost(table: StandingTable) -> None:
    table.open_for_bets()
    table.draw()
    eventually(lambda: drawn(table) == 1)
    table.process.send_signal(signal.SIGKILL)
    table.process.wait(10)
    table.draw()
    table.draw()
    table.start()
    eventually(lambda: drawn(table) == 3)
    eventually(lambda: not table.board.ring.records)
    assert "event.table_paused" in table.kinds()
    assert verify_file(Path(table.status().journal)).ok


def test_who_reads_the_record_goes_on_reading_when_the_controller_has_been_stopped_and_started(
    table: StandingTable,
) -> None:
    journal = Path(table.status().journal)
    reader = open_reader(journal)
    before = len(reader.read(0))
    open_reader(journal).close()  # another page of the window
    table.process.terminate()
    table.process.wait(60)
    table.start()
    assert len(reader.read(0)) > before
    reader.close()


def test_killed_at_any_moment_each_card_is_counted_once(table: StandingTable) -> None:
    table.open_for_bets()
    for _ in range(4):
        for _ in range(3):
            table.draw()
        table.process.send_signal(signal.SIGKILL)
        table.process.wait(10)
        table.start()
    eventually(lambda: drawn(table) == 12)
    eventually(lambda: not table.board.ring.records)
    assert drawn(table) == 12


def test_lamps_show_the_state_and_show_it_again_after_a_crash(table: StandingTable) -> None:
    table.open_for_bets()
    wanted = 1 << DEAL | 1 << NO_MORE_BETS
    eventually(lambda: table.board.shown[0] & wanted == wanted)
    table.process.send_signal(signal.SIGKILL)
    table.process.wait(10)
    eventually(lambda: bool(table.board.shown[0] & 1 << PAUSE))
    table.start()
    eventually(lambda: bool(table.board.shown[0] & 1 << PAUSE))
    table.ask(said.ResumeTable(NOBODY, FLOOR))
    eventually(lambda: table.board.shown[0] & wanted == wanted)


def test_a_shoe_pulled_out_in_a_round_pauses_the_table_until_the_floor_resumes(table: StandingTable) -> None:
    table.open_for_bets()
    table.pty.unplug()
    eventually(lambda: table.light("shoe") is False)
    eventually(lambda: table.kinds()[-1] == "event.table_paused")
    table.pty.plug(table.port)
    eventually(lambda: table.light("shoe") is True)
    assert "event.device_recovered" in table.kinds()
    assert "event.table_resumed" not in table.kinds()


def test_a_board_that_lost_its_memory_says_so_and_the_table_waits_for_a_person(table: StandingTable) -> None:
    table.open_for_bets()
    eventually(lambda: not table.board.ring.records)
    table.pty.unplug()
    table.peer.restart(table.board.power_cut)
    table.pty.plug(table.port)
    eventually(lambda: "bridge.lost" in table.kinds())
    assert "event.table_paused" in table.kinds()


def test_a_noisy_beam_stops_the_table_because_nobody_can_count_any_more(table: StandingTable) -> None:
    table.open_for_bets()
    table.peer.note(EventKind.FAULT, Fault.BEAM_NOISY, 9)
    eventually(lambda: table.kinds()[-1] == "event.table_paused")


def test_keys_are_heard(table: StandingTable) -> None:
    table.open_for_bets()
    table.peer.note(EventKind.BUTTON_DOWN, 1 << 4 | Signal.HIT)
    eventually(lambda: "stimulus.signal" in table.kinds())
    table.peer.note(EventKind.KEY_DOWN, DealerKey.PEEK_NO)
    eventually(lambda: "stimulus.hole_peeked" in table.kinds())


def test_no_round_opens_before_the_shoe_was_heard(table: StandingTable) -> None:
    table.pty.unplug()
    eventually(lambda: table.light("shoe") is False)
    eventually(lambda: "event.device_failed" in table.kinds())
