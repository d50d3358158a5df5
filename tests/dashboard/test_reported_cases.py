"""Failures that users of similar dashboards reported (area d of the reports), on our window; named by their numbers."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from http.client import HTTPConnection
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from flask.testing import FlaskClient

from dashboard.desk.searching import wanted
from dashboard.i18n import Speech
from table_controller.core import stimuli as said
from table_controller.core.cards import cards
from table_controller.core.house import Language
from table_controller.core.people import Role
from table_controller.core.places import Place
from table_controller.core.stimuli import DeviceBack, DeviceLost, Moved
from table_controller.journal.keys import load_key, make_key
from table_controller.journal.record import Moment
from table_controller.play.felt import FLOOR
from table_controller.port.client import NOBODY
from table_controller.shell.days import Days
from tests.dashboard.listening import Page, cookie_of, served
from tests.dashboard.running import chromium, running, sign_in
from tests.dashboard.world import World, command, make_world
from tests.evening import move_money, nobody_warns

PATIENCE = 10.0
PULSE = re.compile("pulse")


@pytest.fixture
def port(world: World) -> Iterator[int]:
    with served(world.app) as found:
        yield found


def drop(world: World) -> None:
    move_money(world.felt, Moved.DROP, 500, 1)


def shown(page: Page, panel: str = "T01/lights") -> str:
    """A panel as the page shows it now."""
    told = [body["html"] for name, body in page.heard if name == "panel" and body["panel"] == panel]
    return str(told[-1]) if told else ""


def wait_until(true: object, seconds: float = 5.0) -> None:
    assert callable(true)
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def test_d01_a_page_that_was_away_is_brought_up_to_date_before_it_can_act(world: World, port: int) -> None:
    boss = world.signed_in(Role.PIT_BOSS)
    stays, drops = Page(port, cookie_of(boss)), Page(port, cookie_of(boss))
    drops.wait("pulse")
    old = world.felt.state.version
    drops.leave()
    world.felt.say(DeviceLost(world.felt.cause(), "camera"))
    for _ in range(3):
        drop(world)
    world.caught_up()
    stale = command(world, boss, "load_shoe", version=old)
    assert (stale.status_code, stale.json and stale.json["outcome"]) == (409, "stale")
    world.caught_up()
    back = Page(port, cookie_of(boss))
    for page in (back, stays):
        wait_until(lambda page=page: page.wait("pulse")["tables"]["T01"]["version"] == world.felt.state.version)
        wait_until(lambda page=page: "not working" in shown(page))
    back.leave()
    stays.leave()


def deal_eleven(world: World) -> None:
    """Box 1 has bet 10 and holds eleven; the dealer shows a six."""
    felt = world.felt
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 1000))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    felt.cards = iter(cards("5S 6H 6D TC"))
    for _ in range(4):
        felt.deal()
    world.caught_up()


def stake(world: World) -> int:
    hand = world.felt.round.hand(Place(1))
    assert hand is not None
    return hand.stake


@pytest.mark.parametrize("same", [True, False])
def test_d03_a_double_tap_doubles_once(world: World, same: bool) -> None:
    dealer = world.signed_in(Role.DEALER)
    deal_eleven(world)
    version = world.felt.state.version
    taps = ("tap-aaaaaaaa", "tap-aaaaaaaa" if same else "tap-bbbbbbbb")
    told = []
    for tap in taps:
        told.append(command(world, dealer, "signal", id=tap, version=version, box=1, hand=0, action="double"))
        time.sleep(0.08)
    assert told[0].status_code == 200, told[0].json
    assert told[1].status_code == (200 if same else 409)
    assert stake(world) == 2000
    again = command(world, dealer, "signal", version=world.felt.state.version, box=1, hand=0, action="double")
    assert again.status_code == 409
    assert stake(world) == 2000


def test_d03_after_three_reconnects_a_change_is_told_once(world: World, port: int) -> None:
    cookie = cookie_of(world.signed_in(Role.PIT_BOSS))
    for _ in range(3):
        page = Page(port, cookie)
        page.wait("pulse")
        page.leave()
    page = Page(port, cookie)
    page.wait("pulse")
    before = len([name for name, _ in page.heard if name == "panel"])
    world.felt.say(DeviceLost(world.felt.cause(), "camera"))
    world.caught_up()
    wait_until(lambda: "not working" in page.wait("panel")["html"])
    pulses = len([name for name, _ in page.heard if name == "pulse"])
    wait_until(lambda: len([name for name, _ in page.heard if name == "pulse"]) > pulses + 1)
    digests = [body["digest"] for name, body in page.heard if name == "panel"]
    assert len(digests) == len(set(digests))
    assert len(digests) > before
    page.leave()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def window(data: Path, **environment: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The window as a house starts it: a process of its own, gunicorn, one worker."""
    number = free_port()
    code = "from dashboard.cli import window; window()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--data", str(data), "--port", str(number), "--lang", "en"],
        env={**os.environ, **environment},
    )
    try:
        wait_until(lambda: answers(number), 20.0)
        yield process, number
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait(10)


def answers(number: int) -> bool:
    with contextlib.suppress(OSError), contextlib.closing(HTTPConnection("127.0.0.1", number, timeout=2)) as browser:
        browser.request("GET", "/sign-in")
        return browser.getresponse().status in (200, 302)
    return False


def workers(process: subprocess.Popen[bytes]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(child) for child in children]


def test_d05_an_event_from_an_ordinary_thread_arrives_while_another_computes(world: World) -> None:
    """The shipped server: gunicorn. Its feed is a plain thread; meanwhile another draws pages without a pause.

    Every event arrives, one after the other, while the drawing goes on.
    """
    client, done = world.signed_in(Role.PIT_BOSS), threading.Event()
    with window(world.data) as (_, port):
        page = Page(port, cookie_of(client), "T01/next")
        page.wait("pulse", 20.0)
        busy = threading.Thread(target=draw_pages, args=(port, cookie_of(client), done))
        busy.start()
        time.sleep(0.5)
        for at in range(4):
            told_of(world, page, lost=at % 2 == 0)
            assert busy.is_alive()
        done.set()
        busy.join()
        page.leave()


def told_of(world: World, page: Page, *, lost: bool) -> None:
    """The dealer's next line becomes another because the shoe is lost, or back."""
    kind, before = DeviceLost if lost else DeviceBack, shown(page, "T01/next")
    world.felt.say(kind(world.felt.cause(), "shoe"))
    wait_until(lambda: shown(page, "T01/next") != before, 10.0)


def draw_pages(port: int, cookie: str, done: threading.Event) -> None:
    """Asks for a page that is work to draw, again and again."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port)) as browser:
        while not done.is_set():
            browser.request("GET", "/desk/T01/2026-11-29/2", headers={"Cookie": cookie})
            assert browser.getresponse().read()


def test_d06_two_workers_are_never_started(tmp_path: Path) -> None:
    make_key(tmp_path / "keys" / "house.key")
    with window(tmp_path, WEB_CONCURRENCY="2", GUNICORN_CMD_ARGS="--workers=2") as (process, _):
        assert len(workers(process)) == 1


def knock(port: int, path: str, host: str, origin: str, **headers: str) -> int:
    """The status of a form posted with this Host and Origin by a browser that has no account yet."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port)) as browser:
        browser.putrequest("POST", path, skip_host=True)
        told = {"Host": host, "Origin": origin, "Content-Length": "0", **headers}
        for name, value in told.items():
            browser.putheader(name.replace("_", "-"), value)
        browser.endheaders()
        return browser.getresponse().status


def listens(port: int, cookie: str, host: str, origin: str, **headers: str) -> bool:
    """Whether a page's socket is let in and told its panel."""
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "jglBI/WV1NzZSwidG9rZQ==", "Cookie": cookie}
    told = {"Host": host, "Origin": origin, **upgrade, **key, **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in told.items()]
    request = "\r\n".join(["GET /socket.io/?EIO=4&transport=websocket&panels=T01/lights HTTP/1.1", *lines, "", ""])
    heard, end = b"", time.monotonic() + 4
    with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
        line.sendall(request.encode())
        greeted = False
        while b'"panel"' not in heard and time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                more = line.recv(4096)
                if not more:
                    break
                heard += more
            if b"\r\n\r\n" in heard and not greeted:
                greeted = True
                line.sendall(b"\x81\x82\0\0\0\0" + b"40")  # "connect", masked with nothing
    return b'"panel"' in heard


@pytest.mark.parametrize(
    ("host", "origin", "trusted", "let_in"),
    [
        ("table.local", "https://table.local", "127.0.0.1", True),
        ("192.0.2.7", "https://192.0.2.7", "127.0.0.1", True),
        ("table.local", "http://other.example", "127.0.0.1", False),
        ("table.local", "https://table.local", "198.51.100.9", False),
    ],
)
def test_d07_behind_a_tls_proxy_the_genuine_page_is_let_in_and_no_other(
    tmp_path: Path, host: str, origin: str, trusted: str, let_in: bool
) -> None:
    world = make_world(tmp_path, proxies=1, proxy_addresses=(trusted,))
    forwarded = {"X_Forwarded_Proto": "https", "X_Forwarded_For": "192.0.2.50"}
    try:
        with served(world.app) as port:
            cookie = cookie_of(world.signed_in(Role.PIT_BOSS))
            assert (knock(port, "/sign-in", host, origin, **forwarded) != 403) is let_in
            assert listens(port, cookie, host, origin, **forwarded) is let_in
    finally:
        world.end()


def test_d07_no_forwarded_word_is_taken_where_no_proxy_was_named(world: World, port: int) -> None:
    forwarded = {"X_Forwarded_Proto": "https", "X_Forwarded_Host": "table.local"}
    cookie = cookie_of(world.signed_in(Role.PIT_BOSS))
    assert knock(port, "/sign-in", "127.0.0.1", "https://127.0.0.1", **forwarded) == 403
    assert not listens(port, cookie, "127.0.0.1", "https://table.local", **forwarded)
    assert listens(port, cookie, "127.0.0.1", "http://127.0.0.1")


def everyone(process: subprocess.Popen[bytes], what: signal.Signals) -> None:
    """A signal to gunicorn's master and its worker."""
    for pid in (process.pid, *workers(process)):
        os.kill(pid, what)


@pytest.mark.slow
def test_d09_a_page_that_hears_nothing_says_so_within_5_s_and_comes_back_by_itself(tmp_path: Path) -> None:
    """Heartbeats stop for six seconds with no close event; the state changes meanwhile; heartbeats return."""
    with chromium() as browser, running(tmp_path, "en") as table:
        table.open()
        dealer = sign_in(browser, table, Role.DEALER, "/tables/T01/dealer")
        taps = dealer.page.locator("form[data-command] [type=submit]:not([data-off])")
        dealer.hears(PULSE)
        wait_until(lambda: taps.count() > 0 and taps.first.is_enabled(), 15.0)
        everyone(table.window, signal.SIGSTOP)
        begin = time.monotonic()
        try:
            dealer.page.get_by_text("Not live since").wait_for(timeout=6500)
            assert not any(tap.is_enabled() for tap in taps.all())
            table.say(said.OpenBets(NOBODY, FLOOR))
            table.say(said.PlaceBet(NOBODY, FLOOR, 3, 2500))
            time.sleep(max(0.0, 6.0 - (time.monotonic() - begin)))
        finally:
            everyone(table.window, signal.SIGCONT)
        dealer.page.wait_for_selector("#not-live", state="hidden", timeout=15000)
        dealer.page.locator(".dealing-box.laid strong").get_by_text("25", exact=True).wait_for(timeout=8000)
        wait_until(lambda: taps.count() > 0 and taps.first.is_enabled(), 10.0)
        shown = dealer.page.locator("input[name=version]").first.input_value()
        assert int(shown) == table.status().version


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 10**9


def test_d10_times_are_shown_in_the_venues_zone_over_the_change_of_clocks() -> None:
    paris = Speech(Language.ENGLISH, "Europe/Paris")
    shown = [paris.clock(at(f"2026-03-29T{clock}:00+00:00"), seconds=False) for clock in ("00:30", "01:30")]
    assert shown == ["01:30", "03:30"]


def test_d10_what_is_typed_is_the_venues_time_too() -> None:
    asked = wanted({"since": "01:30", "until": "03:30"}, "2026-03-28", ZoneInfo("Europe/Paris"))
    assert (asked.since_ns, asked.until_ns) == (at("2026-03-29T00:30:00+00:00"), at("2026-03-29T01:31:00+00:00") - 1)


def test_d10_the_day_of_a_record_is_the_venues_gaming_day(tmp_path: Path) -> None:
    key = make_key(tmp_path / "house.key")

    def today(clock: str) -> str:
        moment = Moment(at(clock), 0)
        days = Days(
            folder=tmp_path,
            table="T01",
            key=lambda: key,
            clock=lambda: moment,
            warn=nobody_warns,
            zone=ZoneInfo("Europe/Paris"),
        )
        return days.today()

    assert [today("2026-03-29T03:59:00+00:00"), today("2026-03-29T04:01:00+00:00")] == ["2026-03-28", "2026-03-29"]
    assert load_key(tmp_path / "house.key")


def test_d10_no_time_is_told_without_its_zone(boss: FlaskClient) -> None:
    """What scripts read is either nanoseconds since the epoch or carries Z or an offset."""
    naive = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(?!\d|Z|[+-]\d\d|:|\.)")
    for path in ("/desk/T01/2026-11-29/2", "/reports/T01/2026-11-29", "/desk/T01/2026-11-29", "/tables"):
        assert naive.search(boss.get(path).text) is None, path
