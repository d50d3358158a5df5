"""The set-up in a real browser: from an empty folder to a table that may open, a board tried key by key on the way."""

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from dashboard.people import People
from firmware_bridge.emulator.device import Board
from firmware_bridge.emulator.memory import Eeprom
from firmware_bridge.emulator.pty_port import PtyPort, TwinPeer
from firmware_bridge.events import EventKind
from table_controller.config import read_config
from table_controller.core.house import Language
from table_controller.setup.file import put_board
from table_controller.setup.steps import STEPS
from table_controller.setup.web import create_setup
from tests.firmware_bridge.peers import DEVICE, EVERYTHING

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
CODE = "4f2a"
CHROMIUM = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
SIZES = {"tablet": (1180, 820), "upright": (820, 1180), "phone": (390, 844)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=[*CHROMIUM, "--no-first-run"])
        yield browser
        browser.close()


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("KRUPIER_KEYS", str(tmp_path / "pairing.json"))
    server = make_server("127.0.0.1", 0, create_setup(tmp_path / "table.toml", CODE), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1180, "height": 820})
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Kod").fill(CODE)
    page.get_by_role("button", name="Zacznij").click()
    yield page
    context.close()


@pytest.fixture
def board(tmp_path: Path) -> Iterator[TwinPeer]:
    twin = TwinPeer(Board(Eeprom(DEVICE, EVERYTHING)))
    twin.board.jumper = True
    port = PtyPort(twin, tmp_path / "board")
    port.start()
    yield twin
    port.close()


def go_on(page: Page) -> None:
    page.get_by_role("button", name="Save and go on").click()


def video(path: Path) -> Path:
    """A felt with a bright card on it."""
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 15, (640, 360))
    for number in range(30):
        felt = np.full((360, 640, 3), (60, 110, 60), np.uint8)
        cv2.rectangle(felt, (250 + number, 120), (330 + number, 240), (240, 240, 240), -1)
        film.write(felt)
    film.release()
    return path


def test_from_an_empty_folder_to_a_table_that_may_open(page: Page, tmp_path: Path, board: TwinPeer) -> None:
    page.get_by_role("link", name="EN", exact=True).click()
    page.get_by_label("Name of the table").fill("T07")
    page.get_by_label("Language of the screens").select_option("en")
    go_on(page)
    page.get_by_role("link", name="Golden Wolf").click()
    expect(page.get_by_role("row", name="Blackjack pays")).to_contain_text("3:2")
    page.get_by_role("button", name="These are our rules").click()
    film = video(tmp_path / "felt.mp4")
    page.get_by_label("Camera over the felt").fill(f"file:{film}")
    go_on(page)
    page.get_by_role("link", name="Camera").click()
    seen = page.get_by_role("img", name="What this camera sees now")
    for _ in range(100):
        if seen.evaluate("image => image.complete"):
            break
        page.wait_for_timeout(100)
    assert seen.evaluate("image => image.naturalWidth") == 640
    put_board(tmp_path / "table.toml", {"name": "shoe", "port": str(tmp_path / "board")})
    try_the_board(page, board)
    page.get_by_role("link", name="Keeping").click()
    go_on(page)
    go_on(page)
    page.get_by_role("link", name="Tablets").click()
    expect(page.locator("pre.print")).to_contain_text(":")
    page.get_by_role("link", name="People").click()
    for name, fields in (("anna", {}), ("jan", {"Role": "dealer"})):
        add_person(page, name, fields)
    page.get_by_role("link", name="Check").click()
    expect(page.get_by_role("status")).to_contain_text("Ready: nothing is red")
    config = read_config(tmp_path / "table.toml")
    assert (config.table, config.rules, len(config.boards)) == ("T07", "golden_wolf", 1)
    roles = {one.name: (one.role.value, one.has_pin) for one in People(tmp_path / "data" / "people.db").accounts()}
    assert roles == {"anna": ("administrator", True), "jan": ("dealer", True)}


def try_the_board(page: Page, board: TwinPeer) -> None:
    """Paired by its jumper, then a key is heard and a lamp is lit."""
    page.get_by_role("link", name="Boxes").click()
    page.get_by_role("button", name="Pair").click()
    board.board.jumper = False
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text("in order")).to_be_visible(timeout=15_000)
    board.note(EventKind.BUTTON_DOWN, 3 << 4 | 1)
    expect(page.get_by_text("box 3: hit pressed")).to_be_visible(timeout=15_000)
    page.get_by_role("button", name="24", exact=True).click()
    expect(page.get_by_role("button", name="24", exact=True)).to_have_attribute("aria-pressed", "true")
    for _ in range(200):
        if board.board.lamps == 1 << 24:
            break
        page.wait_for_timeout(50)
    assert board.board.lamps == 1 << 24
    page.get_by_role("button", name="Done with this box").click()


def add_person(page: Page, name: str, fields: dict[str, str]) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    for label, value in fields.items():
        page.get_by_label(label, exact=True).select_option(value)
    page.get_by_label("Password").fill("correct horse staple")
    page.get_by_label("PIN").fill("7391")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("listitem").filter(has_text=name)).to_be_visible()


def test_a_wrong_answer_is_told_on_the_page_and_nothing_is_written(page: Page, tmp_path: Path) -> None:
    page.get_by_label("Nazwa stołu").fill("T 1 !")
    page.get_by_role("button", name="Zapisz i dalej").click()
    expect(page.get_by_role("alert")).to_contain_text("table")
    assert not (tmp_path / "table.toml").exists()


@pytest.mark.parametrize("language", [one.value for one in Language])
def test_every_step_fits_every_screen_in_every_language(page: Page, address: str, language: str) -> None:
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        for step in STEPS:
            page.goto(f"{address}/step/{step.name}?lang={language}")
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (step.name, width)
            small = page.evaluate(
                "[...document.querySelectorAll('button, .button, input, select')]"
                ".filter(e => e.type != 'hidden' && e.getBoundingClientRect().height < 47).map(e => e.outerHTML)"
            )
            assert small == [], (step.name, width)


def test_without_the_code_nothing_is_shown_or_saved(browser: Browser, address: str, tmp_path: Path) -> None:
    context = browser.new_context()
    for path in ("/", "/step/place", "/step/check", "/camera.jpg?source=file:x"):
        answer = context.request.get(address + path)
        assert answer.url.endswith("/code")
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Kod").fill("0000")
    page.get_by_role("button", name="Zacznij").click()
    expect(page.get_by_role("heading")).to_have_text("403")
    assert context.request.post(f"{address}/step/place", form={"table": "T09"}).status == 400
    assert not (tmp_path / "table.toml").exists()
    context.close()
