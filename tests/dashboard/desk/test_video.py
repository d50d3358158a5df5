"""Video of a round: found by the table's index, served whole or in part, never while it shows a round not settled."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from table_controller.core import stimuli as said
from table_controller.play.felt import FLOOR
from table_controller.play.felt import SECOND as SECOND_PERSON
from table_controller.port.footage import INDEX, Closed, Lines, Opened, Stopped, is_held, video_folder, write_line
from tests.dashboard.world import World, post

DAY = "/desk/T01/2026-11-29"
SECOND = 10**9
HOUR = 3600 * SECOND


def film(world: World, *lines: Lines, camera: int = 1) -> Path:
    folder = video_folder(world.data, "T01", camera)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / INDEX).open("ab") as index:
        for line in lines:
            index.write(write_line(line))
            if isinstance(line, Opened):
                (folder / line.file).write_bytes(b"\0\0\0\x18ftyp" + line.file.encode())
    return folder


def segment(file: str, since_ns: int, until_ns: int) -> tuple[Lines, Lines]:
    return Opened(at_ns=since_ns, file=file), Closed(at_ns=until_ns, file=file, frames=1)


@pytest.fixture
def began(world: World) -> int:
    """When the world's evening began."""
    return world.felt.events[0].cause.at_ns


def test_the_segments_of_a_round_are_on_its_page_and_play(world: World, boss: FlaskClient, began: int) -> None:
    film(world, *segment("a.mp4", began, began + HOUR), *segment("later.mp4", began + 2 * HOUR, began + 3 * HOUR))
    page = boss.get(f"{DAY}/1").text
    assert "/desk/video/T01/a.mp4" in page
    assert "later.mp4" not in page
    with boss.get("/desk/video/T01/a.mp4") as whole:
        assert whole.data.endswith(b"a.mp4")
        assert whole.mimetype == "video/mp4"
    with boss.get("/desk/video/T01/a.mp4", headers={"Range": "bytes=0-3"}) as part:
        assert (part.status_code, part.data) == (206, b"\0\0\0\x18")


@pytest.mark.parametrize(
    "file", ["index.jsonl", "b.mp4", "..%2f..%2fpeople.db", "%2e%2e%2fkeys%2fhouse.key", "a.mp4.hold"]
)
def test_nothing_but_segments_is_served(world: World, boss: FlaskClient, began: int, file: str) -> None:
    film(world, *segment("a.mp4", began, began + SECOND))
    assert boss.get(f"/desk/video/T01/{file}").status_code == 404
    assert boss.get("/desk/video/T09/a.mp4").status_code == 404


def test_video_that_shows_a_round_on_the_table_is_withheld_until_it_is_settled(
    world: World, boss: FlaskClient, began: int
) -> None:
    felt = world.felt
    film(world, *segment("before.mp4", began, felt.clock.at_ns))
    felt.clock.wait(5)
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    number = felt.round.number
    film(world, Opened(at_ns=felt.clock.at_ns, file="running.mp4"))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))

    def served(file: str) -> int:
        with boss.get(f"/desk/video/T01/{file}") as answer:
            return answer.status_code

    assert served("running.mp4") == 404
    assert served("before.mp4") == 200
    page = boss.get(f"{DAY}/{number}").text
    assert "running.mp4" not in page
    assert "is shown once it is settled" in page
    while felt.round.due.kind != "pay":
        assert served("running.mp4") == 404
        point = felt.point()
        if point is None:
            felt.deal()
        else:
            felt.signal(point.place, point.legal[1])
    assert served("running.mp4") == 200


def test_of_two_cameras_both_videos_are_on_the_page_and_play(world: World, boss: FlaskClient, began: int) -> None:
    film(world, *segment("a.mp4", began, began + HOUR))
    film(world, *segment("a.mp4", began, began + HOUR), Stopped(at_ns=began, reason="no_room"), camera=2)
    page = boss.get(f"{DAY}/1").text
    assert page.count("<video ") == 2
    assert "Second camera: Not recorded from" in page
    for url in ("/desk/video/T01/a.mp4", "/desk/video/T01/2/a.mp4"):
        assert url in page
        with boss.get(url) as answer:
            assert answer.data.endswith(b"a.mp4")
    assert boss.get("/desk/video/T01/3/a.mp4").status_code == 404


def test_neither_cameras_video_is_served_before_the_round_is_settled(
    world: World, boss: FlaskClient, began: int
) -> None:
    felt = world.felt
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    for camera in (1, 2):
        film(world, *segment("both.mp4", began, felt.clock.at_ns + SECOND), camera=camera)
    urls = ("/desk/video/T01/both.mp4", "/desk/video/T01/2/both.mp4")
    assert [boss.get(url).status_code for url in urls] == [404, 404]
    page = boss.get(f"{DAY}/{felt.round.number}").text
    assert not any(url in page for url in urls)
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND_PERSON, "x"))
    for url in urls:
        with boss.get(url) as answer:
            assert answer.status_code == 200


def test_a_round_on_the_table_withholds_the_segment_it_began_in(world: World, boss: FlaskClient, began: int) -> None:
    felt = world.felt
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    film(world, *segment("both.mp4", began, felt.clock.at_ns + SECOND))
    assert boss.get("/desk/video/T01/both.mp4").status_code == 404
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, 300))
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND_PERSON, "x"))
    with boss.get("/desk/video/T01/both.mp4") as answer:
        assert answer.status_code == 200


def test_what_was_not_recorded_is_said(world: World, boss: FlaskClient, began: int) -> None:
    film(world, Stopped(at_ns=began, reason="no_room"))
    page = boss.get(f"{DAY}/1").text
    assert re.search(r"Not recorded from \d\d:\d\d:\d\d to …", page)


def test_the_video_of_a_complaint_is_held_whatever_the_budget_says(world: World, boss: FlaskClient, began: int) -> None:
    lines = (*segment("a.mp4", began, began + HOUR), *segment("z.mp4", began + 2 * HOUR, began + 3 * HOUR))
    folders = [film(world, *lines, camera=camera) for camera in (1, 2)]
    post(boss, "/complaints/T01/2026-11-29/2", id="tap-12345678", box=3, reason="x", lock="none")
    for folder in folders:
        assert is_held(folder, "a.mp4")
        assert not is_held(folder, "z.mp4")
