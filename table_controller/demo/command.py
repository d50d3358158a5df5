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
) -> None:
    """Play a seeded evening at a whole table: boards, dealer and players are scripted, everything else is real."""
    with usable():
        rule_values(name)
    if (source == "real") != (photos is not None):
        fail("--input real and --photos go together: name the folder whose labels.jsonl says where the cards are")
    if tell:
        tell_evening(name, rounds=rounds or ROUNDS, seed=seed, lang=lang, data=data, headless=headless)
    folder = data or Path(mkdtemp(prefix="krupier-demo-"))
    if headless and source in (None, "scripted"):
        scripted(name, rounds or ROUNDS, seed, folder)
    from table_controller.demo.show import Show, show

    wanted = Show(
        rules=name,
        seed=seed,
        data=folder,
        rounds=rounds or (ROUNDS if headless else None),
        speed=speed,
        port=None if headless else port,
        language=lang,
        source=None if source == "scripted" else f"photographs:{photos.absolute()}" if photos else "rendered:",
    )
    told = show(wanted)
    if told is not None:
        click.echo(msgspec.json.encode(told))
    raise SystemExit(0 if not headless or (told is not None and told.good) else 1)


def scripted(name: str, rounds: int, seed: int, data: Path) -> NoReturn:
    """Eyes that say what lies on the felt; everything from a sighting on is the running table's own."""
    from table_controller.demo.headless import play_headless

    def heard(played: int) -> None:
        if played % TOLD_EVERY == 0:
            click.echo(f"krupier: {played} rounds", err=True)

    try:
        told = play_headless(name, rounds, seed, data, heard)
    except CannotPlay as stuck:
        fail(f"the evening cannot be played on: {stuck}")
    click.echo(msgspec.json.encode(told))
    raise SystemExit(0 if told.good else 1)
