"""The shelf of releases: `<shelf>/releases/<version>/` each a whole environment, `<shelf>/current` the one in use.

A release counts only once its mark was written, and `current` changes by one rename, so that whatever is broken off
leaves either the old or the new release in use, never half of one.
"""

import os
import shutil
from pathlib import Path
from typing import Final

MARK: Final = ".complete"


class Shelf:
    """The folder in which releases lie."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, version: str) -> Path:
        """Where a release of that version lies, or would lie."""
        return self.folder / "releases" / version

    def command(self, version: str) -> Path:
        """A release's own krupier."""
        return self.place(version) / "bin" / "krupier"

    def complete(self) -> list[str]:
        """The versions that may be used."""
        releases = self.folder / "releases"
        found = releases.iterdir() if releases.is_dir() else iter(())
        return sorted(release.name for release in found if (release / MARK).exists())

    def clear(self, version: str) -> None:
        """Take away what an update that was broken off left of a version."""
        if self.place(version).exists() and version not in self.complete():
            shutil.rmtree(self.place(version))

    def finish(self, version: str) -> None:
        """From now on the release counts."""
        handle = os.open(self.place(version) / MARK, os.O_WRONLY | os.O_CREAT, 0o644)
        os.fsync(handle)
        os.close(handle)

    def current(self) -> str | None:
        """The version in use."""
        return self._named("current")

    def previous(self) -> str | None:
        """The version that was in use before."""
        return self._named("previous")

    def use(self, version: str) -> None:
        """The release becomes the one in use, by one rename; the one before it is remembered."""
        before = self.current()
        if before not in (None, version):
            self._point("previous", str(before))
        self._point("current", version)

    def _named(self, link: str) -> str | None:
        path = self.folder / link
        return Path(os.readlink(path)).name if path.is_symlink() else None

    def _point(self, link: str, version: str) -> None:
        arriving = self.folder / f".{link}"
        arriving.unlink(missing_ok=True)
        arriving.symlink_to(Path("releases") / version)
        arriving.replace(self.folder / link)
        handle = os.open(self.folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)
