"""Who is paid what. Integers only; the one place beside core/money.py that computes money."""

from typing import Final

from table_controller.core.blackjack.hands import is_natural, total
from table_controller.core.blackjack.round import BlackjackRound, Box, Due, DueKind, Hand
from table_controller.core.blackjack.rules import NaturalTakes, Pairs, Push, RuleSet
from table_controller.core.blackjack.words import BetKind, Line, Result, When
from table_controller.core.cards import Card
from table_controller.core.money import share


def lost(box: int, hand: int, stake: int, when: When, result: Result = Result.LOSE) -> Line:
    """A main bet lost whole."""
    return Line(BetKind.MAIN, box, hand, stake, result, -stake, 0, when)


def won(box: int, hand: int, stake: int, winnings: int, ended: tuple[Result, When]) -> Line:
    """A main bet won: stake and winnings come back."""
    return Line(BetKind.MAIN, box, hand, stake, ended[0], winnings, stake + winnings, ended[1])


def natural_line(rules: RuleSet, box: Box, hand: int, when: When) -> Line:
    """A natural against a dealer without one."""
    stake = box.hands[hand].stake
    return won(box.number, hand, stake, share(stake, rules.bj_pays, rules.rounding), (Result.BLACKJACK, when))


def even_money_line(box: Box) -> Line:
    """A natural closed at 1:1 before anyone knows the dealer's second card."""
    return won(box.number, 0, box.hands[0].stake, box.hands[0].stake, (Result.EVEN_MONEY, When.AT_ONCE))


def charlie_line(rules: RuleSet, box: Box, hand: int) -> Line:
    """So many cards without bust, paid at once."""
    assert rules.charlie is not None
    stake = box.hands[hand].stake
    return won(
        box.number, hand, stake, share(stake, rules.charlie.pays, rules.rounding), (Result.CHARLIE, When.AT_ONCE)
    )


def bust_line(box: Box, hand: int) -> Line:
    """Over 21: lost at once, whatever the dealer does."""
    return lost(box.number, hand, box.hands[hand].stake, When.AT_ONCE, Result.BUST)


def surrender_line(rules: RuleSet, box: Box) -> Line:
    """Half back, half lost, final."""
    stake = box.hands[0].stake
    back = share(stake, (1, 2), rules.rounding)
    return Line(BetKind.MAIN, box.number, 0, stake, Result.SURRENDER, back - stake, back, When.AT_ONCE)


def insurance_line(rules: RuleSet, box: Box, dealer_natural: bool, when: When) -> Line:
    """2:1 if the dealer has a natural, else lost; it outlives bust and surrender of its box."""
    stake = box.insurance
    if not dealer_natural:
        return Line(BetKind.INSURANCE, box.number, 0, stake, Result.LOSE, -stake, 0, when)
    winnings = share(stake, rules.insurance_pays, rules.rounding)
    return Line(BetKind.INSURANCE, box.number, 0, stake, Result.WIN, winnings, stake + winnings, when)


def pairs_line(pays: Pairs, box: Box, first: Card, second: Card) -> Line:
    """The side bet on a box's first two cards, by rank (live dealer l.9)."""
    result, odds = Result.LOSE, -1
    if first.rank is second.rank:
        if first.suit is second.suit:
            result, odds = Result.PERFECT, pays.perfect
        elif first.suit.is_red == second.suit.is_red:
            result, odds = Result.COLOURED, pays.coloured
        else:
            result, odds = Result.MIXED, pays.mixed
    net = box.pairs * odds
    return Line(BetKind.PAIRS, box.number, 0, box.pairs, result, net, max(0, box.pairs + net), When.DEAL)


def final_lines(rules: RuleSet, rnd: BlackjackRound) -> list[Line]:
    """Every bet still open, once the dealer's hand is final."""
    natural = is_natural(rnd.dealer)
    lines = []
    for box in rnd.boxes:
        if box.insurance_open:
            lines.append(insurance_line(rules, box, natural, When.PEEK if rnd.peeked else When.DEALER))
        lines.extend(_main_lines(rules, rnd, box, natural))
    return lines


def _main_lines(rules: RuleSet, rnd: BlackjackRound, box: Box, dealer_natural: bool) -> list[Line]:
    when = When.PEEK if rnd.peeked else When.END
    lines: list[Line] = []
    carried = takes = 0
    if dealer_natural:
        takes = natural_takes(rnd.natural_takes or rules.bj_loss, rnd, box)
    for number, hand in enumerate(box.hands):
        if hand.settled:
            continue
        if dealer_natural and not hand.natural:
            taken = min(takes, hand.stake)
            takes -= taken
            lines.append(
                Line(BetKind.MAIN, box.number, number, hand.stake, Result.LOSE, -taken, hand.stake - taken, when)
            )
            continue
        line = _against_total(rules, box, number, rnd.dealer, when)
        if line.result is Result.PUSH and rules.push is Push.STAY and not rnd.practice and not carried:
            carried = min(box.main, hand.stake)
            line = Line(
                BetKind.MAIN, box.number, number, hand.stake, Result.PUSH, 0, hand.stake - carried, when, carried
            )
        lines.append(line)
    return lines


def _against_total(rules: RuleSet, box: Box, number: int, dealer: tuple[Card | None, ...], when: When) -> Line:
    hand: Hand = box.hands[number]
    if hand.natural and not is_natural(dealer):
        return natural_line(rules, box, number, when)
    own, (theirs, _) = total(hand.cards)[0], total(dealer)
    if own > 21:
        return lost(box.number, number, hand.stake, when, Result.BUST)
    if theirs > 21 or own > theirs:
        return won(box.number, number, hand.stake, hand.stake, (Result.WIN, when))
    if own == theirs:
        return Line(BetKind.MAIN, box.number, number, hand.stake, Result.PUSH, 0, hand.stake, when)
    return lost(box.number, number, hand.stake, when)


def natural_takes(rule: NaturalTakes, rnd: BlackjackRound, box: Box) -> int:
    """How much a dealer natural found after play takes from the open hands of a box."""
    if rule is NaturalTakes.ALL:
        return sum(hand.stake for hand in box.hands if not hand.settled)
    busted = any(line.box == box.number and line.result is Result.BUST for line in rnd.lines)
    if rule is NaturalTakes.ORIGINAL and busted:
        return 0
    return box.main


SETTLES: Final = frozenset(
    {DueKind.PAIRS, DueKind.INSURANCE_LOST, DueKind.BUST, DueKind.CHARLIE, DueKind.NATURAL, DueKind.FINISH}
)
"""What is due when bets can be decided without waiting for anybody."""


def lines_due(rules: RuleSet, rnd: BlackjackRound) -> list[Line]:
    """The ledger lines that the round as it lies decides now; empty unless `due` is one of SETTLES."""
    match rnd.due.kind:
        case DueKind.PAIRS:
            return [_pairs_of(rules, box) for box in rnd.boxes if box.pairs_open]
        case DueKind.INSURANCE_LOST:
            return [insurance_line(rules, box, False, When.PEEK) for box in rnd.boxes if box.insurance_open]
        case DueKind.FINISH:
            return final_lines(rules, rnd)
        case DueKind.BUST | DueKind.CHARLIE | DueKind.NATURAL:
            box = rnd.box(rnd.due.place.box)
            assert box is not None
            return [_at_once(rules, box, rnd.due)]
        case _:
            return []


def _at_once(rules: RuleSet, box: Box, due: Due) -> Line:
    if due.kind is DueKind.BUST:
        return bust_line(box, due.place.hand)
    if due.kind is DueKind.CHARLIE:
        return charlie_line(rules, box, due.place.hand)
    return natural_line(rules, box, due.place.hand, When.ON_TURN)


def _pairs_of(rules: RuleSet, box: Box) -> Line:
    first, second = box.hands[0].cards[:2]
    assert rules.pairs is not None
    assert first is not None
    assert second is not None
    return pairs_line(rules.pairs, box, first, second)
