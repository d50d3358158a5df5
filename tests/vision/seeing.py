"""A drawn table with the shipped eyes over it, frame by frame with its own clock: what is said, and when."""

from collections.abc import Iterable
from functools import cache

from vision import weights
from vision.felt import felt
from vision.pipeline import Heed, Pipeline, View
from vision.reader import Reader, shipped
from vision.rendered import deck
from vision.rendered.orders import Orders
from vision.rendered.table import Deck, HouseDeck, Painter, Scene, Shot
from vision.sighting import Back, Changed, Doubt, Left, Said, Sighting
from vision.slots import IndexPlace
from vision.steady import Rule

FRAME_NS = 66_666_667
INDEX = IndexPlace(*deck.JUMBO.middle)


@cache
def shipped_eyes() -> Reader:
    return shipped(weights.find())


class Evening:
    """Orders to the dealer's hands, frames to the eyes; `said` holds everything they said."""

    def __init__(self, reader: Reader | None = None, frames: int = 3, cards: Deck | None = None) -> None:
        self.scene, self.now_ns = Scene(seed=3), 0
        self.reader = reader or shipped_eyes()
        self._painter = Painter(self.scene, Shot(), cards or HouseDeck())
        view = View(self._painter.view, felt(7), INDEX)
        self.eyes = Pipeline(self.reader, view, Rule(0.95, frames=frames))
        self.said: list[Said] = []
        self.watch(12)

    def watch(self, frames: int, heed: Heed | None = None) -> list[Said]:
        """Let so many frames pass."""
        said: list[Said] = []
        for _ in range(frames):
            self.now_ns += FRAME_NS
            said += self.eyes.frame(self.now_ns, self._painter.picture(self.now_ns), heed or Heed())
        self.said += said
        return said

    def do(self, *orders: Orders, frames: int = 12, heed: Heed | None = None) -> list[Said]:
        """The dealer does this, and then nothing for a while."""
        for order in orders:
            self.scene.obey(order, self.now_ns)
        return self.watch(frames, heed)


def told(said: Iterable[Said]) -> list[str]:
    """What was said, short: "box3 KS", "dealer back", "box3 ?", "box3 left", "box3 covered", "circle2 changed"."""
    return [_short(one) for one in said]


def _short(one: Said) -> str:
    match one:
        case Sighting():
            return f"{one.spot.slot} {'back' if one.card is Back.BACK else one.card}"
        case Doubt():
            return f"{one.spot.slot} ?"
        case Left():
            return f"{one.spot.slot} {'covered' if one.covered else 'left'}"
        case Changed():
            return f"{one.slot} changed"
