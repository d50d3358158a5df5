"""What a disk may hold after the power went: all that was synced, and a random part of what was not."""

import random
from pathlib import Path


class Disk:
    """Follows the files of one folder: contents by inode, so that a renamed file stays synced, names by folder sync."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._contents: dict[int, bytes] = {}
        self._names: dict[str, int] = {}

    def settled(self) -> None:
        """Everything that lies there now is safe."""
        for path in self._files():
            self._contents[path.stat().st_ino] = path.read_bytes()
        self._names = {path.name: path.stat().st_ino for path in self._files()}

    def synced(self, name: str) -> None:
        """A file, or the folder itself, was synced."""
        path = Path(name)
        if path == self._folder:
            self._names = {found.name: found.stat().st_ino for found in self._files()}
        elif path.is_file():
            self._contents[path.stat().st_ino] = path.read_bytes()

    def lose_power(self, chance: random.Random) -> None:
        """Tears unsynced changes at a random byte; unsynced names come and go by chance; shared memory is gone."""
        removed = [name for name in self._names if not (self._folder / name).exists()]
        for path in list(self._files()):
            if path.name.endswith("-shm") or (path.name not in self._names and chance.random() < 0.5):
                path.unlink()
            else:
                self._tear(path, chance)
        for name in removed:
            if not name.endswith("-shm") and chance.random() < 0.5:
                (self._folder / name).write_bytes(self._contents[self._names[name]])

    def _tear(self, path: Path, chance: random.Random) -> None:
        safe, now = self._contents.get(path.stat().st_ino, b""), path.read_bytes()
        if safe == now:
            return
        pairs = enumerate(zip(safe, now, strict=False))
        first = next((at for at, (old, new) in pairs if old != new), min(len(safe), len(now)))
        cut = chance.randint(first, len(now))
        path.chmod(0o640)
        path.write_bytes(now[:cut] + safe[cut:])

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("T07*"))
