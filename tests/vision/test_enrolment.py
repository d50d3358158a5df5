"""A house's deck is learnt at the table, and no other deck pays for it."""

from itertools import permutations

import numpy as np
import pytest

from vision.enrolment import Head, Samples, assign, learn

RNG = np.random.default_rng(11)
SIZE = 24
DIRECTIONS = np.linalg.qr(RNG.normal(0, 1, (SIZE, SIZE)))[0] * 3
RANKS, SUITS, STRANGE_ACE = DIRECTIONS[:13], DIRECTIONS[13:17], DIRECTIONS[17]


def samples(each: int, seed: int, strange: bool) -> Samples:
    """Embeddings of all cards, `each` times; in the strange deck aces look unlike any ace seen, and near a four."""
    rng = np.random.default_rng(seed)
    cards = np.tile(np.arange(52), each)
    centres = RANKS[cards // 4] + SUITS[cards % 4]
    if strange:
        aces = cards // 4 == 0
        centres[aces] = 0.9 * RANKS[3] + 0.6 * STRANGE_ACE + SUITS[cards[aces] % 4]
    embedding = centres + rng.normal(0, 0.3, centres.shape)
    return Samples(embedding, embedding @ RANKS.T * 0.8, embedding @ SUITS.T * 0.8, cards)


def errors(taken: Samples, head: Head | None) -> int:
    rank, suit = (taken.rank, taken.suit) if head is None else head.correct(taken)
    return int((rank.argmax(axis=1) * 4 + suit.argmax(axis=1) != taken.cards).sum())


REPLAY = samples(6, seed=1, strange=False)


def test_aces_that_looked_like_fours_are_read_after_enrolment() -> None:
    fresh = samples(3, seed=5, strange=True)
    head = learn(samples(3, seed=2, strange=True), REPLAY)
    assert head is not None
    assert errors(fresh, None) >= 10
    assert errors(fresh, head) < errors(fresh, None) / 4


def test_other_decks_are_read_no_worse_after_it() -> None:
    head = learn(samples(3, seed=2, strange=True), REPLAY)
    other = samples(3, seed=8, strange=False)
    assert errors(other, head) <= errors(other, None)


def test_a_deck_that_is_read_without_a_slip_needs_no_profile() -> None:
    assert learn(samples(3, seed=3, strange=False), REPLAY) is None


def test_a_profile_learnt_from_wrong_names_is_refused() -> None:
    good = samples(3, seed=4, strange=False)
    shuffled = np.random.default_rng(0).permutation(good.cards)
    assert learn(Samples(good.embedding, good.rank, good.suit, shuffled), REPLAY) is None


@pytest.mark.parametrize("seed", range(20))
def test_names_are_assigned_as_well_as_by_trying_all_orders(seed: int) -> None:
    chances = np.random.default_rng(seed).uniform(0.01, 1, (6, 6))
    best = max(permutations(range(6)), key=lambda names: float(np.prod([chances[n, c] for n, c in enumerate(names)])))
    assert assign(chances).tolist() == list(best)


def test_a_weak_recogniser_still_knows_the_whole_deck_when_every_card_occurs_once() -> None:
    """Each ace is taken for a four, with the ace as second guess; the fours are sure."""
    chances = np.full((52, 52), 1e-4)
    chances[np.arange(52), np.arange(52)] = 0.9
    for ace in range(4):
        chances[ace, ace], chances[ace, 12 + ace] = 0.2, 0.7
    assert assign(chances).tolist() == list(range(52))
