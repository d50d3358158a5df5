"""First bets under the rules they were made under: what theoretical win is computed from."""

from table_controller import houses
from table_controller.analysis.theory import theoretical
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.words import BetKind, Line, Result, When
from table_controller.core.events import Event, RoundClosed, RoundOpened, RoundVoided, RulesChanged
from table_controller.core.people import Person, Role
from table_controller.core.stimuli import Cause
from table_controller.views import wagers

CAUSE = Cause("test", 1)
FLOOR = Person("floor", Role.PIT_BOSS)


def line(box: int, stake: int, net: int, bet: BetKind = BetKind.MAIN, hand: int = 0) -> bj.BetSettled:
    result = Result.WIN if net > 0 else Result.LOSE
    return bj.BetSettled(CAUSE, Line(bet, box, hand, stake, result, net, max(0, stake + net), When.END))


def folded(*events: Event) -> wagers.Wagered:
    view = wagers.initial
    for event in (RulesChanged(CAUSE, FLOOR, houses.rule_values("classic")), *events):
        view = wagers.apply(view, event)
    return view


def only(view: wagers.Wagered) -> wagers.Wagers:
    (found,) = view.under.values()
    return found


def opened(number: int, *, practice: bool = False) -> RoundOpened:
    return RoundOpened(CAUSE, number, practice, {})


def test_what_was_added_by_doubling_and_splitting_is_no_first_bet() -> None:
    found = only(
        folded(
            opened(1),
            bj.HandSplit(CAUSE, 1, 0, 100),
            bj.HandDoubled(CAUSE, 1, 1, 100),
            line(1, 100, -100),
            line(1, 200, 200, hand=1),
            line(2, 300, -300),
            RoundClosed(CAUSE, 1),
        )
    )
    assert (found.bets, found.first, found.house_net) == (2, 400, 200)
    assert (found.squares, found.products) == (100**2 + 300**2, 2 * 100 * 300)


def test_practice_and_void_rounds_are_not_in_it() -> None:
    practice = (opened(1, practice=True), line(1, 100, 100), RoundClosed(CAUSE, 1))
    void = (
        opened(2),
        line(1, 100, 100),
        RoundVoided(CAUSE, FLOOR, FLOOR, 2, "fire alarm", {1: 100}),
        RoundClosed(CAUSE, 2),
    )
    assert folded(*practice, *void).under == {}


def test_a_corrected_bet_counts_as_it_was_corrected() -> None:
    was = line(1, 100, 100)
    again = bj.BetResettled(CAUSE, line(1, 100, -100).line, was.line)
    assert only(folded(opened(1), was, again, RoundClosed(CAUSE, 1))).house_net == 100
    reopened = bj.BetReopened(CAUSE, was.line)
    assert folded(opened(1), was, reopened, RoundClosed(CAUSE, 1)).under == {}


def test_theoretical_win_is_the_edge_of_the_bets_and_its_band_grows_with_their_squares() -> None:
    round_one = (opened(1), line(1, 1000, -1000), line(2, 1000, 1000), RoundClosed(CAUSE, 1))
    theory = theoretical(folded(*round_one).under)
    assert 6.6 < theory.win < 6.7
    assert theory.actual == 0
    assert theory.sd > 1000 * 1.14 * 2**0.5  # boxes of a round win together
    low, high = theory.band
    assert low < theory.win < high
    assert theoretical({}).distance is None


def test_each_bet_is_counted_under_its_own_rules() -> None:
    view = folded(opened(1), line(1, 100, -100), RoundClosed(CAUSE, 1))
    for event in (
        RulesChanged(CAUSE, FLOOR, houses.rule_values("bil_cup")),
        opened(2),
        line(1, 100, -100),
        RoundClosed(CAUSE, 2),
    ):
        view = wagers.apply(view, event)
    assert [one.first for one in view.under.values()] == [100, 100]
    assert 2.6 < theoretical(view.under).win < 2.7
