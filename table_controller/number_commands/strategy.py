"""krupier strategy: the chart of a house."""

from pathlib import Path

import click
import msgspec

from table_controller.analysis.book import Book
from table_controller.analysis.chart import as_json as chart_as_json
from table_controller.analysis.chart import chart_of
from table_controller.analysis.chart_paper import Heading, as_html, as_lines, as_svg
from table_controller.analysis.edge import numbers_of
from table_controller.analysis.saying import Saying
from table_controller.core.house import Language
from table_controller.number_commands.asking import COMPOSITION, JSON, LANGUAGE, MORE, SET, asked, write_text

PATH = click.Path(path_type=Path)


@click.command()
@click.argument("name")
@MORE
@SET
@COMPOSITION
@JSON
@LANGUAGE
@click.option("--svg", type=PATH, help="Also write the chart as a picture.")
@click.option("--html", type=PATH, help="Also write a page to print.")
def strategy(
    name: str,
    more: tuple[str, ...],
    changes: tuple[str, ...],
    *,
    composition: bool,
    as_json: bool,
    lang: str,
    svg: Path | None,
    html: Path | None,
) -> None:
    """The best play of a house: NAME is a house by name or number, or a rule-set file; --set changes keys."""
    house = asked(name, changes, more)
    book, say = Book(house.rules, composition=composition), Saying(Language(lang))
    chart = chart_of(book)
    head = Heading(house.title, house.rules.decks, numbers_of(book).edge)
    if svg is not None:
        write_text(svg, as_svg(chart, head, say))
    if html is not None:
        write_text(html, as_html(chart, head, say))
    if as_json:
        click.echo(msgspec.json.encode({"rules": house.name, "set": house.changed, **chart_as_json(chart)}))
    else:
        click.echo("\n".join(as_lines(chart, head, say)))
