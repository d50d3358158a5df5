"""The set-up's pages as they are told: what a newcomer took a wrong turn at is said where he stands."""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from dashboard.people import People
from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.greeting import Policy
from firmware_bridge.keys import KeyFile, default_path
from firmware_bridge.visit import look
from table_controller.cli import main
from table_controller.config import read_config
from table_controller.core.house import Language
from table_controller.setup.file import put_board, read_answers, write_answers
from table_controller.setup.start import address, typed
from table_controller.setup.web import create_setup
from tests.firmware_bridge.peers import DEVICE, EVERYTHING

CODE = "4f2a"
LANGUAGES = [one.value for one in Language]
GOOD_WORDS = {"password": "correct horse staple", "pin": "7391"}


class Pages:
    """The pages as a browser asks for them, without one."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        client.post("/code", data={"code": CODE})

    def step(self, name: str, language: str = "en") -> str:
        return self._text("GET", f"/step/{name}?lang={language}")

    def send(self, path: str, **form: str) -> str:
        """The page to which a form leads."""
        return self._text("POST", path, form)

    def _text(self, method: str, path: str, form: Mapping[str, str] | None = None) -> str:
        answer = self._client.open(path, method=method, data=form, follow_redirects=True)
        assert answer.status_code == 200
        return unescape(re.sub(r"\s+", " ", answer.text))


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KRUPIER_KEYS", str(tmp_path / "pairing.json"))
    write_answers(tmp_path / "table.toml", {"table": "T07", "data": "data", "rules": "classic"})
    return tmp_path / "table.toml"


@pytest.fixture
def pages(config: Path) -> Pages:
    app = create_setup(config, CODE)
    app.config["WTF_CSRF_ENABLED"] = False
    pages = Pages(app.test_client())
    pages.step("place")
    return pages


@pytest.fixture
def board(tmp_path: Path) -> Iterator[TwinPeer]:
    twin = TwinPeer(Board(Eeprom(DEVICE, EVERYTHING)))
    port = PtyPort(twin, tmp_path / "board")
    port.start()
    yield twin
    port.close()


def button(page: str, value: str) -> str:
    """How the button of an act looks, empty where the page has none."""
    found = re.search(rf'<button class="([^"]*)" name="act" value="{value}"', page)
    return found.group(1) if found else ""


@pytest.mark.parametrize("source", ["rendered:", "photographs:cards"])
def test_a_drawn_felt_is_not_measured(pages: Pages, config: Path, source: str) -> None:
    write_answers(config, {"camera.source": source})
    page = pages.step("measure")
    assert "needs no measuring" in page
    assert "markers-a4" not in page
    assert button(page, "take") == ""
    assert 'class="button primary wide tall" href="/step/boxes"' in page
    write_answers(config, {"camera.source": "usb:0"})
    assert "primary" in button(pages.step("measure"), "take")


@pytest.mark.parametrize(
    ("language", "told"), [("en", "write where the picture"), ("pl", "wpisz, skąd"), ("ru", "напишите, откуда")]
)
@pytest.mark.parametrize("source", ["rendered", "bogus", "usb:", "file:", "rtsp:", "folder: "])
def test_a_camera_that_cannot_be_is_refused_and_stays_typed(
    pages: Pages, config: Path, source: str, language: str, told: str
) -> None:
    pages.step("camera", language)
    page = pages.send("/step/camera", **{"camera.source": source})
    assert told in page
    assert f'name="camera.source" value="{source}"' in page
    assert "camera" not in read_answers(config)


def test_the_run_that_only_checks_and_the_doctor_refuse_it_too(config: Path) -> None:
    config.write_text(config.read_text() + '[camera]\nsource = "bogus"\n')
    for words in (["run", "--check"], ["doctor"]):
        told = CliRunner().invoke(main, [*words, "--config", str(config)])
        assert told.exit_code != 0
        assert "camera.source: write where the picture comes from" in told.output


@pytest.mark.parametrize(
    "source",
    [
        "usb:0",
        "usb:usb-046d_BRIO_4F12-video-index0",
        "rtsp://10.0.0.9/live",
        "rtsps://cam/1",
        "http://cam:8080/video",
        "https://cam/video",
        "file:/srv/felt.mp4",
        "folder:/srv/my pictures",
        "recorded:/srv/films",
        "rendered:",
        "rendered:script.json",
        "photographs:/srv/cards",
    ],
)
def test_every_camera_that_can_be_opened_may_be_written(config: Path, source: str) -> None:
    write_answers(config, {"camera.source": source})
    camera = read_config(config).camera
    assert camera is not None
    assert camera.source == source


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_drawn_felt_is_named_where_the_camera_is_asked_for(pages: Pages, language: str) -> None:
    assert "rendered:" in pages.step("camera", language)


def test_a_port_that_is_not_there_is_refused_and_stays_typed(pages: Pages, config: Path, tmp_path: Path) -> None:
    for port in (str(tmp_path / "nothing"), str(tmp_path), ""):
        page = pages.send("/board", act="add", port=port, name="shoe")
        assert f"There is no such port: {port}" in page
        assert f'value="{port}"' in page
        assert 'name="name" value="shoe"' in page
    assert "boards" not in read_answers(config)


@pytest.mark.usefixtures("board")
def test_a_box_is_added_named_anew_and_removed(pages: Pages, config: Path, tmp_path: Path) -> None:
    port = str(tmp_path / "board")
    assert "Remove shoe" in pages.send("/board", act="add", port=port, name="shoe")
    assert "Remove keys" in pages.send("/board", act="name", adapter=port, name="keys")
    assert [board.name for board in read_config(config).boards] == ["keys"]
    assert "Remove" not in pages.send("/board", act="remove", adapter=port, name="keys")
    assert read_config(config).boards == ()


def test_a_box_that_is_not_plugged_in_can_be_removed_and_nothing_else(pages: Pages, config: Path) -> None:
    put_board(config, {"name": "shoe", "adapter": "1a86:7523:5-1.2"})
    put_board(config, {"name": "keys", "port": "/dev/nothing"})
    page = pages.step("boxes")
    assert page.count("Not plugged in now") == 2
    assert (button(page, "pair"), button(page, "try")) == ("", "")
    pages.send("/board", act="remove", adapter="1a86:7523:5-1.2", name="shoe")
    assert [board.name for board in read_config(config).boards] == ["keys"]


def tried(pages: Pages, port: str, said: str) -> str:
    """The page once the board on the bench is told to be so."""
    page = pages.send("/board", act="try", adapter=port)
    until = time.monotonic() + 30
    while said not in page:
        assert time.monotonic() < until, page
        time.sleep(0.05)
        page = pages.step("boxes")
    return page


def test_a_box_is_paired_before_it_is_tried(pages: Pages, config: Path, tmp_path: Path, board: TwinPeer) -> None:
    port = str(tmp_path / "board")
    put_board(config, {"name": "shoe", "port": port})
    page = tried(pages, port, "not paired with this computer")
    assert "press Pair" in page
    assert "krupier devices" not in page
    assert 'name="lamp"' not in page
    assert (button(page, "pair"), button(page, "try")) == ("primary", "quiet")
    pages.send("/board", act="leave")
    board.board.jumper = True
    page = pages.send("/board", act="pair", adapter=port)
    assert f"Board {DEVICE.hex()} is paired" in page
    assert "paired ✓" in page
    assert (button(page, "pair"), button(page, "try")) == ("quiet", "primary")
    board.board.jumper = False
    assert 'name="lamp"' in tried(pages, port, "in order")
    pages.step("keeping")  # who goes on without a word has left the bench too: the check asks the board itself
    assert 'name="lamp"' not in pages.step("boxes")
    assert look(port, Policy(KeyFile(default_path()).key_of)).check == "ok"


def test_the_last_step_tells_a_command_that_runs_and_the_tablets_address(pages: Pages, config: Path) -> None:
    assert "No tablet can come in yet" in pages.step("check")
    write_answers(config, {"window.address": "10.0.0.5", "window.port": 9443})
    page = pages.step("check")
    assert "https://10.0.0.5:9443/" in page
    assert "Ctrl-C" in page
    (line,) = re.findall(r'<pre class="print">([^<]*run --config[^<]*)</pre>', page)
    words = shlex.split(line)
    assert words[-1] == str(config.absolute())
    checked = subprocess.run([*words, "--check"], cwd="/", capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 0, checked.stderr


def test_at_the_keyboard_the_same_command_is_told(config: Path) -> None:
    told = CliRunner().invoke(main, ["setup", "--config", str(config), "zone=Europe/Riga"])
    assert typed("run", "--config", str(config)) in told.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_that_no_tablet_reaches_is_told_beside_it_and_at_the_end(
    pages: Pages, config: Path, language: str
) -> None:
    page = pages.step("tablets", language)
    assert all(number in page for number in ("0.0.0.0", "127.0.0.1:"))
    for host, hints in (("127.0.0.1", 1), ("10.0.0.5", 0), ("0.0.0.0", 1)):
        write_answers(config, {"window.address": host})
        window = read_config(config).window
        assert window is not None
        _, _, below = pages.step("check", language).partition(address(window))
        assert below.count('<p class="muted">') == hints
        assert "0.0.0.0" not in address(window)


def test_who_is_missing_to_open_the_table_is_told(pages: Pages, config: Path) -> None:
    assert "2 who may count the float" in pages.step("people")
    assert "1 who may count the float" in pages.send("/person", name="anna", **GOOD_WORDS)
    assert "table: a dealer." in pages.send("/person", name="ewa", role="pit_boss", **GOOD_WORDS)
    assert "Still missing" not in pages.send("/person", name="jan", role="dealer", **GOOD_WORDS)
    assert len(People(config.with_name("data") / "people.db").accounts()) == 3


def test_a_refused_person_keeps_name_and_role_but_no_secret(pages: Pages) -> None:
    pages.send("/person", name="anna", **GOOD_WORDS)
    for name, secrets in (("ewa", {"password": "short-secret", "pin": "8888"}), ("anna", GOOD_WORDS)):
        page = pages.send("/person", name=name, role="surveillance", **secrets)
        assert f'name="name" value="{name}"' in page
        assert '<option value="surveillance" selected>' in page
        assert not any(secret in page for secret in secrets.values())
    assert 'name="name" value=""' in pages.step("people")


def test_the_terminal_is_quiet_while_pages_are_asked_for(config: Path) -> None:
    words = [sys.executable, "-m", "table_controller", "setup", "--browser", "--config", str(config), "--port", "0"]
    served = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert served.stderr is not None
        (place,) = re.findall(r"http://\S+/", served.stderr.readline())
        with urlopen(place, timeout=60) as page:
            assert page.status == 200
    finally:
        served.terminate()
        said, complained = served.communicate(timeout=60)
    assert (said, complained) == ("", "")
