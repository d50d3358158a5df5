"""What really lies on the demo's felt and what was really decided, as the script knows it; the table must find out."""

from dataclasses import dataclass, field

SPOTS = 4


@dataclass
class TrueHand:
    """Cards as they were laid, in order; `spot` is where in the box the hand lies."""

    stake: int
    spot: int = 0
    cards: list[str] = field(default_factory=list)
    from_split: bool = False
    ended: str = ""


@dataclass
class TrueBox:
    """A box and everything that was bet on it."""

    main: int
    pairs: int = 0
    insurance: int = 0
    hands: list[TrueHand] = field(default_factory=list)

    def split(self, at: int) -> TrueHand:
        """The second card of a hand becomes the first of a new one behind it."""
        old = self.hands[at]
        taken = {hand.spot for hand in self.hands}
        spot = next(spot for spot in range(SPOTS) if spot not in taken)
        new = TrueHand(old.stake, spot, [old.cards.pop()], from_split=True)
        old.from_split = True
        self.hands.insert(at + 1, new)
        return new


@dataclass
class TrueRound:
    """A round as it was really played."""

    practice: bool
    boxes: dict[int, TrueBox] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)

    def cards(self) -> list[str]:
        """Every card of the round."""
        return [*self.dealer, *(card for box in self.boxes.values() for hand in box.hands for card in hand.cards)]

    def cards_at(self, box: int, hand: int) -> list[str]:
        """The cards of a hand; box 0 is the dealer."""
        return self.boxes[box].hands[hand].cards if box else self.dealer
