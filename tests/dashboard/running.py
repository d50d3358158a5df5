"""A running table for tests in a browser: the controller and the window as processes of their own, and Chromium."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, ConsoleMessage, Page, WebSocket, sync_playwright

from dashboard.people import People
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.people import Person, Role
from table_controller.core.stimuli import Stimulus
from table_controller.demo.eyes import ScriptedEyes, Spot
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY, Door, DoorClosed, ask_for
from table_controller.port.words import Look, Outcome, Status

CHROMIUM = "/usr/bin/chromium"
SWITCHES = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PASSWORD = "correct horse battery"
PIN = "2580"
SIZES = {"landscape": (1180, 820), "upright": (820, 1180), "phone": (390, 844)}
TECHNICIAN = Person("technician", Role.TECHNICIAN)


@dataclass
class Running:
    """The table at its door, as its devices and other people would use it."""

    data: Path
    controller: "subprocess.Popen[bytes]"
    address: str
    door: Door
    window: "subprocess.Popen[bytes]"
    taps: int = 0

    def __post_init__(self) -> None:
        self.eyes = ScriptedEyes(self.door, "eyes", time.time_ns)

    def status(self) -> Status:
        told = self.door.look(Look())
        assert isinstance(told, Status)
        return told

    def say(self, stimulus: Stimulus, taken: bool = True) -> None:
        """Somebody else asks; it is taken, unless it is meant to be refused."""
        self.taps += 1
        answer = self.door.ask(ask_for(stimulus, f"elsewhere-{self.taps}", self.status().version))
        assert (answer.outcome is Outcome.DONE) is taken, answer

    def open(self, house: str = "classic") -> None:
        chips = dict.fromkeys(houses.house_values(house)["denominations"], 40)  # type: ignore[call-overload]
        opening = (houses.rule_values(house), houses.house_values(house), chips)
        self.say(said.OpenTable(NOBODY, FLOOR, SECOND, *opening))
        self.say(said.LoadShoe(NOBODY, FLOOR))
        self.say(said.SignOn(NOBODY, FLOOR, "dealer"))

    def deal(self, text: str) -> None:
        """Cards as the eyes see them: "box3=8S dealer=6D dealer=## box3.1=?" (face down, not to be read)."""
        for one in text.split():
            where, _, card = one.partition("=")
            self.eyes.lay(spot(where), card, face_down=card == "##", readable=card != "?")

    def part(self, pair: str) -> None:
        """The second card of a pair moves aside: "box3"."""
        self.eyes.shift(spot(pair), 1, spot(f"{pair}.1"))

    def turn(self, card: str) -> None:
        """The hole card is turned."""
        self.eyes.turn(Spot("dealer"), 1, card)


def spot(where: str) -> Spot:
    """A hand on the felt: "dealer", "box3", "box3.1"."""
    slot, _, hand = where.partition(".")
    return Spot(slot, int(hand or 0))


@dataclass
class Screen:
    """A page of a browser, what it was sent through the socket, and what it complained of."""

    page: Page
    sent: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def shows(self, text: str) -> None:
        """Waits until the text is on the page."""
        self.page.get_by_text(text).filter(visible=True).first.wait_for(timeout=8000)

    def hears(self, what: re.Pattern[str]) -> None:
        """Waits until the socket has said it; the browser's words are heard only while its page is waited for."""
        for _ in range(200):
            if self.heard(what):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"the socket never said {what.pattern}")

    def heard(self, what: re.Pattern[str]) -> bool:
        """Whether the socket has said it so far."""
        return any(what.search(text) for text in self.sent)

    def next_line(self, text: str) -> None:
        """Waits until the dealer's next action, or the table page's, is this line."""
        line = self.page.locator(".dealing-next strong, .next strong").first
        for _ in range(160):
            if line.inner_text() == text:
                return
            time.sleep(0.05)
        raise AssertionError(f"{line.inner_text()!r} is shown, not {text!r}")

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.click(timeout=8000)

    def move(self, table: Running, selector: str) -> None:
        """Taps once the screen shows the table as it is, and waits until the tap has moved it on."""
        before = self.up_to_date(table)
        self.tap(selector)
        for _ in range(160):
            if table.status().version != before:
                return
            time.sleep(0.05)
        raise AssertionError(f"{selector} moved nothing")

    def up_to_date(self, table: Running) -> int:
        """The table's version, once the screen shows it; the clock may move the table on meanwhile."""
        for _ in range(160):
            version = table.status().version
            if self.page.locator(f"input[name=version][value='{version}']").count():
                return version
            time.sleep(0.05)
        raise AssertionError(f"the screen does not show version {table.status().version}")


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def start_controller(data: Path, table: str = "T01") -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "table_controller.shell.controller", "--data", str(data), "--table", table]
    return subprocess.Popen(command, env=_environment(), stderr=subprocess.DEVNULL)


@contextmanager
def running(data: Path, language: str, *, peopled: bool = True) -> Iterator[Running]:
    """A controller that answers and a window that is served; both end with the block. `window.log` has its words."""
    if peopled:
        add_people(data, language)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = start_controller(data)
    serve = "import sys; from dashboard.cli import window; window(sys.argv[1:])"
    options = ["--data", str(data), "--port", str(port), "--lang", language]
    with (data / "window.log").open("wb") as log:
        shown = subprocess.Popen([sys.executable, "-c", serve, *options], env=_environment(), stderr=log)
    table = Running(data, controller, f"http://127.0.0.1:{port}", Door(data, "T01"), shown)
    try:
        wait_until_up(table)
        yield table
        assert "cannot be drawn" not in (data / "window.log").read_text("utf-8")
    finally:
        table.door.close()
        for process in (shown, controller):
            process.terminate()
            process.wait(20)


@contextmanager
def another(data: Path, name: str) -> Iterator[None]:
    """One more table of the house, closed."""
    controller, door = start_controller(data, name), Door(data, name)
    try:
        for _ in range(1800):
            try:
                door.look(Look())
                break
            except (DoorClosed, OSError):
                time.sleep(0.1)
        yield
    finally:
        door.close()
        controller.terminate()
        controller.wait(20)


def wait_until_up(table: Running) -> None:
    for _ in range(1800):
        try:
            table.status()
            urlopen(f"{table.address}/sign-in", timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
        except DoorClosed:
            time.sleep(0.1)
    raise AssertionError("the table does not come up")


def add_people(data: Path, language: str) -> None:
    people = People(data / "people.db")
    people.prepare()
    for role in (Role.DEALER, Role.PIT_BOSS, Role.SURVEILLANCE):
        people.add(role.value, role, PASSWORD, "tests", 1)
        people.change(role.value, "pin", PIN, "tests", 1)
        people.change(role.value, "language", language, "tests", 1)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
        yield browser
        browser.close()


def opened(browser: Browser, size: str = "landscape") -> Screen:
    """A tablet or a phone that nobody has signed in at."""
    width, height = SIZES[size]
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    page.set_default_timeout(10_000)
    screen = Screen(page)

    def complained(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            screen.complaints.append(message.text)

    def socket_opened(opened: WebSocket) -> None:
        opened.on("framereceived", lambda data: screen.sent.append(str(data)))

    page.on("console", complained)
    page.on("pageerror", lambda error: screen.complaints.append(str(error)))
    page.on("websocket", socket_opened)
    return screen


def sign_in(browser: Browser, table: Running, who: str, path: str, size: str = "landscape") -> Screen:
    """A screen of that person, on a page of the table; the people of these tests are called what they are."""
    screen = opened(browser, size)
    page = screen.page
    page.goto(f"{table.address}/sign-in")
    page.fill("#name", who)
    page.fill("#password", PASSWORD)
    page.press("#password", "Enter")
    page.wait_for_url(lambda url: not url.endswith("/sign-in"))
    page.goto(f"{table.address}{path}")
    return screen
