"""The table's configuration as a file people read: answers go in one by one, all else stays as it was written."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from table_controller.config import read_config
from table_controller.misconfigured import ConfigInvalid

HEAD: Final = "Made by krupier setup; may be edited by hand, too. Check it with: krupier run --check --config FILE"


class AnswerRefused(ValueError):
    """The answers cannot be used and nothing was written; a line for every mistake, each naming its key."""

    def __init__(self, text: str, wrong: ConfigInvalid | None = None) -> None:
        super().__init__(text)
        self.wrong = wrong

    def told(self, language: str) -> str:
        """The same in a language, where the mistake is one of the file's."""
        return str(self) if self.wrong is None else self.wrong.told(language)


def read_answers(path: Path) -> tomlkit.TOMLDocument:
    """What the file says, an empty one if there is none; raises AnswerRefused."""
    try:
        return tomlkit.parse(path.read_text("utf-8"))
    except FileNotFoundError:
        document = tomlkit.document()
        document.add(tomlkit.comment(HEAD))
        return document
    except (TOMLKitError, UnicodeDecodeError) as broken:
        raise AnswerRefused(f"{path.name} is no TOML file: {broken}; mend it, or move it away") from None


def write_answers(path: Path, answers: Mapping[str, object]) -> None:
    """Put answers into the file, by dotted keys ("window.port"); None takes one away. Boards are told by `name`.

    Checked as a whole before it takes the old file's place; raises AnswerRefused, and writes nothing then.
    """
    document = read_answers(path)
    for key, answer in answers.items():
        _put(document, key, answer)
    arriving = path.with_name(f".{path.name}")
    try:
        arriving.write_text(tomlkit.dumps(document), "utf-8")
        read_config(arriving)
        _sync(arriving)
        arriving.replace(path)
    except ConfigInvalid as wrong:
        named = ConfigInvalid(path.name, wrong.mistakes)
        raise AnswerRefused(str(named), named) from None
    finally:
        arriving.unlink(missing_ok=True)


def put_board(path: Path, board: Mapping[str, object]) -> None:
    """Adds a board, or replaces the one of the same name or at the same place."""
    others = [one for one in _boards(path) if one["name"] != board["name"] and _place(one) != _place(board)]
    write_answers(path, {"boards": [*others, board]})


def take_board(path: Path, name: str) -> None:
    """Takes a board out; nothing happens where there is none of that name."""
    write_answers(path, {"boards": [one for one in _boards(path) if one["name"] != name] or None})


def _boards(path: Path) -> list[dict[str, object]]:
    return [dict(one) for one in read_answers(path).unwrap().get("boards", [])]


def _place(board: Mapping[str, object]) -> object:
    return board.get("adapter") or board.get("port")


def _put(document: tomlkit.TOMLDocument, key: str, answer: object) -> None:
    *sections, name = key.split(".")
    table: tomlkit.container.Container | tomlkit.items.Table = document
    for section in sections:
        if section not in table:
            table[section] = tomlkit.table()
        table = table[section]
    if answer is None:
        table.pop(name, None)
    elif isinstance(answer, list) and answer and all(isinstance(one, Mapping) for one in answer):
        table[name] = _tables(answer)
    else:
        table[name] = answer


def _tables(rows: list[Mapping[str, object]]) -> AoT:
    array = tomlkit.aot()
    for row in rows:
        table = tomlkit.table()
        table.update({key: value for key, value in row.items() if value is not None})
        array.append(table)
    return array


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
