"""The shoe: what must still be in it, what was burned, and what the shoe's own witness has said."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_controller.core.cards import PACK, Card, counts
from table_controller.core.places import Place

FULL_PACK: Final = counts(PACK)


class Drawn(Struct, frozen=True, gc=False):
    """A card the shoe says has left it and that has not been seen on the felt; a reading shoe names it."""

    at_ns: int
    card: Card | None = None


class Shoe(Struct, frozen=True):
    """Composition at every moment. `inside` counts the 52 cards by index, unseen ones outside still included.

    `long_pull`: the last pull was long enough for two cards. `unpulsed`: since when cards lie that a person accepted
    without the shoe's word, which may still come. `cut_by`: who has cut; so many cards lie `behind` the cut
    card.
    """

    decks: int
    inside: bytes
    unknown: int = 0
    discards: bytes = bytes(52)
    discards_unseen: int = 0
    drawn: tuple[Drawn, ...] = ()
    cut_card_seen: bool = False
    condemned: bool = False
    burn_due: int = 0
    shuffled: bool = True
    long_pull: bool = False
    unpulsed: tuple[int, ...] = ()
    cut_by: Place | None = None
    behind: int = 0

    @property
    def cards_left(self) -> int:
        """Cards still in the shoe, known or not."""
        return max(0, sum(self.inside) - self.unknown)

    @property
    def penetration(self) -> int | None:
        """The percentage of the cards that lies before the cut card, if anybody said where it lies."""
        cards = self.decks * len(PACK)
        return None if self.cut_by is None else 100 * (cards - self.behind) // cards

    def holds(self, card: Card) -> bool:
        """Whether one more of this card may still come (C05: a second copy is only possible when the decks hold it)."""
        return self.inside[card.index] > 0


def fresh(decks: int, burn_due: int = 0) -> Shoe:
    """A shoe of whole packs, shuffled and cut."""
    return Shoe(decks, bytes(decks * number for number in FULL_PACK), burn_due=burn_due)


def without(shoe: Shoe, card: Card | None) -> Shoe:
    """The shoe after a card left it; an unread card (None) leaves as unknown."""
    if card is None:
        return replace(shoe, unknown=shoe.unknown + 1)
    return replace(shoe, inside=_changed(shoe.inside, card, -1))


def named(shoe: Shoe, was: Card | None, card: Card | None) -> Shoe:
    """The shoe after a card outside it got another name: unread to read, or corrected."""
    if was == card:
        return shoe
    before = (
        replace(shoe, unknown=shoe.unknown - 1) if was is None else replace(shoe, inside=_changed(shoe.inside, was, 1))
    )
    return without(before, card)


def discarded(shoe: Shoe, cards: Iterable[Card | None]) -> Shoe:
    """The shoe with cards laid in the discard rack; they are already outside."""
    tally, unseen = bytearray(shoe.discards), shoe.discards_unseen
    for card in cards:
        if card is None:
            unseen += 1
        else:
            tally[card.index] += 1
    return replace(shoe, discards=bytes(tally), discards_unseen=unseen)


def refilled(shoe: Shoe) -> Shoe:
    """The discards shuffled back in, cards in play excepted (S.D. Admin. R. 20:18:15:28: shuffle, cut, finish)."""
    inside = bytes(a + b for a, b in zip(shoe.inside, shoe.discards, strict=True))
    unknown = shoe.unknown - shoe.discards_unseen
    return replace(shoe, inside=inside, unknown=unknown, discards=bytes(52), discards_unseen=0)


def differences(shoe: Shoe, counted: bytes) -> dict[str, int]:
    """Card -> surplus or shortage of a count; cards that left unseen may be any, so that many may be short."""
    found = {card.text: counted[card.index] - shoe.inside[card.index] for card in PACK}
    wrong = {card: number for card, number in found.items() if number}
    unseen_explain = all(number < 0 for number in wrong.values()) and -sum(wrong.values()) == shoe.unknown
    return {} if unseen_explain else wrong


def _changed(tally: bytes, card: Card, by: int) -> bytes:
    at = card.index
    return tally[:at] + bytes((max(0, tally[at] + by),)) + tally[at + 1 :]
