"""The commands of this room."""

import json
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

import click
import numpy as np

from vision import picture, reader, weights
from vision.geometry import Image, Quad, bounds


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
                "quad": None if found.quad is None else np.round(found.quad, 1).tolist(),
            }
            for found in seen.cards
        ],
        "unreadable": [box(quad) for quad in seen.unreadable],
        "face_down": [box(quad) for quad in seen.face_down],
        "ms": round(ms, 1),
    }


@click.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def read(images: tuple[Path, ...]) -> None:
    """Read the cards in photographs; one JSON line an image."""
    try:
        eyes = reader.shipped(weights.find())
    except weights.WeightsMissing as error:
        refuse(str(error))
    unusable = 0
    for path in images:
        try:
            image = picture.load(path)
        except picture.UnreadablePicture as error:
            click.echo(f"krupier: {error}", err=True)
            unusable += 1
            continue
        started = time.perf_counter()
        seen = eyes.read(image)
        click.echo(json.dumps(described(path, image, seen, (time.perf_counter() - started) * 1000)))
    sys.exit(2 if unusable else 0)
