"""The socket speaks to those who may listen, for as long as they may, and never listens itself."""

import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from dashboard.sockets import WAITING, Speaker
from table_controller.core import stimuli as said
from table_controller.core.people import Role
from table_controller.core.stimuli import DeviceLost, Moved
from table_controller.play.felt import FLOOR
from tests.dashboard.listening import Page, cookie_of, served
from tests.dashboard.world import ORIGIN, PIN, World, command, make_world, token
from tests.evening import move_money

# How long a test waits before it gives up; that the very next look cuts a page off is counted in pulses.
REVOKED_SECONDS = 10.0


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = make_world(tmp_path, sockets=4)
    yield made
    made.end()


@pytest.fixture
def port(world: World) -> Iterator[int]:
    with served(world.app) as found:
        yield found


def page_of(world: World, port: int, role: Role = Role.PIT_BOSS, panels: str = "T01/lights") -> Page:
    return Page(port, cookie_of(world.signed_in(role)), panels)


def test_a_page_hears_its_panels_at_once_and_again_when_they_change(world: World, port: int) -> None:
    page = page_of(world, port)
    first = page.wait("panel")
    assert first["panel"] == "T01/lights"
    assert "Camera" in first["html"]
    world.felt.say(DeviceLost(world.felt.cause(), "camera"))
    end = time.monotonic() + 5
    while "not working" not in page.wait("panel")["html"] and time.monotonic() < end:
        time.sleep(0.02)
    assert "not working" in page.wait("panel")["html"]
    page.leave()


def test_every_second_a_page_hears_that_the_window_is_alive_and_which_state_it_shows(world: World, port: int) -> None:
    page = page_of(world, port)
    page.wait("pulse")
    move_money(world.felt, Moved.DROP, 500, 1)
    world.caught_up()
    end = time.monotonic() + 3
    while page.wait("pulse")["tables"]["T01"]["version"] != world.felt.state.version and time.monotonic() < end:
        time.sleep(0.05)
    pulse = page.wait("pulse")
    assert pulse["tables"]["T01"]["version"] == world.felt.state.version
    assert pulse["tables"]["T01"]["seq"] == world.felt.recorder.day.writer.head.seq
    page.leave()


def test_a_page_can_tell_from_a_pulse_that_it_shows_what_was_sent_last(world: World, port: int) -> None:
    page = page_of(world, port)
    page.wait("pulse")
    page.leave()
    shown: dict[str, str] = {}
    pulses = 0
    for name, body in list(page.heard):
        if name == "panel":
            shown[body["panel"]] = body["digest"]
        elif name == "pulse":
            assert body["digests"] == shown
            pulses += 1
    assert pulses


@pytest.mark.parametrize("cookie", ["", "krupier=forged", "krupier=eyJ0b2tlbiI6IngifQ.x.y"])
def test_a_stranger_hears_nothing(port: int, cookie: str) -> None:
    page = Page(port, cookie)
    page.wait_closed(REVOKED_SECONDS)
    assert page.heard == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_a_page_from_elsewhere_is_refused(world: World, port: int, origin: str) -> None:
    headers = {
        "Cookie": cookie_of(world.signed_in(Role.PIT_BOSS)),
        "Origin": origin,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "jglBI/WV1NzZSwidG9rZQ==",
        "Sec-WebSocket-Version": "13",
    }
    with contextlib.closing(HTTPConnection("127.0.0.1", port)) as browser:
        browser.request("GET", "/socket.io/?EIO=4&transport=websocket&panels=T01/lights", headers=headers)
        assert browser.getresponse().status == 400


def test_a_program_that_names_no_origin_hears_nothing(world: World, port: int) -> None:
    page = Page(port, cookie_of(world.signed_in(Role.PIT_BOSS)), origin=None)
    page.wait_closed(REVOKED_SECONDS)
    assert page.heard == []


def test_what_comes_in_is_not_listened_to(world: World, port: int) -> None:
    page, version = page_of(world, port), world.felt.state.version
    page.wait("pulse")
    page.say("command", {"kind": "pause_table", "reason": "x"})
    page.say("panel", {"panel": "T01/lights"})
    count = len(page.heard)
    end = time.monotonic() + 3
    while len(page.heard) == count and time.monotonic() < end:
        time.sleep(0.02)
    assert not page.closed
    assert world.felt.state.version == version
    page.leave()


def cut_off_at_once(page: Page, pulses: int) -> None:
    """Everybody hears a pulse a second: who heard at most one more was cut off within two seconds."""
    page.wait_closed(REVOKED_SECONDS)
    assert page.count("pulse") <= pulses + 1


def test_the_sessions_and_sockets_of_a_disabled_person_die_within_two_seconds(world: World, port: int) -> None:
    client = world.signed_in(Role.PIT_BOSS)
    pages = [Page(port, cookie_of(client)) for _ in range(3)]
    for page in pages:
        page.wait("pulse")
    pulses = [page.count("pulse") for page in pages]
    world.people.change("pit_boss", "active", 0, "administrator", 1)
    for page, heard in zip(pages, pulses, strict=True):
        cut_off_at_once(page, heard)
        assert page.wait("bye")["why"] == "ended"
    assert client.get("/tables").headers["Location"] == "/sign-in"
    assert command(world, client, "pause_table", reason="still here").status_code in (400, 401)
    assert not world.felt.state.paused


def test_a_disabled_person_cannot_come_in_again_with_the_old_cookie(world: World, port: int) -> None:
    cookie = cookie_of(world.signed_in(Role.SURVEILLANCE))
    world.people.change("surveillance", "active", 0, "administrator", 1)
    page = Page(port, cookie)
    page.wait_closed(REVOKED_SECONDS)
    assert page.heard == []


@pytest.mark.parametrize(("column", "value"), [("role", "technician"), ("password", "another long password")])
def test_a_new_role_or_password_ends_what_was_open(world: World, port: int, column: str, value: str) -> None:
    page = page_of(world, port)
    page.wait("pulse")
    pulses = page.count("pulse")
    world.people.change("pit_boss", column, value, "administrator", 1)
    cut_off_at_once(page, pulses)


def test_signing_out_and_locking_end_the_sockets_of_that_session_only(world: World, port: int) -> None:
    leaving, staying = world.signed_in(Role.PIT_BOSS), world.signed_in(Role.PIT_BOSS)
    gone, stays = Page(port, cookie_of(leaving)), Page(port, cookie_of(staying))
    gone.wait("panel")
    stays.wait("panel")
    leaving.post("/sign-out", data={"csrf_token": token(leaving)}, headers=ORIGIN)
    gone.wait_closed(REVOKED_SECONDS)
    assert not stays.closed
    staying.post("/lock", data={"csrf_token": token(staying)}, headers=ORIGIN)
    stays.wait_closed(REVOKED_SECONDS)


def test_no_more_pages_listen_than_there_are_threads_for(world: World, port: int) -> None:
    cookie = cookie_of(world.signed_in(Role.PIT_BOSS))
    pages = [Page(port, cookie) for _ in range(4)]
    for page in pages:
        page.wait("panel")
    extra = Page(port, cookie)
    extra.wait_closed(2)
    assert extra.heard == []
    for page in pages:
        page.leave()


def test_a_page_that_never_reads_is_passed_over_then_cut_off_and_delays_nobody(tmp_path: Path) -> None:
    world = make_world(tmp_path, stalled_seconds=3)
    world.felt.command(said.LoadShoe(world.felt.cause(), FLOOR))
    world.felt.command(said.OpenBets(world.felt.cause(), FLOOR))
    speaker = world.app.extensions["krupier_speaker"]
    client = world.signed_in(Role.PIT_BOSS)
    with served(world.app, send_bytes=4096) as port, contextlib.closing(silent_page(port, cookie_of(client))):
        page = Page(port, cookie_of(client), "T01/felt")
        page.wait("panel", 20)
        most = bet_until(world, lambda: len(speaker.waiting()) == 2, speaker)
        most = max(most, bet_until(world, lambda: len(speaker.waiting()) == 1, speaker))
        assert WAITING <= most <= WAITING + 12
        world.felt.command(said.PlaceBet(world.felt.cause(), FLOOR, 7, 4_200))
        end = time.monotonic() + 10
        while ">42<" not in page.wait("panel")["html"] and time.monotonic() < end:
            time.sleep(0.02)
        assert ">42<" in page.wait("panel")["html"]
        page.leave()
    world.end()


def bet_until(world: World, so: Callable[[], bool], speaker: Speaker) -> int:
    """Bets are made and taken back until it is so; returns the most messages that waited for a page."""
    most, end = 0, time.monotonic() + 60
    while not so():
        assert time.monotonic() < end
        world.felt.command(said.PlaceBet(world.felt.cause(), FLOOR, 1, 500))
        world.felt.command(said.TakeBack(world.felt.cause(), FLOOR, 1))
        time.sleep(0.06)
        most = max([most, *speaker.waiting().values()])
    return most


def silent_page(port: int, cookie: str) -> socket.socket:
    """Connects as a page does, and then never takes anything."""
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # before connecting, or it has no effect
    lazy.connect(("127.0.0.1", port))
    head = (
        "GET /socket.io/?EIO=4&transport=websocket&panels=T01/felt HTTP/1.1",
        "Host: 127.0.0.1",
        "Origin: http://127.0.0.1",
        f"Cookie: {cookie}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: jglBI/WV1NzZSwidG9rZQ==",
        "Sec-WebSocket-Version: 13",
        "\r\n",
    )
    lazy.sendall("\r\n".join(head).encode())
    lazy.recv(1024)
    lazy.sendall(bytes((0x81, 0x82, 0, 0, 0, 0)) + b"40")
    return lazy


def test_a_page_that_missed_a_drawing_gets_it_by_asking(world: World) -> None:
    client = world.signed_in(Role.DEALER)
    told = client.get("/panel/T01/lights").json
    assert told is not None
    assert "Camera" in told["html"]
    nothing = client.get("/panel/T09/lights").json
    assert nothing is not None
    assert nothing["html"] == ""


def test_a_wrong_pin_says_nothing_about_the_second_person(world: World) -> None:
    client = world.signed_in(Role.PIT_BOSS)
    told = []
    for second in ("second", "nobody-of-that-name"):
        answer = command(world, client, "move_money", what="fill", chip_500=1, second=second, second_pin="9999")
        told.append(answer.json)
    assert told[0] == told[1]
    right = command(world, client, "move_money", what="fill", chip_500=1, second="second", second_pin=PIN)
    assert right.status_code == 200
