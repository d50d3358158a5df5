"""A round of tiny shoes played out card by card, in every order there is: written apart from the analysis.

Nothing here knows of compositions of hands, of exchangeability or of inclusion and exclusion: hands are lists of values
in the order they came, the hole card is drawn when it is dealt, and the dealer plays when the players are done.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

Cards = tuple[int, ...]
Shoe = tuple[int, ...]
"""How many cards of each value, aces first."""
End = tuple[int, int]
"""Total (22 for a bust) and stake of a finished hand."""


def total(cards: Cards) -> tuple[int, bool]:
    hard = sum(cards)
    return (hard + 10, True) if 1 in cards and hard <= 11 else (hard, False)


def draws(shoe: Shoe) -> Iterator[tuple[float, int, Shoe]]:
    left = sum(shoe)
    assert left, "the shoe is too small for every course to be played to its end"
    for value, number in enumerate(shoe, 1):
        if number:
            yield number / left, value, (*shoe[: value - 1], number - 1, *shoe[value:])


@dataclass(frozen=True)
class Play:
    """How hands are played: whether to draw, whether to double two cards, how many hands a box may have."""

    hits: Callable[[Cards], bool]
    doubles: Callable[[Cards], bool]
    most_hands: int = 2
    one_card: bool = False
    hits_soft_17: bool = False
    takes: str = "all"


class Table:
    """One upcard; `hole` is dealt before play where there is one."""

    def __init__(self, up: int, play: Play) -> None:
        self.up, self.play = up, play
        self.settled = cache(self._settled)
        self.box = cache(self._box)

    def split(self, pair: int, shoe: Shoe, *, checked: bool) -> float:
        """What a split pair brings from these unseen cards; `checked`: the dealer has looked and has no natural."""
        hands = ((pair,), (pair,))
        if not checked:
            return float(self.box(hands, (), shoe, None))
        ways = [(chance, hole, left) for chance, hole, left in draws(shoe) if not self.natural((self.up, hole))]
        worth = sum(chance * self.box(hands, (), left, hole) for chance, hole, left in ways)
        return float(worth / sum(chance for chance, _, _ in ways))

    def one(self, cards: Cards, shoe: Shoe, *, checked: bool) -> float:
        """What a hand that is not split brings."""
        if not checked:
            return float(self.box((cards,), (), shoe, None))
        ways = [(chance, hole, left) for chance, hole, left in draws(shoe) if not self.natural((self.up, hole))]
        worth = sum(chance * self.box((cards,), (), left, hole) for chance, hole, left in ways)
        return float(worth / sum(chance for chance, _, _ in ways))

    @staticmethod
    def natural(cards: Cards) -> bool:
        return len(cards) == 2 and total(cards)[0] == 21

    def _box(self, waiting: tuple[Cards, ...], ends: tuple[End, ...], shoe: Shoe, hole: int | None) -> float:
        """The first waiting hand is played, then the others."""
        if not waiting:
            return float(self.settled(tuple(sorted(ends)), shoe, (self.up,) if hole is None else (self.up, hole)))
        hand, rest = waiting[0], waiting[1:]
        split = len(waiting) + len(ends) > 1
        if len(hand) == 1:
            return sum(p * self.box(((*hand, v), *rest), ends, left, hole) for p, v, left in draws(shoe))
        if split and len(hand) == 2 and hand[0] == hand[1] and len(waiting) + len(ends) < self.play.most_hands:
            return float(self.box((hand[:1], hand[1:], *rest), ends, shoe, hole))
        points = total(hand)[0]
        if points > 21:
            return float(self.box(rest, (*ends, (22, 1)), shoe, hole))
        last = points == 21 or (split and self.play.one_card)
        if not last and len(hand) == 2 and self.play.doubles(hand):
            return sum(
                p * self.box(rest, (*ends, (min(22, total((*hand, v))[0]), 2)), left, hole)
                for p, v, left in draws(shoe)
            )
        if last or not self.play.hits(hand):
            return float(self.box(rest, (*ends, (points, 1)), shoe, hole))
        return sum(p * self.box(((*hand, v), *rest), ends, left, hole) for p, v, left in draws(shoe))

    def _settled(self, ends: tuple[End, ...], shoe: Shoe, dealer: Cards) -> float:
        points, soft = total(dealer)
        if len(dealer) == 1 or points < 17 or (points == 17 and soft and self.play.hits_soft_17):
            return sum(p * self.settled(ends, left, (*dealer, v)) for p, v, left in draws(shoe))
        if self.natural(dealer):
            return self._lost_to_natural(ends)
        return float(sum(stake * self._against(own, points) for own, stake in ends))

    def _lost_to_natural(self, ends: tuple[End, ...]) -> float:
        if self.play.takes == "all":
            return -float(sum(stake for _, stake in ends))
        busted = sum(stake for own, stake in ends if own > 21)
        open_hands = sum(1 for own, _ in ends if own <= 21)
        nothing_more = not open_hands or (self.play.takes == "obo" and open_hands < len(ends))
        return -float(busted + (0 if nothing_more else 1))

    @staticmethod
    def _against(own: int, theirs: int) -> int:
        if own > 21:
            return -1
        return 1 if theirs > 21 or own > theirs else -1 if own < theirs else 0
