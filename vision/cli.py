"""The commands of this room."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import click
import numpy as np

from vision import picture, reader, weights
from vision.geometry import Image, Quad, bounds
from vision.profile import DeckProfile, ProfileRefused


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
