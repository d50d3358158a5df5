"""The words this room says aloud."""

from dataclasses import dataclass
from enum import Enum

from table_controller.core.cards import Card


class Back(Enum):
    """What a card face down shows."""

    BACK = "back"


Name = Card | Back


@dataclass(frozen=True)
class Spot:
    """A place on the table: the slot's name, millimetres of the card's centre, how far the card is turned (degrees)."""

    slot: str
    x: float
    y: float
    turn: float = 0.0

    def near(self, other: "Spot", reach: float) -> bool:
        """The same physical place: same slot and closer than `reach`."""
        return self.slot == other.slot and (self.x - other.x) ** 2 + (self.y - other.y) ** 2 < reach**2


@dataclass(frozen=True)
class Look:
    """One frame's reading of one card: where, the two best names with the best one's chance; None: no name at all.

    `back` is the colour of a back, "" where it is not plain.
    """

    spot: Spot
    card: Name | None
    confidence: float
    runner_up: Name | None = None
    back: str = ""


@dataclass(frozen=True)
class Sighting:
    """A card lies here: said once, after its reading was steady over frames taken at rest.

    `since_ns` is the first frame of those at rest; `was` what had been said of the very place before; `back` a back's
    colour, where all frames agree.
    """

    spot: Spot
    card: Name
    confidence: float
    frames: int
    at_ns: int
    since_ns: int = 0
    was: Name | None = None
    back: str = ""


@dataclass(frozen=True)
class Doubt:
    """Something lies here that could not be read in time: a person is asked, with the names that were considered."""

    spot: Spot
    candidates: tuple[Name, ...]
    at_ns: int
    since_ns: int = 0


@dataclass(frozen=True)
class Left:
    """What was said to lie here is no longer seen: bare felt shows, or something lies on it."""

    spot: Spot
    at_ns: int
    covered: bool = False


@dataclass(frozen=True)
class Changed:
    """Something else lies in a slot that holds no cards, and is at rest."""

    slot: str
    at_ns: int


Said = Sighting | Doubt | Left | Changed
