"""Which rows one player may see: his own box, the dealer, and what concerns everybody; never another box or a total.

What names no place is read with what was said just before it. Whatever is not known to be harmless stays masked.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from table_controller.core import events as fact
from table_controller.core import stimuli as said
from table_controller.core import upkeep_words as tended
from table_controller.core.blackjack import words as bj
from table_controller.core.events import Event
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Stimulus

TOTALS: Final = (
    fact.BetsClosed,
    fact.RoundSettled,
)  # sums over all boxes; with his own results a player could subtract
FOR_ALL: Final = (
    *(said.OpenBets, said.CloseBets, said.TableCleared, said.VoidRound, said.SignOn, said.PauseTable, said.ResumeTable),
    *(said.CutCardSeen, said.CardBurnt, said.CardExposed, said.DeviceLost, said.DeviceBack, said.Tick, said.DayBegan),
    *(fact.RoundOpened, fact.RoundClosed, fact.RoundVoided, fact.DealerSignedOn, fact.TablePaused, fact.TableResumed),
    *(tended.DecksDue, tended.DecksOverdue, tended.CutCardMisplaced, tended.DayBegan),
    *(fact.CutCardShown, fact.CardBurned, fact.ShoeRanOut, fact.ShoeRefilled, fact.DeviceFailed, fact.DeviceRecovered),
    *(bj.HolePeeked, bj.HoleTurned, bj.HoleChecked, bj.HoleRevealed, bj.HoleShown, bj.PeekRuled, bj.SettledAsLies),
)  # about no box in particular; where one of them does name boxes, it is for those
Said = Mapping[int, object]


def boxes_of(one: object) -> set[int]:
    """The boxes a stimulus or fact is about; the dealer's place is none."""
    return _places(one) - {DEALER.box}


def seen_by(box: int, course: Said, disputes: Mapping[int, set[int]]) -> set[int]:
    """The rows of a course that the player of a box may see; `disputes` says which boxes each question is about."""
    return {seq for group in _groups(course) for seq in _seen(box, group, disputes)}


def disputed_boxes(course: Said) -> dict[int, set[int]]:
    """Question by number: the boxes it is about, 0 for the dealer; no box if nobody can tell."""
    found: dict[int, set[int]] = {}
    for group in _groups(course):
        for one in group.values():
            if isinstance(one, fact.Disputed | fact.PayoutReported):
                found[one.dispute] = _places(one) or set().union(*map(_places, group.values()))
            elif isinstance(one, fact.ShoeRanOut):
                found[one.dispute] = {DEALER.box}
    return found


def _seen(box: int, group: Said, disputes: Mapping[int, set[int]]) -> Iterator[int]:
    about = {seq: _places(one) | _asked(one, disputes) for seq, one in group.items()}
    together = set().union(*about.values())
    for seq, one in group.items():
        if isinstance(one, TOTALS):
            continue
        if about[seq] <= {box, DEALER.box} if isinstance(one, FOR_ALL) else _is_for(box, about[seq] or together):
            yield seq


def _is_for(box: int, places: set[int]) -> bool:
    return bool(places) and places <= {box, DEALER.box}


def _asked(one: object, disputes: Mapping[int, set[int]]) -> set[int]:
    """What a question's number stands for; only its answers are masked by it, for the question names its own place."""
    is_answer = isinstance(one, said.ResolveDispute | fact.DisputeResolved)
    return disputes.get(getattr(one, "dispute", 0), set()) if is_answer else set()


def _groups(course: Said) -> Iterator[dict[int, object]]:
    """Each stimulus with the facts it led to."""
    group: dict[int, object] = {}
    for seq, one in sorted(course.items()):
        if isinstance(one, Stimulus):
            yield group
            group = {}
        if isinstance(one, Stimulus | Event):
            group[seq] = one
    yield group


def _places(one: object) -> set[int]:
    return set(_named(one))


def _named(one: object) -> Iterator[int]:
    if isinstance(one, Place):
        yield one.box
    elif isinstance(one, msgspec.Struct):
        for name in one.__struct_fields__:
            value = getattr(one, name)
            if name == "box" and isinstance(value, int):
                yield value
            elif name in ("boxes", "carried", "net", "back") and isinstance(value, tuple | Mapping):
                yield from value
            else:
                yield from _named(value)
    elif isinstance(one, tuple):
        for part in one:
            yield from _named(part)
