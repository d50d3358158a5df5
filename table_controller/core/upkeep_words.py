"""What is recorded of the cards themselves and of what a house does again in time; facts like those of events.py."""

from typing import ClassVar

from table_controller.core.events import Event
from table_controller.core.people import Person
from table_controller.core.places import Place


class ShoeCut(Event, frozen=True):
    """Which box has cut, or the dealer, and how many cards lie behind the cut card."""

    by: Person
    place: Place
    behind: int


class DecksDue(Event, frozen=True):
    """The cards must be changed within so many minutes."""

    minutes: int


class DecksOverdue(Event, frozen=True):
    """The cards have served as long as the house allows; the next shoe is of new ones."""

    hours: int


class ReaderInspected(Event, frozen=True):
    """The reader of the hole card was found untouched."""

    by: Person


class DayBegan(Event, frozen=True):
    """Another gaming day; what is done every day is due anew."""

    day: str


class CutCardMisplaced(Event, frozen=True):
    """It came out with `left` cards behind it; `behind` had been said at the cut."""

    behind: int
    left: int


class BackKnown(Event, frozen=True):
    """The backs of this shoe's cards are of that colour: the first one seen says so."""

    shown: ClassVar[bool] = False
    colour: str


class BackForeign(Event, frozen=True):
    """A back of another colour than this shoe's `usual` one; the shoe is out of play after the round."""

    place: Place
    colour: str
    usual: str
