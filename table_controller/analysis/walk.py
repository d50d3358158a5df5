"""Playing a plan forward to the end of a hand: how it ends, how likely, beside which dealer outcome."""

from typing import NamedTuple

import numpy as np

from table_controller.analysis.compiled import Flags, Floats, compiled
from table_controller.analysis.dealer import NATURAL, OUTCOMES, outcomes
from table_controller.analysis.scene import Scene, chance, natural_costs

BUSTS = OUTCOMES
CHARLIES = OUTCOMES + 1
ENDS = OUTCOMES + 2
"""Rows of a tally: a dealer outcome each for hands that stood, then busts, then Charlies."""


class Plan(NamedTuple):
    """Which hands draw, and which double first."""

    hits: Flags
    doubles: Flags


class Room(NamedTuple):
    """What a walk writes: the tally (by end: probability, result, its square), odds it works out, a scratch row."""

    tally: Floats
    odds: Floats
    weight: Floats


@compiled
def walk(scene: Scene, shoe: Floats, plan: Plan, reach: Floats, odds: Floats) -> Floats:
    """The tally of hands that start with the probabilities in `reach`, used up on the way; unknown odds are found."""
    hands, tally = scene.hands, np.zeros((ENDS, 3))
    room = Room(tally, odds, np.empty(scene.dealer.cards.size))
    for hand in range(11, hands.total.size):
        likely = reach[hand]
        if likely <= 0.0:
            continue
        left = shoe - hands.held[hand]
        if hands.cards[hand] >= scene.charlie:
            _add(tally, CHARLIES, likely, scene.charlie_pays)
        elif plan.doubles[hand]:
            _double(scene, room, left, hand, likely)
        elif not plan.hits[hand]:
            _stand(scene, room, left, hand, (likely, 1.0))
        else:
            for value in range(10):
                part = likely * chance(left, value, scene.not_hole)
                after = hands.child[hand, value]
                if after >= 0:
                    reach[after] += part
                elif part > 0.0:
                    _add(tally, BUSTS, part, -1.0)
    return tally


@compiled
def _add(tally: Floats, end: int, likely: float, net: float) -> None:
    tally[end, 0] += likely
    tally[end, 1] += likely * net
    tally[end, 2] += likely * net * net


@compiled
def _double(scene: Scene, room: Room, left: Floats, hand: int, likely: float) -> None:
    tally = room.tally
    for value in range(10):
        part = likely * chance(left, value, scene.not_hole)
        if part <= 0.0:
            continue
        after = scene.hands.child[hand, value]
        if after < 0:
            _add(tally, BUSTS, part, -2.0)
        elif scene.hands.cards[after] >= scene.charlie:
            _add(tally, CHARLIES, part, 2.0 * scene.charlie_pays)
        else:
            left[value] -= 1.0
            _stand(scene, room, left, after, (part, 2.0))
            left[value] += 1.0


@compiled
def _stand(scene: Scene, room: Room, left: Floats, hand: int, bet: tuple[float, float]) -> None:
    (likely, stake), tally, dealer = bet, room.tally, room.odds[hand]
    if dealer[0] < 0.0:
        outcomes(scene.dealer, left, room.weight, dealer)
        if scene.not_hole >= 0:
            dealer /= 1.0 - dealer[NATURAL]
            dealer[NATURAL] = 0.0
    total = scene.hands.total[hand]
    for end in range(5):
        if total > 17 + end:
            _add(tally, end, likely * dealer[end], stake)
        elif total < 17 + end:
            _add(tally, end, likely * dealer[end], -stake)
        else:
            tally[end, 0] += likely * dealer[end]
    _add(tally, 5, likely * dealer[5], stake)
    _add(tally, NATURAL, likely * dealer[NATURAL], -natural_costs(scene.takes, stake))
