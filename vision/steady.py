"""When is a reading final? A pure rule over frames: flicker never commits and waiting never helps."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from vision.sighting import Back, Doubt, Left, Look, Name, Sighting, Spot


class Absence(Enum):
    """What is seen where a card was said to lie and is not found."""

    BARE = "bare"
    HIDDEN = "hidden"


Absent = Callable[[Spot], Absence | None]


def not_looked(_spot: Spot) -> Absence | None:
    """Nobody looked there, so nothing is known."""
    return None


@dataclass(frozen=True)
class Rule:
    """What it takes: `frames` looks at rest, all of one name, each at least `threshold`; `reach` in the unit of spots.

    Three looks are what the table waits for, two frames longer than for one; what that takes is in docs/camera.md.
    `threshold` is the same after one second and after a minute. After `patience_ns` at rest without a steady reading
    a person is asked.
    """

    threshold: float
    frames: int = 3
    reach: float = 12.0
    patience_ns: int = 2_000_000_000


@dataclass
class _Case:
    """What is known about one spot since it came to rest."""

    spot: Spot
    since_ns: int
    # When it was looked at last and something was seen there.
    seen_ns: int = 0
    run: list[Look] = field(default_factory=list)
    names: Counter[Name] = field(default_factory=Counter)
    said: Name | None = None
    asked: bool = False
    # Somebody was told of it, by name or as unread: he is told too when it has left.
    told: bool = False
    # Where a back was said something else is seen since it moved last: the card was turned.
    turned: bool = False
    # Something moved over it since it was said: another name may be heard once.
    disturbed: bool = False
    bare: int = 0
    hidden_ns: int | None = None


class Steady:
    """Remembers the spots of the running round; identity is slot and position, never a tracker's number."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._cases: list[_Case] = []

    def frame(
        self, at_ns: int, looks: Iterable[Look], moving: Iterable[str] = (), absent: Absent = not_looked
    ) -> list[Sighting | Doubt | Left]:
        """Take one frame; `moving` names the slots where something moves, `absent` tells what is to be seen at a spot
        that no look found. Returns what is to be said now."""
        unrested = set(moving)
        said: list[Sighting | Doubt | Left] = []
        for slot in unrested:
            self._disturb(slot, at_ns)
        taken: list[_Case] = []
        for look in looks:
            if look.spot.slot in unrested:
                continue
            case = self._case(look.spot, at_ns, taken)
            taken.append(case)
            said += self._judge(case, look, at_ns)
        for case in [case for case in self._cases if all(case is not other for other in taken)]:
            if case.spot.slot not in unrested:
                said += self._missed(case, absent(case.spot), at_ns)
        return said

    def waiting(self, slot: str) -> bool:
        """Is there a spot in the slot about which something may still be said without a further movement?"""
        return any(case.spot.slot == slot and _open(case) for case in self._cases)

    def spots(self, slot: str) -> list[tuple[Spot, Name]]:
        """What was said to lie in a slot."""
        return [(case.spot, case.said) for case in self._cases if case.spot.slot == slot and case.said is not None]

    def said_in(self, x: float, y: float) -> str | None:
        """The slot in which a card was said to lie here; the nearest one's where there are several."""
        said = [case.spot for case in self._cases if case.said is not None]
        near = min(said, key=lambda spot: math.hypot(spot.x - x, spot.y - y), default=None)
        return near.slot if near is not None and near.near(Spot(near.slot, x, y), self._rule.reach) else None

    def clear(self, slot: str | None = None) -> None:
        """Forget a slot, or all of them, when its cards were taken away."""
        self._cases = [case for case in self._cases if slot is not None and case.spot.slot != slot]

    def _disturb(self, slot: str, at_ns: int) -> None:
        """Frames from before the movement prove nothing about after it; what was said stays said."""
        for case in self._cases:
            if case.spot.slot != slot:
                continue
            case.run.clear()
            case.names.clear()
            case.since_ns, case.bare, case.hidden_ns, case.disturbed = at_ns, 0, None, True
            case.asked = case.turned = False

    def _case(self, spot: Spot, at_ns: int, taken: Sequence[_Case]) -> _Case:
        free = [case for case in self._cases if all(case is not other for other in taken)]
        near = [case for case in free if case.spot.near(spot, self._rule.reach)]
        if near:
            return min(near, key=lambda case: math.hypot(case.spot.x - spot.x, case.spot.y - spot.y))
        case = _Case(spot, at_ns)
        self._cases.append(case)
        return case

    def _judge(self, case: _Case, look: Look, at_ns: int) -> list[Sighting | Doubt | Left]:
        case.bare, case.hidden_ns, case.seen_ns = 0, None, at_ns
        if case.said is not None and (look.card == case.said or not case.disturbed):
            case.disturbed = case.turned = False
            return []
        case.turned = case.said is Back.BACK
        for name in (look.card, look.runner_up):
            if name is not None:
                case.names[name] += name == look.card
        sure = look.card is not None and look.confidence >= self._rule.threshold
        if not sure or (case.run and case.run[-1].card != look.card):
            case.run.clear()
        if sure:
            case.run.append(look)
        if look.card is not None and len(case.run) >= self._rule.frames:
            return [self._say(case, look.card, at_ns)]
        return self._ask(case, at_ns) if case.said is None or case.turned else []

    @staticmethod
    def _say(case: _Case, name: Name, at_ns: int) -> Sighting:
        least, frames = min(look.confidence for look in case.run), len(case.run)
        backs = {look.back for look in case.run}
        back = backs.pop() if len(backs) == 1 else ""
        was, case.said, case.told, case.disturbed, case.turned = case.said, name, True, False, False
        case.run.clear()
        return Sighting(case.spot, name, least, frames, at_ns, case.since_ns, was, back)

    def _ask(self, case: _Case, at_ns: int) -> list[Sighting | Doubt | Left]:
        if case.asked or at_ns - case.since_ns < self._rule.patience_ns:
            return []
        case.asked, case.told, case.said, case.turned = True, True, None, False
        return [Doubt(case.spot, tuple(name for name, _ in case.names.most_common(3)), at_ns, case.since_ns)]

    def _missed(self, case: _Case, absence: Absence | None, at_ns: int) -> list[Sighting | Doubt | Left]:
        """A glimpse nobody was told of is forgotten; what is plainly gone, or hidden for long, has left."""
        glimpse = not case.told
        if absence is None:
            if glimpse and at_ns - case.seen_ns >= self._rule.patience_ns:
                self._forget(case)
            return []
        case.bare = case.bare + 1 if absence is Absence.BARE else 0
        case.hidden_ns = (case.hidden_ns or at_ns) if absence is Absence.HIDDEN else None
        hidden = case.hidden_ns is not None and at_ns - case.hidden_ns >= self._rule.patience_ns
        if not hidden and case.bare < self._rule.frames:
            return []
        self._forget(case)
        return [] if glimpse else [Left(case.spot, at_ns, covered=hidden)]

    def _forget(self, case: _Case) -> None:
        self._cases = [other for other in self._cases if other is not case]


def _open(case: _Case) -> bool:
    missing = case.bare > 0 or case.hidden_ns is not None
    return missing or bool(case.run) or ((case.said is None or case.turned) and not case.asked)
