"""Practice through the window: the dealer is told what to do wrong and nobody else, and the supervisor calls it."""

from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient

from dashboard.panels import PANELS
from dashboard.roles import ACCESS, Act
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind
from table_controller.core.blackjack.words import Action
from table_controller.core.people import Role
from table_controller.core.places import Place
from table_controller.core.stimuli import OpenBets
from table_controller.play.felt import FLOOR, SECOND
from table_controller.port.client import NOBODY
from table_controller.practice.lesson import PLANNED
from table_controller.practice.mistakes import CALLED, PLANTED, Called, Mistake, Planted, occasion, wish
from tests.dashboard.running import Running, chromium, running, sign_in
from tests.dashboard.world import World, command, post
from tests.evening import open_house, rows
from tests.shell.standing import eventually

TOLD = "PRACTICE: "
ON = {"mistakes": "1"}


@pytest.fixture
def school(world: World) -> World:
    """The table plays for a house that lets people practise."""
    felt = world.felt
    felt.command(said.CloseTable(felt.cause(), FLOOR, SECOND, {500: 40}))
    open_house(felt, "golden_wolf", {"min_bet": 100, "max_bet": 10000, "budget": 10**9})
    world.caught_up()
    return world


def opened(world: World, *, practice: bool = True) -> int:
    """A round with two bets and a card to come; its number."""
    felt = world.felt
    felt.load()
    felt.command(OpenBets(felt.cause(), FLOOR, practice=practice))
    for box in (1, 3):
        felt.command(said.PlaceBet(felt.cause(), FLOOR, box, 1000))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    return felt.round.number


def planned(world: World, boss: FlaskClient, mistake: Mistake, number: int) -> None:
    """The pit boss plans an evening in which this round gets this mistake."""
    seed = next(seed for seed in range(10_000) if wish(seed, number) is mistake)
    answer = post(boss, "/tables/T01/practice/plan", json=True, id=f"plan-{seed}-{number}", seed=seed, **ON)
    assert answer.status_code == 200, answer.text
    world.caught_up()


def moment(world: World, boss: FlaskClient, mistake: Mistake) -> Planted:
    """Practice rounds are played until the moment of this mistake has come."""
    felt = world.felt
    for _ in range(12):
        planned(world, boss, mistake, opened(world))
        while True:
            if (found := occasion(felt.state, mistake)) is not None:
                world.caught_up()
                return found
            if felt.round.due.kind is DueKind.PAY:
                break
            point = felt.point()
            if point is None:
                felt.deal()
            else:
                felt.signal(point.place, Action.STAND if point.stage == "play" else point.legal[-1])
        felt.clear()
    raise AssertionError("the moment does not come")


def panel(client: FlaskClient, name: str) -> str:
    answer = client.get(f"/panel/T01/{name}").json
    assert answer is not None
    html = answer["html"]
    assert isinstance(html, str)
    return html


def noted(world: World, kind: str) -> list[bytes]:
    return [bytes(row.body) for row in world.rows() if row.kind == kind]


@pytest.mark.parametrize("mistake", list(Mistake))
def test_the_dealer_is_told_when_the_moment_has_come(school: World, boss: FlaskClient, mistake: Mistake) -> None:
    found = moment(school, boss, mistake)
    shown = panel(school.signed_in(Role.DEALER), "dealer")
    assert TOLD in shown
    assert found.mistake is Mistake.CHECK_SKIPPED or f"box {found.box}" in shown


def test_nobody_else_is_told_on_any_page(school: World, boss: FlaskClient) -> None:
    found = moment(school, boss, Mistake.WRONG_BOX)
    dealer = school.signed_in(Role.DEALER)
    assert post(dealer, "/tables/T01/practice/planted", json=True, round=found.round).status_code == 200
    school.caught_up()
    paths = ("/tables/T01/pit", "/tables/T01/practice", "/tables/T01/dealer", "/tables/T01", "/tables/T01/alerts")
    day = f"/desk/T01/2026-11-29/{found.round}"
    for role in set(Role) - {Role.DEALER}:
        client = school.signed_in(role)
        pages = [client.get(path).text for path in (*paths, day)] + [panel(client, name) for name in PANELS]
        assert not any("although" in page or "lay this card" in page or "wrong_box" in page for page in pages), role
    others = [panel(dealer, name) for name in PANELS if name != "dealer"]
    assert not any("lay this card" in page for page in others)


def test_it_goes_on_record_once_and_stays_shown_while_its_moment_lasts(school: World, boss: FlaskClient) -> None:
    found, dealer = moment(school, boss, Mistake.WRONG_BOX), school.signed_in(Role.DEALER)
    assert "data-planted" in panel(dealer, "dealer")
    for _ in range(2):
        post(dealer, "/tables/T01/practice/planted", json=True, round=found.round)
        school.caught_up()
    assert [msgspec.json.decode(body, type=Planted) for body in noted(school, PLANTED)] == [found]
    shown = panel(dealer, "dealer")
    assert TOLD in shown
    assert "data-planted" not in shown
    school.felt.say(said.CardSeen(school.felt.cause(), Place(found.box), next(school.felt.cards)))
    school.caught_up()
    assert TOLD not in panel(dealer, "dealer")


def test_the_score_card_keeps_silent_until_the_mistake_is_found(school: World, boss: FlaskClient) -> None:
    found = moment(school, boss, Mistake.WRONG_BOX)
    post(school.signed_in(Role.DEALER), "/tables/T01/practice/planted", json=True, round=found.round)
    school.caught_up()
    assert "mistakes caught: 0 of 0" in boss.get("/tables/T01/practice").text
    school.felt.say(said.CardSeen(school.felt.cause(), Place(found.box), next(school.felt.cards)))
    school.caught_up()
    page = boss.get("/tables/T01/practice").text
    assert "mistakes caught: 1 of 1" in page
    assert "a card laid at the wrong box: noticed" in page


def test_the_pit_boss_calls_a_wrong_payment_and_the_card_says_so(school: World, boss: FlaskClient) -> None:
    found = moment(school, boss, Mistake.WRONG_PAYOUT)
    post(school.signed_in(Role.DEALER), "/tables/T01/practice/planted", json=True, round=found.round)
    school.caught_up()
    assert "Wrong payment!" in boss.get("/tables/T01/pit").text
    fields = {"round": found.round, "box": found.box}
    assert post(boss, "/tables/T01/practice/called", json=True, **fields).status_code == 200
    school.caught_up()
    assert post(boss, "/tables/T01/practice/called", json=True, **fields).status_code == 409
    assert noted(school, CALLED) == [msgspec.json.encode(Called(found.round, found.box, "pit_boss"))]
    assert "a wrong payment: called by pit_boss" in boss.get("/tables/T01/practice").text


def test_a_box_without_a_bet_and_another_round_cannot_be_called(school: World, boss: FlaskClient) -> None:
    number = opened(school)
    school.caught_up()
    for fields in ({"round": number, "box": 2}, {"round": number + 1, "box": 1}):
        assert post(boss, "/tables/T01/practice/called", json=True, **fields).status_code == 400
    assert noted(school, CALLED) == []


def test_rounds_for_money_have_neither_mistakes_nor_calls(world: World, boss: FlaskClient) -> None:
    number = opened(world, practice=False)
    planned(world, boss, Mistake.WRONG_BOX, number)
    world.felt.deal()
    world.caught_up()
    assert TOLD not in panel(world.signed_in(Role.DEALER), "dealer")
    assert panel(boss, "wrong_payment").strip() == ""
    assert post(boss, "/tables/T01/practice/called", json=True, round=number, box=1).status_code == 409
    dealer = world.signed_in(Role.DEALER)
    assert post(dealer, "/tables/T01/practice/planted", json=True, round=number).status_code == 409
    assert noted(world, PLANTED) == noted(world, CALLED) == []


def test_a_plan_is_kept_on_record_and_can_be_ended(school: World, boss: FlaskClient) -> None:
    found = moment(school, boss, Mistake.WRONG_BOX)
    page = boss.get("/tables/T01/practice").text
    assert "Mistakes are planned" in page
    assert "PRACTICE: round" in page
    post(boss, "/tables/T01/practice/plan", json=True, id="plan-ended", seed=1, mistakes="")
    school.caught_up()
    assert "No mistakes are planned" in boss.get("/tables/T01/practice").text
    assert TOLD not in panel(school.signed_in(Role.DEALER), "dealer")
    dealer = school.signed_in(Role.DEALER)
    assert post(dealer, "/tables/T01/practice/planted", json=True, round=found.round).status_code == 409
    assert len(noted(school, PLANNED)) >= 2


def test_a_house_without_practice_says_why_none_begins(world: World, boss: FlaskClient) -> None:
    assert "disabled" in panel(boss, "practice_round")
    answer = command(world, boss, "open_bets", practice="1").json
    assert answer is not None
    assert answer["reason"] == "no_practice"


def test_only_the_pit_plans_and_calls() -> None:
    assert ACCESS[Act.RUN_PIT] == {Role.PIT_BOSS, Role.ADMINISTRATOR}


def kinds(table: Running) -> list[str]:
    return [row.kind for row in rows(Path(table.status().journal))]


def test_two_dealers_screens_in_a_browser_put_it_on_record_once(tmp_path: Path) -> None:
    with running(tmp_path, "en") as table, chromium() as browser:
        table.open("golden_wolf")
        seed = next(seed for seed in range(10_000) if wish(seed, 1) is Mistake.WRONG_BOX)
        boss = sign_in(browser, table, Role.PIT_BOSS, "/tables/T01/practice")
        boss.page.fill("#seed", str(seed))
        boss.page.locator("input[name=mistakes][value='1']").check()
        boss.tap("form.stack button.primary")
        boss.shows(f"plan {seed}")
        screens = [sign_in(browser, table, Role.DEALER, "/tables/T01/dealer") for _ in range(2)]
        table.say(OpenBets(NOBODY, FLOOR, practice=True))
        for box in (1, 3):
            table.say(said.PlaceBet(NOBODY, FLOOR, box, 100))
        table.say(said.CloseBets(NOBODY, FLOOR))
        table.deal("box1=8S")
        for screen in screens:
            screen.shows("PRACTICE: lay this card at box 1")
        eventually(lambda: PLANTED in kinds(table))
        screens[0].page.wait_for_timeout(1500)
        assert kinds(table).count(PLANTED) == 1
        assert [screen.complaints for screen in (boss, *screens)] == [[], [], []]
