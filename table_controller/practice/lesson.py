"""A table's lesson today: whether mistakes are planned, which were called for, which payments were called wrong."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from table_controller.core.blackjack.round import round_of
from table_controller.core.table import TableState
from table_controller.practice.mistakes import CALLED, PLANTED, Called, Planted, occasion, wish

PLANNED: Final = "floor.practice_planned"
LARGEST_SEED: Final = 999_999


class Plan(Struct, frozen=True):
    """Whether the dealer is told to make mistakes, by which plan, and who wants it so."""

    mistakes: bool = False
    seed: int = 1
    by: str = ""


class Lesson(Struct, frozen=True):
    """The plan in force; mistakes called for by round; boxes called wrongly paid by round."""

    plan: Plan = Plan()
    planted: Mapping[int, Planted] = {}
    called: Mapping[int, tuple[int, ...]] = {}


initial: Final = Lesson()


def noted(lesson: Lesson, kind: str, body: bytes) -> Lesson:
    """The lesson after one more note of the floor; other notes leave it as it is."""
    if kind == PLANNED:
        return replace(lesson, plan=msgspec.json.decode(body, type=Plan))
    if kind == PLANTED:
        planted = msgspec.json.decode(body, type=Planted)
        return replace(lesson, planted={planted.round: planted, **lesson.planted})
    if kind == CALLED:
        called = msgspec.json.decode(body, type=Called)
        boxes = (*lesson.called.get(called.round, ()), called.box)
        return replace(lesson, called={**lesson.called, called.round: boxes})
    return lesson


def to_do_wrong(lesson: Lesson, state: TableState) -> Planted | None:
    """What the dealer is to do wrong now: the round's mistake while its moment lasts, once a round."""
    rnd = round_of(state)
    mistake = wish(lesson.plan.seed, rnd.number) if rnd is not None and lesson.plan.mistakes else None
    found = occasion(state, mistake) if mistake is not None else None
    if found is None:
        return None
    return found if lesson.planted.get(found.round, found) == found else None
