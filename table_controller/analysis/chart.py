"""The strategy chart of a house: one code for each first decision, with what every action is worth."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from table_controller.analysis.book import Book
from table_controller.analysis.choosing import Chosen
from table_controller.analysis.compiled import Floats, Whole
from table_controller.analysis.hands import all_hands, two_cards
from table_controller.analysis.scene import ACE, TEN
from table_controller.analysis.sidebets import insurance_worth
from table_controller.analysis.upcard import HALF, asked, blackjack, may_double
from table_controller.core.blackjack.rules import RuleSet, Surrender
from table_controller.core.blackjack.words import Action

UPS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
HARD: Final = tuple(str(total) for total in range(4, 21))
SOFT: Final = tuple(str(total) for total in range(12, 21))
PAIRS: Final = tuple(f"{up},{up}" for up in UPS)

ACTIONS: Final = {"H": Action.HIT, "S": Action.STAND, "D": Action.DOUBLE, "R": Action.SURRENDER, "P": Action.SPLIT}
"""The action a code begins with."""


class Cell(NamedTuple):
    """A code (H S, Dh Ds double else, Rh Rs surrender else, P split) and the worth of every action in first bets.

    After any check of the hole card; where surrender comes before the check, everything is told as before it.
    """

    code: str
    ev: dict[str, float]


Rows = dict[str, dict[str, Cell]]


class Later(NamedTuple):
    """A hand of more cards that is played otherwise than the cell of its total says: `cards` held, 0 for any number."""

    soft: bool
    total: int
    cards: int
    up: str
    code: str


class Chart(NamedTuple):
    """Rows by hand, cells by upcard; `insurance` is the worth of a unit of it, `by_cards` rows of two given cards."""

    hard: Rows
    soft: Rows
    pairs: Rows
    insurance: float
    by_cards: Rows
    later: tuple[Later, ...]


def value_of(up: str) -> int:
    """The index of a card value by its name in the chart."""
    return ACE if up == "A" else int(up) - 1


def chart_of(book: Book) -> Chart:
    """The whole chart; `by_cards` is empty unless the book looks at the cards."""
    hands = all_hands()
    hard: Rows = {total: {} for total in HARD}
    soft: Rows = {total: {} for total in SOFT}
    pairs: Rows = {pair: {} for pair in PAIRS}
    by_cards: Rows = {}
    for up in UPS:
        chosen = book.under(value_of(up))
        for rows, is_soft in ((hard, False), (soft, True)):
            for total in rows:
                rows[total][up] = _cell(book.rules, chosen, _of_total(chosen, hands.total == int(total), is_soft))
        for pair in pairs:
            pairs[pair][up] = _pair(book.rules, chosen, value_of(pair.split(",")[0]))
        if book.composition:
            for name, hand in _named():
                by_cards.setdefault(name, {})[up] = _one(book.rules, chosen, hand)
    later = () if book.composition else tuple(_later(book, hard, soft))
    return Chart(hard, soft, pairs, insurance_worth(book.rules), by_cards, later)


def _later(book: Book, hard: Rows, soft: Rows) -> Iterator[Later]:
    """Where later cards change what a total does: they outweigh the first two, or a Charlie is near."""
    hands, counted = all_hands(), book.rules.charlie is not None
    for up in UPS:
        chosen = book.under(value_of(up))
        asked_hands = np.flatnonzero(asked(book.rules, hands) & (hands.cards > 2) & (hands.total > 11))
        keys = {
            (bool(hands.soft[hand]), int(hands.total[hand]), int(hands.cards[hand]) if counted else 0): bool(
                chosen.decisions.hits[hand]
            )
            for hand in asked_hands
        }
        for (is_soft, total, cards), hits in sorted(keys.items()):
            first = (soft if is_soft else hard).get(str(total), {}).get(up)
            code = first.code[-1].upper() if first is not None else "S"
            if hits != (code == "H"):
                yield Later(is_soft, total, cards, up, "H" if hits else "S")


def cell(book: Book, kind: str, value: str, up: str) -> Cell:
    """One cell, working out only its own upcard; raises KeyError for a hand that no chart has."""
    names = {"hard": HARD, "soft": SOFT, "pairs": PAIRS}
    if value not in names[kind] or up not in UPS:
        raise KeyError(f"{kind} {value} against {up}")
    chosen = book.under(value_of(up))
    if kind == "pairs":
        return _pair(book.rules, chosen, value_of(value.split(",")[0]))
    return _cell(book.rules, chosen, _of_total(chosen, all_hands().total == int(value), kind == "soft"))


def _of_total(chosen: Chosen, total: Whole, soft: bool) -> Whole:
    """The hands of two cards of a row: pairs only where nothing else makes the total, or they may not be split."""
    hands = chosen.card.scene.hands
    two = np.flatnonzero((hands.cards == 2) & total & (hands.soft == soft))
    unsplit = two[chosen.card.pairs[two] < 1.0]
    return unsplit if unsplit.size and chosen.card.playing[unsplit].sum() > 0.0 else two


def _cell(rules: RuleSet, chosen: Chosen, hands: Whole) -> Cell:
    card = chosen.card
    weight = (card.dealt if card.surrenders_first else card.playing)[hands] * (1.0 - card.pairs[hands])
    if weight.sum() <= 0.0:
        weight = card.dealt[hands]
    weight = weight / weight.sum() if weight.sum() > 0.0 else np.full(hands.size, 1.0 / max(1, hands.size))
    ev = {action: float(np.sum(weight * worth)) for action, worth in _worths(rules, chosen, hands).items()}
    heaviest = int(hands[int(np.argmax(weight))])
    return Cell(_code(chosen, heaviest, ev), ev)


def _worths(rules: RuleSet, chosen: Chosen, hands: Whole) -> dict[str, Floats]:
    worth, told = chosen.card.worth, dict[str, Floats]()
    told["hit"], told["stand"] = _before_check(chosen, hands, worth.hit), _before_check(chosen, hands, worth.stand)
    if may_double(rules, chosen.card.scene.hands)[hands].all():
        told["double"] = _before_check(chosen, hands, worth.double)
    if rules.surrender is not Surrender.NONE:
        told["surrender"] = np.full(hands.size, HALF)
    return told


def _before_check(chosen: Chosen, hands: Whole, worth: Floats) -> Floats:
    if not chosen.card.surrenders_first:
        return worth[hands]
    natural = chosen.card.natural[hands]
    told: Floats = (1.0 - natural) * worth[hands] - natural
    return told


def _code(chosen: Chosen, hand: int, ev: dict[str, float]) -> str:
    decided = chosen.decisions
    if decided.surrenders[hand]:
        return "Rh" if ev["hit"] > ev["stand"] else "Rs"
    otherwise = "h" if decided.hits[hand] else "s"
    return "D" + otherwise if decided.doubles[hand] else otherwise.upper()


def _pair(rules: RuleSet, chosen: Chosen, value: int) -> Cell:
    """P, or the code of the total."""
    hand = np.array([two_cards()[value, value]])
    ev = {action: float(worth[0]) for action, worth in _worths(rules, chosen, hand).items()}
    box = chosen.splits.get(value)
    if box is not None:
        told = np.zeros(all_hands().total.size)
        told[hand] = box.worth
        ev["split"] = float(_before_check(chosen, hand, told)[0])
        if chosen.decisions.splits[value]:
            return Cell("P", ev)
    return Cell(_code(chosen, int(hand[0]), ev), ev)


def _named() -> list[tuple[str, int]]:
    """Two cards that are no pair, the higher first; the natural is not asked."""
    names = [("A" if value == ACE else str(value + 1), value) for value in (ACE, *range(TEN, ACE, -1))]
    return [
        (f"{one},{other}", int(two_cards()[first, second]))
        for at, (one, first) in enumerate(names)
        for other, second in names[at + 1 :]
        if int(two_cards()[first, second]) != blackjack()
    ]


def _one(rules: RuleSet, chosen: Chosen, hand: int) -> Cell:
    hands = np.array([hand])
    ev = {action: float(worth[0]) for action, worth in _worths(rules, chosen, hands).items()}
    return Cell(_code(chosen, hand, ev), ev)


def as_json(chart: Chart) -> dict[str, object]:
    """Codes by row and upcard, the same shape of values under `ev`."""
    parts = {"hard": chart.hard, "soft": chart.soft, "pairs": chart.pairs}
    if chart.by_cards:
        parts["by_cards"] = chart.by_cards
    codes: dict[str, object] = {name: _each(rows, "code") for name, rows in parts.items()}
    codes["later"] = [one._asdict() for one in chart.later]
    codes["insurance"] = {"take": chart.insurance > 0.0, "ev": chart.insurance}
    return {**codes, "ev": {name: _each(rows, "ev") for name, rows in parts.items()}}


def _each(rows: Rows, part: str) -> dict[str, dict[str, object]]:
    return {row: {up: getattr(one, part) for up, one in line.items()} for row, line in rows.items()}
