"""A round at a running table, tapped on the dealer's screen and seen from the pit, in Chromium, in three languages."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from table_controller.core import stimuli as said
from table_controller.core.people import Role
from table_controller.play.felt import SECOND
from table_controller.port.client import NOBODY
from table_controller.port.words import Health
from tests.dashboard.running import SIZES, TECHNICIAN, Running, Screen, another, chromium, running, sign_in

pytestmark = pytest.mark.slow

LINES = {
    "en": ("Open the bets", "Box 3: split, one card", "Peek: blackjack?", "Pay box 3: 18", "Cards to the rack"),
    "pl": (
        "Otwórz zakłady",
        "Boks 3: rozdzielone, jedna karta",
        "Sprawdź zakrytą: blackjack?",
        "Wypłać boks 3: 18",
        "Karty do odrzutów",
    ),
    "ru": (
        "Откройте ставки",
        "Бокс 3: сплит, одна карта",
        "Проверьте закрытую: блэкджек?",
        "Бокс 3: выплатить 18",
        "Карты в холдер",
    ),
}
DEVICES = ("shoe", "keys", "buttons", "camera", "recorder", "vision", "disk", "clock", "files")
HOLE = re.compile(r"\b7S\b|7♠|>7</text><use href=.{0,2}#suit-S")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def lay(dealer: Screen, box: int, chip: int, total: str) -> None:
    """Two taps, and the bet lies."""
    dealer.page.check(f"input[name=box][value='{box}']", force=True)
    dealer.tap(f"button[name=amount][value='{chip}']")
    dealer.page.locator(f".dealing-box:has(input[value='{box}']) strong", has_text=total).wait_for(timeout=8000)


@pytest.mark.parametrize("language", list(LINES))
def test_a_round_from_the_bets_to_the_rack(language: str, browser: Browser, tmp_path: Path) -> None:
    opened, split, peek, pay, clear = LINES[language]
    with running(tmp_path, language) as table:
        table.open()
        dealer = sign_in(browser, table, Role.DEALER, "/tables/T01/dealer")
        boss = sign_in(browser, table, Role.PIT_BOSS, "/tables/T01")
        boss.next_line(opened)
        dealer.move(table, ".dealing-button.primary")
        lay(dealer, 3, 500, "5")
        lay(dealer, 3, 100, "6")
        lay(dealer, 5, 1000, "10")
        dealer.move(table, ".dealing-button.primary")
        table.deal("box3=8S box5=TH dealer=KD box3=8D box5=QC dealer=##")
        dealer.next_line(peek)
        dealer.move(table, ".dealing-button.no")
        dealer.move(table, ".answer-split")
        table.part("box3")
        dealer.next_line(split)
        table.deal("box3=3S box3.1=TS")
        dealer.move(table, ".answer-double")
        table.deal("box3=TC")
        dealer.move(table, ".answer-stand")
        dealer.move(table, ".answer-stand")
        assert not dealer.heard(HOLE)
        assert not boss.heard(HOLE)
        table.turn("7S")
        boss.next_line(pay)
        boss.hears(HOLE)
        for _ in (3, 5):
            dealer.move(table, ".pay.here button")
        table.eyes.clear()
        dealer.next_line(clear)
        dealer.move(table, ".dealing-pay > form button")
        dealer.next_line(opened)
        as_before(table, dealer, boss)
        assert dealer.complaints + boss.complaints == []


def as_before(table: Running, dealer: Screen, boss: Screen) -> None:
    """The next round: the last one stays in the picture until one tap has laid all bets again."""
    dealer.move(table, ".dealing-button.primary")
    boss.page.locator(".felt.over").wait_for()
    dealer.move(table, "form[action$=as_before] button")
    boss.page.locator(".felt:not(.over)").wait_for()
    dealer.page.locator(".dealing-box strong").nth(1).wait_for()
    assert dealer.page.locator(".dealing-box strong").all_inner_texts() == ["6", "10"]


def test_an_alert_stays_until_a_named_person_has_seen_it(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "en") as table:
        table.open()
        dealer = sign_in(browser, table, Role.DEALER, "/tables/T01/dealer")
        watcher = sign_in(browser, table, Role.SURVEILLANCE, "/tables/T01/alerts")
        boss = sign_in(browser, table, Role.PIT_BOSS, "/tables/T01")
        watcher.shows("All is well")
        dealer.tap(".dealing-foot form:last-child button")
        boss.shows("The dealer calls you")
        table.say(said.VoidRound(NOBODY, TECHNICIAN, SECOND, "no reason"), taken=False)
        watcher.shows("Refused: declare the round void")
        assert watcher.page.locator(".alerts .alert").count() == 2
        watcher.tap(".alerts .alert:has-text('The dealer calls you') button")
        watcher.page.locator(".alert-known", has_text="The dealer calls you").wait_for(timeout=8000)
        known = watcher.page.locator(".alert-known").inner_text()
        assert re.search(r"surveillance, \d\d:\d\d:\d\d", known)
        boss.page.locator(".alert-line", has_text="1 open alert").wait_for(timeout=8000)
        boss.page.goto(f"{table.address}/tables/T01/alerts")
        assert boss.page.locator(".alerts:not(.known) .alert").count() == 1
        assert "surveillance" in boss.page.locator(".alert-known").inner_text()


def test_a_tap_is_not_lost_because_the_screen_is_drawn_anew_under_the_finger(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "en") as table:
        table.open()
        table.say(said.OpenBets(NOBODY, SECOND))
        table.say(said.PlaceBet(NOBODY, SECOND, 3, 1000))
        boss = sign_in(browser, table, Role.PIT_BOSS, "/tables/T01/dealer")
        boss.up_to_date(table)
        boss.page.locator(".dealing-foot form:last-child button").hover()
        boss.page.mouse.down()
        table.say(said.CloseBets(NOBODY, SECOND))  # the chips go, and the foot of the screen moves up
        boss.page.wait_for_timeout(300)
        boss.page.mouse.up()
        boss.page.locator(".dealing-deal").wait_for(timeout=8000)
        boss.page.goto(f"{table.address}/tables/T01")
        boss.shows("The dealer calls you")


COUNTED = """
window.tones = 0;
const made = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.tones += 1; return made.call(this); };
"""


def test_a_new_alert_sounds_once_somebody_has_tapped_the_page(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "en") as table:
        table.open()
        boss = sign_in(browser, table, Role.PIT_BOSS, "/tables/T01")
        boss.page.add_init_script(COUNTED)
        boss.page.reload()
        table.say(said.PauseTable(NOBODY, SECOND, "noise"))
        boss.shows("Table paused")
        assert boss.page.evaluate("window.tones") == 0
        boss.tap(".next")
        table.say(said.ResumeTable(NOBODY, SECOND))
        table.say(said.PauseTable(NOBODY, SECOND, "more noise"))
        boss.page.locator(".alert-line", has_text="2 open alerts").wait_for(timeout=8000)
        assert boss.page.evaluate("window.tones") == 3
        assert boss.complaints == []


def test_two_tables_are_two_tiles(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "en") as table, another(tmp_path, "T02"):
        table.open()
        boss = sign_in(browser, table, Role.PIT_BOSS, "/tables")
        assert boss.page.locator(".tile").count() == 2
        assert "Open the bets" in boss.page.locator(".tile", has_text="T01").inner_text()
        assert "The table is closed" in boss.page.locator(".tile", has_text="T02").inner_text()
        boss.tap(".tile:has-text('T02') a")
        boss.next_line("The table is closed")


def test_when_the_controller_is_silent_the_screen_says_so_within_five_seconds_and_offers_no_button(
    browser: Browser, tmp_path: Path
) -> None:
    with running(tmp_path, "en") as table:
        table.open()
        dealer = sign_in(browser, table, Role.DEALER, "/tables/T01/dealer")
        dealer.page.locator(".dealing-button.primary:enabled").wait_for()
        table.controller.kill()
        dealer.page.locator(".dealing-button.primary:disabled").wait_for(timeout=7000)
        assert dealer.page.locator("#not-live").is_visible()
        assert dealer.page.locator("form[data-command] [type=submit]:enabled").count() == 0


@pytest.mark.parametrize("size", list(SIZES))
def test_every_page_fits_its_screen_in_every_language(size: str, browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "pl") as table:
        table.open()
        for device in DEVICES:
            table.door.say(Health(device, ok=True, at_ns=time.time_ns()))
        table.say(said.OpenBets(NOBODY, SECOND))
        for box in (1, 2, 4, 7):
            table.say(said.PlaceBet(NOBODY, SECOND, box, 2500))
        boss = sign_in(browser, table, Role.PIT_BOSS, "/tables", size)
        for language in LINES:
            boss.page.context.request.post(f"{table.address}/language", form={"language": language})
            fits(boss, table, ("/tables", "/tables/T01", "/tables/T01/dealer", "/tables/T01/alerts"))
        table.deal("box1=8S box2=AH box4=TC box7=5D dealer=KD box1=8D box2=JC box4=7H box7=6D dealer=##")
        fits(boss, table, ("/tables/T01", "/tables/T01/dealer"))


def fits(screen: Screen, table: Running, pages: tuple[str, ...]) -> None:
    """Nothing is wider than the screen, and whatever is tapped is large enough for a finger."""
    for path in pages:
        screen.page.goto(f"{table.address}{path}")
        wide = screen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, path
        small = screen.page.evaluate(
            "[...document.querySelectorAll('main button, main a.button')].filter(b => b.offsetParent)"
            ".filter(b => b.getBoundingClientRect().height < 48).map(b => b.textContent.trim())"
        )
        assert small == [], path
