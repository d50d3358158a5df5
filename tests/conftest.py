"""What every room's tests may use."""

import inspect
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import settings

from table_controller.journal.keys import make_key

# No test depends on how fast this machine is, nor on luck: the suite draws the same examples at every run, so that a
# commit is good or is not. `make search` draws new ones every time.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

CHROMIUM = Path("/usr/bin/chromium")
IN_A_BROWSER = ("sync_playwright", "chromium(", "playwright.")


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: tests of processes, pages and serial lines mostly wait."""
    cores = os.cpu_count() or 2
    return cores + cores // 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without Debian's Chromium the tests that look at pages are left out, and say so, but where all must run."""
    if CHROMIUM.exists() or "KRUPIER_NEEDS_BOARD" in os.environ:
        return
    for item in items:
        if isinstance(item, pytest.Function) and _needs_a_browser(item):
            item.add_marker(pytest.mark.skip(reason="needs Debian's chromium"))


def _needs_a_browser(item: pytest.Function) -> bool:
    if {"browser", "page"} & set(item.fixturenames):
        return True
    return any(word in inspect.getsource(item.function) for word in IN_A_BROWSER)


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one, for long records in tests that are not about the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def house_key(tmp_path: Path) -> Ed25519PrivateKey:
    return make_key(tmp_path / "keys" / "house.key")
