"""What a hand may do. Everything else is refused, with the reason."""

from table_controller.core.blackjack.hands import POINTS, points, total
from table_controller.core.blackjack.round import Box, Hand
from table_controller.core.blackjack.rules import Double, PeekUnder, RuleSet, Split, Surrender
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card


def legal(rules: RuleSet, box: Box, hand: Hand) -> tuple[Action, ...]:
    """The signals a hand that is asked may give, in the order hit, stand, double, split, surrender."""
    actions = [Action.STAND] if only_one_card(rules, hand) else [Action.HIT, Action.STAND]
    if may_double(rules, hand) and affords(box, hand.stake):
        actions.append(Action.DOUBLE)
    if may_split(rules, box, hand) and affords(box, hand.stake):
        actions.append(Action.SPLIT)
    if may_surrender(rules, box, hand):
        actions.append(Action.SURRENDER)
    return tuple(actions)


def affords(box: Box, stake: int) -> bool:
    """Whether the player can cover an added stake; unknown funds are the player's own affair."""
    return box.funds is None or box.funds >= stake


def only_one_card(rules: RuleSet, hand: Hand) -> bool:
    """A split ace gets one card and no more, where the house says so."""
    return rules.split_aces_one_card and is_split_ace(hand)


def is_split_ace(hand: Hand) -> bool:
    """A hand that began as one of two split aces."""
    return hand.from_split and hand.cards[0] is not None and points(hand.cards[0]) == 1


def may_double(rules: RuleSet, hand: Hand) -> bool:
    """Two cards of a total the house allows; after a split only where it allows that too."""
    if rules.double is Double.NONE or len(hand.cards) != 2:
        return False
    if hand.from_split and not (rules.double_split_aces if is_split_ace(hand) else rules.das):
        return False
    if rules.double is Double.ANY2:
        return True
    points_now, soft = total(hand.cards)
    lowest = 9 if rules.double is Double.HARD_9_11 else 10
    return not soft and lowest <= points_now <= 11


def may_split(rules: RuleSet, box: Box, hand: Hand) -> bool:
    """A pair as the house understands it, while the box has hands to spare."""
    if len(hand.cards) != 2 or rules.split is Split.NONE:
        return False
    first, second = hand.cards
    if first is None or second is None or not _is_pair(rules, first, second):
        return False
    limit = min(rules.max_hands, rules.max_hands_aces) if points(first) == 1 else rules.max_hands
    return len(box.hands) < limit


def _is_pair(rules: RuleSet, first: Card, second: Card) -> bool:
    if rules.split is Split.RANK:
        return first.rank is second.rank
    return POINTS[first.index] == POINTS[second.index]


def may_surrender(rules: RuleSet, box: Box, hand: Hand) -> bool:
    """The very first act of an unsplit hand; any check that is due has been made by the time a hand is asked."""
    untouched = len(hand.cards) == 2 and not hand.from_split and len(box.hands) == 1
    return rules.surrender is not Surrender.NONE and untouched


def peek_demanded(rules: RuleSet, up: Card) -> bool:
    """Whether the hole card must be checked under this upcard before anyone plays."""
    value = POINTS[up.index]
    return (value == 10 and PeekUnder.TEN in rules.peek) or (value == 1 and PeekUnder.ACE in rules.peek)


def insurance_limit(rules: RuleSet, box: Box) -> int:
    """The largest insurance bet of a box in minor units, fractions never rounded up; 0 where the player lacks it."""
    numerator, denominator = rules.insurance_max
    limit = box.main * numerator // denominator
    if box.funds is None or box.funds >= limit:
        return limit
    return 0 if rules.insurance_exact else box.funds


def offer_to(rules: RuleSet, box: Box) -> tuple[Action, Action] | None:
    """What a box is offered against an ace: even money for a natural where the house has it, else insurance."""
    if box.hands[0].settled:
        return None
    natural = box.hands[0].natural
    if natural and rules.even_money:
        return Action.EVEN_MONEY, Action.NO_EVEN_MONEY
    if rules.insurance and (rules.insurance_bj or not natural) and insurance_limit(rules, box) > 0:
        return Action.INSURE, Action.NO_INSURANCE
    return None
