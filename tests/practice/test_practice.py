"""An evening of practice rounds: the dealer does wrong what he is told to, the pit boss puts it right or misses it."""

import json
import random
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import msgspec
import pytest
from click.testing import CliRunner

from table_controller.cli import main
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import PACK
from table_controller.core.house import Language
from table_controller.core.irregular import TWO_PEOPLE, Remedy
from table_controller.core.places import Place
from table_controller.journal.keys import make_key
from table_controller.journal.naming import journal_path
from table_controller.journal.record import Draft
from table_controller.play.felt import FLOOR, SECOND, Point
from table_controller.play.recorded import RecordedFelt
from table_controller.practice.mistakes import CALLED, CAUGHT_AS, PLANTED, Called, Mistake, Planted, occasion, wish
from table_controller.practice.score import Line, score
from table_controller.practice.telling import practice_texts
from table_controller.replay.opening import load
from tests.evening import EveningClock, nobody_warns, open_felt, open_house

SEED, ROUNDS = 8, 60


@dataclass
class Lesson:
    """A practice table: whoever deals obeys the plan, whoever supervises notices wrong payments only if `attentive`."""

    felt: RecordedFelt
    attentive: bool
    planted: list[Planted]

    def round(self, number: int) -> None:
        felt, mistake = self.felt, wish(SEED, number)
        felt.command(said.OpenBets(felt.cause(), FLOOR, practice=True))
        for box in (1, 3, 5):
            felt.command(said.PlaceBet(felt.cause(), FLOOR, box, 1000))
        felt.command(said.CloseBets(felt.cause(), FLOOR))
        while felt.round.due.kind is not DueKind.PAY:
            mistake = self.plant(mistake)
            self.put_right()
            if felt.state.round is None:
                return
            point = felt.point()
            if felt.round.due.kind is DueKind.ACCEPT:
                felt.signal(felt.round.due.place, Action.STAND)
            elif point is None:
                felt.deal()
            else:
                felt.signal(point.place, *self.choose(point))
        self.plant(mistake)
        self.put_right()
        felt.clear()

    def choose(self, point: Point) -> tuple[Action, int | None]:
        return point.legal[1 if point.stage == "play" and len(point.legal) > 1 else -1], None

    def plant(self, mistake: Mistake | None) -> Mistake | None:
        """Makes the mistake if its moment has come; what is still to be made afterwards."""
        found = occasion(self.felt.state, mistake) if mistake is not None else None
        if found is None:
            return mistake
        felt = self.felt
        felt.recorder.note([Draft(kind=PLANTED, body=msgspec.json.encode(found), round=found.round, source="floor")])
        self.planted.append(found)
        if found.mistake is not Mistake.WRONG_PAYOUT:
            felt.say(said.CardSeen(felt.cause(), Place(found.box), next(felt.cards)))
        elif self.attentive:
            felt.clock.wait(9.0)
            called = msgspec.json.encode(Called(found.round, found.box, FLOOR.name))
            felt.recorder.note([Draft(kind=CALLED, body=called, round=found.round, source="floor")])
        return None

    def put_right(self) -> None:
        while self.felt.state.disputes:
            one, house = self.felt.state.disputes[0], self.felt.state.house
            assert house is not None
            remedy = house.remedies[one.irregularity][0]
            if remedy in TWO_PEOPLE or remedy is Remedy.ACCEPT:
                remedy = Remedy.VOID
            second = SECOND if remedy in TWO_PEOPLE else None
            self.felt.clock.wait(6.0)
            self.felt.command(said.ResolveDispute(self.felt.cause(), FLOOR, one.number, remedy, second))


def held(folder: Path, *, attentive: bool) -> tuple[Path, list[Planted]]:
    journal = journal_path(folder, "T01", "2026-11-29")
    felt = open_felt(journal, make_key(folder / "house.key"), EveningClock())
    open_house(felt, "golden_wolf", {"min_bet": 100, "max_bet": 10000, "budget": 10**9})
    lesson = Lesson(felt, attentive, [])
    for number in range(1, ROUNDS + 1):
        shoe = list(PACK * 4)
        random.Random(number).shuffle(shoe)
        felt.cards = iter(shoe)
        felt.load()
        lesson.round(number)
    felt.recorder.leave()
    return journal, lesson.planted


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Planted]]:
    return held(tmp_path_factory.mktemp("lesson"), attentive=True)


def lines(journal: Path) -> list[Line]:
    return score(load(journal, nobody_warns)).lines


def test_every_kind_of_mistake_found_its_moment(lesson: tuple[Path, list[Planted]]) -> None:
    assert {one.mistake for one in lesson[1]} == set(Mistake)


def test_every_mistake_that_was_put_right_is_on_the_card_with_its_time(lesson: tuple[Path, list[Planted]]) -> None:
    journal, planted = lesson
    card = score(load(journal, nobody_warns))
    assert card.rounds == ROUNDS
    assert [(line.round, line.mistake, line.box) for line in card.lines] == [
        (one.round, one.mistake, one.box) for one in planted
    ]
    assert card.caught == len(planted)
    assert all(line.by == FLOOR.name for line in card.lines)
    assert all((line.remedy is None) == (line.mistake is Mistake.WRONG_PAYOUT) for line in card.lines)
    assert card.typical_seconds is not None
    assert 6.0 < card.typical_seconds < 15.0
    assert card.slips == {}


def test_a_wrong_payment_nobody_reports_was_missed(tmp_path: Path) -> None:
    journal, planted = held(tmp_path, attentive=False)
    assert any(one.mistake is Mistake.WRONG_PAYOUT for one in planted)
    for line in lines(journal):
        assert line.noticed == (line.mistake is not Mistake.WRONG_PAYOUT)


def test_rounds_for_money_get_no_mistakes(tmp_path: Path) -> None:
    felt = open_felt(journal_path(tmp_path, "T01", "2026-11-29"), make_key(tmp_path / "k"), EveningClock())
    open_house(felt)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 1000))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 3, 1000))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    assert felt.round.due.kind is DueKind.CARD
    assert occasion(felt.state, Mistake.WRONG_BOX) is None
    felt.recorder.leave()


def test_the_same_seed_plans_the_same_evening_and_leaves_rounds_clean() -> None:
    plan = [wish(SEED, number) for number in range(200)]
    assert plan == [wish(SEED, number) for number in range(200)]
    assert plan != [wish(SEED + 1, number) for number in range(200)]
    assert {None, *Mistake} == set(plan)


@pytest.mark.parametrize("language", Language)
def test_the_card_is_told_in_every_language(lesson: tuple[Path, list[Planted]], language: Language) -> None:
    told = CliRunner().invoke(main, ["practice", "score", str(lesson[0]), "--lang", language.value])
    assert told.exit_code == 0, told.stderr
    assert len(told.stdout.splitlines()) == len(lesson[1]) + 3
    plain = CliRunner().invoke(main, ["practice", "score", str(lesson[0]), "--json"])
    assert json.loads(plain.stdout)["caught"] == len(lesson[1])


@pytest.mark.parametrize(("language", "word"), [("pl", "ćwiczebnych"), ("en", "practice"), ("ru", "учебных")])
def test_a_day_without_practice_says_so_and_how_to_begin(tmp_path: Path, language: str, word: str) -> None:
    felt = open_felt(tmp_path / "T01-2026-11-29.db", make_key(tmp_path / "house.key"), EveningClock())
    open_house(felt)
    felt.recorder.leave()
    told = CliRunner().invoke(main, ["practice", "score", str(tmp_path / "T01-2026-11-29.db"), "--lang", language])
    assert told.exit_code == 0, told.stderr
    assert len(told.stdout.splitlines()) == 1
    assert word in told.stdout


def test_the_trainer_gets_the_plan_in_advance() -> None:
    told = CliRunner().invoke(main, ["practice", "plan", "--seed", str(SEED), "--rounds", "6", "--lang", "pl"])
    assert [line.split(":")[0] for line in told.stdout.splitlines()] == [f"runda {number}" for number in range(1, 7)]


def test_the_languages_say_the_same() -> None:
    def blanks(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    first, *others = (practice_texts(language) for language in Language)
    assert set(first["mistake"]) == set(Mistake) == set(CAUGHT_AS)
    for other in others:
        assert {part: {key: blanks(text) for key, text in texts.items()} for part, texts in first.items()} == {
            part: {key: blanks(text) for key, text in texts.items()} for part, texts in other.items()
        }
