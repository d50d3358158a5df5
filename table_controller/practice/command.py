"""krupier practice: the plan of an evening's mistakes for the trainer, and the score card afterwards."""

import tomllib
from importlib.resources import files
from pathlib import Path

import click
import msgspec

from table_controller.core.house import Language
from table_controller.export.wording import texts as facts
from table_controller.practice.mistakes import wish
from table_controller.practice.score import ScoreCard
from table_controller.practice.score import score as scored
from table_controller.record_commands.asking import JSON, PATH, answering, warn
from table_controller.replay.opening import load

LANGUAGE = click.option("--lang", type=click.Choice([one.value for one in Language]), default="en", show_default=True)


def practice_texts(language: Language) -> dict[str, dict[str, str]]:
    """Every text of a language, by section and key."""
    return tomllib.loads(files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))


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


def told(card: ScoreCard, language: Language) -> list[str]:
    """The score card in words, a line each."""
    says, words = practice_texts(language), facts(language)
    line = says["card"]
    seconds = "-" if card.typical_seconds is None else f"{card.typical_seconds:.0f}"
    lines = [
        line["rounds"].format(rounds=card.rounds, dealers=", ".join(name for name in card.dealers if name) or "-"),
        line["caught"].format(caught=card.caught, planted=len(card.lines), seconds=seconds),
    ]
    for one in card.lines:
        what = says["mistake"][one.mistake]
        took = f"{one.seconds or 0:.0f}"
        if not one.noticed:
            lines.append(line["missed"].format(round=one.round, what=what))
        elif one.dispute is None:
            lines.append(line["called"].format(round=one.round, what=what, by=one.by, seconds=took))
        elif one.remedy is None:
            lines.append(line["open"].format(round=one.round, what=what))
        else:
            remedy, choice = words["remedy"][one.remedy], line["first" if one.first_choice else "other"]
            lines.append(line["righted"].format(round=one.round, what=what, remedy=remedy, choice=choice, seconds=took))
    lines += [line["slip"].format(what=words["irregularity"][name], times=times) for name, times in card.slips.items()]
    return [*lines, line["refused"].format(times=card.refused)]
