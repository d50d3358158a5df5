"""An evening through the browser alone, as people would: from the first administrator's code to the closing count."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.i18n import Speech
from table_controller.core.house import Language
from table_controller.core.people import Role
from tests.dashboard.browsing import type_pins
from tests.dashboard.running import PASSWORD, SIZES, Running, Screen, chromium, opened, running

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("chromium")]

ADMINISTRATOR, BOSS, SECOND, DEALER = "Alex", "Robin", "Kim", "Sam"
PINS = {ADMINISTRATOR: "8406", BOSS: "2580", SECOND: "3691", DEALER: "1470"}
ROLES = {BOSS: Role.PIT_BOSS, SECOND: Role.PIT_BOSS, DEALER: Role.DEALER}
TABLE = "/tables/T01"
REASONS = {
    "en": ("The camera fell onto the felt", "Box 3 says the dealer had 18"),
    "pl": ("Kamera spadła na stół", "Boks 3 mówi, że krupier miał 18 – żółta kartka"),
    "ru": ("Камера упала на стол", "Бокс 3 говорит, что у дилера было 18"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


class Evening:
    """The people of a table with their screens; every one of the same size and language."""

    def __init__(self, browser: Browser, table: Running, language: str, size: str) -> None:
        self.table = table
        self.language = language
        self.say = Speech(Language(language))
        self._browser = browser
        self._size = size
        self.screens: dict[str, Screen] = {}

    def screen(self, who: str) -> Page:
        """Somebody's own tablet."""
        if who not in self.screens:
            self.screens[who] = opened(self._browser, self._size)
        return self.screens[who].page

    def sign_in(self, who: str) -> Page:
        """By name and password, from the address on the house's notice."""
        page = self.screen(who)
        page.goto(self.table.address)
        page.fill("#name", who)
        page.fill("#password", PASSWORD)
        page.click("button.primary")
        page.wait_for_url("**/tables**")
        return page

    def walk(self, who: str, *ways: str) -> Page:
        """Links tapped one after the other, each a piece of its address."""
        page = self.screen(who)
        for way in ways:
            with page.expect_navigation():
                page.locator(f"a[href$='{way}']:visible").first.click()
        return page

    def asked(self, tap: Callable[[], None], own: str = "", second: str = "") -> None:
        """What is tapped and proved is done before anything else."""
        before = self.table.status().version
        tap()
        if own or second:
            type_pins(self.screen(own), PINS[own], second, PINS.get(second, ""))
        wait(lambda: self.table.status().version != before, "nothing was done")


def wait(so: Callable[[], bool], or_else: str) -> None:
    for _ in range(200):
        if so():
            return
        time.sleep(0.05)
    raise AssertionError(or_else)


def first_administrator(evening: Evening) -> None:
    """Whoever reads the code where the program was started."""
    said = (evening.table.data / "window.log").read_text("utf-8")
    code = re.search(r"the first administrator is (\w+)", said)
    assert code is not None, said
    page = evening.screen(ADMINISTRATOR)
    page.goto(evening.table.address)
    page.fill("#code", code[1])
    page.fill("#name", ADMINISTRATOR)
    page.fill("#password", PASSWORD)
    page.fill("#pin", PINS[ADMINISTRATOR])
    page.click("button.primary")
    page.wait_for_url("**/tables**")


def make_people(evening: Evening) -> None:
    """Two pit bosses and a dealer, each with a PIN."""
    page = evening.walk(ADMINISTRATOR, "/people/")
    for who, role in ROLES.items():
        page.fill("#name", who)
        page.select_option("#role", role.value)
        page.fill("form.card #password", PASSWORD)
        page.click("form.card button.primary")
        person = page.locator(".person", has=page.get_by_role("heading", name=who, exact=True))
        person.locator("summary").click()
        person.locator("form:has([value=pin]) input[type=password]").fill(PINS[who])
        person.locator("form:has([value=pin]) button").click()
        expect(page.locator(".banner.good")).to_be_visible()
        expect(person.get_by_text(evening.say("frame.no_pin"))).to_have_count(0)


def count(page: Page, chips: int) -> None:
    """So many of every kind lie in the tray."""
    for field in page.locator("form[data-command] input[data-worth]").all():
        field.fill(str(chips))


def open_table(evening: Evening) -> None:
    """Two people count and open; a dealer is signed on, who loads the shoe."""
    page = evening.sign_in(BOSS)
    evening.walk(BOSS, TABLE, f"{TABLE}/pit", "/count")
    page.locator("label", has=page.locator("input[value=classic]")).click()
    page.locator("form[method=get] button").click()
    page.wait_for_url("**house=classic")
    count(page, 40)
    evening.asked(page.locator("form[data-command] button.primary").click, BOSS, SECOND)
    page.wait_for_url("**/pit")
    evening.walk(BOSS, "/boxes")
    page.select_option("#dealer", DEALER)
    evening.asked(page.locator("form:has(#dealer) button").click)
    evening.sign_in(DEALER)
    evening.walk(DEALER, TABLE, "/dealer")
    tap(evening, "form:has([value=load_shoe]) .primary")
    while evening.screen(DEALER).locator("[value=card_burnt]").count():
        tap(evening, "form:has([value=card_burnt]) button")


def tap(evening: Evening, selector: str) -> None:
    """The dealer taps, and the table moves on."""
    evening.screens[DEALER].move(evening.table, selector)


def bets(evening: Evening) -> None:
    """Box 3 and box 5, two taps each."""
    tap(evening, "form:has([value=open_bets]) .primary")
    page = evening.screen(DEALER)
    for box, chip in ((3, 1000), (5, 2500)):
        page.locator(f".dealing-box:has(input[value='{box}'])").click()
        evening.asked(page.locator(f"button[name=amount][value='{chip}']").click)
    tap(evening, "form:has([value=close_bets]) button")


def pay(evening: Evening) -> None:
    """Seat by seat, and the cards to the rack."""
    for _ in (3, 5):
        tap(evening, ".pay.here button")
    evening.table.eyes.clear()
    tap(evening, "form:has([value=table_cleared]) button")


def first_round(evening: Evening) -> None:
    """The eyes take a three for an eight; two people put it right, and the round is paid by what lay there."""
    bets(evening)
    evening.table.deal("box3=8S box5=TH dealer=6D box3=3D box5=QC dealer=##")
    page = evening.walk(BOSS, f"{TABLE}/pit", "/corrections")
    page.select_option("#which", "box3.0:1")
    form = page.locator("form:has([value=correct_card])")
    form.locator("label", has=page.locator("[name=rank][value='8']")).click()
    form.locator("label", has=page.locator("[name=suit][value=D]")).click()
    evening.asked(form.locator("button.primary").click, BOSS, SECOND)
    page.wait_for_url("**/pit")
    expect(evening.screen(DEALER).locator(".dealing-seat.turn .dealing-total")).to_have_text("16")
    for _ in (3, 5):
        tap(evening, ".answer-stand")
    evening.table.turn("TC")
    evening.table.deal("dealer=9S")
    pay(evening)


def second_round(evening: Evening) -> None:
    """All as before; a card lies where no bet is, and is burned; the dealer calls. All that is seen by name."""
    tap(evening, "form:has([value=open_bets]) .primary")
    tap(evening, "form[action$=as_before] button")
    tap(evening, "form:has([value=close_bets]) button")
    evening.table.deal("box3=5S box5=9H dealer=7D box3=6C box5=9D dealer=##")
    tap(evening, ".answer-hit")
    evening.table.deal("box1=2H")
    evening.screens[DEALER].up_to_date(evening.table)  # he taps what he sees
    evening.screen(DEALER).locator(".dealing-foot form:last-child button").click()
    acknowledge(evening)
    evening.walk(BOSS, f"{TABLE}/pit")
    page = evening.screen(BOSS)
    page.locator(".questions a.button").click()
    page.locator("label.remedy", has=page.locator("[value=burn]")).click()
    evening.asked(page.locator("form.question button.primary").click, BOSS)
    page.wait_for_url("**/pit")
    evening.table.deal("box3=TS")  # 21, so nothing is asked of him any more
    tap(evening, ".answer-stand")
    evening.table.turn("KD")
    pay(evening)


def acknowledge(evening: Evening) -> None:
    """Whoever has seen an alert says so with his name, and it leaves everybody's list."""
    page = evening.walk(BOSS, TABLE)
    line = page.locator(".alert-line")
    expect(line).to_contain_text(evening.say("alerts.open_count", n=3), timeout=10_000)
    line.click()
    alerts = page.locator(".alerts:not(.known) .alert")
    expect(alerts).to_have_count(3)
    for left in (2, 1, 0):
        alerts.first.locator("button.primary").click()
        expect(alerts).to_have_count(left)
    expect(page.locator(".alert-known")).to_have_count(3)
    for known in page.locator(".alert-known").all_inner_texts():
        assert re.search(rf"{BOSS}.*\d\d:\d\d:\d\d", known), known


def void_a_round(evening: Evening) -> None:
    """The round cannot be finished: every bet goes back, by two people and with a reason."""
    bets(evening)
    evening.table.deal("box3=8S box5=TH dealer=6D")
    page = evening.walk(BOSS, f"{TABLE}/pit", "/corrections")
    page.fill("#reason", REASONS[evening.language][0])
    page.locator("form:has([value=void_round]) button.danger").click()
    page.click("#sure button[value=yes]")
    evening.asked(lambda: None, BOSS, SECOND)
    page.wait_for_url("**/pit")
    evening.table.eyes.clear()
    expect(evening.screen(DEALER).locator("form:has([value=open_bets]) .primary")).to_be_visible()


def dispute(evening: Evening) -> Path:
    """Box 3 complains about the first round: found on the desk, taken down, exported, decided."""
    page = evening.walk(BOSS, "/desk/")
    page.select_option("[name=box]", "3")
    page.select_option("[name=mark]", "correction")
    page.locator("form.search button.primary").click()
    expect(page.locator(".round-line")).to_have_count(1)
    page.locator(".round-line").click()
    complain = page.locator("form[action*='/complaints/']")
    complain.locator("[name=box]").select_option("3")
    complain.locator("[name=reason]").fill(REASONS[evening.language][1])
    complain.locator("button.danger").click()
    expect(page.locator(".banner.good")).to_be_visible()
    export = page.locator("form[action$='/export']")
    export.locator("[name=box]").select_option("3")
    with page.expect_download() as taken:
        export.locator("button.primary").click()
    bundle = evening.table.data / taken.value.suggested_filename
    taken.value.save_as(bundle)
    evening.walk(BOSS, "/complaints/")
    expect(page.locator(".case blockquote")).to_have_text(REASONS[evening.language][1])
    page.fill("[name=decision]", REASONS[evening.language][0])
    page.locator(".case button.primary").click()
    expect(page.locator(".case [name=decision]")).to_have_count(0)
    return bundle


def verified(bundle: Path) -> str:
    """What the command says of the bundle, on a computer of its own."""
    krupier = str(Path(sys.executable).with_name("krupier"))
    told = subprocess.run([krupier, "verify", str(bundle)], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def close_table(evening: Evening) -> None:
    """Two people count again and close."""
    page = evening.walk(BOSS, "/tables", TABLE, f"{TABLE}/pit", "/count")
    count(page, 41)
    evening.asked(page.locator("form[data-command] button.primary").click, BOSS, SECOND)
    page.wait_for_url("**/pit")
    expect(page.locator("[data-panel='T01/pit_status']")).to_contain_text(evening.say("codes.phase_closed"))


@pytest.mark.parametrize(("language", "size"), list(zip(REASONS, SIZES, strict=True)))
def test_an_evening_from_the_first_code_to_the_closing_count(
    language: str, size: str, browser: Browser, tmp_path: Path
) -> None:
    with running(tmp_path, language, peopled=False) as table:
        evening = Evening(browser, table, language, size)
        first_administrator(evening)
        make_people(evening)
        open_table(evening)
        first_round(evening)
        second_round(evening)
        void_a_round(evening)
        bundle = dispute(evening)
        close_table(evening)
        assert verified(bundle)
        assert {who: one.complaints for who, one in evening.screens.items() if one.complaints} == {}
