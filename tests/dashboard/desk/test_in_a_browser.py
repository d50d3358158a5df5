"""The desk in Chromium: a round found, walked through by keyboard, exported; three languages, three screens."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from table_controller.core.people import Role
from table_controller.export.bundle import verify_bundle
from table_controller.journal.keys import make_key
from table_controller.port.footage import INDEX, Closed, Opened, video_folder, write_line
from tests.dashboard.recorded_evening import record_evening
from tests.dashboard.running import SIZES, Running, chromium, running, sign_in

pytestmark = pytest.mark.slow

DAY = "2026-11-29"
PAGES = (
    f"/desk/T07/{DAY}",
    f"/desk/T07/{DAY}/11",
    f"/reports/T07/{DAY}",
    f"/reports/T07/{DAY}/exceptions",
    f"/reports/T07/{DAY}/shift",
    "/complaints/",
)
AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
VIOLATIONS = "async () => (await axe.run()).violations.map((one) => [one.id, one.nodes[0].html])"
AXED = {"en": (1180, 390), "pl": (820,), "ru": (390,)}
TOLD = {"en": ("REPLAY", "Export bundle"), "pl": ("POWTÓRKA", "Pobierz pakiet"), "ru": ("ПОВТОР", "Скачать пакет")}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(params=["en", "pl", "ru"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    felt = record_evening(tmp_path, make_key(tmp_path / "keys" / "house.key"), 24)
    felt.recorder.leave()
    with running(tmp_path, request.param) as started:
        yield started


def language_of(page: Page) -> str:
    return str(page.evaluate("document.documentElement.lang"))


def position(page: Page) -> int:
    return int(page.locator("#scrub").input_value())


def stands_at(page: Page, step: int) -> None:
    """Waits until the felt shows this step."""
    page.wait_for_selector(f".scene[data-at='{step}']", state="attached", timeout=8000)


def sentence(page: Page) -> str:
    return page.locator(".sentence").inner_text()


@pytest.mark.parametrize("table", ["en"], indirect=True)
def test_both_cameras_videos_follow_the_steps(browser: Browser, table: Running) -> None:
    began, hours = int(datetime(2026, 11, 29, tzinfo=UTC).timestamp()) * 10**9, 36 * 3600 * 10**9
    for camera in (1, 2):
        folder = video_folder(table.data, "T07", camera)
        folder.mkdir(parents=True)
        lines = (Opened(at_ns=began, file="a.mp4"), Closed(at_ns=began + hours, file="a.mp4", frames=1))
        (folder / INDEX).write_bytes(b"".join(write_line(line) for line in lines))
        (folder / "a.mp4").write_bytes(b"")
    page = sign_in(browser, table, Role.PIT_BOSS, f"/desk/T07/{DAY}/11").page
    page.wait_for_selector("#replay")
    page.keyboard.press("Home")
    stands_at(page, 0)
    shown = page.evaluate("Array.from(document.querySelectorAll('video'), (one) => new URL(one.src).pathname)")
    assert shown == ["/desk/video/T07/a.mp4", "/desk/video/T07/2/a.mp4"]


def test_a_round_is_found_walked_through_by_keyboard_and_exported(
    browser: Browser, table: Running, tmp_path: Path
) -> None:
    screen = sign_in(browser, table, Role.PIT_BOSS, f"/desk/T07/{DAY}")
    page = screen.page
    replay, export = TOLD[language_of(page)]
    page.select_option("select[name=box]", "3")
    page.locator("details summary").first.click()
    page.fill("input[name=least]", "10,00")
    page.locator(".search button.primary").click()
    page.locator(".round-line").first.click()
    page.wait_for_selector("#replay")
    assert replay in page.locator(".replay-banner").inner_text()
    last = position(page)
    page.keyboard.press("Home")
    stands_at(page, 0)
    opening = sentence(page)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    stands_at(page, 3)
    assert position(page) == 3
    assert sentence(page) != opening
    page.locator("#scrub").fill(str(last))
    stands_at(page, last)
    page.keyboard.press("ArrowLeft")
    stands_at(page, last - 1)
    with page.expect_download() as taken:
        page.get_by_role("button", name=export).click()
    bundle = tmp_path / "taken.zip"
    taken.value.save_as(bundle)
    assert verify_bundle(bundle).ok
    assert screen.complaints == []


def test_playing_walks_on_by_itself_and_stops_when_asked(browser: Browser, tmp_path: Path) -> None:
    record_evening(tmp_path, make_key(tmp_path / "keys" / "house.key"), 8).recorder.leave()
    with running(tmp_path, "en") as table:
        page = sign_in(browser, table, Role.SURVEILLANCE, f"/desk/T07/{DAY}/5?seq=0").page
        page.keyboard.press(" ")
        stands_at(page, 2)
        page.keyboard.press(" ")
        stopped = position(page)
        page.wait_for_timeout(1600)
        assert position(page) == stopped


def test_every_page_fits_its_screen_and_is_clean_to_axe(browser: Browser, table: Running) -> None:
    screen = sign_in(browser, table, Role.PIT_BOSS, "/desk/")
    page = screen.page
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        for path in PAGES:
            page.goto(table.address + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
            if width in AXED[language_of(page)]:
                page.evaluate(AXE.read_text("utf-8"))
                found = page.evaluate(
                    "async () => (await axe.run()).violations.map((one) => [one.id, one.nodes[0].html])"
                )
                assert found == [], (path, width)
    assert screen.complaints == []


def test_the_charts_are_drawn(browser: Browser, table: Running) -> None:
    page = sign_in(browser, table, Role.PIT_BOSS, f"/reports/T07/{DAY}").page
    page.wait_for_selector(".chart canvas")
    assert page.locator(".chart canvas").count() == 2
    drawn = page.evaluate(
        """() => [...document.querySelectorAll(".chart canvas")].map((one) => new Set(
            one.getContext("2d").getImageData(0, 0, one.width, one.height).data).size)"""
    )
    assert all(colours > 10 for colours in drawn)
