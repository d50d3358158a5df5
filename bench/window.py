"""From a fact on disk to a painted screen, with one tablet and with sixty; what sixty cost server and controller.

One real Chromium shows the table; the other tablets are sockets that read, and one that never does. A scripted hand
bets and takes back, four facts a second. Prints a Markdown table; what the figures mean: docs/benchmarks.md.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page
from simple_websocket import Client, ConnectionClosed

from dashboard import create_app
from dashboard.settings import Settings
from table_controller.core import stimuli as said
from table_controller.core.people import Role
from table_controller.play.felt import FLOOR
from table_controller.play.recorded import RecordedFelt
from tests.dashboard.browsing import chromium, serving, sign_in
from tests.dashboard.controller import SmallController
from tests.dashboard.listening import cookie_of
from tests.dashboard.world import PASSWORD, make_felt, make_people, post

TABLETS = 59
SPACING_S = 0.25
APPENDS = 5
"""So many times the facts of the other measures: a 99th percentile wants many."""
GIVES_WAY = 15
PANELS = "T01/next,T01/alert_line,T01/felt,T01/round,T01/lights"
NOTE_PAINTS = """
window.paints = [];
document.addEventListener('krupier:panel', (event) => {
  if (event.detail.panel !== 'T01/felt') return;
  requestAnimationFrame(() => setTimeout(() => window.paints.push(performance.timeOrigin + performance.now()), 0));
});
"""


def percentile(values: Sequence[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


class Hand(threading.Thread):
    """Bets and takes back; notes when each fact was on disk and how long the append took, both in ms."""

    def __init__(self, felt: RecordedFelt, number: int, spacing_s: float) -> None:
        super().__init__(daemon=True)
        self._felt, self._number, self._spacing = felt, number, spacing_s
        self.on_disk: list[float] = []
        self.appends: list[float] = []

    def run(self) -> None:
        for turn in range(self._number):
            box = turn // 2 % 7 + 1
            cause = self._felt.cause()
            begin = time.perf_counter()
            if turn % 2 == 0:
                self._felt.say(said.PlaceBet(cause, FLOOR, box, 500))
            else:
                self._felt.say(said.TakeBack(cause, FLOOR, box))
            self.on_disk.append(time.time() * 1000)
            self.appends.append((time.perf_counter() - begin) * 1000)
            time.sleep(self._spacing)


def painted(page: Page, hand: Hand) -> list[float]:
    """How long after each fact the felt was painted anew."""
    page.evaluate("window.paints = []")
    hand.start()
    while hand.is_alive():
        page.wait_for_timeout(200)
    page.wait_for_timeout(1000)
    paints: list[float] = page.evaluate("window.paints")
    found = []
    for at, following in zip(hand.on_disk, [*hand.on_disk[1:], float("inf")], strict=True):
        after = [paint for paint in paints if at <= paint < following + SPACING_S * 4000]
        if after:
            found.append(after[0] - at)
    return found


@contextmanager
def tablets(address: str, cookie: str, number: int, *, stalled: bool = False) -> Iterator[None]:
    """So many connected pages, in a process of their own; one of them may never read."""
    if not number:
        yield
        return
    arguments = [sys.executable, __file__, "--connect", address, "--cookie", cookie, "--tablets", str(number)]
    process = subprocess.Popen([*arguments, *(["--stalled"] if stalled else [])], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def connect(address: str, cookie: str, number: int, *, stalled: bool) -> None:
    """The other process: pages that read and forget. Tablets are other machines, so it gives way to everything here."""
    os.nice(GIVES_WAY)
    host = address.removeprefix("http://")
    url = f"ws://{host}/socket.io/?EIO=4&transport=websocket&panels={PANELS}"
    headers = {"Cookie": cookie, "Origin": f"http://{host.split(':')[0]}"}
    pages = [Client.connect(url, headers=headers) for _ in range(number)]
    for at, page in enumerate(pages):
        page.send("40")
        if not (stalled and at == 0):
            threading.Thread(target=_read, args=(page,), daemon=True).start()
    print("connected", flush=True)
    threading.Event().wait()


def _read(page: Client) -> None:
    try:
        while True:
            if page.receive() == "2":
                page.send("3")
    except ConnectionClosed:
        return


def rss_mb(address: str) -> float:
    """The serving worker's memory: of the processes of this command, the one that uses most."""
    port = address.rsplit(":", 1)[1]
    found = [0.0]
    for folder in Path("/proc").iterdir():
        try:
            if f"--port\0{port}\0" in (folder / "cmdline").read_text():
                line = next(one for one in (folder / "status").read_text().splitlines() if one.startswith("VmRSS"))
                found.append(int(line.split()[1]) / 1024)
        except (OSError, UnicodeDecodeError, StopIteration):
            continue
    return max(found)


def measure(address: str, browser: Browser, felt: RecordedFelt, cookie: str, facts: int) -> dict[str, str]:
    """Everything that is measured with the window running."""
    page = browser.new_page()
    sign_in(page, address, Role.PIT_BOSS.value)
    page.goto(f"{address}/tables/T01")
    page.evaluate(NOTE_PAINTS)
    page.wait_for_timeout(2000)
    told = {}
    for number in (0, TABLETS):
        with tablets(address, cookie, number):
            page.wait_for_timeout(2000)
            times = painted(page, Hand(felt, facts, SPACING_S))
            told[f"fact on disk to painted, {number + 1} tablets"] = (
                f"p50 {statistics.median(times):.0f} ms, p95 {percentile(times, 0.95):.0f} ms ({len(times)} of {facts})"
            )
    return {**told, **_appends(address, felt, cookie, facts)}


def _appends(address: str, felt: RecordedFelt, cookie: str, facts: int) -> dict[str, str]:
    alone: list[float] = []
    crowded: list[float] = []
    for turn in range(6):
        number, kept = (TABLETS + 1, crowded) if turn % 2 else (0, alone)
        with tablets(address, cookie, number, stalled=True):
            time.sleep(1)
            hand = Hand(felt, APPENDS * facts // 3, SPACING_S / 10)
            hand.start()
            hand.join()
            kept += hand.appends
    one, other = percentile(alone, 0.99), percentile(crowded, 0.99)
    return {
        "controller's append p99, no tablet": f"{one:.2f} ms",
        "controller's append p99, 60 tablets, one stalled": f"{other:.2f} ms = {other / one:.2f}x",
    }


def memory(address: str, felt: RecordedFelt, cookie: str, minutes: float) -> dict[str, str]:
    """The worker's memory with sixty tablets at ten times speed."""
    marks = []
    with tablets(address, cookie, TABLETS + 1):
        time.sleep(5)
        for _ in range(5):
            marks.append(rss_mb(address))
            hand = Hand(felt, int(minutes * 60 / 5 / (SPACING_S / 10)), SPACING_S / 10)
            hand.start()
            hand.join()
        marks.append(rss_mb(address))
    line = ", ".join(f"{mark:.0f}" for mark in marks)
    return {f"server memory over {minutes:g} min of 40 facts/s with 60 tablets": f"{line} MB"}


def main(facts: int, minutes: float) -> None:
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-window-") as name:
        data = Path(name)
        felt = make_felt(data)
        make_people(data)
        controller = SmallController(data, felt)
        controller.start()
        app = create_app(Settings(data=data))
        client = app.test_client()
        post(client, "/sign-in", name=Role.PIT_BOSS.value, password=PASSWORD)
        felt.say(said.LoadShoe(felt.cause(), FLOOR))
        felt.command(said.OpenBets(felt.cause(), FLOOR))
        with serving(data, "--lang", "en") as address, chromium() as browser:
            told = measure(address, browser, felt, cookie_of(client), facts)
            told |= memory(address, felt, cookie_of(client), minutes)
        controller.stop()
        felt.recorder.leave()
    print("| | |\n| --- | --- |")
    for what, value in told.items():
        print(f"| {what} | {value} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--connect")
    parser.add_argument("--cookie")
    parser.add_argument("--tablets", type=int, default=TABLETS)
    parser.add_argument("--stalled", action="store_true")
    given = parser.parse_args()
    if given.connect:
        connect(given.connect, given.cookie, given.tablets, stalled=given.stalled)
    else:
        main(given.facts, given.minutes)
