"""Stage: the classifier. A small convolutional network that names rank and suit of a rectified index, or rejects it."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import click
import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel
from torch.utils.data import DataLoader, Dataset

from vision.training.bank import Bank
from vision.training.course import Course, lesson, rate_at

EMBEDDING = 128
CHANNELS = (32, 48, 64, 80, 96, 128, 128)
POOL_AFTER = {2, 4}
BATCH = 128
SOFTENED_TOGETHER = 16
PHOTOGRAPHERS = 2
# The shipped weights are the mean of the last ones: steadier than wherever the last step ended.
KEEP = 0.998


class IndexNet(nn.Module):
    """Crops, float32 (n, 3, 64, 48) in 0-1, to logits of rank (n, 13), suit (n, 4), index (n, 1), and embedding."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 3
        for number, channels in enumerate(CHANNELS):
            size, stride = (5, 2) if number == 0 else (3, 1)
            layers += [nn.Conv2d(before, channels, size, stride, size // 2, bias=False)]
            layers += [nn.BatchNorm2d(channels), nn.ReLU(inplace=True)]
            layers += [nn.MaxPool2d(2)] if number in POOL_AFTER else []
            before = channels
        self.features = nn.Sequential(*layers, nn.Conv2d(before, 16, 1), nn.ReLU(), nn.Flatten())
        self.embed = nn.Sequential(nn.Dropout(0.2), nn.Linear(16 * 8 * 6, EMBEDDING), nn.ReLU())
        self.rank, self.suit, self.index = nn.Linear(EMBEDDING, 13), nn.Linear(EMBEDDING, 4), nn.Linear(EMBEDDING, 1)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        embedding = self.embed(self.features((crops - 0.5) * 4))
        return self.rank(embedding), self.suit(embedding), self.index(embedding), embedding


# Which crops, float32 (n, 3, 64, 48) in 0-1, and their cards int64 (n,).
Batch = tuple[NDArray[np.int64], Tensor, Tensor]


class Lessons(Protocol):
    """What can be taught: the card of everything, 0-51 or -1 for what must be rejected, and batches to look at."""

    cards: NDArray[np.int16]

    def batches(self, order: NDArray[np.int64], seed: int) -> Iterator[Batch]: ...


@dataclass
class Crops:
    """Pictures uint8 (n, 64, 48, 3) and cards int16 (n,): 0-51 or -1 for what must be rejected."""

    pictures: NDArray[np.uint8]
    cards: NDArray[np.int16]

    def batches(self, order: NDArray[np.int64], seed: int) -> Iterator[Batch]:
        """Every crop once, shaken and spoilt anew."""
        torch.manual_seed(seed)
        for picked in _cut_up(order):
            yield picked, augmented(as_input(self.pictures[picked])), _named(self.cards[picked])


@dataclass
class Photographs:
    """A bank of patches, photographed anew whenever they are looked at."""

    bank: Bank

    def __post_init__(self) -> None:
        self.cards = self.bank.cards

    def batches(self, order: NDArray[np.int64], seed: int) -> Iterator[Batch]:
        """Taken by other processes while the network learns from what they took before."""
        work = _Photographing(self.bank, _cut_up(order), seed)
        taken = DataLoader(work, batch_size=None, num_workers=PHOTOGRAPHERS, worker_init_fn=_alone)
        for picked, pictures in zip(work.parts, taken, strict=True):
            yield picked, as_input(pictures.numpy()), _named(self.cards[picked])


@dataclass
class _Photographing(Dataset[Tensor]):
    """One item is one batch of crops, uint8 (n, 64, 48, 3)."""

    bank: Bank
    parts: list[NDArray[np.int64]]
    seed: int

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, number: int) -> Tensor:
        return torch.from_numpy(self.bank.photographed(self.parts[number], np.random.default_rng([self.seed, number])))


def _alone(_: int) -> None:
    """A forked process inherits OpenCV's pool of threads, which is dead there."""
    cv2.setNumThreads(0)


def _cut_up(order: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    return [np.sort(order[at : at + BATCH]) for at in range(0, len(order) - BATCH + 1, BATCH)]


def _named(cards: NDArray[np.int16]) -> Tensor:
    return torch.from_numpy(cards.astype(np.int64))


def load(folder: Path, *names: str) -> Crops:
    """All shards of the named sets, read one after the other so that nothing is in memory twice."""
    paths = [path for name in names for path in sorted((folder / "crops" / name).glob("*.npz"))]
    cards = [np.load(path)["cards"] for path in paths]
    pictures = np.empty((sum(map(len, cards)), 64, 48, 3), np.uint8)
    at = 0
    for path, here in zip(paths, cards, strict=True):
        pictures[at : at + len(here)] = np.load(path)["crops"]
        at += len(here)
    return Crops(pictures, np.concatenate(cards))


def as_input(pictures: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(pictures.transpose(0, 3, 1, 2))).float() / 255


def augmented(crops: Tensor) -> Tensor:
    """Small affine shake, loss of resolution, blur, light, colour, noise. Never mirrored, never turned far."""
    count = len(crops)
    crops = functional.grid_sample(crops, _shaken_grid(count, crops.shape), padding_mode="border", align_corners=False)
    crops = torch.cat([_softened(part) for part in crops.chunk(SOFTENED_TOGETHER)])
    contrast = torch.empty(count, 1, 1, 1).uniform_(0.5, 1.25)
    colour = torch.empty(count, 3, 1, 1).uniform_(0.84, 1.16)
    shift = torch.empty(count, 1, 1, 1).uniform_(-0.12, 0.12)
    noise = torch.randn_like(crops) * torch.empty(count, 1, 1, 1).uniform_(0, 0.05)
    return (crops * contrast * colour + shift + noise).clamp(0, 1)


def _softened(crops: Tensor) -> Tensor:
    """A few crops together: as they are, of lower resolution, or moved during the exposure."""
    kind = float(torch.rand(1))
    if kind < 0.25:
        size = [int(side * float(torch.empty(1).uniform_(0.25, 0.8))) for side in crops.shape[2:]]
        small = functional.interpolate(crops, size, mode="area")
        return functional.interpolate(small, crops.shape[2:], mode="bilinear")
    if kind < 0.4:
        path = torch.randn(2) * 2.5
        steps = torch.linspace(-1, 1, 5)[:, None] * path / torch.tensor([24.0, 32.0])
        return torch.stack([_moved(crops, step) for step in steps]).mean(dim=0)
    return crops


def _moved(crops: Tensor, step: Tensor) -> Tensor:
    matrix = torch.eye(2, 3).repeat(len(crops), 1, 1)
    matrix[:, :, 2] = step
    grid = functional.affine_grid(matrix, list(crops.shape), align_corners=False)
    return functional.grid_sample(crops, grid, padding_mode="border", align_corners=False)


def _shaken_grid(count: int, shape: torch.Size) -> Tensor:
    matrix = torch.eye(2, 3).repeat(count, 1, 1)
    matrix[:, :, :2] += torch.randn(count, 2, 2) * 0.04
    matrix[:, :, 2] += torch.randn(count, 2) * 0.04
    return functional.affine_grid(matrix, [count, *shape[1:]], align_corners=False)


def loss_of(answer: tuple[Tensor, ...], cards: Tensor) -> Tensor:
    """Cross entropy without label smoothing: a smoothed network cannot say 0.99, and every safe threshold is near 1."""
    rank, suit, index, _ = answer
    real = cards >= 0
    loss = functional.binary_cross_entropy_with_logits(index[:, 0], real.float())
    if real.any():
        loss = loss + functional.cross_entropy(rank[real], cards[real] // 4)
        loss = loss + functional.cross_entropy(suit[real], cards[real] % 4)
    return loss


def threads() -> int:
    """All cores, or what KRUPIER_THREADS says when stages share a machine."""
    return int(os.environ.get("KRUPIER_THREADS", os.cpu_count() or 2))


@dataclass
class _Pupil:
    """The network in training, its optimiser, the running mean of its weights, how sure it was of each crop."""

    net: IndexNet
    optimiser: torch.optim.Optimizer
    mean: AveragedModel
    sure: NDArray[np.float32]
    epoch: int = 0

    def save(self, path: Path) -> None:
        parts = {name: getattr(self, name).state_dict() for name in ("net", "optimiser", "mean")}
        torch.save(parts | {"epoch": self.epoch, "sure": torch.from_numpy(self.sure)}, path)

    def restore(self, path: Path) -> None:
        kept = torch.load(path, weights_only=True)
        for name in ("net", "optimiser", "mean"):
            getattr(self, name).load_state_dict(kept[name])
        self.epoch = int(kept["epoch"])
        if len(kept["sure"]) == len(self.sure):  # else there are other crops since, and nobody knows which is which
            self.sure = kept["sure"].numpy()


def _blended(mean: Tensor, fresh: Tensor, steps: Tensor | int) -> Tensor:
    """The running mean with one more step in it: over a tenth of a short course, over 500 steps of a long one."""
    return mean + (fresh - mean) * (1 - min(KEEP, (1 + float(steps)) / (10 + float(steps))))


def _pupil(course: Course, crops: int) -> _Pupil:
    net = IndexNet().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), course.rate, weight_decay=0.02)
    mean = AveragedModel(net, avg_fn=_blended, use_buffers=True)
    return _Pupil(net, optimiser, mean, np.zeros(crops, np.float32))


def train(data: Lessons, course: Course, checkpoint: Path, older: Path | None = None) -> None:
    """Train, or go on from the checkpoint; a new network begins with the older one's weights where there is one."""
    torch.manual_seed(course.seed)
    torch.set_num_threads(threads())
    pupil = _pupil(course, len(data.cards))
    if checkpoint.exists():
        pupil.restore(checkpoint)
    elif older is not None:
        pupil.net.load_state_dict(torch.load(older, weights_only=True)["net"])
    begun, started = pupil.epoch, time.monotonic()
    while pupil.epoch < course.epochs:
        mean = _epoch(pupil, data, course)
        pupil.epoch += 1
        pupil.save(checkpoint)
        elapsed = (time.monotonic() - started) / 60
        told = f"epoch {pupil.epoch}/{course.epochs} loss {mean:.4f}, {elapsed:.1f} min"
        click.echo(f"{checkpoint.stem}: {told}", err=True)
        if elapsed * (pupil.epoch - begun + 1) / (pupil.epoch - begun) > course.minutes:
            break


def sureness(answer: tuple[Tensor, ...], cards: Tensor) -> Tensor:
    """The chance (n,) the network gave to the truth: the card's name, or that it is no index."""
    rank, suit, index, _ = answer
    real = torch.sigmoid(index[:, 0])
    named = cards.clamp(min=0)[:, None]
    card = rank.softmax(dim=1).gather(1, named // 4) * suit.softmax(dim=1).gather(1, named % 4)
    return torch.where(cards >= 0, card[:, 0] * real, 1 - real)


def _epoch(pupil: _Pupil, data: Lessons, course: Course) -> float:
    pupil.net.train()
    losses: list[float] = []
    order = lesson(pupil.sure, np.random.default_rng([course.seed, pupil.epoch]))
    for picked, crops, cards in data.batches(order, 1000 * course.seed + pupil.epoch):
        done = (pupil.epoch + len(losses) * BATCH / len(order)) / course.epochs
        for group in pupil.optimiser.param_groups:
            group["lr"] = rate_at(course, done)
        answer = pupil.net(crops.contiguous(memory_format=torch.channels_last))
        loss = loss_of(answer, cards)
        pupil.sure[picked] = sureness(answer, cards).detach().numpy()
        pupil.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        pupil.optimiser.step()
        pupil.mean.update_parameters(pupil.net)
        losses.append(float(loss.detach()))
    return float(np.mean(losses))


def export(checkpoint: Path, target: Path) -> None:
    """Write the classifier as ONNX: input `crops`, outputs `rank`, `suit`, `index`, `embedding`."""
    mean = AveragedModel(IndexNet(), use_buffers=True)
    mean.load_state_dict(torch.load(checkpoint, weights_only=True)["mean"])
    net = mean.module.eval()
    torch.onnx.export(
        net, (torch.zeros(2, 3, 64, 48),), str(target), dynamo=False, opset_version=17,
        input_names=["crops"], output_names=["rank", "suit", "index", "embedding"],
        dynamic_axes={name: {0: "n"} for name in ("crops", "rank", "suit", "index", "embedding")},
    )  # fmt: skip
