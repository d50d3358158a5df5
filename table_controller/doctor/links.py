"""The boxes on their serial cables: each board that the table counts on answers, and is the one it was paired with."""

from collections.abc import Iterable, Sequence

from firmware_bridge.describe import fitted_words
from firmware_bridge.visit import Visit
from table_controller.doctor.finding import Finding, amber, green, red


def boards(visits: Iterable[Visit], wanted: Sequence[str] = ()) -> list[Finding]:
    """A line for every port, and one for every board (by name) that the table needs and nobody found."""
    found = list(visits)
    names = {visit.hello.device.hex() for visit in found if visit.hello is not None and visit.check == "ok"}
    lines = [_line(visit) for visit in found]
    lines += [red("board", "board_missing", device=device) for device in wanted if device not in names]
    return lines or [amber("board", "board_none")]


def _line(visit: Visit) -> Finding:
    if visit.check != "ok" or visit.hello is None:
        return red("board", "board_refused", path=visit.path, why=visit.check)
    hello = visit.hello
    facts = {"device": hello.device.hex(), "firmware": f"{hello.major}.{hello.minor}", "path": visit.path}
    return green("board", "board_answers", fitted=fitted_words(hello.fitted), **facts)
