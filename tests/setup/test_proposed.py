"""What the set-up proposes before anybody has answered."""

from pathlib import Path
from shutil import disk_usage

import pytest

from table_controller.setup import proposed
from table_controller.setup.questions import question


@pytest.mark.parametrize(
    ("said", "language"),
    [({"LANG": "en_GB.UTF-8"}, "en"), ({"LANG": "C.UTF-8"}, "pl"), ({"LANG": "pl_PL", "LC_ALL": "ru_RU.UTF-8"}, "ru")],
)
def test_the_set_up_begins_in_the_language_of_whoever_started_it(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    asked = question("window.language")
    assert asked is not None
    assert asked.now({}) == language
    assert asked.now({"window": {"language": "pl"}}) == "pl"


@pytest.mark.parametrize(
    ("link", "zone"),
    [("/usr/share/zoneinfo/Europe/Vilnius", "Europe/Vilnius"), ("/usr/share/zoneinfo/Etc/UTC", "Europe/Warsaw")],
)
def test_the_time_zone_is_the_computers_own_where_it_was_told_one(tmp_path: Path, link: str, zone: str) -> None:
    (tmp_path / "localtime").symlink_to(link)
    assert proposed.zone(tmp_path / "localtime") == zone
    assert proposed.zone(tmp_path / "none") == "Europe/Warsaw"


def test_video_is_never_proposed_more_room_than_the_disk_has(tmp_path: Path) -> None:
    wanted = int(proposed.gigabytes(tmp_path))
    assert 1 <= wanted <= proposed.VIDEO_GIGABYTES
    assert wanted <= max(1, disk_usage(tmp_path).free / proposed.GIGABYTE)
