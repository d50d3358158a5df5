"""The command `krupier window`: serves the window alone, manages people without a browser, prints who may do what."""

import sys
import tempfile
from pathlib import Path

import click

from dashboard import create_app
from dashboard.access import matrix_csv
from dashboard.drawing import now
from dashboard.passwords import weak_password
from dashboard.people import People, Taken
from dashboard.serve import Serving, serve
from dashboard.settings import Settings
from dashboard.signing_in import clean_name
from table_controller import houses
from table_controller.core.house import Language
from table_controller.core.parameters import Unusable
from table_controller.core.people import Role

DATA = click.option(
    "--data", type=click.Path(path_type=Path), required=True, help="The folder the tables keep their record in."
)
CONSOLE = "console"


@click.group(invoke_without_command=True)
@click.option("--data", type=click.Path(path_type=Path), help="The folder the tables keep their record in.")
@click.option("--address", default="127.0.0.1", show_default=True)
@click.option("--port", default=8800, show_default=True)
@click.option("--tls", is_flag=True, help="HTTPS with a certificate of the house's own, made at the first start.")
@click.option("--name", "names", multiple=True, help="What tablets call this machine, for the certificate; repeatable.")
@click.option("--proxies", default=0, show_default=True, help="Reverse proxies of your own in front of it.")
@click.option("--zone", default="Europe/Warsaw", show_default=True, help="The venue's time zone.")
@click.option("--day-begins", default=6, show_default=True, help="The hour at which a gaming day begins.")
@click.option(
    "--rules", default=houses.NAMES[0], show_default=True, help="What a table is opened with; a house or a file."
)
@click.option("--lang", type=click.Choice([one.value for one in Language]), default="pl", show_default=True)
@click.pass_context
def window(context: click.Context, /, data: Path | None, **said: object) -> None:
    """The window: tablet, dealer's screen, dispute desk."""
    if context.invoked_subcommand is not None:
        return
    if data is None:
        raise click.UsageError("name the folder of the record with --data")
    try:
        houses.rule_values(str(said["rules"]))
    except (houses.NoSuchHouse, Unusable, OSError) as wrong:
        raise click.UsageError(str(wrong)) from None
    tls, language = bool(said["tls"]), Language(str(said["lang"]))
    proxies = int(str(said["proxies"]))
    settings = Settings(
        data=data,
        zone=str(said["zone"]),
        day_begins=int(str(said["day_begins"])),
        rules=str(said["rules"]),
        language=language,
        https=tls or proxies > 0,
        proxies=proxies,
    )
    names = said["names"]
    assert isinstance(names, tuple)
    serve(
        settings, Serving(address=str(said["address"]), port=int(str(said["port"])), tls=bool(said["tls"]), names=names)
    )


@window.command()
@DATA
@click.option("--name", required=True)
@click.option("--role", type=click.Choice([one.value for one in Role]), required=True)
def add(data: Path, name: str, role: str) -> None:
    """Adds a person; the password is read from standard input."""
    password = sys.stdin.readline().rstrip("\n")
    known = clean_name(name)
    if not known or weak_password(password, known):
        raise click.UsageError("the password needs ten characters and not the name in it")
    try:
        _people(data).add(known, Role(role), password, CONSOLE, now())
    except Taken:
        raise click.UsageError(f"{known} has an account already") from None


@window.command()
@DATA
@click.argument("name")
def disable(data: Path, name: str) -> None:
    """Disables a person; all sessions and sockets end at once."""
    people = _people(data)
    if people.account(name) is None:
        raise click.UsageError(f"{name} has no account")
    people.change(name, "active", 0, CONSOLE, now())


@window.command()
def access() -> None:
    """Who may do what, as CSV, taken from the very checks."""
    with tempfile.TemporaryDirectory() as folder:
        click.echo(matrix_csv(create_app(Settings(data=Path(folder)))), nl=False)


def _people(data: Path) -> People:
    people = People(Settings(data=data).people)
    people.prepare()
    return people
