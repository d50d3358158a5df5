"""Habits of people at a table: not perfect, not foolish."""

import random
from collections.abc import Collection, Iterator

from table_controller.core.blackjack.hands import points, total
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import Card
from table_controller.core.stimuli import Side
from table_controller.play.felt import Point

LIMIT_WITHOUT_MAX = 1000


def stakes(chance: random.Random, rules: RuleSet, carried: Collection[int]) -> Iterator[tuple[int, int, Side]]:
    """Two to five boxes, those with a bet from before among them; whole steps, now and then a bet on a pair."""
    step = rules.bet_step if rules.bet_step > 1 else 100
    low, high = rules.min_bet or step, rules.max_bet or LIMIT_WITHOUT_MAX
    for box in sorted({*carried, *chance.sample(range(1, rules.boxes + 1), chance.randint(2, 5))}):
        if box in carried:
            continue
        yield box, min(high, low + step * chance.randint(0, 4)), Side.MAIN
        if rules.pairs is not None and chance.random() < 0.3:
            yield box, step, Side.PAIRS


def choose(chance: random.Random, point: Point, up: Card | None) -> tuple[Action, int | None]:
    """What a player does at this point against the dealer's open card."""
    if point.stage == "even_money":
        return chance.choice(point.legal), None
    if point.stage == "insurance":
        return (Action.INSURE, point.limit) if chance.random() < 0.2 else (Action.NO_INSURANCE, None)
    return _play(chance, point, up), None


def _play(chance: random.Random, point: Point, up: Card | None) -> Action:
    """Split aces and eights, double ten and eleven, hit stiff hands against a high card."""
    assert up is not None
    count, soft = total(point.hand.cards)
    high = points(up) >= 7 or points(up) == 1
    first = point.hand.cards[0]
    wishes = (
        (Action.SPLIT, first is not None and points(first) in (1, 8)),
        (Action.DOUBLE, count in (10, 11) and not soft),
        (Action.SURRENDER, count == 16 and high and chance.random() < 0.5),
        (Action.HIT, count < (18 if soft else 17 if high else 12)),
    )
    return next((action for action, wanted in wishes if wanted and action in point.legal), Action.STAND)
