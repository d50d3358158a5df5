"""Two cameras over one felt: who reads which zone, and both as real processes."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.port.footage import footage_of, video_folder
from table_controller.port.picture import live_picture
from table_controller.port.words import Sighted, Watching
from tests.vision.processes import TABLE, Listener, eventually, order_to
from vision.calibration import Calibration, Lens
from vision.felt import Zone, felt, index_heights, owner
from vision.geometry import Image
from vision.installing import save
from vision.live import GREY, Mask
from vision.rendered.orders import Lay, Orders, Take
from vision.rendered.orders import Lens as Glass
from vision.rendered.orders import Sight as Seen
from vision.rendered.paint import view
from vision.sharing import Sight, shared
from vision.table_view import Table

ZONES = felt(7)
WIDTH, HEIGHT = 1920, 1080
offsets = st.floats(-400, 400)
bends = st.none() | st.floats(-0.5, 0.5)


@st.composite
def calibrations(draw: st.DrawFn) -> Calibration:
    """Any camera that shows something of the felt: hung anywhere near it, turned, with or without a lens that bends."""
    corners = np.array([[-900, -200], [900, -200], [900, 800], [-900, 800]], np.float64)
    moved = corners + np.array([[draw(offsets), draw(offsets)] for _ in corners])
    picture = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(picture, moved.astype(np.float32)), np.float64)
    bend = draw(bends)
    middle = np.array([[WIDTH, 0, WIDTH / 2], [0, WIDTH, HEIGHT / 2], [0, 0, 1]], np.float64)
    lens = None if bend is None else Lens(middle, np.array([bend, 0, 0, 0, 0], np.float64))
    return Calibration(matrix, 0.0, {}, lens)


@settings(deadline=None, max_examples=60)
@given(calibrations(), calibrations())
def test_every_zone_is_read_by_exactly_one_of_any_two_cameras(
    tmp_path_factory: pytest.TempPathFactory, one: Calibration, other: Calibration
) -> None:
    folder = tmp_path_factory.mktemp("two")
    for number, calibration in ((1, one), (2, other)):
        save(calibration, folder / f"{number}.json", {"box3": (12.0, -5.0)} if number == 1 else None)
    first = Table("usb:1", calibration=folder / "1.json")
    second = Table("usb:2", calibration=folder / "2.json", number=2)
    by_first = replace(first, beside=second).read
    by_second = replace(second, beside=first).read
    names = [zone.name for zone in (*by_first, *by_second)]
    assert sorted(names) == sorted(zone.name for zone in ZONES)
    assert {zone.name: zone.outline.tolist() for zone in (*by_first, *by_second)} == {
        zone.name: zone.outline.tolist() for zone in first.zones
    }


def test_a_drawn_table_is_read_from_both_its_sides_and_the_indices_there_are_taller() -> None:
    alone = {one.zone: one.pixels for one in index_heights(view(WIDTH, HEIGHT), ZONES)}
    sides = [view(WIDTH, HEIGHT, side) for side in (1, 2)]
    shares = shared(ZONES, [Sight(side, WIDTH, HEIGHT) for side in sides])
    assert [shares[f"box{number}"] for number in range(1, 8)] == [1, 1, 1, 0, 0, 0, 0]
    for number, zone in ((1, "box1"), (0, "box7")):
        near = {one.zone: one.pixels for one in index_heights(sides[number], ZONES)}
        assert near[zone] > 1.15 * alone[zone]


def test_a_zone_is_not_given_to_a_camera_that_sees_only_part_of_it() -> None:
    near, wide = view(WIDTH, HEIGHT), view(640, 360)
    narrow = Sight(Calibration(near.homography, 0.0, near.seen), WIDTH // 2, HEIGHT)
    shares = shared(ZONES, [narrow, Sight(wide, 640, 360)])
    assert shares["box7"] == 0
    assert shares["box1"] == 1
    assert shares["dealer"] == 1


@settings(deadline=None, max_examples=200)
@given(st.floats(-750, 750), st.floats(-150, 750), st.tuples(*[st.floats(-4.9, 4.9)] * 4))
def test_a_card_between_two_boxes_is_never_claimed_by_both_cameras(
    x: float, y: float, off: tuple[float, float, float, float]
) -> None:
    """Each camera may be off by so much about where it lies."""
    shares = shared(ZONES, [Sight(view(WIDTH, HEIGHT, side), WIDTH, HEIGHT) for side in (1, 2)])
    own: list[list[Zone]] = [[zone for zone in ZONES if shares[zone.name] == at] for at in (0, 1)]
    said = [
        owner(own[0], x + off[0] / 2**0.5, y + off[1] / 2**0.5, own[1]),
        owner(own[1], x + off[2] / 2**0.5, y + off[3] / 2**0.5, own[0]),
    ]
    assert "" in said
    inside = next((zone.name for zone in ZONES if zone.holds_cards and zone.depth(x, y) > 10), None)
    assert inside is None or inside in said


def test_a_camera_that_cannot_tell_where_the_dealers_place_lies_shows_nothing_while_it_is_veiled() -> None:
    corner = np.array([[300, 300], [900, 300], [900, 640], [300, 640]], np.float32)
    whole = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    middle = np.array([[WIDTH, 0, WIDTH / 2], [0, WIDTH, HEIGHT / 2], [0, 0, 1]], np.float64)
    bent = Lens(middle, np.array([-0.4, 0, 0, 0, 0], np.float64))
    aside = Calibration(np.asarray(cv2.getPerspectiveTransform(whole, corner), np.float64), 0.0, {}, bent)
    picture = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
    for calibration, hidden in ((view(WIDTH, HEIGHT, 2), False), (aside, True)):
        veiled = Mask(calibration, ZONES).over(picture, ["dealer"], None)
        assert bool((veiled == GREY).all()) == hidden
        assert (veiled == GREY).all(axis=2).any()


@pytest.mark.parametrize("elevation", [90, 60, 45, 30])
def test_a_card_lifted_at_the_dealers_place_stays_veiled_from_however_aslant_it_is_seen(elevation: int) -> None:
    """A camera three metres from the middle of the dealer's cards, on the players' side; cards lifted by 90 mm."""
    up, out = 3000 * np.sin(np.radians(elevation)), 3000 * np.cos(np.radians(elevation))

    def seen(x: float, y: float, z: float) -> tuple[float, float]:
        depth = (out * (out - y) + up * (up - z)) / 3000
        along = (up * (y) - out * z) / 3000
        return WIDTH / 2 + 3000 * x / depth, 300 + 3000 * along / depth

    table = np.array([[-900, -200], [900, -200], [900, 800], [-900, 800]], np.float32)
    picture = np.array([seen(x, y, 0) for x, y in table], np.float32)
    calibration = Calibration(
        np.asarray(cv2.getPerspectiveTransform(picture, table), np.float64), 0.0, {0: picture.astype(np.float64)}
    )
    veiled = Mask(calibration, ZONES).over(np.full((HEIGHT, WIDTH, 3), 200, np.uint8), ["dealer"], None)
    for x, y in ZONES[0].outline:
        across, along = seen(x, y, 90)
        assert (veiled[round(along), round(across)] == GREY).all()


class TwoCameras:
    """Both cameras and their eyes, over one drawn table."""

    def __init__(self, data: Path) -> None:
        self.data, self.listener = data, Listener(data)
        self.processes = {(module, number): self.start(module, number) for module, number in MODULES}

    def start(self, module: str, number: int) -> "subprocess.Popen[bytes]":
        place = ("--data", str(self.data), "--table", TABLE, "--source", "rendered:", "--rate", "8")
        pair = ("--number", str(number), "--beside-source", "rendered:")
        more = ("--gigabytes", "0.5") if module == "filming" else ()
        return subprocess.Popen([sys.executable, "-m", f"vision.{module}", *place, *pair, *more])

    def until_well(self) -> None:
        devices = [f"{name}{number}" for name in ("camera", "recorder", "vision") for number in ("", "2")]
        eventually(lambda: all(self.listener.trouble(device) == "" for device in devices) or None, 60)

    def order(self, order: Orders) -> None:
        for number in (1, 2):
            order_to(self.data, order, number)

    def live(self, number: int) -> Image:
        jpeg = eventually(lambda: live_picture(self.data, TABLE, number))
        shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None
        return np.asarray(shown, np.uint8)

    def said(self, card: str) -> bool:
        return card in self.listener.cards()

    def is_veiled(self, number: int) -> bool:
        return self.dealers_white(number) == 0

    def dealers_white(self, number: int) -> float:
        """How much paper is seen at the dealer's place, in this camera's live picture."""
        place = view(1280, 720, number).to_picture(ZONES[0].outline)
        (left, top), (right, bottom) = place.min(axis=0).astype(int), place.max(axis=0).astype(int)
        cut = self.live(number)[max(0, top) : bottom, left:right]
        return float((cut.min(axis=2) > 200).mean())

    def close(self) -> None:
        for process in self.processes.values():
            process.terminate()
            process.wait(20)
        self.listener.close()


MODULES = [(module, number) for module in ("filming", "watching") for number in (1, 2)]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[TwoCameras]:
    running = TwoCameras(tmp_path)
    try:
        running.until_well()
        yield running
    finally:
        running.close()


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_every_card_is_said_once_by_the_eyes_nearer_to_it(two: TwoCameras) -> None:
    two.listener.watching = Watching(3)
    cards = {"box1": "KS", "box2": "7D", "box3": "QC", "box4": "9H", "box5": "AS", "box6": "4C", "box7": "2D"}
    for slot, card in {**cards, "dealer": "TH"}.items():
        two.order(Lay(slot=slot, card=card))
        eventually(partial(two.said, f"{slot} {card}"), 30)
    time.sleep(3)
    assert sorted(two.listener.cards()) == sorted(f"{slot} {card}" for slot, card in {**cards, "dealer": "TH"}.items())
    by = {one.slot: one.source.partition("-")[0] for one in two.listener.all(Sighted)}
    assert {by[f"box{number}"] for number in (1, 2, 3)} == {"eyes2"}
    assert {by[f"box{number}"] for number in (4, 5, 6, 7)} | {by["dealer"]} == {"eyes"}
    for number in (1, 2):
        assert footage_of(video_folder(two.data, TABLE, number)).segments


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_hole_card_is_in_neither_live_picture_before_the_reveal(two: TwoCameras) -> None:
    listener = two.listener
    two.order(Lay(slot="dealer", card="AH"))
    eventually(lambda: listener.cards() == ["dealer AH"] or None, 30)
    for number in (1, 2):
        assert two.dealers_white(number) > 0.05
    listener.watching = Watching(1, veiled=("dealer",))
    for number in (1, 2):
        eventually(partial(two.is_veiled, number))
    two.order(Lay(slot="dealer", card="QH"))
    time.sleep(2)
    assert [two.dealers_white(number) for number in (1, 2)] == [0, 0]
    assert listener.cards() == ["dealer AH"]
    listener.watching = Watching(1)
    eventually(lambda: listener.cards() == ["dealer AH", "dealer QH"] or None, 30)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_what_ails_one_camera_is_told_of_that_one_and_the_other_reads_on(two: TwoCameras) -> None:
    order_to(two.data, Glass(sight=Seen.COVERED), 2)
    eventually(lambda: two.listener.trouble("vision2") == "covered" or None, 15)
    two.order(Lay(slot="box7", card="KS"))
    eventually(lambda: two.listener.cards() == ["box7 KS"] or None, 30)
    two.order(Lay(slot="box1", card="9D"))
    time.sleep(2)
    assert two.listener.cards() == ["box7 KS"]
    assert two.listener.trouble("vision") == two.listener.trouble("camera2") == ""
    order_to(two.data, Glass(sight=Seen.CLEAR), 2)
    eventually(lambda: two.listener.cards() == ["box7 KS", "box1 9D"] or None, 30)
    two.order(Take())


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("cameras", [1, 2])
@pytest.mark.parametrize(("module", "device"), [("watching", "vision"), ("filming", "camera")])
def test_eyes_and_camera_close_when_a_camera_is_calibrated_anew(
    tmp_path: Path, module: str, device: str, cameras: int
) -> None:
    """Else a live picture would hide the hole card where it lay by the old calibration."""
    for number in range(1, cameras + 1):
        save(view(WIDTH, HEIGHT, number), tmp_path / f"{number}.json")
    listener = Listener(tmp_path)
    place = ["--data", str(tmp_path), "--table", TABLE, "--source", "usb:0"]
    place += ["--calibration", str(tmp_path / "1.json")]
    if cameras == 2:
        place += ["--beside-source", "usb:1", "--beside-calibration", str(tmp_path / "2.json")]
    opened = subprocess.Popen([sys.executable, "-m", f"vision.{module}", *place])
    try:
        eventually(lambda: listener.trouble(device) or None, 60)
        save(view(WIDTH, HEIGHT, cameras + 1), tmp_path / f"{cameras}.json")
        assert opened.wait(10) == 2
    finally:
        opened.send_signal(signal.SIGTERM)
        listener.close()
