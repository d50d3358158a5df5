"""Every red line there is: produced on purpose, and no longer red once its own advice was followed."""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import Distribution
from importlib.resources import files
from pathlib import Path
from threading import Thread

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.greeting import Policy
from firmware_bridge.keys import KeyFile, default_path
from firmware_bridge.visit import look
from table_controller.cli import main
from table_controller.core.house import Language
from table_controller.doctor import camera, eyes, links, machine, measured, record, sharing, software, table, window
from table_controller.doctor.examine import examine
from table_controller.doctor.finding import Colour, Finding
from table_controller.doctor.wording import mended
from table_controller.journal.backup import back_up
from table_controller.journal.keys import key_path, make_key
from table_controller.journal.naming import journal_path
from table_controller.setup.measuring import keep, measure
from tests.doctor.test_texts import said
from tests.evening import EveningClock, open_felt, open_house
from tests.firmware_bridge.peers import DEVICE, EVERYTHING
from tests.setup.test_measuring import PLAN, stills
from tests.shell.standing import TABLE, StandingTable
from vision import weights
from vision.frames import CameraLost, Frame
from vision.installing import save
from vision.rendered.paint import view
from vision.table_view import Table

Fault = Callable[[Path], Iterator[Finding]]
FAULTS: dict[str, Fault] = {}
ROOM_TAKEN = 300 << 20
OLD_H = 3600 * 30


def fault(produced: Fault) -> Fault:
    """A red line by its name: first it is found, then its advice is followed and it is asked for again."""
    FAULTS[produced.__name__] = produced
    return produced


def follow(finding: Finding, **instead: Path) -> None:
    """Runs the command that the advice ends with; words in capitals stand for what only the reader knows."""
    _, _, told = mended(finding, Language.ENGLISH).rpartition("krupier ")
    words = [str(instead.get(word, word)) for word in told.split()]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, (words, done.output)


@pytest.mark.slow
@pytest.mark.parametrize("state", [state for colour, _, state in sorted(said()) if colour == "red"])
def test_a_red_line_is_mended_by_its_own_advice(state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRUPIER_KEYS", str(tmp_path / "pairing.json"))
    found = FAULTS[state](tmp_path)
    first = next(found)
    assert (first.colour, first.state) == (Colour.RED, state)
    assert mended(first, Language.ENGLISH)
    (after,) = found
    assert (after.check, after.colour is Colour.RED) == (first.check, False), after


# -- the computer


@fault
def python_old(_: Path) -> Iterator[Finding]:
    yield software.python("3.10.14")
    yield software.python()


@fault
def sqlite_old(_: Path) -> Iterator[Finding]:
    yield software.sqlite("3.34.1")
    yield software.sqlite()


@fault
def libraries_wrong(folder: Path) -> Iterator[Finding]:
    told = folder / "krupier-9.dist-info" / "METADATA"
    told.parent.mkdir()
    told.write_text("Metadata-Version: 2.1\nName: krupier\nVersion: 9\nRequires-Dist: click>=900\n")
    yield software.libraries(Distribution.at(told.parent))
    yield software.libraries()


@fault
def folder_unusable(folder: Path) -> Iterator[Finding]:
    found = machine.room(folder / "krupier", 0)
    yield found
    *_, name = mended(found, Language.ENGLISH).split()
    Path(name).mkdir()
    yield machine.room(folder / "krupier", 0)


@fault
def room_short(folder: Path) -> Iterator[Finding]:
    """Old video is moved to another disk."""
    video = folder / "old.ts"
    with video.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, ROOM_TAKEN)
    least = (shutil.disk_usage(folder).free + ROOM_TAKEN / 2) / machine.GIGABYTE
    yield machine.room(folder, least)
    video.unlink()
    yield machine.room(folder, least)


@fault
def disk_slow(folder: Path) -> Iterator[Finding]:
    yield machine.disk(folder, 0.0)
    yield machine.disk(folder, 60_000)


# -- the record


@fault
def key_unusable(folder: Path) -> Iterator[Finding]:
    found = record.key(folder / "house.key")
    yield found
    follow(found)
    yield record.key(folder / "house.key")


def recorded(folder: Path) -> Path:
    """A day that was played."""
    path = journal_path(folder / "data", "T01", "2026-11-29")
    felt = open_felt(path, make_key(folder / "data" / "keys" / "house.key"), EveningClock())
    open_house(felt)
    felt.recorder.leave()
    return path


@fault
def journal_bad(folder: Path) -> Iterator[Finding]:
    day, kept = recorded(folder), folder / "kept"
    back_up(day, kept)
    day.write_bytes(day.read_bytes().replace(b"dealer-1", b"dealer-2"))
    found = record.newest_day(day.parent)
    yield found
    follow(found, COPY=kept / day.name)
    yield record.newest_day(day.parent)


def of_yesterday(folder: Path) -> Path:
    """A day that was played and has lain since then."""
    day = recorded(folder)
    long_ago = day.stat().st_mtime - OLD_H
    os.utime(day, (long_ago, long_ago))
    return day


@fault
def copies_nowhere(folder: Path) -> Iterator[Finding]:
    day, kept = of_yesterday(folder), folder / "kept"
    yield record.copies(day.parent, None)
    back_up(day, kept)
    yield record.copies(day.parent, kept)


@fault
def copies_none(folder: Path) -> Iterator[Finding]:
    day, kept = of_yesterday(folder), folder / "kept"
    found = record.copies(day.parent, kept)
    yield found
    follow(found)
    yield record.copies(day.parent, kept)


@fault
def copies_old(folder: Path) -> Iterator[Finding]:
    day, kept = recorded(folder), folder / "kept"
    back_up(day, kept)
    long_ago = day.stat().st_mtime - OLD_H
    os.utime(kept / day.name, (long_ago, long_ago))
    found = record.copies(day.parent, kept)
    yield found
    follow(found)
    yield record.copies(day.parent, kept)


@fault
def rules_unusable(folder: Path) -> Iterator[Finding]:
    own = folder / "own.toml"
    written = (Path(str(files("table_controller"))) / "rules" / "classic.toml").read_text("utf-8")
    own.write_text(re.sub(r"(?m)^decks = .*$", "decks = 99", written))
    yield record.rules(str(own))
    told = CliRunner().invoke(main, ["rules", "check", str(own)])
    assert "decks" in told.output
    own.write_text(written)
    yield record.rules(str(own))


# -- the eyes and the camera


def shipped() -> Path:
    return next(place for place in weights.PLACES if (place / "manifest.toml").exists())


@fault
def eyes_unusable(folder: Path) -> Iterator[Finding]:
    copy = Path(shutil.copytree(shipped(), folder / "models"))
    (copy / "detector.onnx").write_bytes(b"something else")
    yield eyes.recogniser((copy,))
    shutil.copytree(shipped(), copy, dirs_exist_ok=True)
    yield eyes.recogniser((copy,))


@fault
def eyes_wrong(folder: Path) -> Iterator[Finding]:
    shown = Path(shutil.copytree(eyes.PICTURE, folder / "shown"))
    (shown / "table.json").write_text('["AS"]')
    yield eyes.recogniser(shown=shown)
    yield eyes.recogniser()


class Camera:
    """Shows a grey felt with a card; slow with large pictures, and with its own idea of an exposure if so told."""

    def __init__(
        self, light: int = 100, *, high: int = 360, moving: bool = True, exposure: float | None = None
    ) -> None:
        self.light, self.high, self.moving, self.exposure = light, high, moving, exposure
        self.taken = 0

    def read(self) -> Frame:
        self.taken += 1
        time.sleep(0.2 if self.high > 1000 else 0.0)
        noise = np.random.default_rng(self.taken if self.moving else 0)
        felt = np.full((self.high, self.high * 16 // 9, 3), self.light, np.uint8)
        cv2.rectangle(felt, (200, 100), (300, 250), (min(245, self.light * 2),) * 3, -1)
        return Frame(np.asarray(felt + noise.integers(0, 9, felt.shape), np.uint8), self.taken)

    def set(self, _name: str, value: float) -> bool:
        self.exposure = value if self.exposure is None else self.exposure
        return True

    def get(self, _name: str) -> float:
        return self.exposure or 0.0

    def close(self) -> None:
        self.taken = 0


def looked(device: Camera, check: str, exposure: float = 100.0) -> Finding:
    findings = camera.camera(lambda: device, {"exposure": exposure})
    return next(finding for finding in findings if finding.check == check)


def test_a_good_camera_is_green_all_over() -> None:
    assert {one.colour for one in camera.camera(Camera, {"exposure": 100.0})} == {Colour.GREEN}


@fault
def camera_lost(_: Path) -> Iterator[Finding]:
    def unplugged() -> Camera:
        raise CameraLost("camera: no picture; check plug and cable")

    yield from camera.camera(unplugged, {})
    yield looked(Camera(), "camera")


@fault
def camera_frozen(_: Path) -> Iterator[Finding]:
    yield looked(Camera(moving=False), "camera")
    yield looked(Camera(), "camera")


@fault
def camera_slow(_: Path) -> Iterator[Finding]:
    yield looked(Camera(high=1080), "camera")
    yield looked(Camera(high=720), "camera")


@fault
def settings_loose(_: Path) -> Iterator[Finding]:
    """It knows 157 and nothing else."""
    yield looked(Camera(exposure=157.0), "settings", 100.0)
    yield looked(Camera(exposure=157.0), "settings", 157.0)


@fault
def picture_bad(_: Path) -> Iterator[Finding]:
    yield looked(Camera(4), "picture")
    yield looked(Camera(100), "picture")


@fault
def calibration_changed(folder: Path) -> Iterator[Finding]:
    key, file = make_key(folder / "house.key"), folder / "calibration.json"
    (folder / "markers.toml").write_text(PLAN)
    keep(measure(Table(stills(folder / "first")), folder / "markers.toml"), file, key)
    file.write_bytes(file.read_bytes() + b" ")
    yield measured.calibration(file, folder / "house.key")
    keep(measure(Table(stills(folder / "again")), folder / "markers.toml"), file, key)
    yield measured.calibration(file, folder / "house.key")


def two_cameras(folder: Path) -> Table:
    """The first of a table's cameras, and the other beside it."""
    for number in (1, 2):
        save(view(1920, 1080, number), folder / f"{number}.json")
    beside = Table("usb:2", calibration=folder / "2.json")
    return Table("usb:1", calibration=folder / "1.json", jumbo=True, beside=beside)


@fault
def felt_badly_shared(folder: Path) -> Iterator[Finding]:
    """The second camera shows a third of what it should: what lies before it is left to the first, and too small."""
    table = two_cameras(folder)
    assert table.beside is not None
    yield sharing.felt_shared(replace(table, jumbo=False, beside=replace(table.beside, width=640)))
    yield sharing.felt_shared(table)


@fault
def felt_unknown(folder: Path) -> Iterator[Finding]:
    table = two_cameras(folder)
    (folder / "2.json").write_text("{}")
    yield sharing.felt_shared(table)
    yield sharing.felt_shared(two_cameras(folder))


# -- the boxes


def asked(port: Path, wanted: tuple[str, ...] = ()) -> Finding:
    visits = [look(str(port), Policy(KeyFile(default_path()).key_of))] if port.exists() else []
    return links.boards(visits, wanted)[0]


@contextmanager
def plugged(port: Path) -> Iterator[Board]:
    """A board that nobody paired yet, its jumper set."""
    board = Board(Eeprom(DEVICE, EVERYTHING))
    board.jumper = True
    pty = PtyPort(TwinPeer(board), port)
    pty.start()
    yield board
    pty.close()


def pair(port: Path, board: Board) -> None:
    """The jumper is drawn once that is done."""
    done = CliRunner().invoke(main, ["devices", "pair", "--port", str(port)])
    assert done.exit_code == 0, done.output
    board.jumper = False


@fault
def board_missing(folder: Path) -> Iterator[Finding]:
    port = folder / "board"
    yield asked(port, (DEVICE.hex(),))
    with plugged(port) as board:
        pair(port, board)
        yield asked(port, (DEVICE.hex(),))


@fault
def board_refused(folder: Path) -> Iterator[Finding]:
    port = folder / "board"
    with plugged(port) as board:
        yield asked(port)
        told = CliRunner().invoke(main, ["devices", "--port", str(port), "--lang", "en"])
        assert "krupier devices pair" in told.output
        pair(port, board)
        yield asked(port)


# -- the table, its window, its configuration


@fault
def config_bad(folder: Path) -> Iterator[Finding]:
    make_key(folder / "data" / "keys" / "house.key")
    config = folder / "table.toml"
    config.write_text('table = "T 1"\ndata = "data"\n')
    yield next(found for found in examine(config) if found.check == "config")
    config.write_text('table = "T1"\ndata = "data"\n')
    yield next(found for found in examine(config) if found.check == "config")


class _Page(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


class _Failing(_Page):
    status = 500


def served(page: type[_Page], port: int = 0) -> HTTPServer:
    server = HTTPServer(("127.0.0.1", port), page)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def end(server: HTTPServer) -> None:
    server.shutdown()
    server.server_close()


@fault
def window_faulty(_: Path) -> Iterator[Finding]:
    failing, well = served(_Failing), served(_Page)
    yield window.window(f"http://127.0.0.1:{failing.server_port}/")
    yield window.window(f"http://127.0.0.1:{well.server_port}/")
    end(failing)
    end(well)


@fault
def window_silent(_: Path) -> Iterator[Finding]:
    first = served(_Page)
    address, port = f"http://127.0.0.1:{first.server_port}/", first.server_port
    end(first)
    yield window.window(address)
    second = served(_Page, port)
    yield window.window(address)
    end(second)


def until(standing: StandingTable, state: str) -> Finding:
    """What the running table says of itself, once it says this."""
    for _ in range(600):
        found = table.running_table(standing.data, TABLE, standing.config)[0]
        if found.state == state:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{state} never came, but {found}")


@fault
def table_light(folder: Path) -> Iterator[Finding]:
    """The shoe's cable is out, and in again."""
    with closing(StandingTable(folder)) as standing:
        until(standing, "table_well")
        standing.pty.close()
        yield until(standing, "table_light")
        standing.pty = PtyPort(standing.peer, standing.port)
        standing.pty.start()
        yield until(standing, "table_well")


@fault
def table_down(folder: Path) -> Iterator[Finding]:
    """The house's key is not where it was; it is put back from the safe."""
    with closing(StandingTable(folder)) as standing:
        standing.process.terminate()
        standing.process.wait(60)
        key, safe = key_path(standing.data), folder / "safe"
        key.rename(safe)
        standing.launch()
        yield until(standing, "table_down")
        safe.rename(key)
        yield until(standing, "table_well")
