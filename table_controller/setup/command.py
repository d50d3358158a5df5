"""krupier setup: question by question at the keyboard, or the same answers as key=value."""

import secrets
import tomllib
from pathlib import Path
from typing import Any

import click
from werkzeug.serving import WSGIRequestHandler, make_server

from table_controller.commands import fail
from table_controller.core.house import Language
from table_controller.core.parameters import Unusable
from table_controller.houses import NoSuchHouse
from table_controller.journal.errors import KeyUnusable
from table_controller.journal.keys import house_key
from table_controller.setup.file import AnswerRefused, put_board, read_answers, write_answers
from table_controller.setup.found import unused_boards
from table_controller.setup.questions import CLOSED, QUESTIONS, Question, question, still_needed
from table_controller.setup.start import typed
from table_controller.setup.summary import summary
from table_controller.setup.web import create_setup
from table_controller.setup.wording import setup_texts


@click.command()
@click.argument("answers", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--config", type=click.Path(path_type=Path), default=Path("table.toml"), show_default=True)
@click.option("--lang", type=click.Choice([one.value for one in Language]), help="Language of the questions.")
@click.option("--browser", is_flag=True, help="Put the questions in the browser.")
@click.option("--address", default="127.0.0.1", show_default=True, help="Where the browser's pages are served.")
@click.option("--port", default=8790, show_default=True)
def setup(answers: tuple[str, ...], config: Path, lang: str | None, *, browser: bool, address: str, port: int) -> None:
    """Set up a table, or change what is asked for; without KEY=VALUE every question is put."""
    if browser:
        _serve(config, address, port)
        return
    try:
        now = read_answers(config).unwrap()
        lang = lang or QUESTIONS[0].now(now)
        says = setup_texts(lang)
        if answers:
            write_answers(config, {**still_needed(now), **dict(_given(answer) for answer in answers)})
        else:
            _ask_all(config, now, says)
        _first_key(config)
    except AnswerRefused as wrong:
        for line in wrong.told(lang or Language.ENGLISH.value).splitlines():
            click.echo(f"krupier: {line}", err=True)
        raise SystemExit(2) from None
    except OSError as reason:
        fail(f"{reason.filename}: {reason.strerror}; name a file in a folder that can be written")
    click.echo(says["say"]["done"].format(path=config, krupier=typed()))


def _given(answer: str) -> tuple[str, object]:
    key, sign, value = answer.partition("=")
    if not sign:
        fail(f"{answer!r} is no answer: write KEY=VALUE, such as rules=classic")
    known = question(key)
    try:
        return key, known.read(value) if known is not None else _plain(value)
    except ValueError:
        fail(f"{key}: {value!r} is no whole number")


def _plain(value: str) -> object:
    """Keys without a question of their own: numbers and true or false as such, all else as text."""
    try:
        plain: object = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value
    return plain


def _ask_all(config: Path, now: dict[str, Any], says: dict[str, dict[str, str]]) -> None:
    given: dict[str, object] = {}
    for one in QUESTIONS:
        if one.key == "rules":
            given[one.key] = _ask_house(one, now, says)
        else:
            given[one.key] = _ask(one, now, says["ask"][one.key])
        if one.key == "window.language":
            says = setup_texts(str(given[one.key]))
    write_answers(config, {key: value for key, value in given.items() if value is not None or key in now})
    _ask_boards(config, now, says)


def _ask(one: Question, now: dict[str, Any], text: str) -> object:
    choices = one.choices() if one.choices is not None else ()
    offered = click.Choice(list(choices)) if one.key in CLOSED else str
    if choices and one.key == "camera.source":
        click.echo("\n".join(f"  {choice}" for choice in choices))
    while True:
        said = click.prompt(text, default=one.now(now), type=offered, show_choices=one.key in CLOSED)
        try:
            return one.read(str(said))
        except ValueError:
            click.echo(f"{said!r}: 0, 1, 2, …", err=True)


def _ask_house(one: Question, now: dict[str, Any], says: dict[str, dict[str, str]]) -> object:
    """Asked again until the rules that were shown are wanted."""
    language = Language(says["say"]["language"])
    while True:
        name = str(_ask(one, now, says["ask"][one.key]))
        try:
            lines = summary(name, language)
        except (NoSuchHouse, Unusable, OSError) as reason:
            raise AnswerRefused(f"rules: {reason}") from None
        width = max(len(rule) for rule, _ in lines)
        click.echo("\n".join(f"  {rule:<{width}}  {value}" for rule, value in lines))
        if click.confirm(says["say"]["these_rules"], default=True):
            return name


def _ask_boards(config: Path, now: dict[str, Any], says: dict[str, dict[str, str]]) -> None:
    used = [str(board.get("adapter")) for board in now.get("boards", [])]
    for adapter in unused_boards(used):
        text = says["say"]["board"].format(adapter=adapter.description or adapter.identity, path=adapter.path)
        name = click.prompt(text, default="", show_default=False)
        if name:
            put_board(config, {"name": name, "adapter": adapter.identity})


def _first_key(config: Path) -> None:
    """The house's signing key, made once, for its owner alone."""
    data = config.absolute().parent / str(read_answers(config)["data"])
    try:
        house_key(data)
    except KeyUnusable as reason:
        fail(str(reason))


class Quiet(WSGIRequestHandler):
    """A page that was asked for is no news in the terminal, an error is."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Says nothing."""


def _serve(config: Path, address: str, port: int) -> None:
    """The pages, until Ctrl-C; one technician at a time needs no more than this server."""
    code = secrets.token_hex(4)
    try:
        server = make_server(address, port, create_setup(config, code), threaded=True, request_handler=Quiet)
    except (OSError, SystemExit):
        fail(f"--port {port}: {address} cannot be served there; name another port or address")
    says = setup_texts(QUESTIONS[0].now(read_answers(config).unwrap()))
    click.echo(says["say"]["served"].format(address=f"http://{address}:{server.server_port}/", code=code), err=True)
    server.serve_forever()
