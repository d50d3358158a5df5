"""The commands of this room."""

import json
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import click
import numpy as np

from table_controller.core.cards import Card
from vision import passes, picture, reader, weights
from vision.classifier import OnnxClassifier
from vision.deckcheck import DeckReport, check
from vision.geometry import Image, Quad, bounds
from vision.profile import DeckProfile, ProfileRefused, enrol, load_replay


def refuse(message: str) -> NoReturn:
    """One line on stderr, exit status 2."""
    click.echo(f"krupier: {message}", err=True)
    sys.exit(2)


def box(quad: Quad) -> list[float]:
    return [round(value, 1) for value in bounds(quad)]


def described(path: Path, image: Image, seen: reader.Reading, ms: float) -> dict[str, Any]:
    """One line of `krupier read`, see CONTRACT.md."""
    return {
        "image": str(path),
        "width": image.shape[1],
        "height": image.shape[0],
        "cards": [
            {
                "rank": str(found.card.rank),
                "suit": str(found.card.suit),
                "confidence": round(found.confidence, 4),
                "indices": [box(quad) for quad in found.indices],
                "quad": None if found.quad is None else np.round(found.quad.astype(np.float64), 1).tolist(),
            }
            for found in seen.cards
        ],
        "unreadable": [box(quad) for quad in seen.unreadable],
        "face_down": [box(quad) for quad in seen.face_down],
        "ms": round(ms, 1),
    }


def each(images: tuple[Path, ...]) -> Iterator[tuple[Path, Image]]:
    """Every readable picture; an unreadable one costs one line on stderr, and the status 2 at the end."""
    unusable = False
    for path in images:
        try:
            image = picture.load(path)
        except picture.UnreadablePicture as error:
            click.echo(f"krupier: {error}", err=True)
            unusable = True
        else:
            yield path, image
    if unusable:
        sys.exit(2)


def opened(deck: Path | None = None) -> reader.Reader:
    """The shipped reader, with a house's deck profile if one is named."""
    try:
        manifest = weights.find()
        corrections = DeckProfile.load(deck, manifest.fingerprint).corrections if deck else ()
        return reader.shipped(manifest, corrections)
    except (weights.WeightsMissing, ProfileRefused) as error:
        refuse(str(error))


IMAGES = click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))


@click.command()
@IMAGES
@click.option("--deck", type=click.Path(path_type=Path), help="Deck profile made by deckcheck --learn.")
def read(images: tuple[Path, ...], deck: Path | None) -> None:
    """Read the cards in photographs; one JSON line an image."""
    eyes = opened(deck)
    for path, image in each(images):
        started = time.perf_counter()
        seen = eyes.read(image)
        click.echo(json.dumps(described(path, image, seen, (time.perf_counter() - started) * 1000)))


@click.command()
@IMAGES
@click.option("--decks", default=1, show_default=True, type=click.IntRange(1, 8), help="How many packs were shown.")
@click.option("--deck", type=click.Path(path_type=Path), help="Deck profile to read with.")
@click.option("--learn", type=click.Path(path_type=Path), help="Learn this deck and write its profile here.")
@click.option("--store", nargs=2, type=(str, click.Path(path_type=Path)), help="The deck's id, and the book of checks.")
def deckcheck(
    images: tuple[Path, ...], decks: int, deck: Path | None, learn: Path | None, store: tuple[str, Path] | None
) -> None:
    """Prove a deck complete from photographs that show every card once; exit status 1 when it is not."""
    if learn is not None:
        deck = learnt([image for _, image in each(images)], learn)
    eyes = opened(deck)
    shown: list[Card | None] = []
    for _, image in each(images):
        seen = eyes.read(image)
        shown += [found.card for found in seen.cards]
        shown += [None] * len(seen.unreadable)
    report = check(shown, decks)
    missing, surplus = ([str(card) for card in cards] for cards in (report.missing, report.surplus))
    line = {"passed": report.passed, "missing": missing, "surplus": surplus, "unreadable": report.unreadable}
    if store is not None:
        stored(store, decks, deck, report)
    click.echo(json.dumps(line | {"slips": [str(slip) for slip in report.slips]}))
    sys.exit(0 if report.passed else 1)


def stored(store: tuple[str, Path], decks: int, profile: Path | None, report: DeckReport) -> None:
    """Write the check into the book, with the ids of deck, model and profile."""
    name, book = store
    at = datetime.now(UTC).isoformat(timespec="seconds")
    model, profile_name = weights.find().model, passes.profile_id(profile)
    try:
        passes.keep(book, passes.DeckPass(name, decks, at, model, profile_name, report.passed))
    except OSError as error:
        refuse(f"{book}: {error.strerror}; the check was not stored")


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
