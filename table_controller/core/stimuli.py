"""What the world says (observations, never refused) and what people ask (commands, refused with a reason)."""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from table_controller.core.cards import Card
from table_controller.core.irregular import Remedy
from table_controller.core.money import Chips
from table_controller.core.people import Person
from table_controller.core.places import Place
from table_controller.core.words import word


class Cause(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where it was said, that source's own running number (a number taken twice is a duplicate), and its time in ns.

    `by` is the person, where a person said it; every fact that comes of it carries the name.
    """

    source: str
    seq: int
    at_ns: int = 0
    by: Person | None = None


class Face(StrEnum):
    """Which side of a card is seen."""

    UP = "up"
    DOWN = "down"


class Moved(StrEnum):
    """The ways money crosses the table outside the rounds."""

    BUY_IN = "buy_in"
    COLOUR_UP = "colour_up"
    FILL = "fill"
    CREDIT = "credit"
    DROP = "drop"
    TIP = "tip"


class Side(StrEnum):
    """Which bet of a box."""

    MAIN = "main"
    PAIRS = "pairs"


class Stimulus(Struct, frozen=True, tag_field="kind", tag=word):
    """Anything that reaches the judge."""

    cause: Cause


class Observation(Stimulus, frozen=True):
    """Something happened. It becomes a fact or a dispute, never nothing."""


class CardDrawn(Observation, frozen=True):
    """One card left the shoe; a reading shoe names it. A pull long enough for two cards is said to be `long`."""

    card: Card | None = None
    long: bool = False


class Pull(StrEnum):
    """What moved at the shoe's mouth and was no card drawn."""

    FINGER = "finger"
    PUSHED_BACK = "pushed_back"
    READ_AGAIN = "read_again"


class NothingDrawn(Observation, frozen=True):
    """Something moved at the shoe's mouth, and no card left it."""

    pull: Pull


class CardSeen(Observation, frozen=True):
    """A card lies at a place. Face up without a card: it cannot be read. Face down it never has a name."""

    place: Place
    card: Card | None = None
    face: Face = Face.UP


class CardSighted(Observation, frozen=True):
    """The camera's word: a card has lain at rest since then at one of these places. More than one: nobody can tell.

    The cause's source are the eyes and its number names the sighting. (x, y) are table millimetres, `confidence`
    thousandths, `evidence` the file that shows it, `back` a back's plain colour. It waits until it is understood, or is
    asked about in the end.
    """

    places: tuple[Place, ...]
    card: Card | None = None
    face: Face = Face.UP
    since_ns: int = 0
    x: int = 0
    y: int = 0
    confidence: int = 0
    evidence: str | None = None
    back: str = ""


class CardGone(Observation, frozen=True):
    """The same eyes' word: what they sighted under number `was` lies there no more, or is covered by something."""

    was: int
    covered: bool = False


class CircleChanged(Observation, frozen=True):
    """The chips in a betting circle changed, by a sensor or by the camera with the pictures before and after."""

    box: int
    before: str | None = None
    after: str | None = None


class SupervisorCalled(Observation, frozen=True):
    """The dealer's key: somebody of the floor is wanted."""


class CardExposed(Observation, frozen=True):
    """A card was found face up in the shoe; it is not dealt."""

    card: Card | None = None


class CardBurnt(Observation, frozen=True):
    """The dealer burned a card, shown or not."""

    card: Card | None = None


class CutCardSeen(Observation, frozen=True):
    """The cut card came out; with a place, it was dealt there as if it were a card."""

    place: Place | None = None


class BoxPaid(Observation, frozen=True):
    """The dealer has paid or collected everything of a box."""

    box: int


class TableCleared(Observation, frozen=True):
    """The round's cards went to the discard rack."""


class DeviceLost(Observation, frozen=True):
    """A device the outcome depends on does not answer."""

    device: str


class DeviceBack(Observation, frozen=True):
    """It answers again."""

    device: str


class DayBegan(Observation, frozen=True):
    """Another gaming day (YYYY-MM-DD) by the house's clock; what is done every day is due anew."""

    day: str


class Tick(Observation, frozen=True):
    """Time has passed; the only clock the core knows. `looked_ns`: how far the eyes have come, 0 where none say so.

    All that lay at rest in pictures taken until then was said before this.
    """

    looked_ns: int = 0

    @property
    def seen_until_ns(self) -> int:
        """Until when a card that was not seen was not there; what lies in later pictures may still be said."""
        return min(self.cause.at_ns, self.looked_ns or self.cause.at_ns)


class Command(Stimulus, frozen=True):
    """A person asks for something. The cause is the screen and the number of the tap, so a double tap acts once."""

    by: Person


class DecksChecked(Struct, frozen=True):
    """The decks were proved complete that day: who did it, when (UTC, ISO 8601), how many packs."""

    by: str
    at: str
    decks: int


class OpenTable(Command, frozen=True):
    """Open with a rule set, a house file and a float counted by two people; `checked` where the decks were that day."""

    second: Person
    rules: dict[str, Any]
    house: dict[str, Any]
    chips: Chips
    checked: DecksChecked | None = None


class CloseTable(Command, frozen=True):
    """Close with a count by two people."""

    second: Person
    chips: Chips


class ChangeRules(Command, frozen=True):
    """Another rule set or other limits, between rounds only."""

    rules: dict[str, Any]


class LoadShoe(Command, frozen=True):
    """The shoe is filled with shuffled cards: the same, or new ones; two people say so where their age is watched."""

    new_cards: bool = False
    second: Person | None = None


class CutShoe(Command, frozen=True):
    """A box or the dealer has cut, and the cut card lies with so many cards behind it."""

    place: Place
    behind: int


class InspectReader(Command, frozen=True):
    """The floor has looked at the reader of the hole card and found nobody's hand on it."""


class CountShoe(Command, frozen=True):
    """The cards still inside were counted, 52 counts by card."""

    inside: dict[str, int]


class SignOn(Command, frozen=True):
    """A dealer takes the table, by himself or as relief."""

    dealer: str


class TakeBox(Command, frozen=True):
    """A player (or nobody) plays a box; a player may hold several."""

    box: int
    player: str | None = None


class MoveMoney(Command, frozen=True):
    """Buy-in, colour-up, fill, credit, drop or tip, counted by denomination."""

    what: Moved
    chips: Chips
    second: Person | None = None


class OpenBets(Command, frozen=True):
    """The next round may be bet on; practice rounds move no money."""

    practice: bool = False


class PlaceBet(Command, frozen=True):
    """A bet on a box in minor units; `funds` is what the player owns before it, where the house knows."""

    box: int
    amount: int
    side: Side = Side.MAIN
    funds: int | None = None


class TakeBack(Command, frozen=True):
    """The bets of a box are taken back, carried ones included."""

    box: int


class CloseBets(Command, frozen=True):
    """No more bets."""


class CorrectBet(Command, frozen=True):
    """The first bet of a box was recorded wrongly."""

    second: Person
    box: int
    amount: int


class CorrectCard(Command, frozen=True):
    """A card was recorded wrongly; counted from 0 at its place. Two people say so."""

    second: Person
    place: Place
    index: int
    card: Card | None


class EnterCard(Command, frozen=True):
    """While a device fails the open round is finished by hand: two people say which card lies where one is due.

    A card that lies face down has no name.
    """

    second: Person
    place: Place
    card: Card | None
    reason: str


class ReportPayout(Command, frozen=True):
    """What the dealer really handed to a box this round, where it was not what was due."""

    box: int
    paid: int


class ResolveDispute(Command, frozen=True):
    """The supervisor chooses a remedy; some need a place, a card, boxes, a second person."""

    dispute: int
    remedy: Remedy
    second: Person | None = None
    place: Place | None = None
    card: Card | None = None
    boxes: tuple[int, ...] = ()


class VoidRound(Command, frozen=True):
    """The round is void; every bet goes back."""

    second: Person
    reason: str


class PauseTable(Command, frozen=True):
    """Nothing moves until somebody resumes."""

    reason: str


class ResumeTable(Command, frozen=True):
    """Go on where the table stopped."""
