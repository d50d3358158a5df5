"""A long run of crashes that can be stopped and taken up again: python -m tests.journal.crash.campaign --points 500."""

import json
import random
import tempfile
from pathlib import Path

import click

from tests.journal.crash.harness import Point, calls_of_a_settlement, crash
from tests.journal.crash.settlement import prepare


def point(number: int, calls: dict[bool, int]) -> Point:
    """Point number n, always the same: half with the day closed at the end, half with the unsynced bytes lost."""
    chance = random.Random(number)
    close, power = chance.random() < 0.5, chance.random() < 0.5
    return Point(chance.randrange(calls[close]), close, number if power else None)


def quick_disk() -> str | None:
    """A folder in memory where there is one: the harness decides what was synced, a slow disk proves no more."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


@click.command()
@click.option("--points", default=500, help="How many crashes in all, those of earlier runs included.")
@click.option("--log", type=click.Path(path_type=Path), default=Path("crash-campaign.jsonl"))
def main(points: int, log: Path) -> None:
    """Crashes the writer at random points; the log remembers what was done."""
    done = len(log.read_text("utf-8").splitlines()) if log.exists() else 0
    with tempfile.TemporaryDirectory(dir=quick_disk()) as folder, log.open("a", encoding="utf-8") as lines:
        prepared = Path(folder, "prepared")
        prepared.mkdir()
        prepare(prepared)
        calls = {close: calls_of_a_settlement(prepared, Path(folder, "whole"), close=close) for close in (False, True)}
        for number in range(done, points):
            chosen = point(number, calls)
            crash(prepared, Path(folder, "crashed"), chosen)
            lines.write(json.dumps({"number": number, **chosen._asdict()}) + "\n")
            lines.flush()
    click.echo(f"{points} crashes ({points - min(done, points)} now), {calls} system calls to die before: nothing lost")


if __name__ == "__main__":
    main()
