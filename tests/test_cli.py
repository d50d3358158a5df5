"""The command itself: it works without the rooms that are not installed."""

from click.testing import CliRunner

from table_controller.cli import main, unavailable


def test_a_command_whose_library_is_absent_says_what_to_install() -> None:
    result = CliRunner().invoke(unavailable("read", "vision", "cv2"), ["photo.jpg", "--deck", "house.npz"])
    assert result.exit_code == 2
    assert result.stderr == "krupier: read photo.jpg --deck house.npz: needs cv2; pip install 'krupier[vision]'\n"


def test_help_lists_every_room() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "read" in result.stdout
