"""Pictures of a round beside its moments. Whatever shows the whole table of a round that is not settled is withheld."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from dashboard.desk.days import Day, Picture
from dashboard.desk.telling import Scene
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.journal.evidence import evidence_folder

SHOWN: Final = {".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".webp": "image/webp"}


class Shot(NamedTuple):
    """A picture for the page: the row that speaks of it, the moment it belongs to, and whether it may be shown."""

    seq: int
    moment: int
    at_ns: int
    box: int | None
    name: str
    here: bool
    withheld: bool


def on_the_table(day: Day) -> int | None:
    """The round whose bets are not all decided yet; of it nobody may see more than the table itself shows."""
    rnd = day.views.state.round
    return rnd.number if isinstance(rnd, BlackjackRound) and not rnd.finished else None


def shots(day: Day, number: int, scenes: Sequence[Scene]) -> list[Shot]:
    """The pictures of a round, each at the last moment before it was kept."""
    running = on_the_table(day) == number
    return [_shot(day, one, scenes, running) for one in day.views.pictures if one.round == number]


def _shot(day: Day, one: Picture, scenes: Sequence[Scene], running: bool) -> Shot:
    before = [scene.seq for scene in scenes if scene.seq < one.seq]
    moment = before[-1] if before else scenes[0].seq
    withheld = running and one.kept.box is None
    return Shot(one.seq, moment, one.at_ns, one.kept.box, one.kept.name, _file(day, one).exists(), withheld)


def picture_file(day: Day, number: int, seq: int) -> tuple[Path, str] | None:
    """The file of a picture and its type; None if there is none, it is no picture, or it is withheld."""
    one = next((one for one in day.views.pictures if one.seq == seq and one.round == number), None)
    if one is None or (on_the_table(day) == number and one.kept.box is None):
        return None
    file, kind = _file(day, one), SHOWN.get(Path(one.kept.name).suffix.lower())
    return (file, kind) if kind is not None and file.is_file() else None


def _file(day: Day, one: Picture) -> Path:
    return evidence_folder(day.path, one.round) / one.kept.name
