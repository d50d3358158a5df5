"""What is recorded: facts, each with its cause. Kinds are stable words; a changed kind gets a new version."""

from typing import Any, ClassVar

from msgspec import Struct

from table_controller.core.cards import Card
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.money import Chips
from table_controller.core.people import Person
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause, DecksChecked, Face, Moved, Side
from table_controller.core.words import word


class Event(Struct, frozen=True, tag_field="kind", tag=word):
    """A fact about the table. One that is not `shown` on any screen makes no screen stale."""

    version: ClassVar[int] = 1
    shown: ClassVar[bool] = True
    cause: Cause


class TableOpened(Event, frozen=True):
    """Rules and house by value, so that a replay depends on no file; and who proved the decks complete, if anybody."""

    by: Person
    second: Person
    rules: dict[str, Any]
    house: dict[str, Any]
    chips: Chips
    checked: DecksChecked | None = None


class TableClosed(Event, frozen=True):
    """The closing count and the win it proves, in minor units; stakes that lay on the boxes go back."""

    by: Person
    second: Person
    chips: Chips
    win: int
    back: dict[int, int]


class RulesChanged(Event, frozen=True):
    """From the next round on."""

    by: Person
    rules: dict[str, Any]


class ShoeLoaded(Event, frozen=True):
    """A shoe of whole packs, shuffled and cut; cards to burn before the first round."""

    by: Person
    decks: int
    new_cards: bool
    burn: int
    second: Person | None = None


class ShoeCounted(Event, frozen=True):
    """A count of the cards inside: card -> surplus or shortage."""

    by: Person
    differences: dict[str, int]


class CardLeftShoe(Event, frozen=True):
    """The shoe's own witness; `long`: the pull took as long as two cards do."""

    card: Card | None
    long: bool = False


class PulseDismissed(Event, frozen=True):
    """What left the shoe was no card: a finger, or a card pushed back."""


class PulseTaken(Event, frozen=True):
    """Not the oldest pulse but that one, counted from 0, is the next card's: the reader named it."""

    shown: ClassVar[bool] = False
    pulse: int


class CardBurned(Event, frozen=True):
    """A card went unplayed to the discard rack."""

    card: Card | None
    why: str


class CutCardShown(Event, frozen=True):
    """This round is the shoe's last."""


class ShoeRanOut(Event, frozen=True):
    """A card is due and none is left."""

    dispute: int


class ShoeRefilled(Event, frozen=True):
    """The discards, shuffled, finish the round."""


class DealerSignedOn(Event, frozen=True):
    """Who deals from now on, and cards to burn before."""

    by: Person
    dealer: str
    burn: int


class BoxTaken(Event, frozen=True):
    """Who plays a box."""

    box: int
    player: str | None


class MoneyMoved(Event, frozen=True):
    """A numbered slip; numbers of a kind have no gaps."""

    what: Moved
    number: int
    amount: int
    chips: Chips
    by: Person
    second: Person | None


class RoundOpened(Event, frozen=True):
    """Bets may be placed; stakes carried from a push already lie on their boxes."""

    number: int
    practice: bool
    carried: dict[int, int]


class BetPlaced(Event, frozen=True):
    """A bet lies on a box."""

    box: int
    amount: int
    side: Side
    funds: int | None


class BetsTakenBack(Event, frozen=True):
    """A box is empty again before the deal."""

    box: int


class BetsClosed(Event, frozen=True):
    """No more bets; the house may lose at most `exposure` in this round."""

    exposure: int


class BetCorrected(Event, frozen=True):
    """The first bet of a box had been recorded wrongly."""

    by: Person
    second: Person
    box: int
    was: int
    amount: int


class CardDealt(Event, frozen=True):
    """A card lies where it was due. No card: it lies face down or could not be read."""

    place: Place
    card: Card | None
    face: Face


class CardNamed(Event, frozen=True):
    """An unread card was shown again."""

    place: Place
    index: int
    card: Card


class CardCorrected(Event, frozen=True):
    """A card had been recorded wrongly."""

    by: Person
    second: Person
    place: Place
    index: int
    was: Card
    card: Card


class SightingKept(Event, frozen=True):
    """The camera sees a card; its cause names the sighting, which waits until pulse, place and turn explain it."""

    shown: ClassVar[bool] = False
    places: tuple[Place, ...]
    card: Card | None
    face: Face
    since_ns: int
    x: int
    y: int


class SightingMatched(Event, frozen=True):
    """A sighting is that card of that place: the witnesses agree about it. `pulse_ns` is when it left the shoe."""

    shown: ClassVar[bool] = False
    eyes: str
    sighting: int
    place: Place
    index: int
    pulse_ns: int = 0


class SightingLost(Event, frozen=True):
    """What was sighted is seen no more; something may cover it."""

    shown: ClassVar[bool] = False
    eyes: str
    sighting: int
    covered: bool


class SightingClosed(Event, frozen=True):
    """Somebody is asked about this sighting; it waits no longer."""

    shown: ClassVar[bool] = False
    eyes: str
    sighting: int


class CircleTouched(Event, frozen=True):
    """The chips of a box moved after no more bets; what lay there by the record, and the pictures."""

    box: int
    stake: int
    before: str | None
    after: str | None


class FloorCalled(Event, frozen=True):
    """The dealer wants somebody of the floor."""


class CardEntered(Event, frozen=True):
    """What follows was said by two people and not by the camera, and why."""

    by: Person
    second: Person
    place: Place
    reason: str


class CardHeld(Event, frozen=True):
    """A card seen while a dispute is open; it is judged when the dispute is resolved."""

    place: Place
    card: Card | None
    face: Face


class HeldReleased(Event, frozen=True):
    """The cards held are judged now, one by one, in the order they came."""


class Disputed(Event, frozen=True):
    """Something the rules do not allow lies there. Open until somebody chooses a remedy."""

    dispute: int
    irregularity: Irregularity
    place: Place | None
    card: Card | None


class DisputeResolved(Event, frozen=True):
    """Who chose which remedy."""

    dispute: int
    irregularity: Irregularity
    remedy: Remedy
    by: Person | None
    second: Person | None


class SignalRefused(Event, frozen=True):
    """A signal that means nothing now; nothing on the table moved."""

    shown: ClassVar[bool] = False
    box: int
    hand: int
    signal: str
    reason: str


class ObservationNoted(Event, frozen=True):
    """Seen, and without consequence."""

    what: str
    reason: str


class CommandRefused(Event, frozen=True):
    """Who tried what, and why not; nothing on the table moved."""

    shown: ClassVar[bool] = False
    by: Person
    command: str
    reason: str


class PayoutReported(Event, frozen=True):
    """The dealer handed over something else than was due."""

    by: Person
    dispute: int
    box: int
    due: int
    paid: int


class PayoutCorrected(Event, frozen=True):
    """The difference was paid (plus) or collected (minus), or the house let it stand."""

    box: int
    difference: int
    stands: bool


class BoxSettled(Event, frozen=True):
    """The dealer has paid and collected a box."""

    box: int


class RoundSettled(Event, frozen=True):
    """Every bet is decided: net by box, the house's net, what stays on the boxes."""

    number: int
    practice: bool
    net: dict[int, int]
    house_net: int
    carried: dict[int, int]


class RoundClosed(Event, frozen=True):
    """The cards are in the discard rack; the next round may open."""

    number: int


class RoundVoided(Event, frozen=True):
    """No result; what goes back to each box."""

    by: Person
    second: Person
    number: int
    reason: str
    back: dict[int, int]


class DeviceFailed(Event, frozen=True):
    """No new round until it is back."""

    device: str


class DeviceRecovered(Event, frozen=True):
    """It answers again."""

    device: str


class TablePaused(Event, frozen=True):
    """Nothing moves."""

    by: Person
    reason: str


class TableResumed(Event, frozen=True):
    """It goes on where it stopped."""

    by: Person
