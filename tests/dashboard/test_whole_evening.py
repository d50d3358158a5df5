"""An evening through the browser alone, as people would: from the first administrator's code to the closing count.

Three of the nine pairs of language and screen run with the other tests; `make evenings` runs all and keeps pictures.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, Response, expect

from dashboard.i18n import Speech
from table_controller.core.house import Language
from table_controller.core.people import Role
from tests.dashboard.browsing import type_pins
from tests.dashboard.running import PASSWORD, SIZES, Running, Screen, chromium, opened, running
from tests.evening import rows

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

ADMINISTRATOR, BOSS, SECOND, DEALER = "Alex", "Robin", "Kim", "Sam"
PINS = {ADMINISTRATOR: "8406", BOSS: "2580", SECOND: "3691", DEALER: "1470"}
ROLES = {BOSS: Role.PIT_BOSS, SECOND: Role.PIT_BOSS, DEALER: Role.DEALER}
TABLE = "/tables/T01"
BOX_3 = ".dealing-seat:not(.dealer-seat)"  # the first that has a bet
REASONS = {
    "en": ("The camera fell onto the felt", "Box 3 says the dealer had 18"),
    "pl": ("Kamera spadła na stół", "Boks 3 mówi, że krupier miał 18 – żółta kartka"),
    "ru": ("Камера упала на стол", "Бокс 3 говорит, что у дилера было 18"),
}
# The longest words on the smallest screen; the other eight pairs: make evenings.
PAIRS = list(product(REASONS, SIZES)) if os.environ.get("EVENINGS") == "all" else [("ru", "phone")]
PATIENCE_MS = 60_000
NEWEST = """version => Krupier.version("T01") === version &&
  Array.from(document.querySelectorAll(".panel input[name=version]")).every(one => Number(one.value) === version)"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as found:
        yield found
    expect.set_options(timeout=None)


class Evening:
    """The people of a table with their screens; every one of the same size and language."""

    def __init__(self, browser: Browser, table: Running, language: str, size: str) -> None:
        self.table = table
        self.language = language
        self.say = Speech(Language(language))
        self._browser = browser
        self._size = size
        self._pictures = os.environ.get("EVENING_PICTURES")
        self.screens: dict[str, Screen] = {}

    def screen(self, who: str) -> Page:
        """Somebody's own tablet."""
        if who not in self.screens:
            self.screens[who] = opened(self._browser, self._size)
            self.screens[who].page.set_default_timeout(PATIENCE_MS)
        return self.screens[who].page

    def sign_in(self, who: str) -> Page:
        """By name and password, from the address on the house's notice."""
        page = self.screen(who)
        page.goto(self.table.address)
        page.fill("#name", who)
        page.fill("#password", PASSWORD)
        page.click("button.primary")
        page.wait_for_url("**/tables**")
        assert page.evaluate("document.documentElement.lang") == self.language
        return page

    def walk(self, who: str, *ways: str) -> Page:
        """Links tapped one after the other, each a piece of its address; where the bar has no room, behind its last."""
        page = self.screen(who)
        for way in ways:
            link = page.locator(f"a[href$='{way}']:visible").first
            if not link.count():
                page.click(".rail .more")
            with page.expect_navigation():
                link.click()
        return page

    def tap(self, who: str, button: str | Locator, *then: Callable[[Page], None]) -> None:
        """Somebody looks, taps once, and does what is asked then; the tap is heard, and what it asks for is done."""
        page = self.screen(who)
        self.looks(who)
        with page.expect_response(_is_a_tap, timeout=4 * PATIENCE_MS) as heard:
            (page.locator(button) if isinstance(button, str) else button).first.click()
            for asked in then:
                asked(page)
        assert heard.value.ok, (button, heard.value.text())

    def looks(self, who: str) -> None:
        """Waits until a screen shows the table as it is."""
        for _ in range(PATIENCE_MS // 50):
            if self.screen(who).evaluate(NEWEST, self.table.status().version):
                return
            time.sleep(0.05)
        raise AssertionError(f"{who}'s screen is behind")

    def picture(self, who: str, name: str) -> None:
        """What somebody sees now, where pictures are wanted."""
        if self._pictures:
            folder = Path(self._pictures)
            folder.mkdir(parents=True, exist_ok=True)
            self.screen(who).screenshot(path=folder / f"{self.language}-{self._size}-{name}.png")


def _is_a_tap(answer: Response) -> bool:
    asked = answer.request
    return asked.method == "POST" and asked.resource_type == "fetch" and not asked.url.endswith("/here")


def sure(page: Page) -> None:
    """Yes, to the question whether it is meant."""
    page.click("#sure[open] button[value=yes]")


def proof(page: Page) -> None:
    """The pit boss's own PIN."""
    type_pins(page, PINS[BOSS])


def both(page: Page) -> None:
    """Two people, each with a PIN."""
    type_pins(page, PINS[BOSS], SECOND, PINS[SECOND])


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
    evening.picture(ADMINISTRATOR, "first")
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
    evening.picture(ADMINISTRATOR, "people")
    page.close()


def count(page: Page, chips: int) -> None:
    """So many of every kind lie in the tray; the last one of each is tapped."""
    for row in page.locator("form[data-command] .chip-row").all():
        row.locator("input[data-worth]").fill(str(chips - 1))
        row.locator("[data-step='1']").click()


def open_table(evening: Evening) -> None:
    """Two people count and open; a dealer is signed on, who loads the shoe."""
    page = evening.sign_in(BOSS)
    evening.walk(BOSS, TABLE, f"{TABLE}/pit", "/count")
    page.locator("label", has=page.locator("input[value=classic]")).click()
    page.wait_for_url("**house=classic")
    count(page, 40)
    evening.picture(BOSS, "count")
    evening.tap(BOSS, "form[data-command] button.primary", both)
    page.wait_for_url("**/pit")
    evening.walk(BOSS, "/boxes")
    page.select_option("#dealer", DEALER)
    evening.picture(BOSS, "boxes")
    evening.tap(BOSS, "form:has(#dealer) button")
    evening.sign_in(DEALER)
    evening.walk(DEALER, TABLE, "/dealer")
    evening.tap(DEALER, "form:has([value=load_shoe]) .primary")
    evening.looks(DEALER)
    while evening.screen(DEALER).locator("[value=card_burnt]").count():
        evening.tap(DEALER, "form:has([value=card_burnt]) button")
        evening.looks(DEALER)


def bets(evening: Evening) -> None:
    """Box 3 and box 5, two taps each."""
    evening.tap(DEALER, "form:has([value=open_bets]) .primary")
    page = evening.screen(DEALER)
    for box, chip in ((3, 1000), (5, 2500)):
        page.locator(f".dealing-box:has(input[value='{box}'])").click()
        evening.tap(DEALER, f"button[name=amount][value='{chip}']")
    evening.picture(DEALER, "bets")
    evening.tap(DEALER, "form:has([value=close_bets]) button")


def pay(evening: Evening) -> None:
    """Seat by seat, and the cards to the rack."""
    evening.looks(DEALER)
    evening.picture(DEALER, "pay")
    for _ in (3, 5):
        evening.tap(DEALER, ".pay.here button")
    evening.table.eyes.clear()
    evening.tap(DEALER, "form:has([value=table_cleared]) button")


def total_is(evening: Evening, seat: str, total: str) -> None:
    """What the dealer reads beside a hand."""
    expect(evening.screen(DEALER).locator(f"{seat} .dealing-total").first).to_have_text(total)


def first_round(evening: Evening) -> None:
    """The eyes take a three for an eight; two people put it right, and the round is paid by what lay there.

    They do so while a card is due: a player who is asked and does not answer for a minute is a question of its own.
    """
    bets(evening)
    evening.table.deal("box3=8S box5=TH dealer=6D box3=3D")
    total_is(evening, BOX_3, "11")
    evening.walk(BOSS, f"{TABLE}")
    evening.picture(BOSS, "table")
    page = evening.walk(BOSS, f"{TABLE}/pit", "/corrections")
    evening.picture(BOSS, "corrections")
    page.select_option("#which", "box3.0:1")
    form = page.locator("form:has([value=correct_card])")
    form.locator("label", has=page.locator("[name=rank][value='8']")).click()
    form.locator("label", has=page.locator("[name=suit][value=D]")).click()
    evening.tap(BOSS, form.locator("button.primary"), both)
    page.wait_for_url("**/pit")
    total_is(evening, BOX_3, "16")
    evening.table.deal("box5=QC dealer=##")
    total_is(evening, ".dealing-seat.turn", "16")
    evening.picture(DEALER, "turn")
    for _ in (3, 5):
        evening.tap(DEALER, ".answer-stand")
    evening.table.turn("TC")
    evening.table.deal("dealer=9S")
    pay(evening)


def second_round(evening: Evening) -> None:
    """All as before; a card lies where no bet is, and is burned; the dealer calls. All that is seen by name."""
    evening.tap(DEALER, "form:has([value=open_bets]) .primary")
    evening.tap(DEALER, "form[action$=as_before] button")
    evening.tap(DEALER, "form:has([value=close_bets]) button")
    evening.table.deal("box3=5S box5=9H dealer=7D box3=6C box5=9D dealer=##")
    evening.tap(DEALER, ".answer-hit")
    evening.table.deal("box1=2H")
    expect(evening.screen(DEALER).locator(".dealing.stops")).to_be_visible()
    evening.tap(DEALER, "form[action$='/call'] button")
    evening.picture(DEALER, "stopped")
    acknowledge(evening)
    evening.walk(BOSS, f"{TABLE}/pit")
    page = evening.screen(BOSS)
    evening.picture(BOSS, "pit")
    page.locator(".questions a.button").click()
    page.locator("label.remedy", has=page.locator("[value=burn]")).click()
    evening.picture(BOSS, "question")
    evening.tap(BOSS, "form.question button.primary", proof)
    page.wait_for_url("**/pit")
    evening.table.deal("box3=TS")  # 21, so nothing is asked of him any more
    total_is(evening, ".dealing-seat.turn", "18")
    evening.tap(DEALER, ".answer-stand")
    evening.table.turn("KD")
    pay(evening)


def acknowledge(evening: Evening) -> None:
    """Whoever has seen an alert says so with his name, and it leaves everybody's list."""
    page = evening.walk(BOSS, TABLE)
    gravest = evening.say("codes.irregularity_box_without_bet")
    line = page.locator(".alert-line")
    expect(line).to_contain_text(gravest)
    evening.picture(BOSS, "table-stopped")
    line.click()
    alerts, known = page.locator(".alerts:not(.known) .alert"), page.locator(".alert-known")
    titles = (gravest, *map(evening.say, ("alerts.title_supervisor_called", "alerts.title_card_corrected")))
    for title in titles:
        expect(alerts.filter(has_text=title)).to_have_count(1)
    evening.picture(BOSS, "alerts")
    for title in titles:
        evening.tap(BOSS, alerts.filter(has_text=title).locator("button.primary"))
        expect(alerts.filter(has_text=title)).to_have_count(0)
        expect(known.filter(has_text=title)).to_contain_text(re.compile(rf"{BOSS}.*\d\d:\d\d:\d\d"))


def void_a_round(evening: Evening) -> None:
    """The round cannot be finished: every bet goes back, by two people and with a reason."""
    bets(evening)
    evening.table.deal("box3=8S box5=TH dealer=6D")
    evening.looks(DEALER)
    page = evening.walk(BOSS, f"{TABLE}/pit", "/corrections")
    page.fill("#reason", REASONS[evening.language][0])
    evening.tap(BOSS, "form:has([value=void_round]) button.danger", sure, both)
    page.wait_for_url("**/pit")
    evening.table.eyes.clear()
    expect(evening.screen(DEALER).locator("form:has([value=open_bets]) .primary")).to_be_visible()
    evening.picture(DEALER, "voided")


def dispute(evening: Evening) -> Path:
    """Box 3 complains about the first round: found on the desk, taken down, exported, decided."""
    page = evening.walk(BOSS, "/desk/")
    page.select_option("[name=box]", "3")
    page.select_option("[name=mark]", "correction")
    page.locator("form.search button.primary").click()
    expect(page.locator(".round-line")).to_have_count(1)
    evening.picture(BOSS, "desk")
    page.locator(".round-line").click()
    complain = page.locator("form[action*='/complaints/']")
    complain.locator("[name=box]").select_option("3")
    complain.locator("[name=reason]").fill(REASONS[evening.language][1])
    evening.picture(BOSS, "replay")
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
    evening.picture(BOSS, "complaints")
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
    evening.tap(BOSS, "form[data-command] button.primary", both)
    page.wait_for_url("**/pit")
    expect(page.locator("[data-panel='T01/pit_status']")).to_contain_text(evening.say("codes.phase_closed"))
    evening.picture(BOSS, "closed")


def paid_by(evening: Evening) -> set[str]:
    """Who said of each box that it was paid, as it stands on record."""
    facts = [row for row in rows(Path(evening.table.status().journal)) if row.kind == "event.box_settled"]
    return {msgspec.json.decode(row.body)["cause"]["by"]["name"] for row in facts}


@pytest.mark.parametrize(("language", "size"), PAIRS)
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
        assert paid_by(evening) == {DEALER}
        assert {who: one.complaints for who, one in evening.screens.items() if one.complaints} == {}
