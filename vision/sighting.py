"""The words this room says aloud."""

from dataclasses import dataclass

from table_controller.core.cards import Card


@dataclass(frozen=True)
class Spot:
    """A place on the table: the slot's name and millimetres (or pixels, without calibration) within the picture."""

    slot: str
    x: float
    y: float

    def near(self, other: "Spot", reach: float) -> bool:
        """The same physical place: same slot and closer than `reach`."""
        return self.slot == other.slot and (self.x - other.x) ** 2 + (self.y - other.y) ** 2 < reach**2


@dataclass(frozen=True)
class Look:
    """One frame's reading of one card: where, the two best names with their chances, best first."""

    spot: Spot
    card: Card
    confidence: float
    runner_up: Card | None = None


@dataclass(frozen=True)
class Sighting:
    """A card lies here: said once, after its reading was steady over frames taken at rest."""

    spot: Spot
    card: Card
    confidence: float
    frames: int
    at_ns: int


@dataclass(frozen=True)
class Doubt:
    """Something lies here that could not be read in time: a person is asked, with the names that were considered."""

    spot: Spot
    candidates: tuple[Card, ...]
    at_ns: int
