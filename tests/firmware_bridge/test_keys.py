"""The file of pairing keys."""

from pathlib import Path

import pytest

from firmware_bridge.errors import KeysUnreadable
from firmware_bridge.keys import KeyFile

DEVICE, KEY = "0123456789abcdef", bytes(range(16))


def test_a_paired_board_is_known_until_it_is_revoked(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "deep" / "keys.json")
    assert keys.key_of(DEVICE) is None
    keys.put(DEVICE, KEY)
    assert keys.key_of(DEVICE) == KEY
    assert keys.forget(DEVICE)
    assert keys.key_of(DEVICE) is None
    assert not keys.forget(DEVICE)


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    keys.put(DEVICE, KEY)
    assert keys.path.stat().st_mode & 0o777 == 0o600
    keys.path.chmod(0o644)
    with pytest.raises(KeysUnreadable, match="chmod 600"):
        keys.all()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "line 1 is not JSON"),
        ("[]", "one JSON object"),
        ('{"0123456789abcdef": "12"}', "'0123456789abcdef' is damaged"),
        ('{"board": "000102030405060708090a0b0c0d0e0f"}', "'board' is damaged"),
        ('{"0123456789abcdef": 7}', "is damaged"),
    ],
)
def test_a_damaged_file_says_what_is_wrong_and_what_to_do(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(KeysUnreadable, match=f"{says}.*pair"):
        KeyFile(path).all()
