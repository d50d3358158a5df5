"""The films a whole table is measured with: drawn beforehand by each of its cameras, idle, then dealt at."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from bench.sighting import Size
from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import deal_order, hole_index
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.cards import PACK
from table_controller.core.places import DEALER
from table_controller.play.felt import FLOOR, Felt
from table_controller.port.footage import INDEX, VIDEO, Closed, Opened, stamp_of, write_line
from vision.rendered.orders import Lay, Take
from vision.rendered.table import HouseDeck, Painter, Scene, Shot
from vision.segments import EncodedSegment

HOUSE, SECOND_NS = "classic", 1_000_000_000
IDLE_S, IDLE_FILM_S = 60, 4


@dataclass(frozen=True)
class Pace:
    """How a round is dealt: to these boxes, a card every so often, and all over again after `period_ns`."""

    boxes: tuple[int, ...]
    card_ns: int
    period_ns: int


HUMAN = Pace(tuple(range(1, 8)), 660_000_000, 17 * SECOND_NS)
TEN_TIMES = Pace((2, 5), 400_000_000, 6 * SECOND_NS)


def order_of(rules: RuleSet, pace: Pace) -> list[tuple[str, bool]]:
    """The slots of a deal in their order, and whether the card lies face down."""
    felt = Felt()
    felt.open(houses.rule_values(HOUSE), houses.house_values(HOUSE))
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    for box in pace.boxes:
        felt.command(said.PlaceBet(felt.cause(), FLOOR, box, 500))
    order = deal_order(rules, felt.round.boxes)
    down = [at for at, place in enumerate(order) if place == DEALER][hole_index(rules)] if rules.hole_card else -1
    return [("dealer" if place == DEALER else f"box{place.box}", at == down) for at, place in enumerate(order)]


def places(size: Size) -> list[tuple[str, int]]:
    """The section of every camera, and the side of the table it looks from."""
    return [("camera", 0)] if size.cameras == 1 else [("camera", 1), ("second_camera", 2)]


def films(folder: Path, size: Size, pace: Pace, rounds: int) -> None:
    """A recording of each camera: the table idle, then a round as often as is wanted."""
    for name, side in places(size):
        (folder / name).mkdir(parents=True)
        _film(folder / name, size, side, pace)
    now_ns = time.time_ns()  # of two cameras, both are shown from now on
    starts = [(now_ns + second * SECOND_NS, "idle") for second in range(0, IDLE_S, IDLE_FILM_S)]
    starts += [(now_ns + IDLE_S * SECOND_NS + number * pace.period_ns, "dealt") for number in range(rounds)]
    for name, _ in places(size):
        _index(folder / name, starts)


def _film(folder: Path, size: Size, side: int, pace: Pace) -> None:
    order = order_of(houses.rules_with(HOUSE, {}), pace)
    idle, dealt = folder / "idle", folder / "dealt"
    shot = Shot(size.width, size.height, side=side)
    _draw(idle, shot, size.rate, [], IDLE_FILM_S * SECOND_NS)
    # The dealer shows a six: no offers, no peek. Nothing else is below the tens, so that no hand is decided at once.
    cards = iter([card for card in PACK if card.text[0] in "789T"])
    orders: list[tuple[int, Lay | Take]] = []
    for at, (slot, down) in enumerate(order):
        card = None if down else "6S" if slot == "dealer" else next(cards).text
        orders.append((SECOND_NS + at * pace.card_ns, Lay(slot=slot, card=card, face_down=down)))
    orders.append((SECOND_NS * 2 + len(order) * pace.card_ns, Take()))
    _draw(dealt, shot, size.rate, orders, pace.period_ns)


def _index(folder: Path, starts: list[tuple[int, str]]) -> None:
    with (folder / INDEX).open("wb") as index:
        for start_ns, film in starts:
            name = stamp_of(start_ns) + VIDEO
            os.link(folder / film, folder / name)
            index.write(write_line(Opened(at_ns=start_ns, file=name)))
            index.write(write_line(Closed(at_ns=start_ns + 1, file=name, frames=1)))


def _draw(path: Path, shot: Shot, rate: int, orders: list[tuple[int, Lay | Take]], length_ns: int) -> None:
    scene = Scene(7, seed=5)
    painter = Painter(scene, shot, HouseDeck())
    segment, step_ns = EncodedSegment(path, 0, "libx264", rate), SECOND_NS // rate
    for now_ns in range(0, length_ns - step_ns // 2, step_ns):
        while orders and orders[0][0] <= now_ns:
            scene.obey(orders.pop(0)[1], now_ns)
        segment.write(painter.picture(now_ns), now_ns, None)
    segment.close()
