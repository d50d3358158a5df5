"""What a table's own computer is asked: room on the disk, trust in the clock, the files it runs with."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import values_of
from table_controller.houses import house_values, rules_with
from table_controller.journal.record import Moment
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, ask_for
from table_controller.port.words import Health, Outcome
from table_controller.shell.alive import READY, tell_systemd
from table_controller.shell.budgets import ClockWatch, DiskBudget, disk_health
from table_controller.shell.checks import SELF_TESTED, Budget, Checks, SelfTest
from table_controller.shell.digests import CHECKED, Files, changed
from table_controller.shell.hearing import Hearing
from table_controller.shell.inbox import Inbox, Letter
from table_controller.shell.lights import Lights
from table_controller.shell.recorder import open_recorder
from table_controller.shell.table import Table
from tests.evening import nobody_warns, rows

S = 1_000_000_000
DAY_S = 24 * 3600


class TwoClocks:
    """Both clocks, each to be moved by hand."""

    def __init__(self) -> None:
        self.at_ns, self.mono_ns = 10**18, 0

    def __call__(self) -> Moment:
        return Moment(self.at_ns, self.mono_ns)

    def wait(self, seconds: float) -> None:
        self.at_ns += int(seconds * S)
        self.mono_ns += int(seconds * S)


@pytest.fixture
def clock() -> TwoClocks:
    return TwoClocks()


@pytest.fixture
def hearing(tmp_path: Path, clock: TwoClocks, house_key: Ed25519PrivateKey) -> Iterator[Hearing]:
    path = tmp_path / "T07-2026-11-29.db"
    table = Table(lambda: open_recorder(path, house_key, clock, "blackjack", nobody_warns))
    table.revive(clock().at_ns)
    yield Hearing(table, "blackjack", clock, Lights({}, clock().at_ns))
    table.recorder.leave()


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text("table = 1")
    return file


@pytest.fixture
def checks(hearing: Hearing, clock: TwoClocks, own: Path) -> Callable[..., Checks]:
    def make(version: str = "1", **budget: object) -> Checks:
        wanted = Budget(folder=own.parent, beside=(own,), disk=DiskBudget(98, 99, 100), **budget)  # type: ignore[arg-type]
        return Checks(wanted, hearing, clock, version)

    return make


def tap(hearing: Hearing, command: said.Command, name: str) -> str:
    answer = hearing.hear(ask_for(command, name, hearing.version))
    return answer.outcome if answer.outcome is not Outcome.REFUSED else f"{answer.reason} {answer.detail}"


def open_table(hearing: Hearing) -> None:
    rules = values_of(rules_with("classic", {}))
    tap(hearing, said.OpenTable(NOBODY, FLOOR, SECOND, rules, house_values("classic"), {}), "open")
    tap(hearing, said.LoadShoe(NOBODY, FLOOR), "load")


@pytest.mark.parametrize(
    ("used", "ok", "detail"),
    [(89.9, True, ""), (90, True, "disk_warning"), (95, True, "disk_alarm"), (98, False, "disk_full")],
)
def test_the_disk_warns_then_stops(used: float, ok: bool, detail: str) -> None:
    assert disk_health(used, DiskBudget()) == Health("disk", ok, detail)


def test_a_clock_that_was_set_is_not_trusted_for_a_minute(clock: TwoClocks) -> None:
    watch = ClockWatch(clock, tolerated_ms=2000)
    clock.wait(3600)
    assert watch.health().ok
    clock.at_ns -= 3600 * S
    assert watch.health() == Health("clock", False, "clock_set")
    clock.wait(59)
    assert not watch.health().ok
    clock.wait(2)
    assert watch.health().ok


def test_a_clock_corrected_little_by_little_is_trusted(clock: TwoClocks) -> None:
    watch = ClockWatch(clock, tolerated_ms=2000)
    clock.at_ns += 1_900_000_000
    assert watch.health().ok


def test_the_self_test_is_on_record(hearing: Hearing, checks: Callable[..., Checks]) -> None:
    found = checks().self_test()
    assert found.changed == found.wrong == ()
    kinds = {row.kind: row.body for row in rows(hearing.table.recorder.day.path)}
    assert msgspec.json.decode(kinds[SELF_TESTED], type=SelfTest) == found
    assert msgspec.json.decode(kinds[CHECKED], type=Files).sha256 == found.files


def test_a_file_changed_between_two_starts_stops_the_next_round_until_a_person_accepts(
    hearing: Hearing, checks: Callable[..., Checks], own: Path
) -> None:
    checks().self_test()
    open_table(hearing)
    own.write_text("table = 2")
    assert "table.toml" in checks().self_test().changed
    assert tap(hearing, said.OpenBets(NOBODY, FLOOR), "1") == "device_fault files"
    assert "table.toml" in checks().self_test().changed  # starting again does not clear it
    assert list(checks(accept=True).self_test().changed) == []
    assert tap(hearing, said.OpenBets(NOBODY, FLOOR), "2") == "done"


def test_another_version_of_the_program_is_expected_to_differ(checks: Callable[..., Checks], own: Path) -> None:
    checks("1").self_test()
    own.write_text("table = 2")
    assert list(checks("2").self_test().changed) == []


def test_one_byte_changed_while_the_table_runs_is_found_within_the_day(
    hearing: Hearing, checks: Callable[..., Checks], clock: TwoClocks, own: Path
) -> None:
    running = checks(digest_hours=24)
    running.self_test()
    open_table(hearing)
    own.write_text("table = 2")
    clock.wait(DAY_S - 60)
    running.turn()
    assert not hearing.state.faults
    clock.wait(120)
    running.turn()
    assert hearing.state.faults == ("files",)


def test_what_is_the_same_is_not_listed_again(hearing: Hearing, checks: Callable[..., Checks]) -> None:
    for _ in range(3):
        checks().self_test()
    listed = [row for row in rows(hearing.table.recorder.day.path) if row.kind == CHECKED]
    assert [bool(msgspec.json.decode(row.body, type=Files).files) for row in listed] == [True, False, False]


def test_files_that_came_and_files_that_went_have_changed() -> None:
    before, now = Files("1", "x", {"a": "1", "b": "1"}), Files("1", "y", {"b": "1", "c": "1"})
    assert changed(before, now) == ["a", "c"]
    assert changed(None, now) == []


def test_a_device_that_falls_silent_is_a_fault_and_its_age_is_known(clock: TwoClocks) -> None:
    lights = Lights({"camera": 2 * S}, clock().at_ns)
    assert lights.faulty() == {"camera"}
    lights.hear(Health("camera", ok=True), clock())
    clock.wait(1.9)
    lights.grow_old(clock())
    assert lights.well() == {"camera"}
    clock.wait(0.2)
    lights.grow_old(clock())
    (light,) = lights.shown
    assert (light.ok, light.detail, light.since_ns) == (False, "not_heard", clock().at_ns)


@pytest.mark.parametrize("step_s", [600, -600])
def test_a_wall_clock_that_is_set_neither_silences_a_device_nor_hides_its_silence(
    clock: TwoClocks, step_s: int
) -> None:
    lights = Lights({"camera": 2 * S}, clock().at_ns)
    lights.hear(Health("camera", ok=True), clock())
    clock.at_ns += step_s * S
    lights.grow_old(clock())
    assert lights.well() == {"camera"}
    clock.wait(2.1)
    lights.grow_old(clock())
    assert lights.faulty() == {"camera"}


def test_a_clock_set_in_a_round_holds_it_before_anybody_counts_as_absent(
    hearing: Hearing, checks: Callable[..., Checks], clock: TwoClocks
) -> None:
    running = checks()
    running.self_test()
    open_table(hearing)
    tap(hearing, said.OpenBets(NOBODY, FLOOR), "1")
    running.turn()
    clock.at_ns += 600 * S
    running.turn()
    hearing.tick()
    assert hearing.state.faults == ("clock",)
    assert hearing.state.paused
    assert hearing.state.disputes == ()


def test_a_full_disk_lets_a_round_be_finished_and_opens_no_other(hearing: Hearing) -> None:
    open_table(hearing)
    tap(hearing, said.OpenBets(NOBODY, FLOOR), "1")
    hearing.hear(Health("disk", ok=False, detail="disk_full"))
    assert hearing.state.faults == ("disk",)
    assert not hearing.state.paused
    hearing.hear(Health("camera", ok=False, detail="stale"))
    assert hearing.state.paused


def test_a_full_inbox_says_so_once() -> None:
    inbox = Inbox(places=1)
    assert inbox.put(Letter(lambda: None))
    assert not inbox.put(Letter(lambda: None))
    assert inbox.overflowed()
    assert not inbox.overflowed()


def test_more_than_the_table_can_take_pauses_it(hearing: Hearing) -> None:
    open_table(hearing)
    hearing.pause("more was said than the table could take")
    assert hearing.state.paused


def test_systemd_is_told_where_it_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not tell_systemd(READY)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "n"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "n"))
        assert tell_systemd(READY)
        assert line.recv(64) == b"READY=1"
