"""Short clips of dealt tables, read frame by frame under the time rule: how often is a wrong card said aloud?"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import numpy as np

from table_controller.core.cards import PACK
from vision.geometry import sides
from vision.reader import ReadCard
from vision.sighting import Look, Sighting, Spot
from vision.steady import Rule, Steady
from vision.training import evaluate, light, scene, tiles
from vision.training.decks import Cupboard

FRAMES = 7
FRAME_NS = 100_000_000


@dataclass(frozen=True)
class ClipResult:
    """One clip: cards with a clear index, how many were said right, wrong, or where none lies."""

    deck: str
    clip: int
    cards: int
    right: int
    wrong: int
    phantom: int


def run(folder: Path, clips: int, threshold: float, log: Path, workers: int = 2) -> list[ClipResult]:
    """Go on with the campaign in `log` (JSON lines) until every held-out deck has `clips` clips."""
    log.parent.mkdir(parents=True, exist_ok=True)
    done = [ClipResult(**json.loads(line)) for line in log.read_text().splitlines()] if log.exists() else []
    seen = {(result.deck, result.clip) for result in done}
    decks = tiles.cupboard(folder, "held_out").decks
    wanted = [(number, clip) for clip in range(clips) for number in range(len(decks))]
    left = [(folder, number, clip, threshold) for number, clip in wanted if (decks[number].name, clip) not in seen]
    with tiles.pool_of(workers) as pool, log.open("a") as out:
        for count, result in enumerate(pool.map(one, left, chunksize=4), 1):
            out.write(json.dumps(asdict(result)) + "\n")
            out.flush()
            done.append(result)
            if count % 100 == 0:
                click.echo(f"clips: {count}/{len(left)}", err=True)
    return done


def one(task: tuple[Path, int, int, float]) -> ClipResult:
    """Render, film and read one clip."""
    folder, deck, clip, threshold = task
    design = tiles.cupboard(folder, "held_out").decks[deck]
    rng = np.random.default_rng([777, deck, clip])
    plan, height = evaluate.drawn_plan(rng, folder)
    table = scene.compose(rng, plan, Cupboard([design], [], [], []))
    steady = Steady(Rule(threshold, reach=height * 0.1))
    said: list[Sighting] = []
    for frame in range(FRAMES):
        picture = light.sensed(rng, table.light)
        found = evaluate.everything().read(picture, [working / height for working in evaluate.WORKING_HEIGHTS])
        looks = [_look(card) for card in found.cards]
        said += [words for words in steady.frame(frame * FRAME_NS, looks) if isinstance(words, Sighting)]
    return _counted(design.name, clip, table, said)


def _look(card: ReadCard) -> Look:
    x, y = card.indices[0].mean(axis=0)
    return Look(Spot("table", float(x), float(y)), card.card, card.confidence)


def _counted(deck: str, clip: int, table: scene.Scene, said: list[Sighting]) -> ClipResult:
    cards = {index.owner for index in table.indices if index.visible >= evaluate.CLEARLY_VISIBLE}
    right: set[int] = set()
    wrong = phantom = 0
    for sighting in said:
        here = [index for index in table.indices if _at(sighting, index)]
        owners = {index.owner for index in here if str(PACK[index.card]) == str(sighting.card)}
        right |= owners
        wrong += bool(here and not owners)
        phantom += not here
    return ClipResult(deck, clip, len(cards), len(right & cards), wrong, phantom)


def _at(sighting: Sighting, index: scene.Index) -> bool:
    x, y = index.quad.mean(axis=0)
    return bool(np.hypot(sighting.spot.x - x, sighting.spot.y - y) < 0.5 * sides(index.quad)[1])
