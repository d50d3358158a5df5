"""python -m vision.training: the stages from nothing to weights; each goes on where it stopped."""

import os
from pathlib import Path

import click

from vision import weights
from vision.training import art, decks, tiles

STAGES = ("fetch", "faces", "tiles", "detector", "mine", "classifier", "bank", "photograph", "export")
# Not part of training from nothing: opens the shipped classifiers in place of the stage `classifier`.
REOPEN = "reopen"
MEASURES = ("evaluate", "threshold", "clips")
TILES, MINED, BANKED, JUDGED, HELD_OUT_TILES = 20_000, 20_000, 3200, 600, 400
DETECTOR_EPOCHS, CLASSIFIER_EPOCHS, PHOTOGRAPHED_EPOCHS, SEEDS = 12, 8, 50, (1,)
# What a network learns more is taught with smaller steps.
AGAIN = 0.0012
BANK_SIZE, BANK_HEIGHTS = 448, (160.0, 240.0)
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
    from vision.training import bank, detector, mining, shipping

    found = folder / "detector.onnx"
    if stage == "detector":
        detector.train(folder, epochs, minutes)
    elif stage == "mine":
        mining.mine(tiles.Order(folder, "mined", "train", MINED, seed=2), detector.newest(folder, found))
    elif stage == "bank":
        order = tiles.Order(folder, "bank", "train", BANKED, 5, BANK_SIZE, BANK_HEIGHTS)
        bank.fill(order, detector.newest(folder, found))
    elif stage == "export":
        mining.mine(tiles.Order(folder, "judge", "held_out", JUDGED, seed=901), detector.newest(folder, found))
        shipping.export(folder, SEEDS)
    else:
        teach(stage, folder, minutes / len(SEEDS))


def teach(stage: str, folder: Path, minutes: float) -> None:
    """The stages of the classifiers, one after the other."""
    from vision.training import bank, classifier, course, older

    taught = {seed: folder / f"classifier{seed}.pt" for seed in SEEDS}
    if stage == REOPEN:
        for shipped, checkpoint in zip(weights.find().classifiers, taught.values(), strict=False):
            older.reopen(shipped, bank.load(folder, "bank"), checkpoint)
    elif stage == "classifier":
        crops = classifier.load(folder, "train", "mined")
        for seed, checkpoint in taught.items():
            classifier.train(crops, course.Course(CLASSIFIER_EPOCHS, minutes, seed), checkpoint)
    else:
        photographs = classifier.Photographs(bank.load(folder, "bank"))
        for seed, checkpoint in taught.items():
            plan = course.Course(PHOTOGRAPHED_EPOCHS, minutes, seed, AGAIN)
            classifier.train(photographs, plan, folder / f"photographed{seed}.pt", checkpoint)


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
