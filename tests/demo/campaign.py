"""Long evenings through pixels: `python -m tests.demo.campaign --state FILE` goes on where it was broken off.

Every run is `krupier demo --headless`; its table goes to docs/pixels.md.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
import msgspec

from table_controller import houses
from table_controller.demo.headless import Told

PAGE = Path(__file__).parents[2] / "docs/pixels.md"
SEEDS = (1, 2, 3, 4)
ROUNDS = 10
LONGEST_S = 1800
HEAD = """# Rounds played through pixels

Written by `make campaign-pixels`; the whole table in one process, the drawn felt seen by the shipped recogniser
(docs/running.md). "Told empty" counts how often a person had to say that the felt was empty. A run that did not come
to its end is told below the table.

| house | seeds | rounds | wrong names | asked for help | void | told empty | paid otherwise | record verified |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


class Run(msgspec.Struct, frozen=True):
    """One evening: what its last line said, or how it ended without one."""

    house: str
    seed: int
    told: Told | None
    ended: str = ""


def play(house: str, seed: int) -> Run:
    """One evening in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="krupier-campaign-") as data:
        command = [str(Path(sys.executable).with_name("krupier")), "demo", "--headless", "--input", "rendered"]
        command += ["--rules", house, "--seed", str(seed), "--rounds", str(ROUNDS), "--data", data]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
        except subprocess.TimeoutExpired:
            return Run(house, seed, None, f"not done after {LONGEST_S} s")
    lines = done.stdout.splitlines()
    if not lines:
        return Run(house, seed, None, done.stderr[-300:].strip())
    return Run(house, seed, msgspec.json.decode(lines[-1], type=Told))


def row(house: str, runs: list[Run]) -> str:
    """A house's line of the table."""
    told = [run.told for run in runs if run.told is not None]
    seeds = ", ".join(str(one.seed) for one in told)
    figures = (
        sum(one.rounds for one in told),
        sum(one.wrong_cards for one in told),
        sum(one.asked_for_help for one in told),
        sum(len(one.voided) for one in told),
        sum(one.felt_told_empty for one in told),
        sum(len(one.settled_otherwise) for one in told),
        f"{sum(one.verified for one in told)} of {len(told)}",
    )
    return f"| `{house}` | {seeds} | " + " | ".join(map(str, figures)) + " |"


def page(runs: Iterable[Run]) -> str:
    """What docs/pixels.md says of these runs."""
    kept = list(runs)
    by_house = {
        house: sorted((one for one in kept if one.house == house), key=lambda one: one.seed) for house in houses.NAMES
    }
    lines = [row(house, own) for house, own in by_house.items() if own]
    broken = [f"- `{one.house}`, seed {one.seed}: {one.ended}" for one in kept if one.told is None]
    voids = [f"- `{one.house}`, seed {one.seed}: {why}" for one in kept if one.told for why in one.told.voided]
    parts = ["\n".join(lines), "\n".join(["Void rounds (round: why):", "", *voids]) if voids else ""]
    parts.append("\n".join(["Runs without an end:", "", *broken]) if broken else "")
    return HEAD + "\n\n".join(part for part in parts if part) + "\n"


@click.command()
@click.option("--state", type=click.Path(path_type=Path), required=True, help="What was played so far, a line a run.")
@click.option("--jobs", type=int, default=2, show_default=True)
def main(state: Path, jobs: int) -> None:
    """Play what is not played yet, and write the page."""
    state.parent.mkdir(parents=True, exist_ok=True)
    state.touch()
    runs = [msgspec.json.decode(line, type=Run) for line in state.read_text("utf-8").splitlines()]
    done = {(run.house, run.seed) for run in runs}
    wanted = [(house, seed) for seed in SEEDS for house in houses.NAMES if (house, seed) not in done]
    with ThreadPoolExecutor(jobs) as pool, state.open("a", encoding="utf-8") as kept:
        for run in pool.map(lambda one: play(*one), wanted):
            kept.write(msgspec.json.encode(run).decode() + "\n")
            kept.flush()
            runs.append(run)
            click.echo(f"{run.house} {run.seed}: {run.ended or 'played'}")
    PAGE.write_text(page(runs), "utf-8")


if __name__ == "__main__":
    main()
