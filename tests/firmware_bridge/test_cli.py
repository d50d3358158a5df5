"""`krupier devices` and `krupier monitor` as a technician uses them, on pseudo-terminals."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.events import EventKind
from firmware_bridge.link import open_port
from table_controller.cli import main

from .peers import DEVICE, EVERYTHING

pytestmark = pytest.mark.timeout(60)


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KRUPIER_KEYS", str(tmp_path / "keys.json"))
    monkeypatch.setenv("LC_ALL", "C")
    return tmp_path / "keys.json"


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[TwinPeer]:
    twin = TwinPeer(Board(Eeprom(DEVICE, EVERYTHING)))
    port = PtyPort(twin, tmp_path / "board")
    port.start()
    yield twin
    port.close()


def krupier(*arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments)
    assert "Traceback" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def paired(twin: TwinPeer, path: Path) -> None:
    twin.board.jumper = True
    assert krupier("devices", "pair", "--port", str(path)).exit_code == 0
    twin.board.jumper = False


def test_a_board_is_paired_listed_and_revoked(twin: TwinPeer, tmp_path: Path) -> None:
    path = tmp_path / "board"
    paired(twin, path)
    listed = krupier("devices", "--port", str(path), "--json")
    facts = json.loads(listed.stdout)
    assert listed.exit_code == 0
    assert (facts["ok"], facts["device"], facts["firmware"], facts["paired"]) == (True, DEVICE.hex(), "1.0", True)
    assert facts["fitted"] == "shoe,cut_card,buttons,dealer_keys,bet_sensors,lamps,burn_key"
    assert krupier("devices", "revoke", DEVICE.hex()).exit_code == 0
    after = krupier("devices", "--port", str(path), "--lang", "pl")
    assert after.exit_code == 1
    assert "nie ma klucza" in after.stdout
    assert krupier("devices", "revoke", DEVICE.hex()).exit_code == 1


def test_a_board_without_its_jumper_does_not_let_itself_be_paired(twin: TwinPeer, tmp_path: Path, keys: Path) -> None:
    result = krupier("devices", "pair", "--port", str(tmp_path / "board"))
    assert result.exit_code == 1
    assert "jumper (D5 to GND) is not set" in result.stderr
    assert twin.board.eeprom.key is None
    assert not keys.exists()


@pytest.mark.parametrize(
    ("language", "word"), [("en", "never paired"), ("pl", "nie była parowana"), ("ru", "не сопряжена")]
)
def test_an_unpaired_board_is_refused_in_plain_words(twin: TwinPeer, tmp_path: Path, language: str, word: str) -> None:
    result = krupier("devices", "--port", str(tmp_path / "board"), "--lang", language)
    assert result.exit_code == 1
    assert word in result.stdout
    assert twin.board.ring.first == 1


def test_a_busy_port_is_named_as_busy(twin: TwinPeer, tmp_path: Path) -> None:
    assert twin
    with open_port(str(tmp_path / "board")):
        result = krupier("devices", "--port", str(tmp_path / "board"))
    assert result.exit_code == 1
    assert "in use by another program" in result.stdout


def test_the_monitor_shows_events_and_takes_none_away(twin: TwinPeer, tmp_path: Path) -> None:
    paired(twin, tmp_path / "board")

    def play() -> None:
        time.sleep(0.8)
        twin.note(EventKind.BUTTON_DOWN, 3 << 4 | 1)
        twin.note(EventKind.BEAM_CLEARED, 0, 80_000)
        twin.note(200, 1, 2)

    player = threading.Thread(target=play)
    player.start()
    result = krupier("monitor", "--port", str(tmp_path / "board"), "--seconds", "2", "--raw")
    player.join()
    assert result.exit_code == 0
    for line in ("box 3: hit pressed", "beam 0 clear after 80 ms", "event of unknown kind 200", "> Resume(", "< Pong("):
        assert line in result.stdout
    assert result.stdout.count("box 3: hit pressed") == 1
    assert twin.board.ring.first == 1


def test_the_monitor_says_why_it_cannot_watch(twin: TwinPeer, tmp_path: Path) -> None:
    assert twin
    result = krupier("monitor", "--port", str(tmp_path / "board"), "--seconds", "2")
    assert result.exit_code == 1
    assert "never paired" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["devices", "pair", "--port", "x", "--fitted", "shoe,laser"], "'laser' is none of shoe, second_beam"),
        (["devices", "revoke", DEVICE.hex()], "is not JSON"),
        (["devices", "pair", "--port", "/dev/null"], "is not JSON"),
        (["devices", "--port", "/no/such/port"], "/no/such/port does not exist"),
        (["monitor", "--port", "/no/such/port"], "/no/such/port does not exist"),
    ],
)
def test_an_unusable_request_ends_with_one_line_and_status_two(keys: Path, arguments: list[str], says: str) -> None:
    keys.write_text("{")
    keys.chmod(0o600)
    result = krupier(*arguments)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert says in result.stderr


def test_a_damaged_key_file_is_reported_not_raised_when_a_board_answers(
    twin: TwinPeer, tmp_path: Path, keys: Path
) -> None:
    paired(twin, tmp_path / "board")
    keys.write_text("{")
    result = krupier("devices", "--port", str(tmp_path / "board"))
    assert result.exit_code == 2
    assert "is not JSON" in result.stderr


def test_a_listing_in_json_is_json_where_no_board_is_plugged_in_too() -> None:
    lines = krupier("devices", "--json").stdout.splitlines()
    assert lines
    assert all({"ok", "check", "advice"} <= set(json.loads(line)) for line in lines)
