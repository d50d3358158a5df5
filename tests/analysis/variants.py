"""The games that the numbers are checked on: the five houses, and variants that change every rule once."""

from typing import Any, Final

from table_controller import houses
from table_controller.core.blackjack.rules import RuleSet

NO_HOLE: Final = {"hole_card": False, "peek": []}

GAMES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    **{name: (name, {}) for name in houses.NAMES},
    "one pack": ("classic", {"decks": 1}),
    "two packs, soft 17 hit": ("classic", {"decks": 2, "soft17": "hit", "surrender": "none"}),
    "double 9 to 11, none after a split": ("classic", {"double": "9-11", "das": False}),
    "double 10 and 11, no resplit": ("classic", {"double": "10-11", "max_hands": 2}),
    "five cards win": ("classic", {"charlie": [5, [1, 1]]}),
    "three cards win twice": ("classic", {"charlie": [3, [2, 1]], "soft17": "hit"}),
    "no hole card, original bet only": ("classic", {**NO_HOLE, "bj_loss": "obo"}),
    "no hole card, busted bets and one": ("classic", {**NO_HOLE, "bj_loss": "bb+1", "surrender": "none"}),
    "aces resplit, drawn to and doubled": (
        "classic",
        {"split": "rank", "max_hands_aces": 4, "split_aces_one_card": False, "double_split_aces": True},
    ),
    "early surrender": ("classic", {"surrender": "early"}),
    "checked under tens alone": ("classic", {"peek": ["T"]}),
    "naturals pay 6 to 5, no splits": ("classic", {"bj_pays": [6, 5], "decks": 8, "split": "none"}),
    "twenty-one is asked": ("bil_cup", {"decks": 4, "soft17": "hit", "double": "any2"}),
}


def rules_of(game: str) -> RuleSet:
    name, changes = GAMES[game]
    return houses.rules_with(name, changes)
