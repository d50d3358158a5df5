"""A recorded evening and the window before it; nobody plays any more."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from dashboard import create_app
from dashboard.settings import Settings
from table_controller.core.house import Language
from table_controller.core.people import Role
from table_controller.journal.keys import make_key
from table_controller.play.recorded import RecordedFelt
from tests.dashboard.recorded_evening import record_evening
from tests.dashboard.world import PASSWORD, make_people, post

ROUNDS = 48


class Evening:
    """The folder of the record, the table as it stood at the end, and the window."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.felt: RecordedFelt = record_evening(data, make_key(data / "keys" / "house.key"), ROUNDS)
        make_people(data)
        self.app: Flask = create_app(Settings(data=data, language=Language.ENGLISH, limits=False))

    def signed_in(self, role: Role = Role.PIT_BOSS) -> FlaskClient:
        """A browser of the person with that role."""
        client = self.app.test_client()
        assert post(client, "/sign-in", name=role.value, password=PASSWORD).headers["Location"] == "/"
        return client


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    made = Evening(tmp_path_factory.mktemp("evening"))
    yield made
    made.felt.recorder.leave()


@pytest.fixture
def desk(evening: Evening) -> FlaskClient:
    return evening.signed_in()
