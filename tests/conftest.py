"""What every room's tests may use."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.journal.keys import make_key


@pytest.fixture
def house_key(tmp_path: Path) -> Ed25519PrivateKey:
    return make_key(tmp_path / "keys" / "house.key")
