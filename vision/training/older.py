"""A shipped classifier opened again as a network that can learn on, when its checkpoints are gone."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.training.bank import Bank
from vision.training.classifier import IndexNet, as_input

# So many crops tell each batch norm what is usual.
CROPS = 1024


def reopen(weights: Path, bank: Bank, target: Path) -> None:
    """Write a checkpoint from which the stage `photograph` goes on."""
    rng = np.random.default_rng(0)
    picked = rng.choice(len(bank.cards), min(CROPS, len(bank.cards)), replace=False)
    torch.manual_seed(0)
    net = opened(weights, as_input(bank.photographed(picked, rng)))
    torch.save({"net": net.state_dict()}, target)


def opened(weights: Path, crops: Tensor) -> IndexNet:
    """The network of an ONNX file, ready to learn; `crops`, float32 (n, 3, 64, 48) in 0-1, are like its lessons.

    The export melts every batch norm into the convolution before it. Each gets back what these crops average there, so
    that the network answers as it did and goes on from there.
    """
    graph = onnx.load(weights).graph
    kept = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    melted = [(kept[node.input[1]], kept[node.input[2]]) for node in graph.node if node.op_type == "Conv"]
    net = IndexNet()
    net.eval()
    net.load_state_dict({name: kept.get(name, fresh) for name, fresh in net.state_dict().items()})
    with torch.no_grad():
        _unmelt(net.features, melted, (crops - 0.5) * 4)
    return net


def _unmelt(features: nn.Sequential, melted: Sequence[tuple[Tensor, Tensor]], seen: Tensor) -> None:
    """Every convolution its weights; the norm after it gives back, together with it, the bias that was melted in."""
    left = iter(melted)
    layers = list(features)
    for layer, after in zip(layers, [*layers[1:], None], strict=True):
        if isinstance(layer, nn.Conv2d) and isinstance(after, nn.BatchNorm2d):
            weight, bias = next(left)
            layer.weight.copy_(weight)
            answer = layer(seen)
            mean, spread = answer.mean(dim=(0, 2, 3)), answer.var(dim=(0, 2, 3))
            for own, value in (
                (after.running_mean, mean),
                (after.running_var, spread),
                (after.weight, (spread + after.eps).sqrt()),
                (after.bias, bias + mean),
            ):
                assert own is not None
                own.copy_(value)
        seen = layer(seen)
