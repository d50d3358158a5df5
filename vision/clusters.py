"""Which cards lie together? Clusters on the felt in millimetres; a card that could belong to two is asked about.

Boxes are 220 mm apart, four split hands of one box need 330 mm, so a fixed slot per hand does not exist: a cluster
belongs to the box where it began, and a new card belongs to the cluster it touches.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# Index to index of two cards of one hand as dealt; a card's width is 57 to 63.5 mm.
REACH = 75.0
# Two clusters are equally near when the farther one is not this much farther.
CLEARLY = 1.35


@dataclass(frozen=True)
class Placed:
    """A card's index on the table, in the order in which the cards were seen."""

    x: float
    y: float


@dataclass(frozen=True)
class Cluster:
    """Cards that lie together; `zone` is where the first of them lies, None outside every zone."""

    zone: str | None
    cards: tuple[Placed, ...]

    def distance(self, card: Placed) -> float:
        """To the nearest card of the cluster."""
        return min(math.hypot(card.x - own.x, card.y - own.y) for own in self.cards)

    def joined(self, card: Placed) -> "Cluster":
        return Cluster(self.zone, (*self.cards, card))


@dataclass(frozen=True)
class Ambiguous:
    """A card that could belong to either cluster: a person, or the order in which cards are due, must say."""

    card: Placed
    either: tuple[Cluster, Cluster]


def home(card: Placed, clusters: Sequence[Cluster], due: str | None = None) -> Cluster | Ambiguous | None:
    """The cluster a new card belongs to, None when it begins one; `due` names the zone that gets the next card."""
    within = [cluster for cluster in clusters if cluster.distance(card) < REACH]
    near = sorted(within, key=lambda cluster: cluster.distance(card))
    if len(near) < 2 or near[1].distance(card) > CLEARLY * near[0].distance(card):
        return near[0] if near else None
    expected = [cluster for cluster in near[:2] if due is not None and cluster.zone == due]
    return expected[0] if len(expected) == 1 else Ambiguous(card, (near[0], near[1]))


def gathered(
    cards: Sequence[Placed], zone_of: Callable[[float, float], str | None]
) -> tuple[list[Cluster], list[Ambiguous]]:
    """All cards of the felt, in the order in which they were seen, as clusters; and those that nobody can place."""
    clusters: list[Cluster] = []
    asked: list[Ambiguous] = []
    for card in cards:
        place = home(card, clusters)
        if isinstance(place, Ambiguous):
            asked.append(place)
        elif place is None:
            clusters.append(Cluster(zone_of(card.x, card.y), (card,)))
        else:
            clusters[clusters.index(place)] = place.joined(card)
    return clusters, asked
