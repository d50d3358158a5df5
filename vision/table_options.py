"""The options both processes of the eyes share."""

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from vision.table_view import WAYS, Table

BESIDE = "beside_"
OPTIONS = (
    click.option("--data", required=True, type=click.Path(path_type=Path), help="The table's data folder."),
    click.option("--table", "name", required=True, help="The table's name, such as T01."),
    click.option("--source", required=True, help=WAYS),
    click.option("--width", default=1920, show_default=True),
    click.option("--height", default=1080, show_default=True),
    click.option("--rate", default=15, show_default=True, help="Frames a second."),
    click.option("--boxes", default=7, show_default=True, type=click.IntRange(1, 9)),
    click.option("--calibration", type=click.Path(path_type=Path), help="What krupier calibrate wrote."),
    click.option("--exposure", type=float, help="Lock the exposure of a USB camera at this value."),
    click.option("--white-balance", type=float, help="Lock its white balance."),
    click.option("--focus", type=float, help="Lock its focus."),
    click.option("--sound", is_flag=True, help="Keep the sound of a network camera with its pictures."),
    click.option("--jumbo", is_flag=True, help="The house plays with jumbo-index cards."),
    click.option("--number", default=1, type=click.IntRange(1, 2), help="Which of the table's cameras this is."),
    click.option("--beside-source", help="Where the table has two cameras: the other one's source."),
    click.option("--beside-width", default=1920, show_default=True),
    click.option("--beside-height", default=1080, show_default=True),
    click.option("--beside-calibration", type=click.Path(path_type=Path)),
    click.option("--fed", type=click.Path(path_type=Path), help="Video of an evening to feed again; see krupier run."),
)


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gather the options that describe a table into one Table."""

    @wraps(command)
    def with_table(data: Path, name: str, **rest: Any) -> None:  # noqa: ANN401
        other = {key.removeprefix(BESIDE): rest.pop(key) for key in list(rest) if key.startswith(BESIDE)}
        kept = {field.name: rest.pop(field.name) for field in fields(Table) if field.name in rest}
        beside = Table(**other, boxes=kept["boxes"], name=name) if other["source"] else None
        command(data=data, table=Table(name=name, beside=beside, **kept), **rest)

    for option in reversed(OPTIONS):
        with_table = option(with_table)
    return with_table
