"""Is this deck complete, and does the recogniser read it without a slip? Every card is shown once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from table_controller.core.cards import PACK, Card


@dataclass(frozen=True)
class Slip:
    """The recogniser seems to take `shown` for `read`, rank or suit letters, on so many cards."""

    shown: str
    read: str
    cards: int

    def __str__(self) -> str:
        return f"{self.shown}->{self.read} ({self.cards} cards)"


@dataclass(frozen=True)
class DeckReport:
    """What one pass showed; only a pass without any fault makes the table ready."""

    missing: tuple[Card, ...]
    surplus: tuple[Card, ...]
    unreadable: int
    slips: tuple[Slip, ...]
    foreign: tuple[Card, ...] = ()

    @property
    def passed(self) -> bool:
        return not (self.missing or self.surplus or self.unreadable or self.foreign)


def check(shown: Sequence[Card | None], decks: int = 1, foreign: Sequence[Card] = ()) -> DeckReport:
    """Compare what was read, card by card (None = unreadable), with complete packs; `foreign` have another's back."""
    read = Counter(card for card in shown if card is not None)
    whole = Counter(dict.fromkeys(PACK, decks))
    missing, surplus = whole - read, read - whole
    slips = _slips(missing.copy(), surplus.copy())
    unreadable = sum(card is None for card in shown)
    return DeckReport(tuple(missing.elements()), tuple(surplus.elements()), unreadable, slips, tuple(foreign))


def _slips(missing: Counter[Card], surplus: Counter[Card]) -> tuple[Slip, ...]:
    """Pair what is missing with what is too many: same suit means a rank was mistaken, same rank a suit."""
    found: Counter[tuple[str, str]] = Counter()
    for same_suit in (True, False):
        for card in list(missing.elements()):
            twin = next((other for other in surplus.elements() if _alike(card, other, same_suit)), None)
            if twin is None:
                continue
            missing[card] -= 1
            surplus[twin] -= 1
            names = (card.rank, twin.rank) if same_suit else (card.suit, twin.suit)
            found[str(names[0]), str(names[1])] += 1
    return tuple(Slip(shown, read, cards) for (shown, read), cards in found.most_common())


def _alike(card: Card, other: Card, same_suit: bool) -> bool:
    return card.suit == other.suit if same_suit else card.rank == other.rank
