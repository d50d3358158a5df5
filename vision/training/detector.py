"""Stage: the detector. A one-network pose model for indices, cards and backs, trained with ultralytics on the CPU."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import onnx
import torch

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")

from ultralytics import YOLO  # type: ignore[attr-defined, unused-ignore]

from vision import weights
from vision.training.classifier import threads
from vision.training.recipe import ARCHITECTURE, RECIPE


def write_data_file(folder: Path, training: str = "train", validation: str = "val") -> Path:
    """The YAML that tells ultralytics where the tiles are."""
    path = folder / "tiles.yaml"
    lines = [
        f"path: {folder / 'tiles'}",
        f"train: images/{training}",
        f"val: images/{validation}",
        "kpt_shape: [4, 3]",
        "names: {0: index, 1: card, 2: back}",
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def _floats(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.float() if value.dtype == torch.bfloat16 else value
    if isinstance(value, dict):
        return {key: _floats(item) for key, item in value.items()}
    return type(value)(_floats(item) for item in value) if isinstance(value, list | tuple) else value


def _in_bfloat16(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The network in bfloat16, its answers in float32: about 1.8 times faster on CPUs that have it."""

    def run(picture: torch.Tensor, *rest: Any, **named: Any) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            answer = forward(picture.contiguous(memory_format=torch.channels_last), *rest, **named)
        return _floats(answer)

    return run


def _prepare(trainer: Any) -> None:
    torch.set_num_threads(threads())
    trainer.model.to(memory_format=torch.channels_last)
    if quick_in_bfloat16():
        trainer.model.predict = _in_bfloat16(trainer.model.predict)


def _stop_after(minutes: float) -> Callable[[Any], None]:
    """A callback that ends the stage when one more epoch would not fit."""
    started = time.monotonic()

    def check(trainer: Any) -> None:
        elapsed = (time.monotonic() - started) / 60
        done = trainer.epoch - trainer.start_epoch + 1
        click.echo(f"detector: epoch {trainer.epoch + 1}/{trainer.epochs}, {elapsed:.0f} min of this stage", err=True)
        trainer.stop = trainer.stop or elapsed * (done + 1) / done > minutes

    return check


def quick_in_bfloat16() -> bool:
    """Whether this CPU counts in bfloat16 itself; where it is imitated, a step takes ten times as long."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # type: ignore[no-untyped-call]


def newest_checkpoint(folder: Path) -> Path | None:
    """The last epoch's full checkpoint; ultralytics strips last.pt at the end of a stage, so that it cannot go on."""
    epochs = folder.glob("detector/weights/epoch*.pt")
    return max(epochs, key=lambda path: int(path.stem.removeprefix("epoch")), default=None)


def finished(folder: Path) -> Path:
    """The weights to ship: the newest checkpoint, stripped or not."""
    checkpoint = newest_checkpoint(folder)
    return checkpoint or folder / "detector" / "weights" / "last.pt"


def train(folder: Path, epochs: int, minutes: float) -> Path:
    """Train, or go on from the last checkpoint, for at most `minutes`; returns the newest weights."""
    checkpoint = newest_checkpoint(folder)
    model = YOLO(checkpoint or ARCHITECTURE)
    model.add_callback("on_train_start", _prepare)
    model.add_callback("on_fit_epoch_end", _stop_after(minutes))
    if checkpoint:
        model.train(resume=True)
    else:
        data = write_data_file(folder)
        model.train(data=str(data), epochs=epochs, project=str(folder), name="detector", **RECIPE)
    return folder / "detector" / "weights" / "last.pt"


def newest(folder: Path, target: Path) -> Path:
    """Write the detector trained in `folder` as ONNX; where none was, the shipped one serves. Returns `target`."""
    checkpoint = finished(folder)
    if checkpoint.exists():
        export(checkpoint, target)
    elif target != (shipped := weights.find().detector):
        shutil.copyfile(shipped, target)
    return target


def export(checkpoint: Path, target: Path) -> None:
    """Write the detector as ONNX with a free image size, and without the name of the folder it was trained in."""
    model = onnx.load(YOLO(checkpoint).export(format="onnx", dynamic=True, simplify=True, imgsz=320, opset=17))
    for entry in model.metadata_props:
        if entry.key == "description":
            entry.value = "YOLO11n-pose trained on rendered tables"
    onnx.save(model, target)
