"""An opening is told who proved the decks complete that day, from the very book that `krupier deckcheck` writes."""

from pathlib import Path

import pytest

from dashboard.decks import BOOK, checked_today
from dashboard.settings import Settings
from table_controller.core.people import Role
from table_controller.core.stimuli import DecksChecked
from tests.dashboard.test_pit import TWO, done
from tests.dashboard.world import World, command
from vision import passes

DAY = "2026-11-29"
AT_SIX = "2026-11-29T17:00:00+00:00"


def check(at: str = AT_SIX, deck: str = "T01", *, passed: bool = True, by: str = "anna") -> passes.DeckPass:
    return passes.DeckPass(deck, 6, at, "model", "", passed, by)


@pytest.mark.parametrize(
    ("kept", "counts"),
    [
        ([check()], True),
        ([check("2026-11-29T23:30:00+00:00")], True),  # half past midnight of the same gaming day
        ([check("2026-11-29T05:30:00+00:00")], True),  # half past six, the day has begun
        ([check("2026-11-29T04:30:00+00:00")], False),  # half past five: yesterday's gaming day, by the venue's clock
        ([check(deck="T02")], False),
        ([check(by="")], False),
        ([check(passed=False)], False),
        ([check(), check("2026-11-29T18:00:00+00:00", passed=False)], False),
        ([check(passed=False), check("2026-11-29T18:00:00+00:00")], True),
        ([], False),
    ],
)
def test_the_newest_check_of_the_tables_decks_counts_if_it_passed_today(
    tmp_path: Path, kept: list[passes.DeckPass], *, counts: bool
) -> None:
    for one in kept:
        passes.keep(tmp_path / BOOK, one)
    found = checked_today(Settings(data=tmp_path), "T01", DAY)
    assert found == (DecksChecked("anna", kept[-1].at, 6) if counts else None)


def test_a_damaged_book_proves_nothing(tmp_path: Path) -> None:
    passes.keep(tmp_path / BOOK, check())
    with (tmp_path / BOOK).open("a") as book:
        book.write("torn")
    assert checked_today(Settings(data=tmp_path), "T01", DAY) is None


def test_the_opening_page_names_who_checked_and_so_does_the_record(world: World) -> None:
    boss = world.signed_in(Role.PIT_BOSS)
    done(command(world, boss, "close_table", chip_500="40", **TWO))
    passes.keep(world.data / BOOK, check())
    world.caught_up()
    page = boss.get("/tables/T01/count?house=golden_wolf").text
    assert "Decks checked today: 6, by anna." in page
    done(command(world, boss, "open_table", house="golden_wolf", chip_500="40", why="other chips", **TWO))
    opened = [row for row in world.rows() if row.kind.endswith("table_opened")][-1]
    assert b'"by":"anna"' in opened.body
