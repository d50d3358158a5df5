"""The demo's evening as a real record: a key, a journal of its own, sealed and closed at the end."""

from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from table_controller.journal.keys import house_key
from table_controller.journal.naming import journal_path
from table_controller.play.recorded import SECOND_NS, PlayedClock, RecordedFelt, record_felt

EIGHT_IN_THE_EVENING = 20


def evening_table(folder: Path, seed: int) -> RecordedFelt:
    """A table nobody used yesterday, its evening beginning at eight by this machine's clock: it is over by now."""
    key = house_key(folder)
    begin = (datetime.now().astimezone() - timedelta(days=1)).replace(
        hour=EIGHT_IN_THE_EVENING, minute=0, second=0, microsecond=0
    )
    paths = (journal_path(folder, f"T{number:02}", begin.date().isoformat()) for number in count(1))
    free = next(path for path in paths if not path.exists())
    return record_felt(free, key, PlayedClock(int(begin.timestamp()) * SECOND_NS), seed, _nothing_to_pass_over)


def end_of_evening(felt: RecordedFelt) -> str:
    """Closes the day; returns where its journal lies."""
    felt.recorder.close()
    return str(felt.recorder.day.path)


def _nothing_to_pass_over(text: str) -> None:
    raise AssertionError(text)
