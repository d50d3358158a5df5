"""Pictures and video beside the moments of a round. What shows the whole table of a round not settled is withheld."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from dashboard.desk.days import Day, Picture
from dashboard.desk.telling import Scene
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.journal.evidence import evidence_folder
from table_controller.port.footage import Footage, Gap, Segment, State, cameras_of, footage_of, video_folder

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

    @property
    def of_dealer(self) -> bool:
        """Whether it shows the dealer's cards, as the eyes name their pictures by slot."""
        return self.name.startswith("dealer")


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


class Clip(NamedTuple):
    """A segment of video for the page: its camera and file, the seconds since the epoch it covers, whether it was cut
    off."""

    camera: int
    file: str
    since: float
    until: float
    cut_off: bool
    withheld: bool


def clips(newest: Day, since_ns: int, until_ns: int) -> list[Clip]:
    """The video of a stretch of time, one camera of the table after the other; `newest` is its newest day, which knows
    what is on the table now."""
    return [
        Clip(
            camera,
            one.file,
            one.start_ns / 1e9,
            one.end_ns / 1e9,
            one.state is State.INTERRUPTED,
            _shows_open_round(newest, one),
        )
        for camera in _cameras(newest)
        for one in _footage(newest, camera).between(since_ns, until_ns)
        if (_folder(newest, camera) / one.file).is_file()
    ]


def gaps(newest: Day, since_ns: int, until_ns: int) -> list[tuple[int, Gap]]:
    """When a camera recorded nothing in a stretch of time, and why."""
    return [
        (camera, gap)
        for camera in _cameras(newest)
        for gap in _footage(newest, camera).gaps
        if gap.from_ns <= until_ns and (gap.to_ns is None or gap.to_ns >= since_ns)
    ]


def video_file(newest: Day, camera: int, file: str) -> Path | None:
    """A segment's file; None if there is none of that name, or it shows a round that is not settled."""
    if camera not in _cameras(newest):
        return None
    one = next((one for one in _footage(newest, camera).segments if one.file == file), None)
    if one is None or _shows_open_round(newest, one):
        return None
    path = _folder(newest, camera) / one.file
    return path if path.is_file() else None


def _shows_open_round(newest: Day, one: Segment) -> bool:
    """A segment that is still being written shows whatever is on the table."""
    number = on_the_table(newest)
    if number is None:
        return False
    began_ns = newest.views.index.rounds[number].began_ns
    return one.state is State.RUNNING or one.end_ns >= began_ns


def _cameras(day: Day) -> tuple[int, ...]:
    return cameras_of(day.path.parent, day.table)


def _folder(day: Day, camera: int) -> Path:
    return video_folder(day.path.parent, day.table, camera)


def _footage(day: Day, camera: int) -> Footage:
    return footage_of(_folder(day, camera))
