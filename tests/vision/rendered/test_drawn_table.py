"""The drawn table is a table: orders are obeyed, and the shipped recogniser reads what lies there."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from table_controller.core.cards import PACK, Card
from vision import weights
from vision.felt import JUMBO_INDEX, Verdict, felt, index_heights
from vision.frames import CameraLost
from vision.geometry import Image
from vision.reader import Reader, shipped
from vision.rendered import deck, paint
from vision.rendered.orders import Chips, Lay, Lens, OrderUnclear, Reach, Shift, Sight, Take, Turn, order_from, script
from vision.rendered.source import DrawnCamera, OrderCaller, OrderDesk, drawn_camera
from vision.rendered.table import HouseDeck, Painter, Scene, Shot

SECOND = 1_000_000_000


@pytest.fixture(scope="module")
def eyes() -> Reader:
    return shipped(weights.find())


def painted(scene: Scene, now_ns: int = 100 * SECOND) -> Image:
    return Painter(scene, Shot(), HouseDeck()).picture(now_ns)


def around(image: Image, slot: str) -> Image:
    outline = next(zone.outline for zone in felt(7) if zone.name == slot)
    pixels = paint.view(1920, 1080).to_picture(outline)
    x0, y0 = np.maximum(pixels.min(axis=0) - 50, 0).astype(int)
    x1, y1 = (pixels.max(axis=0) + 50).astype(int)
    return image[y0:y1, x0:x1]


def difference(one: Image, other: Image) -> float:
    """Share of pixels that differ by more than the sensor's noise."""
    return float((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 30).mean())


def test_every_index_is_tall_enough_to_be_read_at_1080p() -> None:
    heights = index_heights(paint.view(1920, 1080), felt(7), JUMBO_INDEX)
    assert deck.JUMBO.height >= JUMBO_INDEX
    assert {height.verdict for height in heights} == {Verdict.GOOD}


def test_every_place_of_the_table_is_in_the_picture() -> None:
    sight = paint.view(1920, 1080)
    corners = np.concatenate([sight.to_picture(zone.outline) for zone in felt(7)])
    assert (corners.min(axis=0) > 0).all()
    assert (corners.max(axis=0) < (1920, 1080)).all()


@pytest.mark.slow
def test_the_shipped_recogniser_reads_the_whole_deck_without_a_wrong_name(eyes: Reader) -> None:
    read = 0
    for start in range(0, 52, 4):
        scene = Scene(seed=start)
        shown = PACK[start : start + 4]
        for number, card in enumerate(shown):
            scene.obey(Lay(slot="dealer", card=str(card)), number)
        cards = [found.card for found in eyes.read(around(painted(scene), "dealer"), [1.2, 1.7]).cards]
        assert set(cards) <= set(shown)
        read += len(set(cards))
    assert read >= 50


def test_a_card_face_down_is_a_back_to_the_recogniser(eyes: Reader) -> None:
    scene = Scene()
    scene.obey(Lay(slot="dealer", face_down=True), 0)
    seen = eyes.read(around(painted(scene), "dealer"), [1.2])
    assert (len(seen.face_down), seen.cards) == (1, ())


def test_a_card_slides_and_then_lies_still() -> None:
    scene = Scene()
    rest_ns = scene.obey(Lay(slot="box2", card="KS", slide_ms=300), SECOND)
    (lying,) = scene.cards
    assert rest_ns == SECOND + 300_000_000
    assert lying.at(SECOND) == lying.start
    assert lying.at(rest_ns) == lying.at(rest_ns + SECOND) == lying.rest


def test_a_card_turned_over_shows_its_face() -> None:
    scene = Scene()
    scene.obey(Lay(slot="dealer", face_down=True), 0)
    scene.obey(Turn(slot="dealer", order=0, card="7H"), 0)
    assert (scene.cards[0].card, scene.cards[0].face_down) == (Card.parse("7H"), False)


def test_cards_taken_away_leave_bare_felt() -> None:
    scene = Scene()
    bare = painted(scene)
    for slot in ("box1", "box7", "dealer"):
        scene.obey(Lay(slot=slot, card="9C"), 0)
    assert difference(painted(scene), bare) > 0.005
    scene.obey(Take(slot="box1"), 0)
    assert {card.slot for card in scene.cards} == {"box7", "dealer"}
    scene.obey(Take(), 0)
    assert difference(painted(scene), bare) == 0


def test_a_split_moves_a_card_to_a_hand_of_its_own() -> None:
    scene = Scene()
    for _ in range(2):
        scene.obey(Lay(slot="box4", card="8D"), 0)
    scene.obey(Shift(slot="box4", order=1, to_slot="box4", to_hand=1), 0)
    assert [card.hand for card in scene.cards] == [0, 1]
    assert scene.cards[1].rest.x - scene.cards[0].rest.x > 75


def test_chips_and_a_hand_are_seen_and_go_again() -> None:
    scene = Scene()
    bare = painted(scene)
    scene.obey(Chips(slot="circle5", count=3), 0)
    with_chips = painted(scene)
    assert difference(with_chips, bare) > 0.0005
    scene.obey(Reach(slot="box2", ms=500), SECOND)
    assert difference(painted(scene, SECOND), with_chips) > 0.01
    assert difference(painted(scene, 2 * SECOND), with_chips) == 0


@pytest.mark.parametrize(
    "line",
    [
        '{"do":"lay","slot":"box3","card":"1S"}',
        '{"do":"lay","slot":"box3"}',
        '{"do":"lay","slot":"nowhere","card":"KS"}',
        '{"do":"turn","slot":"dealer","order":0}',
        '{"do":"take","slot":"box1","order":-1}',
    ],
)
def test_an_order_that_cannot_be_carried_out_is_refused_and_changes_nothing(line: str) -> None:
    scene = Scene()
    with pytest.raises(OrderUnclear):
        scene.obey(order_from(line), 0)
    assert scene.cards == []


@pytest.mark.parametrize("line", ["", "[]", '{"do":"steal"}', '{"do":"lay","slot":3}', '{"do":"take","colour":1}'])
def test_a_line_that_is_no_order_is_unclear(line: str) -> None:
    with pytest.raises(OrderUnclear):
        order_from(line)


def test_a_script_names_the_line_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text('# one card\n{"do":"lay","slot":"box1","card":"AS","at_ms":100}\n{"do":"fly"}\n')
    with pytest.raises(OrderUnclear, match=r"evening\.jsonl:3"):
        list(script(path))


def test_a_script_is_played_at_its_time() -> None:
    scene = Scene()
    camera = DrawnCamera(
        Painter(scene, Shot(640, 360), HouseDeck()), scene, 30, [Lay(slot="box1", card="AS", at_ms=150)]
    )
    camera.read()
    assert scene.cards == []
    deadline = time.monotonic() + 5
    while not scene.cards and time.monotonic() < deadline:
        camera.read()
    assert [card.slot for card in scene.cards] == ["box1"]


def test_frames_carry_new_stamps_until_the_picture_freezes() -> None:
    camera, _ = drawn_camera(shot=Shot(640, 360))
    assert camera.read().driver_ns < camera.read().driver_ns
    camera.obey(Lens(sight=Sight.FROZEN))
    frozen = camera.read()
    assert camera.read() is frozen
    camera.obey(Lens(sight=Sight.UNPLUGGED))
    with pytest.raises(CameraLost):
        camera.read()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[tuple[Path, DrawnCamera]]:
    camera, _ = drawn_camera(shot=Shot(640, 360))
    opened = OrderDesk(tmp_path / "orders.sock", camera.obey)
    yield tmp_path / "orders.sock", camera
    opened.close()


def test_orders_are_taken_over_a_socket_and_answered(desk: tuple[Path, DrawnCamera]) -> None:
    caller = OrderCaller(desk[0])
    assert caller.say(Lay(slot="box1", card="AS")).rest_ns > time.time_ns()
    assert "no such slot" in caller.say(Lay(slot="roof", card="AS")).refused
    caller.close()


def test_nonsense_on_the_socket_is_refused_and_the_next_order_still_heard(desk: tuple[Path, DrawnCamera]) -> None:
    with socket.socket(socket.AF_UNIX) as raw, raw.makefile("rwb") as lines:
        raw.settimeout(5)
        raw.connect(str(desk[0]))
        lines.write(b"\xff\xfe{\n" + b'{"do":"lay","slot":"box1","card":"AS"}\n')
        lines.flush()
        assert b'"rest_ns":0' in lines.readline()
        assert b'"refused":""' in lines.readline()
