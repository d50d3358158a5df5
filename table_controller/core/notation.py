"""One line of text for every fact and stimulus, both ways; a round is a block of lines.

    card_dealt box1.0 TS up
    signal 1 0 hit
    bet_settled main 1 0 100 win 100 200 end 0

The kind comes first, then the fields in their order: numbers and words bare, "-" for nothing, yes and no, cards "TS",
places "box1.0" and "dealer", people "name/role", lists "1,3", tables and texts with blanks as JSON. A cause, where it
is written, ends the line: "@source#7" or "@source#7+1500" with its time in nanoseconds, and with " by name/role" where
a person said it.
"""

import re
import types
import typing
from collections.abc import Iterable, Iterator
from enum import StrEnum
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

import msgspec
from msgspec.structs import fields

from table_controller.core.cards import Card
from table_controller.core.codec import ENCODER
from table_controller.core.events import Event
from table_controller.core.game import Game
from table_controller.core.people import Person, Role
from table_controller.core.places import Place
from table_controller.core.step import kind_of
from table_controller.core.stimuli import Cause, Stimulus

_BARE: Final = re.compile(r'[^\s"{\[,/@-][^\s",/@]*')
_CAUSE: Final = re.compile(r'@(\S+)#(\d+)(?:\+(\d+))?(?: by ((?:"(?:[^"\\]|\\.)*"|[^\s"]+)/\w+))?$')
_JSON: Final = JSONDecoder()


class Unreadable(ValueError):
    """A line that is no fact and no stimulus; says which word and what was expected."""


def write(said: Event | Stimulus, *, cause: bool = False) -> str:
    """The line of a fact or stimulus."""
    words = [kind_of(said), *_words(said)]
    if cause:
        at = f"+{said.cause.at_ns}" if said.cause.at_ns else ""
        by = f" by {_word(said.cause.by)}" if said.cause.by is not None else ""
        words.append(f"@{said.cause.source}#{said.cause.seq}{at}{by}")
    return " ".join(words)


def write_all(facts: Iterable[Event]) -> str:
    """A block of text, one line a fact."""
    return "".join(f"{write(fact)}\n" for fact in facts)


def read_event(game: Game, line: str, cause: Cause | None = None) -> Event:
    """The fact of a line; raises Unreadable. A cause on the line wins over the one given."""
    return typing.cast(Event, _read({_tag(kind): kind for kind in game.folds}, line, cause))


def read_stimulus(game: Game, line: str, cause: Cause | None = None) -> Stimulus:
    """The stimulus of a line; raises Unreadable. A cause on the line wins over the one given."""
    return typing.cast(Stimulus, _read({_tag(kind): kind for kind in game.judges}, line, cause))


def _tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _words(said: msgspec.Struct) -> Iterator[str]:
    for one in fields(type(said)):
        value = getattr(said, one.name)
        if isinstance(value, Cause):
            continue
        if isinstance(value, msgspec.Struct) and not isinstance(value, Place | Person):
            yield from _words(value)
        else:
            yield _word(value)


def _word(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case Place() | Card() | int():
            return str(value)
        case Person():
            return f"{_word(value.name)}/{value.role}"
        case StrEnum():
            return value.value
        case str():
            return value if _BARE.fullmatch(value) else ENCODER.encode(value).decode()
        case tuple():
            return ",".join(map(_word, value)) or "[]"
        case _:
            return ENCODER.encode(value).decode()


def _read(kinds: dict[str, Any], line: str, cause: Cause | None) -> object:
    found = _CAUSE.search(line)
    if found is not None:
        by = typing.cast(Person, _value(found[4], Person, "by")) if found[4] else None
        cause, line = Cause(found[1], int(found[2]), int(found[3] or 0), by), line[: found.start()]
    if cause is None:
        raise Unreadable(f"{line!r} has no cause; end it with @source#number")
    tag, *words = tokens(line) or [""]
    if tag not in kinds:
        raise Unreadable(f"{tag!r} is no kind; known are {', '.join(sorted(kinds))}")
    rest = iter(words)
    built = _build(kinds[tag], rest, cause)
    surplus = list(rest)
    if surplus:
        raise Unreadable(f"{tag}: {' '.join(surplus)!r} is too much")
    return built


def tokens(line: str) -> list[str]:
    """The words of a line; a JSON text, table or list is one word, blanks and all."""
    words, at = [], 0
    while at < len(line):
        if line[at].isspace():
            at += 1
            continue
        end = at
        while end < len(line) and not line[end].isspace():
            end = _json_end(line, end) if line[end] in '"{[' else end + 1
        words.append(line[at:end])
        at = end
    return words


def _json_end(line: str, at: int) -> int:
    try:
        return _JSON.raw_decode(line, at)[1]
    except JSONDecodeError:
        raise Unreadable(f"{line[at:]!r} is no complete JSON text") from None


def _build(kind: Any, words: Iterator[str], cause: Cause | None) -> object:  # noqa: ANN401 - any kind of struct
    values: dict[str, object] = {}
    hints = typing.get_type_hints(kind)
    for one in fields(kind):
        hint = hints[one.name]
        if hint is Cause:
            values[one.name] = cause
        elif isinstance(hint, type) and issubclass(hint, msgspec.Struct) and hint not in (Place, Person):
            values[one.name] = _build(hint, words, cause)
        else:
            word = next(words, None)
            if word is None and one.default is msgspec.NODEFAULT:
                raise Unreadable(f"{_tag(kind)}: {one.name} is missing")
            values[one.name] = one.default if word is None else _value(word, hint, f"{_tag(kind)} {one.name}")
    return kind(**values)


def _value(word: str, hint: Any, where: str) -> object:  # noqa: ANN401 - the type of a field
    inner = [part for part in typing.get_args(hint) if part is not type(None)]
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return None if word == "-" else _value(word, inner[0], where)
    try:
        if typing.get_origin(hint) is tuple:
            return tuple(_value(part, inner[0], where) for part in word.split(",")) if word != "[]" else ()
        return _scalar(word, hint)
    except (ValueError, JSONDecodeError) as wrong:
        raise Unreadable(f"{where}: {word!r}: {wrong}") from None


def _scalar(word: str, hint: Any) -> object:  # noqa: ANN401 - the type of a field
    if hint is bool:
        return {"yes": True, "no": False}[word] if word in ("yes", "no") else _must("be yes or no")
    if hint in (Card, Place):
        return hint.parse(word)
    if hint is Person:
        name, _, role = word.rpartition("/")
        return Person(str(_scalar(name, str)), Role(role))
    if isinstance(hint, type) and issubclass(hint, StrEnum) and word not in hint._value2member_map_:
        _must(f"be one of {', '.join(hint)}")
    value = _JSON.decode(word) if word[0] in '"{' else word
    return msgspec.convert(value, hint, strict=False)


def _must(what: str) -> typing.NoReturn:
    raise ValueError(f"must {what}")
