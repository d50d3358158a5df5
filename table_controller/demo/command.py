"""The command demo: the whole table on any computer, without any hardware."""

from pathlib import Path
from tempfile import mkdtemp
from typing import NoReturn

import click
import msgspec

from table_controller.commands import fail, usable
from table_controller.core.house import Language
from table_controller.houses import rule_values
from table_controller.play.command import tell_evening
from table_controller.play.felt import CannotPlay

TOLD_EVERY = 100
ROUNDS = 12


@click.command()
@click.option("--rules", "name", default="golden_wolf", show_default=True, help="A house, or a rule-set file .toml.")
@click.option("--rounds", type=click.IntRange(1), help="Default: 12; with the window, until you press Ctrl-C.")
@click.option("--seed", type=int, default=7, show_default=True, help="The same seed plays the same evening.")
@click.option("--lang", type=click.Choice([one.value for one in Language]), default="en", show_default=True)
@click.option("--data", type=click.Path(path_type=Path), help="Where the record is kept; default: a new folder.")
@click.option("--headless", is_flag=True, help="No window; one JSON line at the end.")
@click.option(
    "--input",
    "source",
    type=click.Choice(["scripted", "rendered", "real"]),
    help="What the eyes look at: a script, a drawn table, or photographed cards. Default: drawn; headless: scripted.",
)
@click.option("--photos", type=click.Path(path_type=Path), help="Folder of labelled photographs, for --input real.")
@click.option("--speed", type=click.FloatRange(0.1, 100), default=1.0, help="2 plays twice as fast as people do.")
@click.option("--port", type=click.IntRange(1, 65535), default=8800, show_default=True, help="Where the window is.")
@click.option("--tell", is_flag=True, help="Only the judge, without boards, eyes and window: every round as a text.")
@click.option(
    "--parts",
    type=click.Path(path_type=Path),
    help="Only boxes to plug in, and people: for a table that you set up yourself in this folder.",
)
def demo(
    name: str,
    *,
    rounds: int | None,
    seed: int,
    lang: str,
    data: Path | None,
    headless: bool,
    source: str | None,
    photos: Path | None,
    speed: float,
    port: int,
    tell: bool,
    parts: Path | None,
) -> None:
    """Play a seeded evening at a whole table: boards, dealer and players are scripted, everything else is real."""
    if parts is not None:
        from table_controller.demo.parts import lend

        lend(parts, seed)
        return
    with usable():
        rule_values(name)
    if (source == "real") != (photos is not None):
        fail("--input real and --photos go together: name the folder whose labels.jsonl says where the cards are")
    if tell:
        tell_evening(name, rounds=rounds or ROUNDS, seed=seed, lang=lang, data=data, headless=headless)
    folder = data or Path(mkdtemp(prefix="krupier-demo-"))
    looked_at = None if source == "scripted" else f"photographs:{photos.absolute()}" if photos else "rendered:"
    if headless:
        play_on(name, rounds or ROUNDS, seed, folder, None if source is None else looked_at)
    from table_controller.demo.show import Show, show

    wanted = Show(
        rules=name,
        seed=seed,
        data=folder,
        rounds=rounds,
        speed=speed,
        port=port,
        language=lang,
        source=looked_at,
    )
    show(wanted)


def play_on(name: str, rounds: int, seed: int, data: Path, source: str | None) -> NoReturn:
    """In one process; from a sighting on, or with a source from a frame on, everything is the running table's own."""
    from table_controller.demo.headless import Wanted, play_headless

    def heard(played: int) -> None:
        if played % TOLD_EVERY == 0:
            click.echo(f"krupier: {played} rounds", err=True)

    try:
        told = play_headless(Wanted(name, rounds, seed, source), data, heard)
    except CannotPlay as stuck:
        fail(f"the evening cannot be played on: {stuck}")
    click.echo(msgspec.json.encode(told))
    raise SystemExit(0 if told.good else 1)
