"""Pictures of the window for docs/screens.md: a seeded evening and a round in play, in a real Chromium.

make screens
"""

import io
import logging
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from dashboard import create_app, start
from dashboard.desk.days import Day
from dashboard.panels.alerting import alerts_of
from dashboard.settings import Settings
from dashboard.worth import WORTHS
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card, cards
from table_controller.core.house import Language
from table_controller.core.irregular import Remedy
from table_controller.core.people import Person, Role
from table_controller.core.places import Place
from table_controller.journal.keys import make_key
from table_controller.journal.record import Draft
from table_controller.play.felt import FLOOR, SECOND
from table_controller.play.recorded import RecordedFelt
from table_controller.port.words import Complain
from table_controller.practice.lesson import PLANNED, Plan
from table_controller.practice.mistakes import Mistake, wish
from table_controller.views.alerts import ACKNOWLEDGED, Acknowledged
from tests.dashboard.controller import SmallController
from tests.dashboard.listening import served
from tests.dashboard.recorded_evening import CHIP, record_evening
from tests.dashboard.world import PASSWORD, make_people
from tests.evening import open_house

CHROMIUM: Final = "/usr/bin/chromium"
QUIETLY: Final = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
)
SIZES: Final = {"landscape": (1180, 820), "portrait": (820, 1180), "phone": (390, 844)}
ROUNDS: Final = 90
CARDS: Final = "9S TD 5H 8C QH 6D 8D 7C 6S 3D 4C KD 5C 2S 7H 9D"
HOUR_NS: Final = 3600 * 10**9
COLOURS: Final = 256
PATIENCE_S: Final = 300.0
ABOUT: Final = (
    "Made by `make screens` from a seeded evening in a real Chromium.",
    "",
    "`tests/dashboard/test_whole_evening.py` drives the window through an evening by taps alone, in Russian on a",
    "phone; `make evenings` does so in all nine pairs of language and screen and leaves its pictures in",
    "`build/evenings`.",
)
DOCS: Final = Path(__file__).parents[2] / "docs"


class Shot(Struct, frozen=True):
    """One picture: its file, the page, who looks in which language on which screen, and what it shows."""

    name: str
    path: str
    who: str
    language: str
    size: str
    shows: str
    theme: str = "dark"


class Stage:
    """The house whose pictures are taken."""

    def __init__(self, data: Path) -> None:
        begins = time.time_ns() - 2 * HOUR_NS
        self.felt: RecordedFelt = record_evening(data, make_key(data / "keys" / "house.key"), ROUNDS, begins)
        self.controller = SmallController(data, self.felt)
        self.controller.start()
        make_people(data)
        self.app = create_app(Settings(data=data, language=Language.ENGLISH, limits=False))
        self.feed = start(self.app)
        self.day = self.felt.recorder.day.path.stem.removeprefix("T07-")
        assert isinstance(self.felt.state.rules, RuleSet)
        for rules in (self.felt.state.rules, houses.rules_with("golden_wolf", {})):
            WORTHS.of(rules, PATIENCE_S)

    def see_to_alerts(self) -> None:
        """What the evening left is acknowledged."""
        by = Person("pit_boss", Role.PIT_BOSS)
        for _ in range(100):
            time.sleep(0.05)
            seen = self.feed.tables.get("T07")
            if seen is not None and seen.seq == self.felt.recorder.day.writer.head.seq:
                break
        for one in alerts_of(self.feed.tables["T07"]).open:
            body = msgspec.json.encode(Acknowledged(one.id, by))
            self.felt.recorder.note([Draft(kind=ACKNOWLEDGED, body=body, source="floor")])

    def rest(self) -> None:
        """Nothing happens."""

    def play(self) -> None:
        """A round in play, waiting for box 3."""
        self.see_to_alerts()
        felt = self.felt
        felt.clock.at_ns = time.time_ns() - 60 * 10**9
        felt.load()
        felt.command(said.OpenBets(felt.cause(), FLOOR))
        for box, amount in ((1, 2500), (2, 1000), (3, 5000), (5, 1500), (6, 2000)):
            felt.command(said.PlaceBet(felt.cause(), FLOOR, box, amount))
        felt.command(said.CloseBets(felt.cause(), FLOOR))
        felt.cards = iter(cards(CARDS))
        while (point := felt.point()) is None or point.place.box < 3:
            if point is None:
                felt.deal()
            else:
                felt.signal(point.place, Action.STAND)

    def mislay(self) -> None:
        """A card lands at a box without a bet, and the camera goes dark."""
        self.felt.say(said.CardSeen(self.felt.cause(), Place(4), Card.parse("2H")))
        self.felt.say(said.DeviceLost(self.felt.cause(), "camera"))

    def mend(self) -> None:
        """All is put right, the round is finished, and a player complains about an earlier one."""
        felt = self.felt
        felt.say(said.DeviceBack(felt.cause(), "camera"))
        felt.command(said.ResolveDispute(felt.cause(), FLOOR, felt.state.disputes[-1].number, Remedy.BURN))
        felt.play(lambda _point: (Action.STAND, None))
        felt.clear()
        by = Person("pit_boss", Role.PIT_BOSS)
        reason = "Box 3 says it was paid for 20, the dealer had 19"
        heard = Complain(id="screens-1", by=by, day=self.day, round=61, box=3, reason=reason, lock="none")
        self.controller.answer(heard)

    def practise(self) -> None:
        """A house that lets people practise; in the round on the table the dealer is to lay a card at the wrong box."""
        felt = self.felt
        bank = felt.state.bank
        by_slips = bank.opening + bank.fills - bank.credits - bank.buy_ins
        felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, {CHIP: by_slips // CHIP}))
        open_house(felt, "golden_wolf", {"min_bet": 500, "max_bet": 10000, "budget": 10**9})
        felt.command(said.OpenBets(felt.cause(), FLOOR, practice=True))
        seed = next(seed for seed in range(10_000) if wish(seed, felt.round.number) is Mistake.WRONG_BOX)
        plan = Draft(
            kind=PLANNED, body=msgspec.json.encode(Plan(mistakes=True, seed=seed, by="pit_boss")), source="floor"
        )
        felt.recorder.note([plan])
        for box in (1, 3):
            felt.command(said.PlaceBet(felt.cause(), FLOOR, box, 1000))
        felt.command(said.CloseBets(felt.cause(), FLOOR))
        felt.deal()

    def end(self) -> None:
        """Everything stops."""
        self.feed.stop()
        self.controller.stop()
        self.felt.recorder.leave()


class Chapter(Struct, frozen=True):
    """A part of the page: what happens before its pictures are taken (a method of Stage), and the pictures."""

    title: str
    before: str
    shot: tuple[Shot, ...]


def chapters() -> tuple[Chapter, ...]:
    """Everything that is shown, as listed in screens.toml; DAY in a path is the evening's day."""
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return msgspec.convert(listed["chapter"], tuple[Chapter, ...])


class Camera:
    """Takes pictures of pages as different people."""

    def __init__(self, browser: Browser, port: int, stage: Stage) -> None:
        self._browser = browser
        self._base = f"http://127.0.0.1:{port}"
        self._stage = stage
        self._pages: dict[str, Page] = {}
        self.too_wide: list[str] = []

    def take(self, shot: Shot) -> bytes:
        """The picture as a small PNG."""
        page = self._page(shot.who)
        self._look(page, shot)
        wide, high = SIZES[shot.size]
        page.set_viewport_size({"width": wide, "height": high})
        answer = page.goto(self._base + self._path(shot.path))
        assert answer is not None
        assert answer.status == 200, (shot.name, answer.status)
        page.wait_for_timeout(1200)
        if page.evaluate("document.documentElement.scrollWidth") > wide:
            self.too_wide.append(shot.name)
        return small(page.screenshot())

    def _path(self, path: str) -> str:
        """Questions are numbered as they come, and a step of a round has the number of its row."""
        open_ones = self._stage.felt.state.disputes
        path = path.replace("QUESTION", str(open_ones[-1].number) if open_ones else "1").replace("DAY", self._stage.day)
        address, _, step = path.partition("?step=")
        if not step:
            return path
        day = Day(self._stage.felt.recorder.day.path)
        return f"{address}?seq={day.course(int(address.rsplit('/', 1)[1]))[int(step)].seq}"

    def _page(self, who: str) -> Page:
        if who not in self._pages:
            page = self._browser.new_context(locale="en-GB").new_page()
            page.set_default_timeout(PATIENCE_S * 1000)
            page.goto(f"{self._base}/sign-in")
            page.fill("input[name=name]", who)
            page.fill("input[name=password]", PASSWORD)
            page.click("main button.primary")
            page.wait_for_url("**/tables")
            self._pages[who] = page
        return self._pages[who]

    def _look(self, page: Page, shot: Shot) -> None:
        page.goto(f"{self._base}/me")
        page.evaluate(
            """async ([language, theme]) => {
                const token = document.querySelector("meta[name=csrf-token]").content;
                const body = new URLSearchParams({csrf_token: token, language, theme});
                await fetch("/me/looks", {method: "POST", body});
            }""",
            [shot.language, shot.theme],
        )


def small(png: bytes) -> bytes:
    """Few colours are enough, and keep the repository small."""
    out, taken = io.BytesIO(), Image.open(io.BytesIO(png)).convert("RGB")
    taken.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def page_of(parts: tuple[Chapter, ...]) -> str:
    """docs/screens.md."""
    lines = ["# What the window looks like", "", *ABOUT, ""]
    for part in parts:
        lines += [f"## {part.title}", ""]
        for shot in part.shot:
            wide, high = SIZES[shot.size]
            lines += [f"**{shot.shows}** ({wide}×{high}, {shot.language})", ""]
            lines += [f"![{shot.shows}](screens/{shot.name}.png)", ""]
    return "\n".join(lines)


def main(only: tuple[str, ...] = ()) -> int:
    """Takes all pictures, or those named; 1 if a page is wider than its screen."""
    (DOCS / "screens").mkdir(exist_ok=True)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    parts = chapters()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        stage = Stage(Path(folder))
        with served(stage.app) as port:
            camera = Camera(play.chromium.launch(executable_path=CHROMIUM, args=list(QUIETLY)), port, stage)
            for part in parts:
                getattr(stage, part.before)()
                time.sleep(1.5)
                for shot in part.shot:
                    if not only or shot.name in only:
                        picture = camera.take(shot)
                        (DOCS / "screens" / f"{shot.name}.png").write_bytes(picture)
                        sys.stderr.write(f"{shot.name}: {len(picture) // 1024} kB\n")
        stage.end()
    (DOCS / "screens.md").write_text(page_of(parts), "utf-8")
    sys.stderr.write(f"too wide: {', '.join(camera.too_wide) or 'none'}\n")
    return 1 if camera.too_wide else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
