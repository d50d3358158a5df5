"""The dealer's next action follows from what is due, in one code and its values."""

import pytest

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.words import Action, HolePeeked, HoleTurned
from table_controller.core.cards import Card
from table_controller.core.irregular import Remedy
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import CardSeen
from table_controller.play.felt import DEALER_ROLE, FLOOR, SECOND, Felt
from table_controller.views.payments import pay_list, to_pay
from table_controller.views.prompts import Prompt, answers, next_action, waiting_questions
from tests.views.test_board import Watched


@pytest.fixture
def felt() -> Watched:
    return Watched()


def closed_bets(felt: Watched, *boxes: int, amount: int = 100) -> None:
    felt.bet(*boxes, amount=amount)
    felt.command(said.CloseBets(felt.cause(), FLOOR))


def code(felt: Felt) -> str:
    return next_action(felt.state).code


def test_a_closed_table_asks_for_nothing_else() -> None:
    assert next_action(Felt().state) == Prompt("closed")


def test_between_rounds_the_next_thing_is_what_keeps_bets_from_opening(felt: Watched) -> None:
    assert code(felt) == "open_bets"
    felt.say(said.CutCardSeen(felt.cause()))
    assert code(felt) == "shuffle"


def test_what_the_house_wants_done_in_time_comes_before_the_bets() -> None:
    felt = Felt()
    house = {**houses.house_values("golden_wolf"), "reader_check": True, "deck_hours": 24, "cut_percent": 25}
    felt.command(said.OpenTable(felt.cause(), FLOOR, SECOND, houses.rule_values("golden_wolf"), house, {}))
    assert code(felt) == "inspect_reader"
    felt.command(said.InspectReader(felt.cause(), FLOOR))
    assert code(felt) == "change_cards"
    felt.command(said.LoadShoe(felt.cause(), FLOOR, True, SECOND))
    assert code(felt) == "cut"
    felt.command(said.CutShoe(felt.cause(), FLOOR, DEALER, 78))
    assert code(felt) == "open_bets"
    assert felt.state.shoe is not None
    assert felt.state.shoe.penetration == 75


def test_a_lost_device_is_named() -> None:
    felt = Watched()
    felt.say(said.DeviceLost(felt.cause(), "camera"))
    assert next_action(felt.state) == Prompt("fault", what="camera", stops=True)


def test_a_card_to_burn_is_counted() -> None:
    felt = Watched()
    for dealer in ("dealer-1", "dealer-2"):
        felt.command(said.SignOn(felt.cause(), FLOOR, dealer))
    house = felt.state.house
    assert house is not None
    assert next_action(felt.state).number == house.burns.new_dealer


def test_betting_ends_with_a_bet_that_cannot_be_dealt_named() -> None:
    felt = Watched("live_dealer")
    felt.bet(1, 3, amount=200)
    assert code(felt) == "bets_or_close"


def test_the_deal_goes_round_the_boxes_and_the_hole_card_is_asked_for_face_down(felt: Watched) -> None:
    closed_bets(felt, 2, 5)
    told = []
    for card in ["KS", "AH", "6D", "7C", "6S", "QC"]:
        told.append((code(felt), next_action(felt.state).place))
        felt.deal_cards(card)
    assert told == [
        ("deal", Place(2)),
        ("deal", Place(5)),
        ("deal_dealer", DEALER),
        ("deal", Place(2)),
        ("deal", Place(5)),
        ("deal_hole", DEALER),
    ]


def test_a_hand_is_asked_and_only_what_the_rules_allow_may_be_answered(felt: Watched) -> None:
    closed_bets(felt, 3)
    felt.deal_cards("8S 6D 8D QC")
    assert next_action(felt.state) == Prompt("turn", Place(3), number=16)
    assert answers(felt.state) == (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)


@pytest.mark.parametrize(("action", "told"), [(Action.HIT, "hit"), (Action.DOUBLE, "double"), (Action.SPLIT, "split")])
def test_a_signal_becomes_the_card_the_dealer_gives(felt: Watched, action: Action, told: str) -> None:
    closed_bets(felt, 3)
    felt.deal_cards("8S 6D 8D QC")
    felt.signal(Place(3), action)
    assert next_action(felt.state) == Prompt(told, Place(3))


def test_nobody_is_asked_before_the_check_and_the_check_is_yes_or_no(felt: Watched) -> None:
    closed_bets(felt, 3)
    felt.deal_cards("8S TD 8D QC")
    assert next_action(felt.state) == Prompt("peek")
    assert answers(felt.state) == ()
    felt.say(HolePeeked(felt.cause(), blackjack=True))
    assert code(felt) == "reveal_blackjack"


def test_insurance_is_asked_box_by_box_with_its_limit(felt: Watched) -> None:
    closed_bets(felt, 3)
    felt.deal_cards("8S AD 8D QC")
    assert next_action(felt.state) == Prompt("insurance", Place(3), 50)
    assert answers(felt.state) == (Action.INSURE, Action.NO_INSURANCE)


def test_a_card_that_cannot_be_read_is_shown_again_at_once_while_others_may_be_dealt(felt: Watched) -> None:
    closed_bets(felt, 2, 5)
    felt.say(CardSeen(felt.cause(), Place(2), None))
    assert next_action(felt.state) == Prompt("show_again", Place(2), what="unreadable", stops=True)
    felt.deal_cards("AH")
    assert code(felt) == "show_again"
    felt.say(CardSeen(felt.cause(), Place(2), Card.parse("9C")))
    assert next_action(felt.state) == Prompt("deal_dealer", DEALER)


def test_a_card_on_the_wrong_place_is_to_be_moved_to_where_it_is_due(felt: Watched) -> None:
    closed_bets(felt, 2, 5)
    felt.say(CardSeen(felt.cause(), Place(5), Card.parse("9C")))
    assert next_action(felt.state) == Prompt("move", Place(2), what="wrong_place", stops=True)


def test_a_card_everybody_saw_is_never_moved_to_become_the_hole_card(felt: Watched) -> None:
    closed_bets(felt, 2)
    felt.deal_cards("KS 6D 9C")
    felt.say(CardSeen(felt.cause(), Place(2), Card.parse("4C")))
    assert next_action(felt.state).code == "supervisor"


def test_questions_that_stop_nobody_are_told_beside_the_next_action(felt: Watched) -> None:
    dealt_out(felt)
    felt.say(said.BoxPaid(felt.cause(), 1))
    felt.command(said.ReportPayout(felt.cause(), FLOOR, 1, 500))
    assert next_action(felt.state).code == "pay"
    assert [one.irregularity for one in waiting_questions(felt.state)] == ["wrong_payout"]


def test_what_the_dealer_cannot_put_right_calls_the_supervisor(felt: Watched) -> None:
    closed_bets(felt, 3)
    felt.deal_cards("8S 6D 9D QC")
    felt.say(CardSeen(felt.cause(), Place(3), Card.parse("9C")))
    assert next_action(felt.state) == Prompt("supervisor", Place(3), what="card_not_due", stops=True)
    assert answers(felt.state) == ()


def test_a_paused_table_waits_for_the_supervisor(felt: Watched) -> None:
    felt.command(said.PauseTable(felt.cause(), DEALER_ROLE, "noise"))
    assert next_action(felt.state) == Prompt("paused", stops=True)


def dealt_out(felt: Watched) -> None:
    """Box 1 has a natural, box 3 wins, box 5 loses, box 6 pushes."""
    closed_bets(felt, 1, 3, 5, 6)
    felt.deal_cards("AS TC TH KS 9D KD QC 6H 9H TD")
    for box in (3, 5, 6):
        felt.signal(Place(box), Action.STAND)
    felt.say(HoleTurned(felt.cause(), Card.parse("TD")))


def test_the_pay_list_goes_seat_by_seat_with_what_crosses_the_table(felt: Watched) -> None:
    dealt_out(felt)
    told = []
    for box in (1, 3, 5, 6):
        told.append(next_action(felt.state))
        felt.say(said.BoxPaid(felt.cause(), box))
    assert told == [
        Prompt("pay", Place(1), 150),
        Prompt("pay", Place(3), 100),
        Prompt("take", Place(5), 100, 100),
        Prompt("push", Place(6), 100),
    ]
    assert code(felt) == "clear"


def test_a_paid_box_stays_on_the_list_as_paid(felt: Watched) -> None:
    dealt_out(felt)
    felt.say(said.BoxPaid(felt.cause(), 1))
    assert [(one.box, one.paid) for one in pay_list(felt.round)] == [(1, True), (3, False), (5, False), (6, False)]
    assert [one.box for one in to_pay(felt.round)] == [3, 5, 6]


def test_what_the_pay_list_hands_out_and_takes_is_the_houses_result(felt: Watched) -> None:
    dealt_out(felt)
    assert sum(one.take - one.pay for one in pay_list(felt.round)) == felt.round.house_net


def test_a_box_that_won_and_lost_is_paid_and_taken_from_in_one_line(felt: Watched) -> None:
    closed_bets(felt, 4)
    felt.deal_cards("8S 6D 8D QC")
    felt.signal(Place(4), Action.SPLIT)
    felt.deal_cards("TC")
    felt.signal(Place(4), Action.STAND)
    felt.deal_cards("2H")
    felt.signal(Place(4, 1), Action.STAND)
    felt.say(HoleTurned(felt.cause(), Card.parse("AC")))
    assert next_action(felt.state) == Prompt("pay_take", Place(4), 100, 100)


def test_a_bust_was_taken_at_once_and_is_not_asked_for_again(felt: Watched) -> None:
    closed_bets(felt, 2, 4)
    felt.deal_cards("KS 9C 6D 6H TS QC")
    felt.signal(Place(2), Action.HIT)
    felt.deal_cards("TD")
    felt.signal(Place(4), Action.STAND)
    felt.say(HoleTurned(felt.cause(), Card.parse("QC")))
    felt.deal_cards("5C")
    assert next_action(felt.state).place == Place(4)
    felt.say(said.BoxPaid(felt.cause(), 4))
    assert code(felt) == "clear"


def insured(felt: Watched) -> None:
    """Box 2 insures, box 4 does not; the dealer has no natural."""
    closed_bets(felt, 2, 4)
    felt.deal_cards("KS 9C AD 6H TS QC")
    felt.signal(Place(2), Action.INSURE)
    felt.signal(Place(4), Action.NO_INSURANCE)
    felt.say(HolePeeked(felt.cause(), blackjack=False))


def test_an_insurance_lost_at_the_check_is_taken_then_and_not_again_at_the_end(felt: Watched) -> None:
    insured(felt)
    felt.screen()
    assert [(line.box, line.bet, line.net) for line in felt.memory.news] == [(2, "insurance", -50)]
    felt.signal(Place(2), Action.STAND)
    felt.signal(Place(4), Action.STAND)
    felt.say(HoleTurned(felt.cause(), Card.parse("6C")))
    assert next_action(felt.state) == Prompt("take", Place(2), 100, 100)


def test_a_box_whose_bets_all_fell_before_the_end_has_nothing_left_to_pay(felt: Watched) -> None:
    insured(felt)
    felt.signal(Place(2), Action.HIT)
    felt.deal_cards("TD")
    felt.signal(Place(4), Action.STAND)
    felt.say(HoleTurned(felt.cause(), Card.parse("7C")))
    told = next_action(felt.state)
    assert (told.code, told.place) == ("nothing", Place(2))
    felt.say(said.BoxPaid(felt.cause(), 2))
    assert next_action(felt.state).place == Place(4)


def test_a_void_round_leaves_nothing_to_pay(felt: Watched) -> None:
    closed_bets(felt, 2)
    felt.deal_cards("KS 6D 6H QC")
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "fire alarm"))
    assert code(felt) == "open_bets"


def test_a_question_left_open_keeps_the_next_round_shut(felt: Watched) -> None:
    dealt_out(felt)
    for box in (1, 3, 5, 6):
        felt.say(said.BoxPaid(felt.cause(), box))
    felt.command(said.ReportPayout(felt.cause(), FLOOR, 3, 500))
    felt.say(said.TableCleared(felt.cause()))
    assert next_action(felt.state).code == "supervisor"
    felt.command(said.ResolveDispute(felt.cause(), FLOOR, felt.state.disputed, Remedy.LET_IT_STAND))
    assert code(felt) == "open_bets"
