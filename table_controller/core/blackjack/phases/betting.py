"""Bets: placed, taken back, closed. Limits hold for the first bet of a box only (Golden Wolf l.12-13, PARAMETERS)."""

from table_controller.core.blackjack.legal import insurance_limit
from table_controller.core.blackjack.round import BlackjackRound, Box, round_of, rules_of
from table_controller.core.blackjack.rules import Double, PeekUnder, RuleSet, Split, Surrender
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
    charlie = rules.charlie is None or divides(main, rules.charlie.pays)
    halved = rules.surrender is Surrender.NONE or divides(main, (1, 2))
    return divides(main, rules.bj_pays) and charlie and halved


def _side_faults(rules: RuleSet, main: int, pairs: int) -> list[Reason]:
    limit = None
    if rules.side_max is not None and rules.max_bet is not None:
        limit = share(rules.max_bet, rules.side_max, Rounding.DOWN)
    checks = (
        (rules.pairs is None, Reason.NO_PAIR_BET_HERE),
        (main <= 0, Reason.SIDE_WITHOUT_MAIN),
        (limit is not None and pairs > limit, Reason.SIDE_ABOVE_LIMIT),
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
        faults += [] if bet.amount > 0 else [Reason.BELOW_MIN]
    else:
        faults = [Reason.BOX_TWICE] if box.main > box.carried else bet_faults(rules, box.main + bet.amount, 0)
        faults = faults if bet.amount > 0 else [Reason.NO_MAIN]
    return Refusal(faults[0], _limits(rules, bet, box)) if faults else None


def _limits(rules: RuleSet, bet: PlaceBet, box: Box) -> str:
    """What lies there and what may."""
    low, high = rules.min_bet or rules.bet_step, rules.max_bet or "any"
    total = bet.amount + (box.main if bet.side is Side.MAIN else 0)
    return f"{total} on box {bet.box}; one main bet a box, {low} to {high} in steps of {rules.bet_step}"


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
        faults = bet_faults(rules, box.main, box.pairs)
        faults += [Reason.NO_SUCH_BOX] if box.number > rules.boxes else []
        if faults:
            return Refusal(faults[0], f"box {box.number}; take the bet back or change it")
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
    insured = share(insurance_limit(rules, box), rules.insurance_pays, rules.rounding) if rules.insurance else 0
    natural = share(box.main, rules.bj_pays, rules.rounding)
    side = box.pairs * rules.pairs.perfect if rules.pairs is not None else 0
    return max(_play_exposure(rules, box, insured), natural, insured) + side


def _play_exposure(rules: RuleSet, box: Box, insured: int) -> int:
    """Every hand split as far as it goes, doubled and won; a Charlie keeps its win beside a won insurance."""
    hands = 1 if rules.split is Split.NONE else rules.max_hands
    doubles = rules.double is not Double.NONE
    each = box.main * (2 if doubles and (hands == 1 or rules.das) else 1)
    best = max(each * hands, box.main * 2 if doubles else box.main)
    if rules.charlie is None:
        return best
    stake = box.main * (2 if doubles and rules.charlie.cards == 3 else 1)
    charlie = share(stake, rules.charlie.pays, rules.rounding) * hands
    unchecked = insured if PeekUnder.ACE not in rules.peek else 0
    return max(best, charlie + unchecked)
