"""A house's own deck, learnt at the table without torch: a correction of the last layer, refused unless it helps.

Every card is shown once, so even a weak recogniser knows which is which: the names are assigned so that all 52 occur.
The correction is fitted to the deck's crops and, on crops kept from other decks, to the answers given so far.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS, RATE, DECAY, REPLAY_WEIGHT = 400, 0.05, 1e-4, 2.0


@dataclass(frozen=True)
class Samples:
    """Answers of one network for n crops: embedding (n, e), rank (n, 13) and suit (n, 4) logits; cards (n,) 0-51."""

    embedding: Floats
    rank: Floats
    suit: Floats
    cards: NDArray[np.int64]

    def part(self, chosen: NDArray[np.bool_]) -> "Samples":
        return Samples(self.embedding[chosen], self.rank[chosen], self.suit[chosen], self.cards[chosen])


@dataclass(frozen=True)
class Head:
    """The correction: added to the logits; rank (e + 1, 13), suit (e + 1, 4)."""

    rank: Floats
    suit: Floats

    def correct(self, samples: Samples) -> tuple[Floats, Floats]:
        """Corrected rank and suit logits."""
        reach = _with_one(samples.embedding)
        return samples.rank + reach @ self.rank, samples.suit + reach @ self.suit


def learn(house: Samples, replay: Samples) -> Head | None:
    """The correction for a house's deck, or None when it would not help there or would harm other decks.

    It is judged on every third crop of the deck, which the fit does not see, and on all replay crops.
    """
    judged = np.arange(len(house.cards)) % 3 == 2
    trial = fit(house.part(~judged), replay)
    helps = _errors(house.part(judged), trial) < _errors(house.part(judged), None)
    harms = _errors(replay, trial) > _errors(replay, None)
    return fit(house, replay) if helps and not harms else None


def fit(house: Samples, replay: Samples) -> Head:
    """Gradient descent on cross entropy to the deck's names and to the old answers on the replay crops."""
    ranks, suits = house.cards // 4, house.cards % 4
    rank = _fitted(house, replay, (house.rank, replay.rank), np.eye(13)[ranks])
    suit = _fitted(house, replay, (house.suit, replay.suit), np.eye(4)[suits])
    return Head(rank, suit)


def _fitted(house: Samples, replay: Samples, logits: tuple[Floats, Floats], wanted: Floats) -> Floats:
    new, old = _with_one(house.embedding), _with_one(replay.embedding)
    scale = 1 / (np.mean(np.sum(new**2, axis=1)) + 1e-9)
    kept = _softmax(logits[1])
    weights = np.zeros((new.shape[1], wanted.shape[1]))
    for _ in range(STEPS):
        pull = new.T @ (_softmax(logits[0] + new @ weights) - wanted) / len(new)
        hold = old.T @ (_softmax(logits[1] + old @ weights) - kept) / max(1, len(old))
        weights -= RATE * 20 * scale * (pull + REPLAY_WEIGHT * hold) + DECAY * weights
    return weights


def _with_one(embedding: Floats) -> Floats:
    return np.hstack([embedding, np.ones((len(embedding), 1))])


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _errors(samples: Samples, head: Head | None) -> int:
    rank, suit = (samples.rank, samples.suit) if head is None else head.correct(samples)
    return int((rank.argmax(axis=1) * 4 + suit.argmax(axis=1) != samples.cards).sum())


def assign(chances: Floats) -> NDArray[np.int64]:
    """The name of each of n shown cards, every name once, with the greatest product of chances (n, n).

    The Hungarian method with potentials (Kuhn 1955, Munkres 1957), O(n^3).
    """
    cost = -np.log(np.clip(chances, 1e-6, None))
    size = len(cost)
    row_of = np.zeros(size + 1, np.int64)
    over, under = np.zeros(size + 1), np.zeros(size + 1)
    for row in range(1, size + 1):
        _augment(cost, row, row_of, (over, under))
    names = np.empty(size, np.int64)
    names[row_of[1:] - 1] = np.arange(size)
    return names


def _augment(cost: Floats, row: int, row_of: NDArray[np.int64], potentials: tuple[Floats, Floats]) -> None:
    """Bring one more row into the matching along the shortest path; column 0 is the row being placed."""
    over, under = potentials
    size = len(cost)
    row_of[0], column = row, 0
    least, used = np.full(size + 1, np.inf), np.zeros(size + 1, bool)
    came = np.zeros(size + 1, np.int64)
    while row_of[column] != 0:
        used[column] = True
        here = row_of[column]
        slack = cost[here - 1] - over[here] - under[1:]
        better = ~used[1:] & (slack < least[1:])
        least[1:][better] = slack[better]
        came[1:][better] = column
        following = int(np.where(used, np.inf, least)[1:].argmin()) + 1
        step = least[following]
        over[row_of[used]] += step
        under[used] -= step
        least[~used] -= step
        column = following
    while column:
        row_of[column] = row_of[came[column]]
        column = int(came[column])
