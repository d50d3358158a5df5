"""The window as people meet it: real Chromium, real server, real controller, tokens and limits on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard import create_app
from dashboard.people import People
from dashboard.settings import Settings
from table_controller.core.house import Language
from table_controller.core.people import Role
from tests.dashboard.browsing import AXE, CHROMIUM, SIZES, chromium, serving, sign_in, type_pins
from tests.dashboard.controller import SmallController
from tests.dashboard.test_guards import doors
from tests.dashboard.world import PIN, make_felt, make_people

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed"),
]
NOT_FOR_PEOPLE = ("/panel/", "/socket.io", "/alive")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, SmallController]]:
    data = tmp_path_factory.mktemp("browsed")
    felt = make_felt(data)
    make_people(data)
    controller = SmallController(data, felt)
    controller.start()
    yield data, controller
    controller.stop()
    felt.recorder.leave()


@pytest.fixture(scope="module")
def address(house: tuple[Path, SmallController]) -> Iterator[str]:
    with serving(house[0], "--lang", "en") as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1180, "height": 820}, has_touch=True)
    found = context.new_page()
    wrong: list[str] = []
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    yield found
    context.close()
    assert [line for line in wrong if "status of 4" not in line and "status of 5" not in line] == []


def pages_of(data: Path) -> list[str]:
    """Every page a person may open, whatever group it belongs to."""
    app = create_app(Settings(data=data))
    paths = [door.path for door in doors(app) if door.method == "GET"]
    return sorted(path for path in paths if not path.startswith(NOT_FOR_PEOPLE))


def choose(page: Page, what: str) -> None:
    """Tap on the name of a kind of slip, as a finger does; the dot itself is not shown."""
    page.locator(f'label:has(input[value="{what}"])').click()
    expect(page.locator(f'input[value="{what}"]')).to_be_checked()


def test_money_moves_with_two_pins_tapped_on_the_screen(
    page: Page, address: str, house: tuple[Path, SmallController]
) -> None:
    _, controller = house
    before = controller.felt.state.bank.drop
    sign_in(page, address, "pit_boss")
    page.goto(f"{address}/tables/T01/money")
    choose(page, "drop")
    for _ in range(3):
        page.click('button[aria-label="One chip of PLN\N{NO-BREAK SPACE}10 more"] >> nth=0')
    expect(page.locator("[data-sum]").first).to_have_text("PLN\N{NO-BREAK SPACE}30")
    page.get_by_role("button", name="Write the slip").click()
    type_pins(page, PIN, "second", PIN)
    expect(page.locator(".toast.good")).to_be_visible()
    expect(page.locator('[data-panel="T01/slips"]')).to_contain_text("Drop no. 1")
    assert controller.felt.state.bank.drop == before + 3_000


def test_a_wrong_pin_moves_nothing_and_says_so(page: Page, address: str, house: tuple[Path, SmallController]) -> None:
    _, controller = house
    version = controller.felt.state.version
    sign_in(page, address, "pit_boss")
    page.goto(f"{address}/tables/T01/money")
    choose(page, "tip")
    page.fill('input[name="chip_500"] >> nth=0', "1")
    page.get_by_role("button", name="Write the slip").click()
    type_pins(page, "1357")
    expect(page.locator(".toast.bad")).to_contain_text("PIN did not fit")
    assert controller.felt.state.version == version


def test_a_double_tap_on_a_button_acts_once(page: Page, address: str, house: tuple[Path, SmallController]) -> None:
    _, controller = house
    sign_in(page, address, "pit_boss")
    page.goto(f"{address}/tables/T01/pit")
    asked = len(controller.asked)
    page.get_by_role("button", name="Pause the table").dblclick()
    expect(page.locator('[data-panel="T01/pit_status"]')).to_contain_text("paused")
    page.wait_for_timeout(500)
    assert len(controller.asked) == asked + 1
    page.get_by_role("button", name="Resume").click()
    expect(page.locator('[data-panel="T01/pit_status"]')).not_to_contain_text("paused")


def test_a_silent_controller_turns_the_buttons_off_within_five_seconds(
    page: Page, address: str, house: tuple[Path, SmallController]
) -> None:
    _, controller = house
    sign_in(page, address, "pit_boss")
    page.goto(f"{address}/tables/T01/pit")
    button = page.get_by_role("button", name="Pause the table")
    expect(button).to_be_enabled()
    controller.silent = True
    try:
        expect(page.locator("#not-live")).to_be_visible(timeout=10_000)
        expect(button).to_be_disabled()
    finally:
        controller.silent = False
    expect(page.locator("#not-live")).to_be_hidden(timeout=10_000)
    expect(button).to_be_enabled()


def test_a_window_that_is_gone_is_said_to_be_not_live_since_when_and_is_found_again(
    browser: Browser, house: tuple[Path, SmallController]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    with serving(house[0], "--lang", "en") as address:
        sign_in(page, address, "pit_boss")
        page.goto(f"{address}/tables/T01/pit")
        expect(page.get_by_role("button", name="Pause the table")).to_be_enabled()
    expect(page.locator("#not-live")).to_contain_text("Not live since", timeout=8_000)
    expect(page.get_by_role("button", name="Pause the table")).to_be_disabled()
    context.close()


def test_a_disabled_persons_page_is_left_within_two_seconds(
    page: Page, address: str, house: tuple[Path, SmallController]
) -> None:
    people = people_of(house[0])
    people.add("leaving", Role.SURVEILLANCE, "a long enough word", "tests", 1)
    page.goto(f"{address}/sign-in")
    page.fill("#name", "leaving")
    page.fill("#password", "a long enough word")
    page.click("button.primary")
    page.goto(f"{address}/tables/T01")
    page.wait_for_timeout(1200)
    people.change("leaving", "active", 0, "tests", 1)
    page.wait_for_url("**/sign-in", timeout=2_500)


def people_of(data: Path) -> People:
    return People(data / "people.db")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_page_passes_axe(page: Page, address: str, house: tuple[Path, SmallController], theme: str) -> None:
    people_of(house[0]).change("administrator", "theme", theme, "tests", 1)
    sign_in(page, address, "administrator")
    found = {}
    for path in pages_of(house[0]):
        page.goto(f"{address}{path}")
        page.evaluate(AXE.read_text("utf-8"))  # not as a script of the page: its policy forbids that
        report = page.evaluate("axe.run({ resultTypes: ['violations'] })")
        for one in report["violations"]:
            nodes = [node["html"][:140] for node in one["nodes"][:3]]
            found[f"{path} {one['id']}"] = nodes
    assert found == {}


@pytest.mark.parametrize("language", list(Language))
def test_no_page_is_wider_than_its_screen_and_every_target_is_large_enough(
    page: Page, address: str, house: tuple[Path, SmallController], language: Language
) -> None:
    people_of(house[0]).change("administrator", "language", language.value, "tests", 1)
    sign_in(page, address, "administrator")
    wide, small = [], []
    for path in pages_of(house[0]):
        page.goto(f"{address}{path}")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append((path, width))
            small += [(path, width, one) for one in page.evaluate(SMALL_TARGETS)]
    assert wide == []
    assert small == []


SMALL_TARGETS = """
Array.from(document.querySelectorAll('button, a.button, nav.rail a, select, input, summary'))
  .filter(e => !['hidden', 'radio', 'checkbox', 'range'].includes(e.type) && e.checkVisibility())
  .filter(e => !e.closest('.hidden') && !e.closest('dialog:not([open])'))
  .filter(e => { const r = e.getBoundingClientRect(); return r.height > 0 && (r.height < 47.5 || r.width < 47.5); })
  .map(e => e.outerHTML.slice(0, 120))
"""
