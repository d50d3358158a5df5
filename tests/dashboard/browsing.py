"""The window in a real browser: served by the command itself, seen by Debian's Chromium."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.dashboard.world import PASSWORD

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SIZES = [(1180, 820), (820, 1180), (390, 844)]
AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def free_port() -> int:
    with contextlib.closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def serving(data: Path, *options: str) -> Iterator[str]:
    """`krupier window` in a process of its own; its address."""
    port = free_port()
    krupier = str(Path(sys.executable).with_name("krupier"))
    command = [krupier, "window", "--data", str(data), "--port", str(port), *options]
    log = (data / "window.log").open("wb")
    process = subprocess.Popen(command, stderr=log, stdout=log, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)
        log.close()


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), contextlib.closing(socket.create_connection(("127.0.0.1", port), 1)):
            return
        time.sleep(0.1)
    raise AssertionError("the window does not come up")


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


def sign_in(page: Page, address: str, name: str) -> None:
    """By name and password."""
    page.goto(f"{address}/sign-in")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.click("button.primary")
    page.wait_for_url("**/tables**")


def type_pins(page: Page, own: str, second: str = "", second_pin: str = "") -> None:
    """Fills the dialog that asks for proof, on its own keys."""
    page.wait_for_selector("#proof[open]")
    for digit in own:
        page.click(f'[data-pad="own-pin"] [data-key="{digit}"]')
    if second:
        page.select_option("#second-name", second)
        for digit in second_pin:
            page.click(f'[data-pad="second-pin"] [data-key="{digit}"]')
    page.click("#proof button[value=yes]")
