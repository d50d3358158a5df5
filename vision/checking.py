"""`krupier deckcheck`: the shoe's decks spread before a camera, faces and then backs, proved complete by name."""

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from vision import passes, picture, weights
from vision.classifier import OnnxClassifier
from vision.cli import box, each, opened, refuse
from vision.deckcheck import DeckReport, check
from vision.geometry import Image
from vision.profile import DeckProfile, ProfileRefused, enrol, load_replay
from vision.sheet import LANGUAGES
from vision.shown import Decks

Command = TypeVar("Command", bound=Callable[..., object])
SUFFIXES: Final = {".jpg", ".jpeg", ".png", ".webp", ".bmp"}


@dataclass(frozen=True)
class Pictures:
    """The pictures of one check, by what they are of."""

    faces: tuple[Path, ...]
    backs: tuple[Path, ...] = ()
    again: tuple[Path, ...] = ()
    again_backs: tuple[Path, ...] = ()

    @property
    def every(self) -> tuple[Path, ...]:
        return (*self.faces, *self.backs, *self.again, *self.again_backs)


def pictures_in(paths: Sequence[Path]) -> Iterator[Path]:
    """Pictures as they are, and those of folders in the order of their names."""
    for path in paths:
        if path.is_dir():
            yield from sorted(one for one in path.iterdir() if one.suffix.lower() in SUFFIXES)
        else:
            yield path


def _several(name: str, text: str) -> Callable[[Command], Command]:
    return click.option(name, multiple=True, type=click.Path(path_type=Path), help=text)


@click.command("deckcheck")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--decks", default=1, show_default=True, type=click.IntRange(1, 8), help="How many packs were shown.")
@_several("--backs", "The same cards turned over in place: a picture for each of faces, or a folder of them.")
@_several("--again", "The cards asked for, each alone in a picture, in the order asked; or a folder of them.")
@_several("--again-backs", "The backs of the cards asked for, likewise.")
@click.option("--deck", type=click.Path(path_type=Path), help="Deck profile to read with.")
@click.option("--learn", type=click.Path(path_type=Path), help="Learn this deck and write its profile here.")
@click.option("--store", nargs=2, type=(str, click.Path(path_type=Path)), help="The deck's id, and the book of checks.")
@click.option("--by", default="", help="Who checks, for the book.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Say it in words instead of JSON.")
def command(
    images: tuple[Path, ...],
    backs: tuple[Path, ...],
    again: tuple[Path, ...],
    again_backs: tuple[Path, ...],
    decks: int,
    deck: Path | None,
    learn: Path | None,
    store: tuple[str, Path] | None,
    by: str,
    lang: str | None,
) -> None:
    """Prove decks complete from photographs that show every card once; exit status 1 when they are not."""
    taken = Pictures(*(tuple(pictures_in(paths)) for paths in (images, backs, again, again_backs)))
    if taken.backs and len(taken.backs) != len(taken.faces):
        refuse(f"{len(taken.faces)} pictures of faces, but {len(taken.backs)} of backs; take one of each")
    if learn is not None:
        deck = learnt([image for _, image in each(taken.faces)], learn)
    shown = looked_at(taken, deck)
    report = reported(shown, decks)
    if store is not None:
        stored(store, passes.DeckPass(store[0], decks, *_now(deck), report.passed, by, tuple(digests(taken.every))))
    told = described(shown, report, taken, decks)
    click.echo(json.dumps(told) if lang is None else in_words(told, lang))
    sys.exit(0 if report.passed else 1)


def looked_at(taken: Pictures, deck: Path | None) -> Decks:
    """All pictures read; one that cannot be opened ends the check, for then it is not known what it showed."""
    decks = Decks(opened(deck).read)
    faces, backs, again, again_backs = (
        _loaded(paths) for paths in (taken.faces, taken.backs, taken.again, taken.again_backs)
    )
    decks.show(faces, backs)
    decks.again(again, again_backs)
    return decks


def _loaded(paths: Sequence[Path]) -> list[Image]:
    try:
        return [picture.load(path) for path in paths]
    except picture.UnreadablePicture as error:
        refuse(str(error))


def reported(shown: Decks, decks: int) -> DeckReport:
    """The count. A card whose back is unclear counts as unreadable, though its name is known and not missing."""
    foreign = [one.card for one in shown.cards if one.foreign and one.card is not None]
    report = check([one.card for one in shown.cards], decks, foreign)
    return DeckReport(
        report.missing, report.surplus, len(shown.asked), report.slips if not shown.asked else (), report.foreign
    )


def described(shown: Decks, report: DeckReport, taken: Pictures, decks: int) -> dict[str, Any]:
    """What `krupier deckcheck` prints as JSON."""
    counts = Counter(one.picture for one in shown.cards)
    asked = [shown.cards[number] for number in shown.asked]
    return {
        "passed": report.passed,
        "decks": decks,
        "cards": len(shown.cards),
        "missing": [str(card) for card in report.missing],
        "surplus": [str(card) for card in report.surplus],
        "foreign_back": [str(card) for card in report.foreign],
        "unreadable": report.unreadable,
        "slips": [str(slip) for slip in report.slips],
        "pictures": [{"picture": str(path), "cards": counts[n]} for n, path in enumerate(taken.faces)],
        "again": [
            {
                "picture": str(taken.faces[one.picture]),
                "row": one.row,
                "place": one.place,
                "box": box(one.quad),
                "what": "back" if one.card is not None else "face" if one.foreign is not None else "both",
            }
            for one in asked
        ],
        "retake": [str(taken.backs[number]) for number in shown.retake],
        "backs_checked": shown.turned,
    }


def in_words(told: Mapping[str, Any], language: str) -> str:
    """The same for a person, one line a fact."""
    says = tomllib.loads(files("vision").joinpath("texts", f"{language}.toml").read_text("utf-8"))["deckcheck"]
    lines = [says["counted"].format(cards=told["cards"], wanted=52 * told["decks"], decks=told["decks"])]
    lines += [says["picture"].format(**one) for one in told["pictures"]]
    lines += [
        says[key].format(cards=" ".join(told[key])) for key in ("missing", "surplus", "foreign_back") if told[key]
    ]
    lines += [says["retake"].format(picture=one) for one in told["retake"]]
    lines += [says["again_" + one["what"]].format(number=n, **one) for n, one in enumerate(told["again"], 1)]
    lines += [says["again_how"]] if told["again"] else []
    lines += [] if told["backs_checked"] else [says["no_backs"]]
    return "\n".join([*lines, says["passed" if told["passed"] else "failed"]])


def digests(paths: Sequence[Path]) -> Iterator[str]:
    """The sha256 of every picture, and its name."""
    for path in paths:
        yield f"{sha256(path.read_bytes()).hexdigest()} {path.name}"


def _now(profile: Path | None) -> tuple[str, str, str]:
    return datetime.now(UTC).isoformat(timespec="seconds"), weights.find().model, passes.profile_id(profile)


def stored(store: tuple[str, Path], one: passes.DeckPass) -> None:
    """Write the check into the book, with the ids of deck, model and profile."""
    try:
        passes.keep(store[1], one)
    except OSError as error:
        refuse(f"{store[1]}: {error.strerror}; the check was not stored")


def learnt(images: list[Image], target: Path) -> Path | None:
    """The path of the new profile; None, with the reason on stderr, when the deck is read better without one."""
    eyes, manifest = opened(), weights.find()
    classifier = OnnxClassifier(manifest.classifiers, manifest.temperature)
    try:
        heads = enrol(eyes, classifier, images, load_replay(manifest.replay, len(manifest.classifiers)))
    except ProfileRefused as error:
        click.echo(f"krupier: {error}", err=True)
        return None
    DeckProfile(manifest.fingerprint, heads).save(target)
    return target
