"""Bets: placed, taken back, closed. Limits hold for the first bet of a box only (Golden Wolf l.12-13, PARAMETERS)."""

from table_controller.core.blackjack.legal import insurance_limit
from table_controller.core.blackjack.round import BlackjackRound, Box, round_of, rules_of
from table_controller.core.blackjack.rules import Double, RuleSet, Split, Surrender
from table_controller.core.events import BetPlaced, BetsClosed, BetsTakenBack
from table_controller.core.game import Course
from table_controller.core.money import Rounding, divides, share
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.stimuli import CloseBets, PlaceBet, Side, TakeBack
from table_controller.core.table import Phase, TableState


def bet_faults(rules: RuleSet, main: int, pairs: int) -> list[Reason]:
    """Everything wrong with the bets of one box."""
    faults = _main_faults(rules, main) if main > 0 else [Reason.NO_MAIN]
    return faults + (_side_faults(rules, main, pairs) if pairs else [])


def _main_faults(rules: RuleSet, main: int) -> list[Reason]:
    broken_payout = rules.rounding is Rounding.EXACT and not _pays_exactly(rules, main)
    checks = (
        (rules.min_bet is not None and main < rules.min_bet, Reason.BELOW_MIN),
        (rules.max_bet is not None and main > rules.max_bet, Reason.ABOVE_MAX),
        (bool(main % rules.bet_step) or broken_payout, Reason.STEP),
    )
    return [reason for wrong, reason in checks if wrong]


def _pays_exactly(rules: RuleSet, main: int) -> bool:
    return divides(main, rules.bj_pays) and (rules.surrender is Surrender.NONE or divides(main, (1, 2)))


def _side_faults(rules: RuleSet, main: int, pairs: int) -> list[Reason]:
    limit = None
    if rules.side_max is not None and rules.max_bet is not None:
        limit = share(rules.max_bet, rules.side_max, Rounding.DOWN)
    checks = (
        (rules.pairs is None, Reason.NO_PAIR_BET_HERE),
        (main <= 0, Reason.SIDE_WITHOUT_MAIN),
        (limit is not None and pairs > limit, Reason.SIDE_ABOVE_LIMIT),
        (pairs < 0, Reason.BELOW_MIN),
    )
    return [reason for wrong, reason in checks if wrong]


def cannot_place(state: TableState, bet: PlaceBet) -> Refusal | None:
    """Why this bet is none."""
    rnd = round_of(state)
    if state.phase is not Phase.BETTING or rnd is None:
        return Refusal(_closed_reason(state))
    rules = rules_of(state)
    if not 1 <= bet.box <= rules.boxes:
        return Refusal(Reason.NO_SUCH_BOX, f"boxes are 1 to {rules.boxes}")
    if bet.funds is not None and bet.amount > bet.funds:
        return Refusal(Reason.FUNDS, f"{bet.funds} left")
    box = rnd.box(bet.box) or Box(bet.box)
    if bet.side is Side.PAIRS:
        faults = [Reason.BOX_TWICE] if box.pairs else _side_faults(rules, box.main, bet.amount)
    else:
        faults = [Reason.BOX_TWICE] if box.main > box.carried else bet_faults(rules, box.main + bet.amount, 0)
        faults = faults if bet.amount > 0 else [Reason.NO_MAIN]
    return Refusal(faults[0], ", ".join(faults)) if faults else None


def _closed_reason(state: TableState) -> Reason:
    reasons = {Phase.CLOSED: Reason.TABLE_CLOSED, Phase.PAUSED: Reason.TABLE_PAUSED, Phase.IDLE: Reason.NO_ROUND}
    return reasons.get(state.phase, Reason.BETS_CLOSED)


def place(course: Course, bet: PlaceBet) -> None:
    """A bet lies."""
    course.record(BetPlaced(bet.cause, bet.box, bet.amount, bet.side, bet.funds))


def cannot_take_back(state: TableState, command: TakeBack) -> Refusal | None:
    """Why the bets of a box stay."""
    rnd = round_of(state)
    if state.phase is not Phase.BETTING or rnd is None:
        return Refusal(_closed_reason(state))
    return None if rnd.box(command.box) is not None else Refusal(Reason.BOX_EMPTY)


def take_back(course: Course, command: TakeBack) -> None:
    """A box is empty again."""
    course.record(BetsTakenBack(command.cause, command.box))


def cannot_close(state: TableState, _command: CloseBets) -> Refusal | None:
    """Why betting goes on."""
    rnd = round_of(state)
    if state.phase is not Phase.BETTING or rnd is None:
        return Refusal(_closed_reason(state))
    return unplayable(rules_of(state), rnd)


def unplayable(rules: RuleSet, rnd: BlackjackRound) -> Refusal | None:
    """Why these bets cannot be dealt to; a carried stake must fit the limits as well."""
    if not rnd.boxes:
        return Refusal(Reason.NO_BETS)
    for box in rnd.boxes:
        faults = bet_faults(rules, box.main, box.pairs) if box.main > box.carried or box.pairs else []
        if faults:
            return Refusal(faults[0], f"box {box.number}")
    return None


def close(course: Course, _command: CloseBets) -> None:
    """No more bets."""
    close_bets(course)


def close_bets(course: Course) -> None:
    """Record the end of betting and what the house may lose at most."""
    course.record(BetsClosed(course.cause, exposure(course.state)))


def exposure(state: TableState) -> int:
    """The most the house can lose on the bets that lie, in minor units, before the first card."""
    rnd, rules = round_of(state), rules_of(state)
    return sum(_box_exposure(rules, box) for box in rnd.boxes) if rnd is not None else 0


def _box_exposure(rules: RuleSet, box: Box) -> int:
    hands = 1 if rules.split is Split.NONE else rules.max_hands
    doubled = rules.double is not Double.NONE and (hands == 1 or rules.das)
    each = box.main * (2 if doubled else 1)
    if rules.charlie is not None:
        each = max(each, share(box.main, rules.charlie.pays, rules.rounding))
    single = box.main * 2 if rules.double is not Double.NONE else box.main
    best_play = max(each * hands, single)
    natural = share(box.main, rules.bj_pays, rules.rounding)
    insured = share(insurance_limit(rules, box), rules.insurance_pays, rules.rounding) if rules.insurance else 0
    side = box.pairs * rules.pairs.perfect if rules.pairs is not None else 0
    return max(best_play, natural, insured) + side
