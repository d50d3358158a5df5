"""Theoretical win in a report; where the compiler is not installed the report says so and is else complete."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from table_controller.analysis.saying import Saying
from table_controller.core.house import Language
from table_controller.views.wagers import Wagered

if TYPE_CHECKING:
    from table_controller.analysis.theory import Theory

UNUSUAL = 1.96


def found(wagered: Wagered) -> "Theory | None":
    """Theoretical win of the wagers; None without the libraries of the extra `numbers`."""
    try:
        from table_controller.analysis.theory import theoretical
    except ModuleNotFoundError:
        return None
    return theoretical(wagered.under)


def as_json(wagered: Wagered) -> dict[str, object]:
    """Minor units; `theoretical` is None without the extra `numbers`."""
    theory = found(wagered)
    if theory is None:
        return {"theoretical": None}
    low, high = theory.band
    told = {"win": theory.win, "sd": theory.sd, "low": low, "high": high, "actual": theory.actual}
    return {"theoretical": {**told, "distance": theory.distance, "unusual": abs(theory.distance or 0.0) > UNUSUAL}}


def as_lines(wagered: Wagered, lang: str, currency: str) -> Iterator[str]:
    """The same for a person."""
    say, theory = Saying(Language(lang), currency), found(wagered)
    if theory is None:
        yield say("theory", "missing")
        return
    yield say("theory", "title")
    yield f"  {say('theory', 'theoretical')}: {say.money(theory.win)}"
    yield f"  {say('theory', 'band')}: {' – '.join(map(say.money, theory.band))}"
    yield f"  {say('theory', 'actual')}: {say.money(theory.actual)}"
    if theory.distance is not None:
        yield f"  {say('theory', 'distance')}: {say.number(theory.distance, 2)}"
        if abs(theory.distance) > UNUSUAL:
            yield f"  {say('theory', 'unusual')}"
