"""When is a reading final? A pure rule over frames: flicker never commits and waiting never helps."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from table_controller.core.cards import Card
from vision.sighting import Doubt, Look, Sighting, Spot


@dataclass(frozen=True)
class Rule:
    """What it takes: `frames` looks at rest, all of one name, each at least `threshold`; `reach` in the unit of spots.

    `threshold` is the same after one second and after a minute. After `patience_ns` at rest without a steady reading
    a person is asked.
    """

    threshold: float
    frames: int = 5
    reach: float = 12.0
    patience_ns: int = 2_000_000_000


@dataclass
class _Case:
    """What is known about one spot since it came to rest."""

    spot: Spot
    since_ns: int
    run: list[Look] = field(default_factory=list)
    names: Counter[Card] = field(default_factory=Counter)
    said: Card | None = None
    asked: bool = False


class Steady:
    """Remembers the spots of the running round; identity is slot and position, never a tracker's number."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._cases: list[_Case] = []

    def frame(self, at_ns: int, looks: Iterable[Look], moving: Iterable[str] = ()) -> list[Sighting | Doubt]:
        """Take one frame; `moving` names the slots where something moves. Returns what is to be said now."""
        unrested = set(moving)
        said: list[Sighting | Doubt] = []
        for slot in unrested:
            self._disturb(slot, at_ns)
        taken: list[_Case] = []
        for look in looks:
            if look.spot.slot in unrested:
                continue
            case = self._case(look.spot, at_ns, taken)
            taken.append(case)
            said += self._judge(case, look, at_ns)
        return said

    def waiting(self, slot: str) -> bool:
        """Is there a spot in the slot that was neither said nor asked about?"""
        return any(case.spot.slot == slot and case.said is None and not case.asked for case in self._cases)

    def clear(self, slot: str | None = None) -> None:
        """Forget a slot, or all of them, when its cards were taken away."""
        self._cases = [case for case in self._cases if slot is not None and case.spot.slot != slot]

    def _disturb(self, slot: str, at_ns: int) -> None:
        """Frames from before the movement prove nothing about after it; what was said stays said."""
        for case in self._cases:
            if case.spot.slot == slot and case.said is None:
                case.run.clear()
                case.names.clear()
                case.since_ns = at_ns

    def _case(self, spot: Spot, at_ns: int, taken: Sequence[_Case]) -> _Case:
        free = [case for case in self._cases if all(case is not other for other in taken)]
        near = [case for case in free if case.spot.near(spot, self._rule.reach)]
        if near:
            return min(near, key=lambda case: math.hypot(case.spot.x - spot.x, case.spot.y - spot.y))
        case = _Case(spot, at_ns)
        self._cases.append(case)
        return case

    def _judge(self, case: _Case, look: Look, at_ns: int) -> list[Sighting | Doubt]:
        if case.said is not None:
            return []
        case.names[look.card] += 1
        if look.runner_up is not None:
            case.names[look.runner_up] += 0
        if look.confidence < self._rule.threshold or (case.run and case.run[-1].card != look.card):
            case.run.clear()
        if look.confidence >= self._rule.threshold:
            case.run.append(look)
        if len(case.run) >= self._rule.frames:
            case.said = look.card
            least = min(look.confidence for look in case.run)
            return [Sighting(case.spot, look.card, least, len(case.run), at_ns)]
        return self._ask(case, at_ns)

    def _ask(self, case: _Case, at_ns: int) -> list[Sighting | Doubt]:
        if case.asked or at_ns - case.since_ns < self._rule.patience_ns:
            return []
        case.asked = True
        return [Doubt(case.spot, tuple(card for card, _ in case.names.most_common(3)), at_ns)]
