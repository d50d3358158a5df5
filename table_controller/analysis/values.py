"""What every hand is worth to its player: standing, drawing, doubling; exact for the shoe given."""

from typing import NamedTuple

import numpy as np

from table_controller.analysis.compiled import Flags, Floats, compiled
from table_controller.analysis.dealer import NATURAL
from table_controller.analysis.hands import Hands
from table_controller.analysis.scene import Scene, chance, natural_costs, wins


class Worth(NamedTuple):
    """Expected result in units of the first bet, by hand; `play` is hitting or standing as planned."""

    stand: Floats
    hit: Floats
    double: Floats
    play: Floats


def nothing_known(hands: Hands) -> Worth:
    """Room for the worth of every hand."""
    size = hands.total.size
    return Worth(np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size))


@compiled
def settled_worth(scene: Scene, shoe: Floats, odds: Floats, worth: Worth) -> None:
    """Fill in what does not depend on a plan: standing, and doubling two cards."""
    hands = scene.hands
    for hand in range(hands.total.size - 1, 10, -1):
        if hands.cards[hand] >= scene.charlie:
            worth.stand[hand] = scene.charlie_pays
            worth.play[hand] = scene.charlie_pays
            continue
        one = natural_costs(scene.takes, 1.0)
        worth.stand[hand] = wins(hands.total[hand], odds[hand]) - one * odds[hand, NATURAL]
        worth.play[hand] = worth.stand[hand]
        if hands.cards[hand] == 2:
            worth.double[hand] = _doubled(scene, shoe - hands.held[hand], odds, hand)


@compiled
def _doubled(scene: Scene, left: Floats, odds: Floats, hand: int) -> float:
    net = 0.0
    two = natural_costs(scene.takes, 2.0)
    for value in range(10):
        likely = chance(left, value, scene.not_hole)
        after = scene.hands.child[hand, value]
        if likely == 0.0:
            continue
        if after < 0:
            net -= 2.0 * likely
        elif scene.hands.cards[after] >= scene.charlie:
            net += 2.0 * likely * scene.charlie_pays
        else:
            stands = 2.0 * wins(scene.hands.total[after], odds[after]) - two * odds[after, NATURAL]
            net += likely * stands
    return net


@compiled
def planned_worth(scene: Scene, shoe: Floats, hits: Flags, worth: Worth) -> None:
    """Fill in hitting and playing on, when the hands flagged in `hits` draw and all others stand."""
    hands = scene.hands
    for hand in range(hands.total.size - 1, 10, -1):
        if hands.cards[hand] >= scene.charlie:
            continue
        left = shoe - hands.held[hand]
        if left.min() < 0.0:
            continue
        worth.hit[hand] = _hit(scene, left, worth, hand)
        worth.play[hand] = worth.hit[hand] if hits[hand] else worth.stand[hand]


@compiled
def best_worth(scene: Scene, shoe: Floats, asked: Flags, worth: Worth) -> None:
    """Fill in hitting and playing on, when every hand that is asked does what is best for its own cards."""
    hands = scene.hands
    for hand in range(hands.total.size - 1, 10, -1):
        if hands.cards[hand] >= scene.charlie:
            continue
        left = shoe - hands.held[hand]
        if left.min() < 0.0:
            continue
        worth.hit[hand] = _hit(scene, left, worth, hand)
        worth.play[hand] = max(worth.hit[hand], worth.stand[hand]) if asked[hand] else worth.stand[hand]


@compiled
def _hit(scene: Scene, left: Floats, worth: Worth, hand: int) -> float:
    net = 0.0
    for value in range(10):
        after = scene.hands.child[hand, value]
        likely = chance(left, value, scene.not_hole)
        if likely > 0.0:
            net += likely * (worth.play[after] if after >= 0 else -1.0)
    return net


@compiled
def spread_reach(scene: Scene, shoe: Floats, hits: Flags, reach: Floats) -> None:
    """Follow the plan from the hands with some probability in `reach` to all they become."""
    hands = scene.hands
    for hand in range(11, hands.total.size):
        if reach[hand] > 0.0 and hits[hand] and hands.cards[hand] < scene.charlie:
            left = shoe - hands.held[hand]
            for value in range(10):
                after = hands.child[hand, value]
                if after >= 0:
                    reach[after] += reach[hand] * chance(left, value, scene.not_hole)
