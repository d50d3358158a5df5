"""krupier edge: what a house's game is worth, and each of its rules."""

from collections.abc import Iterator

import click
import msgspec

from table_controller.analysis.book import Book
from table_controller.analysis.edge import Numbers, method_of, numbers_of
from table_controller.analysis.parts import Part, parts_of
from table_controller.analysis.saying import Saying
from table_controller.analysis.sidebets import others
from table_controller.core.house import Language
from table_controller.number_commands.asking import COMPOSITION, JSON, LANGUAGE, MORE, SET, Asked, asked


@click.command()
@click.argument("name")
@MORE
@SET
@COMPOSITION
@JSON
@LANGUAGE
@click.option("--parts/--no-parts", default=None, help="What each rule is worth; without --json it is told by default.")
def edge(
    name: str,
    more: tuple[str, ...],
    changes: tuple[str, ...],
    *,
    composition: bool,
    as_json: bool,
    lang: str,
    parts: bool | None,
) -> None:
    """The edge of a house, its parts by rule, and the edge of its other bets: NAME is a house, or a rule-set file."""
    house, say = asked(name, changes, more), Saying(Language(lang))
    book = Book(house.rules, composition=composition)
    numbers = numbers_of(book)
    wanted = (not as_json and not composition) if parts is None else parts
    found = list(parts_of(house.rules, numbers.edge)) if wanted else []
    if as_json:
        click.echo(msgspec.json.encode(_as_json(house, book, numbers, found)))
    else:
        click.echo("\n".join(_as_lines(house, book, say, (numbers, found))))
    if numbers.edge > 0:
        click.echo("krupier: " + say("edge", "player", edge=say.percent(numbers.edge)), err=True)


def _as_json(house: Asked, book: Book, numbers: Numbers, parts: list[Part]) -> dict[str, object]:
    say = Saying(Language.ENGLISH)
    told: dict[str, object] = {"rules": house.name, "set": house.changed, "edge": numbers.edge, "sd": numbers.sd}
    told |= {"covariance": numbers.covariance, "method": method_of(book, say), "stderr": 0}
    told["favours_player"] = numbers.edge > 0
    told["others"] = others(house.rules)
    return told | ({"parts": {part.name: part.worth for part in parts}} if parts else {})


def _as_lines(house: Asked, book: Book, say: Saying, found: tuple[Numbers, list[Part]]) -> Iterator[str]:
    numbers, parts = found
    yield say("edge", "title", rules=house.title)
    yield f"  {say('edge', 'edge')}: {say.percent(numbers.edge, 4)}"
    yield f"  {say('edge', 'sd')}: {say.number(numbers.sd, 4)}"
    yield f"  {say('edge', 'method')}: {method_of(book, say)}"
    yield "  " + (
        say("edge", "player", edge=say.percent(numbers.edge))
        if numbers.edge > 0
        else say("edge", "house", edge=say.percent(-numbers.edge).removeprefix("+"))
    )
    if parts:
        yield ""
        yield say("edge", "parts")
        for part in parts:
            yield f"  {say.percent(part.worth, 4):>10}  {say('edge', part.name)}"
        yield f"  {say.percent(numbers.edge, 4):>10}  {say('edge', 'this_game')}"
    other = others(house.rules)
    if other:
        yield ""
        yield say("edge", "others")
    for name, worth in other.items():
        yield f"  {say.percent(worth, 3):>10}  {say('edge', name)}"
