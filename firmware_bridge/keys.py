"""The pairing keys of this computer, one per board, in a file only its owner can read."""

import json
import os
import re
import stat
from pathlib import Path

from firmware_bridge.errors import KeysUnreadable
from firmware_bridge.tags import KEY_BYTES

_DEVICE = re.compile(r"[0-9a-f]{16}")
REMEDY = "restore it or pair the boards again"
_KEY = re.compile(rf"[0-9a-f]{{{2 * KEY_BYTES}}}")


def default_path() -> Path:
    """$KRUPIER_KEYS, or bridge-keys.json in the user's configuration folder."""
    if named := os.environ.get("KRUPIER_KEYS"):
        return Path(named)
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "krupier" / "bridge-keys.json"


class KeyFile:
    """Reads at each question, so that a pairing or a revocation counts at the next hello."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def key_of(self, device: str) -> bytes | None:
        """The board's key, None if it is not paired with us. Raises KeysUnreadable."""
        return self.all().get(device)

    def all(self) -> dict[str, bytes]:
        """Every paired board and its key. A missing file is an empty one."""
        try:
            mode = stat.S_IMODE(self.path.stat().st_mode)
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            raise KeysUnreadable(f"{self.path} cannot be read: {error}") from error
        if mode & 0o077:
            raise KeysUnreadable(f"{self.path} is open to other users; run: chmod 600 {self.path}")
        return self._parse(text)

    def put(self, device: str, key: bytes) -> None:
        """Pair: replaces an older key of the same board."""
        self._write({**self.all(), device: key})

    def forget(self, device: str) -> bool:
        """Revoke; whether there was a key."""
        keys = self.all()
        known = keys.pop(device, None) is not None
        if known:
            self._write(keys)
        return known

    def _parse(self, text: str) -> dict[str, bytes]:
        try:
            entries = json.loads(text)
        except json.JSONDecodeError as error:
            raise KeysUnreadable(f"{self.path} line {error.lineno} is not JSON; {REMEDY}") from error
        if not isinstance(entries, dict):
            raise KeysUnreadable(f"{self.path} must hold one JSON object; {REMEDY}")
        for device, key in entries.items():
            if not (_DEVICE.fullmatch(device) and isinstance(key, str) and _KEY.fullmatch(key)):
                raise KeysUnreadable(f"{self.path}: the entry {device!r} is damaged; pair that board again")
        return {device: bytes.fromhex(key) for device, key in entries.items()}

    def _write(self, keys: dict[str, bytes]) -> None:
        """Replaces the file as a whole, so that a power cut leaves the old one or the new one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump({device: key.hex() for device, key in sorted(keys.items())}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
