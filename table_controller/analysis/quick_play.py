"""How the fast simulator plays a round by a chart, settles it, and adds rounds up."""

from typing import NamedTuple

import numpy as np

from table_controller.analysis.book import Book
from table_controller.analysis.compiled import Floats, Whole, compiled
from table_controller.analysis.quick_round import (
    BUST,
    CHARLIE,
    GIVEN_UP,
    MOST_HANDS,
    NATURAL,
    OPEN,
    QuickTable,
    deal,
    dealer_total,
    lay,
    quick_table,
    to_dealer,
    total_of,
)
from table_controller.analysis.quick_rules import QuickChart, QuickRules, quick_chart, quick_rules


@compiled
def play_round(rules: QuickRules, chart: QuickChart, table: QuickTable) -> None:
    """A whole round; `table.net` then holds what each box won."""
    up = deal(rules, table)
    checks = rules.hole_card and ((up == 0 and rules.checks_ace) or (up == 9 and rules.checks_ten))
    if checks and rules.surrender == 2:
        for box in range(table.boxes):
            _give_up(rules, chart, table, box, up)
    natural = rules.hole_card and dealer_total(table)[1] == 21
    if not (checks and natural):
        for box in range(table.boxes):
            _play_box(rules, chart, table, box, up)
    if not rules.hole_card:
        to_dealer(table)
        natural = dealer_total(table)[1] == 21
    if not natural and _any_open(table):
        _dealer_draws(rules, table)
    for box in range(table.boxes):
        table.net[box] = _settled(rules, table, box, natural)


@compiled
def _any_open(table: QuickTable) -> bool:
    for box in range(table.boxes):
        for hand in range(table.hands[box]):
            if table.state[box, hand] == OPEN:
                return True
    return False


@compiled
def _give_up(rules: QuickRules, chart: QuickChart, table: QuickTable, box: int, up: int) -> bool:
    """Surrender where the chart says so, a pair that is split excepted."""
    soft, total = total_of(table, box, 0)
    if (
        table.state[box, 0] == OPEN
        and chart.surrenders[up, soft, total]
        and not _splits(rules, chart, table, (box, 0), up)
    ):
        table.state[box, 0] = GIVEN_UP
    return bool(table.state[box, 0] == GIVEN_UP)


@compiled
def _splits(rules: QuickRules, chart: QuickChart, table: QuickTable, place: tuple[int, int], up: int) -> bool:
    box, hand = place
    if table.cards[box, hand] != 2 or rules.split == 0:
        return False
    one, other = table.first[box, hand], table.last[box, hand]
    pair = one == other if rules.split == 2 else min(one, 9) == min(other, 9)
    limit = rules.max_hands_aces if one == 0 else rules.max_hands
    return bool(pair and chart.splits[up, min(one, 9)] and table.hands[box] < limit)


@compiled
def _play_box(rules: QuickRules, chart: QuickChart, table: QuickTable, box: int, up: int) -> None:
    if table.state[box, 0] != OPEN or (rules.surrender > 0 and _give_up(rules, chart, table, box, up)):
        return
    hand = 0
    while hand < table.hands[box]:
        if table.cards[box, hand] < 2:
            lay(table, box, hand)
        if _splits(rules, chart, table, (box, hand), up):
            _split(table, box, hand)
            if rules.both:
                lay(table, box, hand)
                lay(table, box, hand + 1)
            continue
        _play_hand(rules, chart, table, (box, hand), up)
        hand += 1


@compiled
def _split(table: QuickTable, box: int, hand: int) -> None:
    for other in range(table.hands[box], hand + 1, -1):
        table.points[box, other] = table.points[box, other - 1]
        table.aces[box, other] = table.aces[box, other - 1]
        table.cards[box, other] = table.cards[box, other - 1]
        table.first[box, other] = table.first[box, other - 1]
        table.last[box, other] = table.last[box, other - 1]
    for at, rank in ((hand + 1, table.last[box, hand]), (hand, table.first[box, hand])):
        table.points[box, at] = min(rank, 9) + 1
        table.aces[box, at] = int(rank == 0)
        table.cards[box, at] = 1
        table.first[box, at] = rank
        table.last[box, at] = rank
    table.hands[box] += 1


@compiled
def _play_hand(rules: QuickRules, chart: QuickChart, table: QuickTable, place: tuple[int, int], up: int) -> None:
    box, hand = place
    split_ace = table.hands[box] > 1 and table.first[box, hand] == 0
    while True:
        soft, total = total_of(table, box, hand)
        cards = table.cards[box, hand]
        if total > 21:
            table.state[box, hand] = BUST
            return
        if cards >= rules.charlie:
            table.state[box, hand] = CHARLIE
            return
        if table.stake[box, hand] > 1 or (total == 21 and rules.stands_21 and (rules.charlie > 21 or soft == 0)):
            return
        if cards == 2 and chart.doubles[up, soft, total] and _may_double(rules, table, place, split_ace):
            table.stake[box, hand] = 2
        elif not chart.hits[up, soft, total, cards] or (split_ace and rules.aces_one_card):
            return
        lay(table, box, hand)


@compiled
def _may_double(rules: QuickRules, table: QuickTable, place: tuple[int, int], split_ace: bool) -> bool:
    if table.hands[place[0]] > 1 and not (rules.double_split_aces if split_ace else rules.das):
        return False
    soft, total = total_of(table, place[0], place[1])
    if rules.double == 1:
        return True
    return bool(rules.double > 1 and soft == 0 and (9 if rules.double == 2 else 10) <= total <= 11)


@compiled
def _dealer_draws(rules: QuickRules, table: QuickTable) -> None:
    soft, total = dealer_total(table)
    while total < 17 or (total == 17 and soft == 1 and rules.hits_soft_17):
        to_dealer(table)
        soft, total = dealer_total(table)


@compiled
def _settled(rules: QuickRules, table: QuickTable, box: int, natural: bool) -> float:
    net, open_stakes, bust = 0.0, 0.0, False
    theirs = dealer_total(table)[1]
    for hand in range(table.hands[box]):
        state, stake = table.state[box, hand], table.stake[box, hand]
        if state == NATURAL:
            net += 0.0 if natural else rules.natural_pays
        elif state == GIVEN_UP:
            net -= 0.5
        elif state == CHARLIE:
            net += stake * rules.charlie_pays
        elif state == BUST:
            net -= stake
            bust = True
        elif natural:
            open_stakes += stake
        else:
            own = total_of(table, box, hand)[1]
            if theirs > 21 or own > theirs:
                net += stake
            elif own < theirs:
                net -= stake
    if rules.takes == 0:
        return float(net - open_stakes)
    return float(net - (0.0 if rules.takes == 1 and bust else min(1.0, open_stakes)))


class Totals(NamedTuple):
    """What many rounds came to, per box and unit: how many, mean, standard deviation, and the error of the mean."""

    rounds: int
    mean: float
    sd: float
    stderr: float


@compiled
def _rounds(rules: QuickRules, chart: QuickChart, table: QuickTable, number: int, sums: Floats) -> None:
    for _ in range(number):
        play_round(rules, chart, table)
        for box in range(table.boxes):
            sums[0] += table.net[box]
            sums[1] += table.net[box] * table.net[box]
        if table.boxes > 1:
            sums[2] += table.net[0] * table.net[1]


def simulate(book: Book, rounds: int, seed: int) -> Totals:
    """One box, a fresh shoe every round, played by the book's chart."""
    rules, chart = quick_rules(book.rules), quick_chart(book)
    table, sums = quick_table(book.rules.decks, 1, seed), np.zeros(3)
    _rounds(rules, chart, table, rounds, sums)
    mean = float(sums[0]) / rounds
    sd = float(np.sqrt(sums[1] / rounds - mean * mean))
    return Totals(rounds, mean, sd, sd / float(np.sqrt(rounds)))


def covariance(book: Book, rounds: int, seed: int) -> float:
    """Of two boxes of the same round."""
    rules, chart = quick_rules(book.rules), quick_chart(book)
    table, sums = quick_table(book.rules.decks, 2, seed), np.zeros(3)
    _rounds(rules, chart, table, rounds, sums)
    mean = float(sums[0]) / (2 * rounds)
    return float(sums[2]) / rounds - mean * mean


def net_of_shoe(book: Book, boxes: int, ranks: Whole) -> Floats:
    """What each box wins when the cards leave the shoe in this order."""
    table = quick_table(book.rules.decks, boxes, 0)
    table["shoe"][: ranks.size], table["shuffled"] = ranks, 0
    play_round(quick_rules(book.rules), quick_chart(book), table)
    net: Floats = table["net"][:boxes]
    return net


__all__ = ["MOST_HANDS", "Totals", "covariance", "net_of_shoe", "play_round", "simulate"]
