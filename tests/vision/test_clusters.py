"""Hands are found as cards that lie together, not as fixed slots."""

from vision.clusters import Ambiguous, Cluster, Placed, gathered, home
from vision.felt import felt, zone_at

ZONES = felt()
CENTRES = {zone.name: zone.centre for zone in ZONES}


def at(zone: str, across: float = 0.0, along: float = 0.0) -> Placed:
    x, y = CENTRES[zone]
    return Placed(x + across, y + along)


def zone_of(x: float, y: float) -> str | None:
    zone = zone_at(ZONES, x, y)
    return zone.name if zone else None


def test_first_and_second_card_of_seven_boxes_and_the_dealer_make_eight_clusters() -> None:
    names = [*(f"box{number}" for number in range(1, 8)), "dealer"]
    dealt = [*(at(name) for name in names), *(at(name, 20, -20) for name in names)]
    clusters, asked = gathered(dealt, zone_of)
    assert asked == []
    assert [cluster.zone for cluster in clusters] == names
    assert {len(cluster.cards) for cluster in clusters} == {2}


def test_a_split_hand_beside_the_first_is_its_own_cluster_of_the_same_box() -> None:
    clusters, _ = gathered([at("box4", -50), at("box4", 50), at("box4", -35, -15), at("box4", 65, -15)], zone_of)
    assert [(cluster.zone, len(cluster.cards)) for cluster in clusters] == [("box4", 2), ("box4", 2)]


def test_a_long_hand_that_reaches_into_the_next_box_stays_with_the_box_where_it_began() -> None:
    cards = [at("box4", 22.0 * number, -10.0 * number) for number in range(8)]
    clusters, asked = gathered(cards, zone_of)
    assert asked == []
    assert [cluster.zone for cluster in clusters] == ["box4"]


def test_a_card_between_two_hands_is_asked_about() -> None:
    _, asked = gathered([Placed(0, 500), Placed(100, 500), Placed(52, 500)], zone_of)
    assert [one.card for one in asked] == [Placed(52, 500)]


def test_the_order_of_dealing_settles_a_card_between_two_boxes() -> None:
    left, right = Cluster("box4", (Placed(0, 500),)), Cluster("box3", (Placed(100, 500),))
    assert home(Placed(50, 500), [left, right], due="box3") == right
    assert isinstance(home(Placed(50, 500), [left, right]), Ambiguous)


def test_the_order_of_dealing_does_not_settle_between_two_hands_of_one_box() -> None:
    left, right = Cluster("box4", (Placed(0, 500),)), Cluster("box4", (Placed(100, 500),))
    assert isinstance(home(Placed(50, 500), [left, right], due="box4"), Ambiguous)


def test_a_card_far_from_all_others_begins_a_cluster() -> None:
    assert home(Placed(400, 500), [Cluster("box4", (Placed(0, 500),))]) is None
