"""What every room's tests may use."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.journal.keys import make_key


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one, for long records in tests that are not about the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def house_key(tmp_path: Path) -> Ed25519PrivateKey:
    return make_key(tmp_path / "keys" / "house.key")
