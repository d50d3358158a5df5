"""krupier practice: the plan of an evening's mistakes for the trainer, and the score card afterwards."""

from pathlib import Path

import click
import msgspec

from table_controller.core.house import Language
from table_controller.practice.mistakes import wish
from table_controller.practice.score import score as scored
from table_controller.practice.telling import practice_texts, told
from table_controller.record_commands.asking import JSON, PATH, answering, warn
from table_controller.replay.opening import load

LANGUAGE = click.option("--lang", type=click.Choice([one.value for one in Language]), default="en", show_default=True)


@click.group()
def practice() -> None:
    """Practice rounds with mistakes made on purpose."""


@practice.command()
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plans the same evening.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=20, show_default=True)
@LANGUAGE
def plan(seed: int, rounds: int, lang: str) -> None:
    """What the dealer is to do wrong in which round; for the trainer only."""
    says = practice_texts(Language(lang))
    for number in range(1, rounds + 1):
        mistake = wish(seed, number)
        what = says["mistake"][mistake] if mistake is not None else says["card"]["clean"]
        click.echo(says["card"]["planned"].format(round=number, what=what))


@practice.command()
@click.argument("journal", type=PATH)
@LANGUAGE
@JSON
@answering
def score(journal: Path, lang: str, *, as_json: bool) -> None:
    """The score card of a day's practice rounds."""
    card = scored(load(journal, warn))
    if as_json:
        seconds = card.typical_seconds
        click.echo(msgspec.json.encode({**msgspec.to_builtins(card), "caught": card.caught, "seconds": seconds}))
    else:
        click.echo("\n".join(told(card, Language(lang))))
