"""The parts of an edge: what each rule of a house is worth, on the way from a common game to this one."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from table_controller.analysis.edge import edge_of
from table_controller.core.blackjack.rules import RuleSet, read_rules, values_of

BASELINE: Final[dict[str, object]] = {
    "decks": 6,
    "hole_card": True,
    "dealer_up": "first",
    "peek": ["A", "T"],
    "soft17": "stand",
    "bj_pays": [3, 2],
    "bj_loss": "all",
    "double": "any2",
    "das": True,
    "split": "value",
    "max_hands": 4,
    "max_hands_aces": 2,
    "split_aces_one_card": True,
    "double_split_aces": False,
    "surrender": "none",
    "charlie": None,
}
"""The common game that edges are compared with; keys without influence on the edge are the house's own."""

STEPS: Final[dict[str, tuple[str, ...]]] = {
    "decks": ("decks",),
    "peek": ("hole_card", "dealer_up", "peek"),
    "soft17": ("soft17",),
    "bj_pays": ("bj_pays",),
    "bj_loss": ("bj_loss",),
    "double": ("double",),
    "das": ("das",),
    "split": ("split",),
    "max_hands": ("max_hands",),
    "aces": ("max_hands_aces", "split_aces_one_card", "double_split_aces"),
    "surrender": ("surrender",),
    "charlie": ("charlie",),
}
"""Rules by name, each with the keys that change together, in the order they are changed."""


class Part(NamedTuple):
    """A rule, and what it adds to the player's edge; the first is the common game itself."""

    name: str
    worth: float


def parts_of(rules: RuleSet, edge: float) -> Iterator[Part]:
    """The common game's edge, then each rule's share in the order of STEPS; together they are `edge`."""
    house = values_of(rules)
    values = {**house, **BASELINE}
    before = edge_of(read_rules(values))
    yield Part("baseline", before)
    changed = [name for name, keys in STEPS.items() if any(values[key] != house[key] for key in keys)]
    for name in changed:
        values.update((key, house[key]) for key in STEPS[name])
        after = edge if name == changed[-1] else edge_of(read_rules(values))
        yield Part(name, after - before)
        before = after
