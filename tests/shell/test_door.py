"""A controller process at its door: real processes, real sockets, a real record."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from table_controller import houses
from table_controller.cli import main
from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import values_of
from table_controller.core.people import Person, Role
from table_controller.export.bundle import verify_bundle
from table_controller.journal.complaints import complaint_bundle, complaints_of
from table_controller.journal.evidence import evidence_folder
from table_controller.journal.naming import table_and_day
from table_controller.journal.verify import verify_file
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, Door, DoorClosed, ask_for
from table_controller.port.words import (
    Answer,
    Ask,
    Complain,
    Conclude,
    Health,
    HoldDay,
    Kept,
    Look,
    Note,
    Outcome,
    Status,
    Watch,
    Watching,
)
from tests.evening import rows

TABLE = "T07"


class Running:
    """A controller started as a process of its own."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.door = Door(data, TABLE)
        self.start()

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "table_controller.shell.controller",
            "--data",
            str(self.data),
            "--table",
            TABLE,
        ]
        self.process = subprocess.Popen(command)
        self.status()

    def status(self) -> Status:
        """As soon as the door is open and the table is up."""
        for _ in range(800):
            with suppress(DoorClosed, OSError):
                found = self.door.look(Look())
                assert isinstance(found, Status)
                if found.down is None:
                    return found
            time.sleep(0.05)
        raise AssertionError("the table did not come up")

    def ask(self, stimulus: said.Stimulus, tap: str, version: int | None = None) -> Answer:
        return self.door.ask(ask_for(stimulus, tap, self.status().version if version is None else version))

    def end(self, how: int = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(10)


def open_table() -> said.OpenTable:
    rules = values_of(houses.rules_with("classic", {}))
    return said.OpenTable(NOBODY, FLOOR, SECOND, rules, houses.house_values("classic"), {})


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    table = Running(tmp_path)
    yield table
    if table.process.poll() is None:
        table.end()


def test_a_table_is_opened_through_the_door_and_the_record_says_so(running: Running) -> None:
    before = running.status()
    answer = running.ask(open_table(), "tap-1")
    after = running.status()
    assert answer == Answer(Outcome.DONE, after.version)
    assert after.seq > before.seq
    assert running.end() == 0
    kinds = [row.kind for row in rows(Path(after.journal))]
    assert kinds[-2:] == ["stimulus.open_table", "event.table_opened"]
    assert verify_file(Path(after.journal)).ok


def test_a_double_tap_acts_once_and_gets_the_same_answer(running: Running) -> None:
    version = running.status().version
    first = running.ask(open_table(), "tap", version)
    again = running.ask(open_table(), "tap", version)
    assert first == again
    kinds = [row.kind for row in rows(Path(running.status().journal))]
    assert kinds.count("stimulus.open_table") == 1


def test_a_tap_on_a_stale_screen_is_refused_and_says_so(running: Running) -> None:
    running.ask(open_table(), "tap-1", 0)
    seq = running.status().seq
    assert running.ask(said.LoadShoe(NOBODY, FLOOR), "tap-2", 0).outcome is Outcome.STALE
    assert running.status().seq == seq


def test_stopping_the_table_is_never_too_late(running: Running) -> None:
    running.ask(open_table(), "tap-1")
    assert running.ask(said.PauseTable(NOBODY, SECOND, "a quarrel"), "tap-2", 0).outcome is Outcome.DONE


def test_what_the_judge_refuses_comes_back_with_its_reason(running: Running) -> None:
    answer = running.ask(said.OpenBets(NOBODY, FLOOR), "tap-1")
    assert (answer.outcome, answer.reason) == (Outcome.REFUSED, "table_closed")


def test_what_is_refused_makes_no_other_screen_stale(running: Running) -> None:
    running.ask(open_table(), "tap-1")
    seen = running.status().version
    assert running.ask(said.CloseBets(NOBODY, SECOND), "tap-2").outcome is Outcome.REFUSED
    assert running.ask(said.LoadShoe(NOBODY, FLOOR), "tap-3", seen).outcome is Outcome.DONE


def test_what_a_person_observed_carries_the_name_in_all_that_comes_of_it(running: Running) -> None:
    running.ask(open_table(), "tap-1")
    running.ask(said.LoadShoe(NOBODY, FLOOR), "tap-2")
    by = Person("Sam", Role.DEALER)
    assert running.ask(said.CutCardSeen(said.Cause("", 0, by=by)), "tap-3").outcome is Outcome.DONE
    last = rows(Path(running.status().journal))[-2:]
    assert [row.kind for row in last] == ["stimulus.cut_card_seen", "event.cut_card_shown"]
    assert [msgspec.json.decode(row.body)["cause"]["by"] for row in last] == [{"name": "Sam", "role": "dealer"}] * 2


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b'{"kind":"open_sesame"}',
        b'{"kind":"tick"}',
        b'{"kind":"device_lost","device":"camera"}',
        b'{"kind":"open_bets","by":{"name":"x","role":"king"}}',
        b'{"kind":"open_bets","cause":{"source":"floor","seq":0},"by":{"name":"x","role":"pit_boss"}}',
    ],
)
def test_what_people_may_not_say_is_unreadable_and_leaves_no_row(running: Running, body: bytes) -> None:
    before = running.status()
    answer = running.door.ask(Ask("tap", before.version, msgspec.Raw(body)))
    assert answer.outcome is Outcome.UNREADABLE
    assert answer.detail
    assert running.status().seq == before.seq


def test_a_note_of_the_floor_is_a_row_of_its_own_once(running: Running) -> None:
    note = Note("n-1", "floor.acknowledged", msgspec.Raw(b'{"alert":7}'))
    assert running.door.ask(note) == running.door.ask(note)
    last = rows(Path(running.status().journal))[-1]
    assert (last.kind, last.body) == ("floor.acknowledged", b'{"alert":7}')
    assert running.door.ask(Note("n-2", "journal.sealed", msgspec.Raw(b"{}"))).outcome is Outcome.UNREADABLE


def test_a_file_of_evidence_goes_on_record_with_its_digest(running: Running) -> None:
    folder = evidence_folder(Path(running.status().journal), 1)
    folder.mkdir(parents=True)
    (folder / "box3.jpg").write_bytes(b"picture")
    assert running.door.ask(Kept("k-1", "box3.jpg", 1, 3)).outcome is Outcome.DONE
    assert b'"box":3' in rows(Path(running.status().journal))[-1].body
    assert running.door.ask(Kept("k-2", "gone.jpg", 1)).outcome is Outcome.UNREADABLE
    assert running.door.ask(Kept("k-3", "../../keys/house.key", 1)).outcome is Outcome.UNREADABLE


def test_a_device_that_is_not_well_is_a_fault_until_it_says_otherwise(running: Running) -> None:
    running.ask(open_table(), "tap-1")
    running.door.ask(Health("camera", ok=False, detail="stale"))
    eventually(lambda: "event.device_failed" in kinds(running))
    assert [light.detail for light in running.status().lights] == ["stale"]
    running.door.ask(Health("camera", ok=True))
    eventually(lambda: "event.device_recovered" in kinds(running))


def test_a_controller_killed_comes_back_paused_and_has_lost_nothing(running: Running) -> None:
    running.ask(open_table(), "tap-1")
    journal = Path(running.status().journal)
    before = rows(journal)
    running.end(signal.SIGKILL)
    running.start()
    assert rows(journal)[: len(before)] == before
    assert kinds(running)[-1] == "event.table_paused"
    assert verify_file(journal).ok


def test_strangers_do_not_get_in(running: Running) -> None:
    place = running.door.place
    assert stat.S_IMODE(place.key.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.address.parent.stat().st_mode) == 0o700
    with pytest.raises(AuthenticationError):
        Client(str(place.address), family="AF_UNIX", authkey=os.urandom(32))
    assert running.status().table == TABLE


def test_a_caller_who_says_nothing_keeps_nobody_waiting(running: Running) -> None:
    silent = [Client(str(running.door.place.address), family="AF_UNIX") for _ in range(20)]
    other = Door(running.data, TABLE)
    assert isinstance(other.look(Watch()), Watching)
    for line in silent:
        line.close()


def test_garbage_is_answered_and_the_line_stays_open(running: Running) -> None:
    key = running.door.place.key.read_bytes()
    with Client(str(running.door.place.address), family="AF_UNIX", authkey=key) as line:
        for body in (b"", b"{", b'{"kind":"nonsense"}', b"\xff\xfe", b"[" * 100_000):
            line.send_bytes(body)
            assert msgspec.json.decode(line.recv_bytes())["outcome"] == "unreadable"


def test_nobody_home_says_so(tmp_path: Path) -> None:
    with pytest.raises(DoorClosed):
        Door(tmp_path, TABLE).say(Look())


def test_a_deep_folder_has_a_door_all_the_same(tmp_path: Path) -> None:
    deep = Running(tmp_path / ("d" * 120))
    assert deep.status().table == TABLE
    assert deep.end() == 0


def kinds(running: Running) -> list[str]:
    return [row.kind for row in rows(Path(running.status().journal))]


def eventually(true: Callable[[], bool]) -> None:
    for _ in range(100):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def play_a_round(running: Running) -> None:
    """Opened, a shoe, one bet, and void: a round of the record with box 3 in it."""
    for tap, one in enumerate(
        (
            open_table(),
            said.LoadShoe(NOBODY, FLOOR),
            said.OpenBets(NOBODY, FLOOR),
            said.PlaceBet(NOBODY, FLOOR, 3, 300),
            said.VoidRound(NOBODY, FLOOR, SECOND, "fire alarm"),
        )
    ):
        assert running.ask(one, f"round-{tap}").outcome is Outcome.DONE


def complaint(running: Running, tap: str = "c-1", box: int = 3, by: Person = FLOOR) -> Complain:
    day = table_and_day(Path(running.status().journal))[1]
    return Complain(id=tap, by=by, day=day, round=1, box=box, reason="paid wrong", lock="next_round")


def test_a_complaint_through_the_door_freezes_the_round_locks_the_next_and_is_decided_by_name(running: Running) -> None:
    play_a_round(running)
    taken = [running.door.ask(complaint(running)) for _ in range(2)]
    assert [(one.outcome, one.detail) for one in taken] == [(Outcome.DONE, "1")] * 2
    journal = Path(running.status().journal)
    bundle = complaint_bundle(journal, 1, 1)
    assert verify_bundle(bundle).ok
    assert [one.box for one in complaints_of(journal).standing] == [3]
    refused = running.ask(said.OpenBets(NOBODY, FLOOR), "next")
    assert (refused.outcome, refused.reason) == (Outcome.REFUSED, "device_fault")
    bundle.unlink()
    running.door.ask(complaint(running))
    assert bundle.exists()
    assert running.door.ask(Conclude(id="c-2", by=FLOOR, number=1, decision="paid rightly")).outcome is Outcome.DONE
    assert complaints_of(journal).standing == ()
    assert running.ask(said.OpenBets(NOBODY, FLOOR), "next-2").outcome is Outcome.DONE


def test_a_complaint_about_nothing_or_by_a_dealer_leaves_no_trace(running: Running) -> None:
    play_a_round(running)
    before = running.status().seq
    dealer = Person("dealer-1", Role.DEALER)
    assert running.door.ask(complaint(running, "c-1", box=5)).reason == "not_kept"
    assert running.door.ask(complaint(running, "c-2", by=dealer)).reason == "role"
    assert running.door.ask(Conclude(id="c-3", by=dealer, number=1, decision="no")).reason == "role"
    assert running.door.ask(Conclude(id="c-4", by=FLOOR, number=1, decision="no")).reason == "not_kept"
    unreadable = Complain(id="c-5", by=FLOOR, day="../../etc", round=1, box=3, reason="x", lock="none")
    assert running.door.ask(unreadable).outcome is Outcome.UNREADABLE
    assert running.status().seq == before


def test_a_day_is_held_and_let_go_at_a_running_table(running: Running) -> None:
    running.status()
    path = str(running.data)
    held = CliRunner().invoke(main, ["hold", "place", path, "--day", "2026-11-29", "--reason", "police", "--by", "ann"])
    assert (held.exit_code, held.stdout) == (0, "2026-11-29 is held: police\n")
    assert "police" in CliRunner().invoke(main, ["hold", "list", path]).stdout
    assert CliRunner().invoke(main, ["hold", "lift", path, "--day", "2026-11-29", "--by", "ann"]).exit_code == 0
    again = CliRunner().invoke(main, ["hold", "lift", path, "--day", "2026-11-29", "--by", "ann"])
    assert again.exit_code == 2
    assert "under no hold" in again.stderr
    assert CliRunner().invoke(main, ["purge", path, "--years", "3"]).exit_code == 0
    assert kinds(running).count("journal.hold_placed") == kinds(running).count("journal.hold_lifted") == 1


def test_only_those_who_keep_the_record_hold_a_day(running: Running) -> None:
    dealer = Person("dealer", Role.DEALER)
    answer = running.door.ask(HoldDay(id="h", by=dealer, day="2026-11-29", reason="because"))
    assert (answer.outcome, answer.reason) == (Outcome.REFUSED, "role")
