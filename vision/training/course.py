"""How the classifier is taught: how fast, how long, which crops again. Apart from torch, so that it is tested."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# The share of a course in which the learning rate rises.
WARM = 0.05
# A crop that was named this surely is looked at in one epoch of so many only; what is doubtful in every one.
SURE, EASY_SHARE = 0.98, 0.25


@dataclass(frozen=True)
class Course:
    """How long to train; `minutes` bounds one stage, the checkpoint carries the rest over to the next."""

    epochs: int
    minutes: float
    seed: int
    rate: float = 0.003


def rate_at(course: Course, done: float) -> float:
    """The learning rate when this share of the course, 0-1, is done: it warms up, then falls with a cosine."""
    falling = 0.5 * (1 + math.cos(math.pi * max(0.0, done - WARM) / (1 - WARM)))
    return course.rate * max(0.002, min(1.0, done / WARM) * falling)


def lesson(sure: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """The crops of one epoch in random order: every doubtful one, and a share of those named surely when last seen.

    `sure` (n,) is the chance the network gave to the truth when it last saw the crop, 0 where it never did.
    """
    easy = (sure > SURE) & (rng.random(len(sure)) >= EASY_SHARE)
    return np.asarray(rng.permutation(np.flatnonzero(~easy)), np.int64)
