"""What passes on the boards' lines is kept as it comes: killed or full, what was kept can be read."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.events import EventKind
from firmware_bridge.framing import FrameReader
from firmware_bridge.messages import Events
from firmware_bridge.tape import Passed, Way, read_tape
from table_controller.port.footage import footage_of, tapes_of, video_folder
from table_controller.port.words import Health
from table_controller.shell.controller import now
from table_controller.shell.taping import Taping
from tests.shell.standing import StandingTable, eventually


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "video" / "T07"


@pytest.fixture
def taping(folder: Path) -> Iterator[Taping]:
    made = Taping(folder, now)
    made.start()
    yield made
    made.stop()


def kept(folder: Path) -> list[Passed]:
    return [passed for tape in tapes_of(folder) for _, passed in read_tape(tape)]


def test_what_passes_is_kept_in_order_with_its_time(taping: Taping, folder: Path) -> None:
    shoe, keys = taping.of("shoe"), taping.of("keys")
    shoe(Way.OPENED, 1, b"")
    keys(Way.HEARD, 2, b"\x00\xff")
    shoe(Way.SAID, 3, b"who")
    wanted = [
        Passed("shoe", Way.OPENED, 1),
        Passed("keys", Way.HEARD, 2, b"\x00\xff"),
        Passed("shoe", Way.SAID, 3, b"who"),
    ]
    eventually(lambda: kept(folder) == wanted)
    assert taping.health() == Health("tape", ok=True)


def test_a_tape_is_nobody_elses_to_read(taping: Taping, folder: Path) -> None:
    taping.of("shoe")(Way.OPENED, 1, b"")
    eventually(lambda: bool(tapes_of(folder)))
    assert tapes_of(folder)[0].stat().st_mode & 0o077 == 0


def test_a_folder_that_takes_nothing_is_a_fault_and_nothing_heard_meanwhile_is_lost(
    taping: Taping, folder: Path
) -> None:
    folder.parent.parent.mkdir(exist_ok=True)
    folder.parent.write_text("in the way")
    taping.of("shoe")(Way.HEARD, 1, b"card")
    eventually(lambda: taping.health() == Health("tape", ok=False, detail="cannot_write"))
    taping.of("shoe")(Way.HEARD, 2, b"card")
    folder.parent.unlink()
    eventually(lambda: [passed.at_ns for passed in kept(folder)] == [1, 2])
    eventually(lambda: taping.health().ok)


def test_a_process_that_is_killed_has_kept_all_but_the_last_moment(folder: Path) -> None:
    code = (
        "import sys,time; from pathlib import Path; from firmware_bridge.tape import Way\n"
        "from table_controller.shell.controller import now; from table_controller.shell.taping import Taping\n"
        "taping = Taping(Path(sys.argv[1]), now); taping.start(); keep = taping.of('shoe')\n"
        "while True: at = now().mono_ns; keep(Way.HEARD, at, b'card'); print(at, flush=True); time.sleep(0.01)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True) as process:
        eventually(lambda: len(kept(folder)) > 50, 60)
        process.kill()
        told, _ = process.communicate()
    last_ns = int(told.splitlines()[-1])
    assert last_ns - kept(folder)[-1].at_ns < 2_000_000_000


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[StandingTable]:
    standing = StandingTable(tmp_path, '[camera]\nsource = "rendered:"\nrate = 2\n[recorder]\ngigabytes = 1\n')
    yield standing
    standing.close()


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_running_table_keeps_its_boards_beside_its_video(whole: StandingTable) -> None:
    eventually(lambda: whole.light("tape") is True and whole.light("shoe") is True, 60)
    eventually(lambda: whole.light("recorder") is True, 120)
    whole.draw()
    folder = video_folder(whole.data, "T07")
    eventually(lambda: EventKind.BEAM_CLEARED in heard(folder))
    eventually(lambda: bool(footage_of(folder).segments), 120)


def heard(folder: Path) -> list[int]:
    """The kinds of the events the boards sent."""
    reader, kinds = FrameReader(), list[int]()
    for passed in kept(folder):
        for body in reader.feed(passed.data) if passed.way is Way.HEARD else ():
            if isinstance(body, bytes) and body[0] == Events.KIND:
                kinds += body[9:-8:12]
    return kinds
