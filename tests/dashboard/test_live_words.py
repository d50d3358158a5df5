"""The live pages say everything that can happen at a table in the three languages."""

import pytest

from dashboard import wording
from dashboard.i18n import Speech, texts
from dashboard.panels.alerting import detail, title, to_do
from table_controller.core.blackjack.words import Action, BetKind, Result
from table_controller.core.house import Language
from table_controller.core.irregular import Irregularity
from table_controller.core.places import DEALER, Place
from table_controller.core.shared import REFUSALS
from table_controller.core.stimuli import Command
from table_controller.games import GAMES
from table_controller.views.alerts import NOTED, Alert, Severity
from table_controller.views.board import BACK, UNREAD, HandShown
from table_controller.views.prompts import BETWEEN_ROUNDS, Prompt

AT_NS = 1_795_982_400_000_000_000
LANGUAGES = pytest.mark.parametrize("language", list(Language))


def alert(code: str, what: str = "", detail: str = "", place: Place | None = None) -> Alert:
    return Alert("id", code, Severity.STOP, what, AT_NS, place=place, detail=detail)


def commands() -> list[str]:
    judged = [kind for game in GAMES.values() for kind in game.game.judges]
    return [str(kind.__struct_config__.tag) for kind in judged if issubclass(kind, Command)]


@LANGUAGES
def test_every_question_says_what_to_do(language: Language) -> None:
    say = Speech(language)
    for irregularity in Irregularity:
        assert to_do(say, alert("question", irregularity))


@LANGUAGES
def test_every_other_alert_has_a_title_and_says_what_to_do(language: Language) -> None:
    say = Speech(language)
    codes = {str(kind.__struct_config__.tag) for kind in NOTED} - {"floor_called"} | {
        "supervisor_called",
        "account_locked",
    }
    for code in codes:
        assert title(say, alert(code))
        assert to_do(say, alert(code))
    for word in ("password", "pin"):
        assert detail(say, alert("account_locked", "Sam", word))


@LANGUAGES
def test_every_command_that_can_be_refused_has_a_name(language: Language) -> None:
    assert len(commands()) >= len(REFUSALS)
    known = texts(language)
    assert [name for name in commands() if f"alerts.command_{name}" not in known] == []


@LANGUAGES
def test_every_signal_bet_and_result_has_a_word(language: Language) -> None:
    keys = {f"dealer.{action}" for action in Action} | {f"dealer.line_{bet}" for bet in BetKind}
    keys |= {f"board.{result}" for result in Result} | {f"prompts.{code}" for code in BETWEEN_ROUNDS.values()}
    assert keys - set(texts(language)) == set()


def test_a_refusal_is_told_by_its_reason_and_a_question_by_place_and_card() -> None:
    say = Speech(Language.ENGLISH)
    assert detail(say, alert("command_refused", "open_bets", "device_fault: camera")) == (
        "A device is not working; no round may begin."
    )
    assert detail(say, alert("question", "wrong_place", "9C", Place(5))) == "Box 5, 9♣"
    assert detail(say, alert("round_voided", "", "fire alarm")) == "fire alarm"


def test_the_next_action_is_one_short_line() -> None:
    say = Speech(Language.ENGLISH, currency="PLN")
    told = [
        wording.prompt_line(say, prompt)
        for prompt in (
            Prompt("hit", Place(3)),
            Prompt("hit", Place(3, 1)),
            Prompt("pay", Place(5), 75),
            Prompt("show_again", Place(2), what="unreadable"),
            Prompt("show_again", DEALER, what="unreadable"),
            Prompt("burn", number=2),
            Prompt("fault", what="camera"),
            Prompt("supervisor", what="census_differs"),
        )
    ]
    assert told == [
        "Box 3: hit",
        "Box 3, hand 2: hit",
        "Pay box 5: 0.75",
        "Box 2 not read: show the card again",
        "Dealer not read: show the card again",
        "Burn 2 cards",
        "Camera does not answer: no new round",
        "Call the pit boss: The count of the shoe differs",
    ]


def test_a_hand_is_told_with_its_soft_total_and_hidden_cards_without_a_name() -> None:
    say = Speech(Language.ENGLISH)
    soft = HandShown(("AS", "6D"), 17, True)
    assert (wording.count(say, soft), wording.points(say, soft)) == ("7/17", "soft 17")
    assert wording.count(say, HandShown(("AS", "KD"), 21, True, natural=True)) == "BJ"
    assert wording.points(say, HandShown(("9S", "5D", "KD"), 24, False)) == "24, bust"
    assert [wording.card(say, text) for text in ("TS", BACK, UNREAD)] == ["10♠", "face down", "not read"]


def test_a_code_nobody_has_translated_is_shown_as_it_is() -> None:
    say = Speech(Language.ENGLISH)
    assert wording.code_text(say, "detail", "glare") == "glare"
    assert wording.code_text(say, "detail", "flux") == "flux"
    assert wording.code_text(say, "device", "camera") == "Camera"
