"""The page as a technician, a monitor and Prometheus ask for it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from prometheus_client.parser import text_string_to_metric_families

from table_controller.cli import main
from table_controller.core.house import Language
from table_controller.doctor.command import metrics
from table_controller.doctor.examine import examine
from table_controller.journal.keys import make_key


def asked(*words: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *words])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A configured table nobody has opened yet."""
    make_key(tmp_path / "data" / "keys" / "house.key")
    config = tmp_path / "table.toml"
    config.write_text('table = "T01"\ndata = "data"\nrules = "golden_wolf"\n')
    return config


def test_a_table_that_may_open_ends_with_nothing_red(table: Path) -> None:
    done = asked("--config", str(table))
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "ready: nothing red"), done.stdout


@pytest.mark.parametrize("language", [one.value for one in Language])
def test_every_red_line_is_followed_by_the_step_that_mends_it(table: Path, language: str) -> None:
    (table.parent / "data" / "keys" / "house.key").unlink()
    done = asked("--config", str(table), "--lang", language)
    lines = done.stdout.splitlines()
    assert done.exit_code == 1
    red = [at for at, line in enumerate(lines) if line.startswith("✖")]
    assert len(red) == 1
    assert "krupier key new" in lines[red[0] + 1]


def test_a_folder_that_is_not_there_is_told_and_mended_once(table: Path) -> None:
    table.write_text(table.read_text().replace('data = "data"', 'data = "elsewhere"'))
    lines = asked("--config", str(table), "--lang", "en").stdout.splitlines()
    assert len([line for line in lines if "elsewhere cannot be used" in line]) == 1


def test_a_camera_that_is_not_there_is_told_in_our_words_alone(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table.write_text(table.read_text() + '[camera]\nsource = "usb:nothing-there"\n')
    assert "cannot be opened" in asked("--config", str(table)).stdout
    assert capfd.readouterr().err == ""


def test_both_cameras_of_a_table_are_looked_at(table: Path) -> None:
    cameras = '[camera]\nsource = "rendered:"\n[second_camera]\nsource = "usb:none"\ncalibration = "c"\n'
    table.write_text(table.read_text() + cameras)
    told = json.loads(asked("--config", str(table), "--json").stdout)
    colours = {finding["check"]: finding["colour"] for finding in told["findings"]}
    assert (colours["camera"], colours["picture"]) == ("green", "green")
    assert (colours["camera2"], colours["calibration2"], colours["felt"]) == ("red", "amber", "red")
    for language, title in (("en", "Second camera"), ("pl", "Druga kamera"), ("ru", "Вторая камера")):
        assert title in asked("--config", str(table), "--lang", language).stdout


def test_two_drawn_cameras_share_the_felt_and_nothing_is_red(table: Path) -> None:
    drawn = 'source = "rendered:"\n'
    table.write_text(table.read_text() + f"[camera]\n{drawn}[second_camera]\n{drawn}")
    told = json.loads(asked("--config", str(table), "--json").stdout)["findings"]
    (felt,) = [finding for finding in told if finding["check"] == "felt"]
    assert felt["colour"] == "green"
    assert "the second box1 box2 box3" in asked("--config", str(table)).stdout


def test_monitoring_gets_the_same_facts(table: Path) -> None:
    told = json.loads(asked("--config", str(table), "--json").stdout)
    assert told["ok"] is True
    checks = {finding["check"]: finding["colour"] for finding in told["findings"]}
    assert checks["rules"] == checks["eyes"] == checks["key"] == "green"
    assert set(scraped(asked("--config", str(table), "--prometheus").stdout)) == set(checks)


def test_a_metric_is_the_worst_of_its_check(table: Path) -> None:
    """Both from one look: how fast the disk answers may differ from one look to the next."""
    (table.parent / "data" / "keys" / "house.key").unlink()
    found = list(examine(table))
    worst = dict[str, int]()
    for one in found:
        worst[one.check] = max(worst.get(one.check, 0), ["green", "amber", "red"].index(one.colour))
    assert scraped(metrics(found)) == worst
    assert worst["key"] == 2


def scraped(text: str) -> dict[str, float]:
    (family,) = text_string_to_metric_families(text)
    return {sample.labels["check"]: sample.value for sample in family.samples}


def test_a_wrong_configuration_is_red_with_every_mistake(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    assert asked("--config", str(config)).exit_code == 1
    config.write_text('table = "T 1"\ndata = "d"\nrules = "nobody"\ncolour = 3\n')
    told = asked("--config", str(config)).stdout
    assert all(key in told for key in ("table:", "rules:", "colour:"))


def test_without_a_configuration_the_computer_alone_is_looked_at() -> None:
    done = asked("--json")
    checks = [finding["check"] for finding in json.loads(done.stdout)["findings"]]
    assert done.exit_code == 0
    assert {"python", "libraries", "sqlite", "clock", "config", "eyes"} <= set(checks)


def test_where_krupier_is_not_on_the_path_the_page_says_where_it_is(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    lines = asked("--config", str(table)).stdout.splitlines()
    told = next(line for line in lines if line.startswith("The steps say krupier"))
    assert Path(told.split()[-1]).exists()
