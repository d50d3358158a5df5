"""krupier run: every process may be killed; the table is paused, nothing is lost, and it goes on."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from table_controller.cli import main
from table_controller.config import read_config
from table_controller.core import stimuli as said
from table_controller.journal.verify import verify_file
from table_controller.misconfigured import ConfigInvalid
from table_controller.play.felt import FLOOR
from table_controller.port.client import NOBODY
from table_controller.window_watch import WindowWatch
from tests.evening import rows
from tests.shell.standing import StandingTable, eventually

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
CONTROLLER, CAMERA, EYES, WINDOW = (
    "table_controller.app",
    "vision.filming",
    "vision.watching",
    "table_controller window",
)


def free_port() -> int:
    with closing(socket.socket()) as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def table(tmp_path: Path, port: int) -> Iterator[StandingTable]:
    figures = f"[metrics]\nport = {free_port()}\n"
    standing = StandingTable(tmp_path, f"[window]\nport = {port}\nhttps = false\n{figures}")
    yield standing
    standing.close()


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[StandingTable]:
    standing = StandingTable(tmp_path, '[camera]\nsource = "rendered:"\nrate = 5\n[recorder]\ngigabytes = 1\n')
    yield standing
    standing.close()


def killed(table: StandingTable, words: str) -> int:
    pid = table.part(words)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    return pid


def is_back(table: StandingTable, words: str, was: int) -> bool:
    now = table.part(words)
    return now is not None and now != was


def test_the_controller_killed_in_a_round_is_started_again_and_the_table_waits(table: StandingTable) -> None:
    table.open_for_bets()
    table.draw()
    eventually(lambda: "stimulus.card_drawn" in table.kinds())
    before = rows(Path(table.status().journal))
    was = killed(table, CONTROLLER)
    table.draw()
    eventually(lambda: is_back(table, CONTROLLER, was))
    after = rows(Path(table.status().journal))
    assert after[: len(before)] == before
    assert "event.table_paused" in [row.kind for row in after[len(before) :]]
    eventually(lambda: table.kinds().count("stimulus.card_drawn") == 2)
    eventually(lambda: table.light("shoe") is True)
    assert table.ask(said.ResumeTable(NOBODY, FLOOR)).outcome == "done"
    assert verify_file(Path(table.status().journal)).ok


def test_the_window_killed_disturbs_nobody_and_comes_back(table: StandingTable, port: int) -> None:
    eventually(lambda: answers(port), 30)
    table.open_for_bets()
    seq = table.status().seq
    was = killed(table, WINDOW)
    eventually(lambda: is_back(table, WINDOW, was))
    eventually(lambda: answers(port), 30)
    assert "event.table_paused" not in table.kinds()
    assert table.status().seq >= seq


def test_a_supervisor_that_is_killed_takes_its_parts_along(table: StandingTable) -> None:
    was = table.part(CONTROLLER)
    assert was is not None
    table.process.send_signal(signal.SIGKILL)
    table.process.wait(10)
    eventually(lambda: not Path(f"/proc/{was}").exists())
    table.start()
    assert verify_file(Path(table.status().journal)).ok


def test_a_controller_that_hangs_is_started_again(table: StandingTable, port: int) -> None:
    eventually(lambda: answers(port), 30)
    table.open_for_bets()
    was = table.part(CONTROLLER)
    assert was is not None
    os.kill(was, signal.SIGSTOP)
    eventually(lambda: is_back(table, CONTROLLER, was), 40)
    assert "event.table_paused" in table.kinds()


def test_figures_are_given_out_for_prometheus(table: StandingTable) -> None:
    port = read_config(table.config).metrics
    assert port is not None
    eventually(lambda: answers(port.port))
    eventually(lambda: table.light("shoe") is True)
    told = urlopen(f"http://127.0.0.1:{port.port}/metrics").read().decode()
    assert 'krupier_up{table="T07"} 1.0' in told
    assert 'krupier_device_ok{detail="",device="shoe",table="T07"} 1.0' in told


def test_it_stops_in_order_when_it_is_told_to(table: StandingTable, port: int) -> None:
    eventually(lambda: answers(port), 30)
    journal = Path(table.status().journal)
    table.process.send_signal(signal.SIGTERM)
    assert table.process.wait(20) == 0
    assert not answers(port)
    assert not table.door.place.address.exists()
    assert verify_file(journal).ok


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(("words", "light"), [(CAMERA, "camera"), (EYES, "vision")])
def test_eyes_killed_in_a_round_hold_it_until_the_floor_resumes(whole: StandingTable, words: str, light: str) -> None:
    eventually(lambda: whole.light("vision") is True and whole.light("recorder") is True, 60)
    whole.open_for_bets()
    was = killed(whole, words)
    eventually(lambda: "event.table_paused" in whole.kinds(), 20)
    assert "event.device_failed" in whole.kinds()
    eventually(lambda: is_back(whole, words, was), 20)
    eventually(lambda: whole.light(light) is True and whole.light("recorder") is True, 60)
    assert whole.ask(said.ResumeTable(NOBODY, FLOOR)).outcome == "done"
    assert verify_file(Path(whole.status().journal)).ok


def test_a_table_that_is_run_is_not_run_twice(table: StandingTable) -> None:
    seq = table.status().seq
    for words in (("table_controller", "run", "--config"), ("table_controller.app",)):
        command = [sys.executable, "-m", *words, str(table.config)]
        second = subprocess.run(command, capture_output=True, timeout=100, check=False)
        assert second.returncode != 0
        assert b"end that one first" in second.stderr
    assert table.status().seq >= seq
    assert table.status().down is None


class Window(BaseHTTPRequestHandler):
    """Says that its screens follow the tables, or that they do not."""

    status = 204

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """A window does not chatter."""


def test_a_window_that_says_it_is_not_live_is_not_well(port: int) -> None:
    with HTTPServer(("127.0.0.1", port), Window) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        watch = WindowWatch(port, https=False, late_s=3)
        assert not watch.is_live()
        eventually(watch.is_live)
        Window.status = 503
        eventually(lambda: not watch.is_live(), 30)
        served.shutdown()


@pytest.mark.parametrize("name", ["seven_boxes", "two_cameras", "home_table"])
def test_the_examples_are_in_order(name: str) -> None:
    config = read_config(EXAMPLES / f"{name}.toml")
    assert config.camera is not None
    assert CliRunner().invoke(main, ["run", "--config", str(EXAMPLES / f"{name}.toml"), "--check"]).exit_code == 0


def test_every_mistake_is_told_at_once_with_its_key(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        'table = "a table"\nzone = "Mars"\nrules = "roulette"\ntelephone = 1\n'
        '[[boards]]\nname = "shoe"\n'
        "[budgets]\ndisk_warn = 99\n[window]\nport = 0\n"
    )
    with pytest.raises(ConfigInvalid) as wrong:
        read_config(file)
    told = str(wrong.value)
    for key in ("table", "data", "zone", "rules", "telephone", "boards.0", "budgets", "window.port"):
        assert f"table.toml: {key}: " in told
    answer = CliRunner().invoke(main, ["run", "--config", str(file)])
    assert answer.exit_code == 2
    assert len(answer.stderr.splitlines()) == len(told.splitlines())


@pytest.mark.parametrize(
    ("cameras", "told"),
    [
        ('[second_camera]\nsource = "usb:1"\n', [("second_camera", "write [camera] too")]),
        (
            '[camera]\nsource = "usb:1"\n[second_camera]\nsource = "usb:1"\n',
            [
                ("second_camera.source", "a source each"),
                ("second_camera.calibration", "[camera] is not"),
                ("second_camera.calibration", "of the second one"),
            ],
        ),
        (
            '[camera]\nsource = "usb:1"\ncalibration = "c"\n[second_camera]\nsource = "usb:2"\ncalibration = "c"\n',
            [("second_camera.calibration", "every camera has its own")],
        ),
        (
            '[camera]\nsource = "usb:1"\nrate = 0\n[second_camera]\nsource = "film"\ncolour = 1\n',
            [("camera.rate", "1 or more"), ("second_camera.source", "usb:0"), ("second_camera.colour", "no such key")],
        ),
    ],
)
def test_two_cameras_that_do_not_go_together_are_mistakes(
    tmp_path: Path, cameras: str, told: list[tuple[str, str]]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'table = "T1"\ndata = "data"\n{cameras}')
    with pytest.raises(ConfigInvalid) as wrong:
        read_config(file)
    lines = str(wrong.value).splitlines()
    assert len(lines) == len(told)
    for line, (key, words) in zip(lines, told, strict=True):
        assert line.startswith(f"table.toml: {key}: ")
        assert words in line
    for language in ("pl", "ru"):
        assert len(wrong.value.told(language).splitlines()) == len(told)


def test_two_cameras_are_found_from_the_files_own_folder(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    drawn = '[camera]\nsource = "rendered:"\n[second_camera]\nsource = "rendered:"\ndeck = "house.npz"\n'
    file.write_text(f'table = "T1"\ndata = "data"\n{drawn}')
    config = read_config(file)
    assert [camera.deck for camera in config.cameras] == [None, tmp_path / "house.npz"]
    assert CliRunner().invoke(main, ["run", "--config", str(file), "--check"]).exit_code == 0


def test_what_is_no_toml_or_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("table = \n")
    for file in (broken, tmp_path / "missing.toml"):
        answer = CliRunner().invoke(main, ["run", "--config", str(file)])
        assert answer.exit_code == 2
        assert file.name in answer.stderr
        assert "Traceback" not in answer.stderr


def test_the_environment_comes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "table.toml"
    file.write_text('table = "T1"\ndata = "data"\n[budgets]\nclock_ms = 500\n')
    monkeypatch.setenv("KRUPIER_BUDGETS__CLOCK_MS", "700")
    config = read_config(file)
    assert config.budgets.clock_ms == 700
    assert config.data == tmp_path / "data"


def test_two_boards_of_one_name_are_a_mistake(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    board = '[[boards]]\nname = "shoe"\nport = "/dev/null"\n'
    file.write_text(f'table = "T1"\ndata = "data"\n{board}{board}')
    with pytest.raises(ConfigInvalid, match="shoe is named twice"):
        read_config(file)
