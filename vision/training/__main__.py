"""python -m vision.training: the stages from nothing to weights; each goes on where it stopped."""

import os
from pathlib import Path

import click

from vision import weights
from vision.training import art, decks, tiles

STAGES = ("fetch", "faces", "tiles", "detector", "mine", "classifier", "export")
# Not part of training from nothing: goes on from the shipped classifier where the checkpoints are gone.
REOPEN = "reopen"
MEASURES = ("evaluate", "threshold", "clips")
TILES, MINED, JUDGED, HELD_OUT_TILES = 20_000, 20_000, 600, 400
DETECTOR_EPOCHS, CLASSIFIER_EPOCHS, SEEDS = 12, 8, (1, 2)
PICTURES, CLIPS = 100, 1250


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("build/training"), show_default=True)
@click.option("--minutes", default=60.0, show_default=True, help="Longest time for one stage of training.")
@click.option("--tiles", "count", default=TILES, show_default=True, help="Tiles to render for training.")
@click.option("--epochs", default=DETECTOR_EPOCHS, show_default=True, help="Epochs of the detector.")
@click.argument("stages", nargs=-1, type=click.Choice([*STAGES, REOPEN, *MEASURES]))
def main(folder: Path, minutes: float, count: int, epochs: int, stages: tuple[str, ...]) -> None:
    """Run STAGES (all of training when none is named; `evaluate` and `clips` measure the shipped weights)."""
    folder = folder.absolute()
    os.environ.setdefault("YOLO_CONFIG_DIR", str(folder / "ultralytics"))
    (folder / "ultralytics").mkdir(parents=True, exist_ok=True)
    for stage in stages or STAGES:
        click.echo(f"stage {stage}", err=True)
        run(stage, folder, minutes, (count, epochs))


def run(stage: str, folder: Path, minutes: float, amounts: tuple[int, int]) -> None:
    """One stage; heavy libraries are imported by the stage that needs them."""
    if stage == "fetch":
        art.fetch(folder / "art")
    elif stage == "faces":
        decks.render(folder)
    elif stage == "tiles":
        tiles.render(tiles.Order(folder, "val", "held_out", HELD_OUT_TILES, seed=900))
        tiles.render(tiles.Order(folder, "train", "train", amounts[0], seed=1))
    elif stage in MEASURES:
        measure(stage, folder)
    else:
        learn(stage, folder, minutes, amounts[1])


def learn(stage: str, folder: Path, minutes: float, epochs: int) -> None:
    """The stages that need torch."""
    from vision.training import classifier, course, detector, mining, older, shipping

    if stage == "detector":
        detector.train(folder, epochs, minutes)
    elif stage == "mine":
        detector.newest(folder, folder / "detector.onnx")
        mining.mine(tiles.Order(folder, "judge", "held_out", JUDGED, seed=901), folder / "detector.onnx")
        mining.mine(tiles.Order(folder, "mined", "train", MINED, seed=2), folder / "detector.onnx")
    elif stage == REOPEN:
        for seed, shipped in zip(SEEDS, weights.find().classifiers, strict=False):
            older.reopen(folder, shipped, seed)
    elif stage == "classifier":
        for seed in SEEDS:
            plan = course.Course(CLASSIFIER_EPOCHS, minutes / len(SEEDS), seed)
            classifier.train(folder, ("train", "mined"), plan)
    else:
        shipping.export(folder, SEEDS)


def measure(stage: str, folder: Path) -> None:
    """Measure the weights in models/ on held-out decks and write docs/recognition.md."""
    from vision.training import clips, counts, evaluate, report

    manifest = weights.find()
    cache = folder / "measured" / weights.digest(manifest.detector, *manifest.classifiers)
    if stage == "clips":
        clips.run(folder, CLIPS, manifest.threshold, cache / "clips.jsonl")
    else:
        evaluate.campaign(folder, PICTURES, cache / "rows.jsonl")
    if stage == "threshold":
        report.set_threshold(counts.strictest_needed(evaluate.load(cache / "rows.jsonl")))
    report.publish(cache, os.environ.get("KRUPIER_PHOTOS"))


if __name__ == "__main__":
    main()
