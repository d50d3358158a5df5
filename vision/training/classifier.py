"""Stage: the classifier. A small convolutional network that names rank and suit of a rectified index, or rejects it."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

EMBEDDING = 128
CHANNELS = (32, 48, 64, 80, 96, 128, 128)
POOL_AFTER = {2, 4}
BATCH = 256


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


@dataclass(frozen=True)
class Crops:
    """Pictures uint8 (n, 64, 48, 3) and cards int16 (n,): 0-51 or -1 for what must be rejected."""

    pictures: NDArray[np.uint8]
    cards: NDArray[np.int16]


def load(folder: Path, *names: str) -> Crops:
    shards = [np.load(path) for name in names for path in sorted((folder / "crops" / name).glob("*.npz"))]
    pictures = np.concatenate([shard["crops"] for shard in shards])
    return Crops(pictures, np.concatenate([shard["cards"] for shard in shards]))


def as_input(pictures: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(pictures.transpose(0, 3, 1, 2))).float() / 255


def augmented(crops: Tensor) -> Tensor:
    """Small affine shake, light, colour, loss of resolution, noise. Never mirrored, never turned far."""
    count = len(crops)
    crops = functional.grid_sample(crops, _shaken_grid(count, crops.shape), padding_mode="border", align_corners=False)
    if torch.rand(1) < 0.3:
        size = [int(side * float(torch.empty(1).uniform_(0.3, 0.8))) for side in crops.shape[2:]]
        crops = functional.interpolate(
            functional.interpolate(crops, size, mode="area"), crops.shape[2:], mode="bilinear"
        )
    contrast = torch.empty(count, 1, 1, 1).uniform_(0.6, 1.2)
    colour = torch.empty(count, 3, 1, 1).uniform_(0.88, 1.12)
    shift = torch.empty(count, 1, 1, 1).uniform_(-0.12, 0.12)
    noise = torch.randn_like(crops) * torch.empty(count, 1, 1, 1).uniform_(0, 0.05)
    return (crops * contrast * colour + shift + noise).clamp(0, 1)


def _shaken_grid(count: int, shape: torch.Size) -> Tensor:
    matrix = torch.eye(2, 3).repeat(count, 1, 1)
    matrix[:, :, :2] += torch.randn(count, 2, 2) * 0.05
    matrix[:, :, 2] += torch.randn(count, 2) * 0.05
    return functional.affine_grid(matrix, [count, *shape[1:]], align_corners=False)


def loss_of(answer: tuple[Tensor, ...], cards: Tensor) -> Tensor:
    rank, suit, index, _ = answer
    real = cards >= 0
    loss = functional.binary_cross_entropy_with_logits(index[:, 0], real.float() * 0.98 + 0.01)
    if real.any():
        loss = loss + functional.cross_entropy(rank[real], cards[real] // 4, label_smoothing=0.03)
        loss = loss + functional.cross_entropy(suit[real], cards[real] % 4, label_smoothing=0.03)
    return loss


@dataclass
class Course:
    """How long to train; `minutes` bounds one stage, the checkpoint carries the rest over to the next."""

    epochs: int
    minutes: float
    seed: int
    rate: float = 0.003


def threads() -> int:
    """All cores, or what KRUPIER_THREADS says when stages share a machine."""
    return int(os.environ.get("KRUPIER_THREADS", os.cpu_count() or 2))


def train(folder: Path, names: tuple[str, ...], course: Course) -> Path:
    """Train, or go on from the checkpoint; returns the checkpoint's path."""
    torch.manual_seed(course.seed)
    torch.set_num_threads(threads())
    data, checkpoint = load(folder, *names), folder / f"classifier{course.seed}.pt"
    net = IndexNet().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), course.rate, weight_decay=0.02)
    plan = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, course.rate, total_steps=course.epochs * (len(data.cards) // BATCH) + 1, pct_start=0.1
    )
    begun = _restore(checkpoint, net, optimiser, plan)
    started = time.monotonic()
    for epoch in range(begun, course.epochs):
        mean = _epoch(net, data, optimiser, plan)
        torch.save(
            {
                "net": net.state_dict(),
                "optimiser": optimiser.state_dict(),
                "plan": plan.state_dict(),
                "epoch": epoch + 1,
            },
            checkpoint,
        )
        elapsed = (time.monotonic() - started) / 60
        click.echo(
            f"classifier {course.seed}: epoch {epoch + 1}/{course.epochs} loss {mean:.4f}, {elapsed:.1f} min", err=True
        )
        if elapsed * (epoch - begun + 2) / (epoch - begun + 1) > course.minutes:
            break
    return checkpoint


def _restore(
    checkpoint: Path, net: nn.Module, optimiser: torch.optim.Optimizer, plan: torch.optim.lr_scheduler.OneCycleLR
) -> int:
    if not checkpoint.exists():
        return 0
    kept = torch.load(checkpoint, weights_only=True)
    net.load_state_dict(kept["net"])
    optimiser.load_state_dict(kept["optimiser"])
    plan.load_state_dict(kept["plan"])
    return int(kept["epoch"])


def _batches(data: Crops) -> Iterator[tuple[Tensor, Tensor]]:
    order = torch.randperm(len(data.cards)).numpy()
    for start in range(0, len(order) - BATCH + 1, BATCH):
        picked = np.sort(order[start : start + BATCH])
        yield as_input(data.pictures[picked]), torch.from_numpy(data.cards[picked].astype(np.int64))


def _epoch(
    net: nn.Module, data: Crops, optimiser: torch.optim.Optimizer, plan: torch.optim.lr_scheduler.OneCycleLR
) -> float:
    net.train()
    losses = []
    for crops, cards in _batches(data):
        with torch.autocast("cpu", torch.bfloat16):
            answer = net(augmented(crops).contiguous(memory_format=torch.channels_last))
        loss = loss_of(tuple(part.float() for part in answer), cards)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        plan.step()
        losses.append(float(loss.detach()))
    return float(np.mean(losses))


def export(checkpoint: Path, target: Path) -> None:
    """Write the classifier as ONNX: input `crops`, outputs `rank`, `suit`, `index`, `embedding`."""
    net = IndexNet()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["net"])
    net.eval()
    torch.onnx.export(
        net, (torch.zeros(2, 3, 64, 48),), str(target), dynamo=False, opset_version=17,
        input_names=["crops"], output_names=["rank", "suit", "index", "embedding"],
        dynamic_axes={name: {0: "n"} for name in ("crops", "rank", "suit", "index", "embedding")},
    )  # fmt: skip
