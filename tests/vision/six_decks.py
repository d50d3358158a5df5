"""Six decks with one card missing, one doubled and one of another house, shown as a person shows them.

python -m tests.vision.six_decks SEED... appends what was found to build/campaign-deckcheck.jsonl, seed by seed.
"""

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np

from table_controller.core.cards import PACK, Card
from tests.vision.laid_out import FOREIGN, Held, alone, back_alone, spread
from tests.vision.seeing import shipped_eyes
from vision.checking import reported
from vision.shown import Decks

STATE: Final = Path("build/campaign-deckcheck.jsonl")
SEEDS: Final = 20
MOST_SHOWINGS: Final = 4


@dataclass(frozen=True)
class Shoe:
    """What was planted, and every card in the order it is shown."""

    held: tuple[Held, ...]
    missing: Card
    doubled: Card
    foreign: Card


@dataclass(frozen=True)
class Found:
    """What one seed gave. `wrong` are cards read under another name in the first pictures or when shown again."""

    seed: int
    missing: tuple[str, ...]
    surplus: tuple[str, ...]
    foreign: tuple[str, ...]
    unreadable: int
    exact: bool
    wrong: int
    asked: int
    showings: int
    seconds: float


def shoe(seed: int, decks: int = 6) -> Shoe:
    """Packs in any order, less one card, with one too many and one from elsewhere; all three differ."""
    rng = np.random.default_rng(seed)
    missing, doubled, foreign = (PACK[int(number)] for number in rng.choice(52, 3, replace=False))
    cards = list(PACK * decks)
    cards[cards.index(missing)] = doubled
    held = [Held(card) for card in cards]
    strange = next(number for number, card in enumerate(cards) if card == foreign)
    held[strange] = Held(foreign, int(rng.integers(1, len(FOREIGN))))
    return Shoe(tuple(held[int(number)] for number in rng.permutation(len(held))), missing, doubled, foreign)


def tried(seed: int, decks: int = 6) -> Found:
    """One whole check of one shoe, what is asked for shown again and again."""
    started = time.monotonic()
    dealt = shoe(seed, decks)
    parts = [dealt.held[start : start + 52] for start in range(0, len(dealt.held), 52)]
    pictures = [spread(part, seed * 100 + number) for number, part in enumerate(parts)]
    shown = Decks(shipped_eyes().read)
    shown.show([faces for faces, _ in pictures], [backs for _, backs in pictures])
    asked, showings = len(shown.asked), 0
    while shown.asked and showings < MOST_SHOWINGS and len(shown.cards) == len(dealt.held):
        showings += 1
        show_again(shown, dealt, seed + showings * 1000)
    report = reported(shown, decks)
    named = [(one.card, held.card) for one, held in zip(shown.cards, dealt.held, strict=False)]
    return Found(
        seed,
        tuple(map(str, report.missing)),
        tuple(map(str, report.surplus)),
        tuple(map(str, report.foreign)),
        report.unreadable,
        (report.missing, report.surplus, report.foreign, report.unreadable)
        == ((dealt.missing,), (dealt.doubled,), (dealt.foreign,), 0),
        sum(name is not None and name != card for name, card in named),
        asked,
        showings,
        round(time.monotonic() - started, 1),
    )


def show_again(shown: Decks, dealt: Shoe, seed: int) -> None:
    """What a person does who is asked: each card alone, a little turned."""
    faceless = [n for n in shown.asked if shown.cards[n].card is None]
    backless = [n for n in shown.asked if shown.cards[n].foreign is None]
    shown.again(
        [alone(dealt.held[n], seed + n) for n in faceless], [back_alone(dealt.held[n], seed + n) for n in backless]
    )


def main(seeds: list[int]) -> int:
    """Seeds not tried yet are tried; 1 if any was not exact."""
    STATE.parent.mkdir(exist_ok=True)
    known = [json.loads(line) for line in STATE.read_text().splitlines()] if STATE.exists() else []
    for seed in seeds:
        if all(one["seed"] != seed for one in known):
            known.append(asdict(tried(seed)))
            with STATE.open("a") as lines:
                lines.write(json.dumps(known[-1]) + "\n")
                lines.flush()
                os.fsync(lines.fileno())
            sys.stderr.write(json.dumps(known[-1]) + "\n")
    mine = [one for one in known if one["seed"] in seeds]
    total = {name: sum(one[name] for one in mine) for name in ("exact", "wrong", "asked")}
    sys.stdout.write(f"{total['exact']} of {len(mine)} exact; {total['wrong']} cards misnamed, ")
    sys.stdout.write(f"{total['asked']} asked again of {312 * len(mine)}\n")
    return 0 if total["exact"] == len(mine) else 1


if __name__ == "__main__":
    sys.exit(main([int(one) for one in sys.argv[1:]] or list(range(1, SEEDS + 1))))
