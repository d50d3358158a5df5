"""Who comes in: the first administrator, people by password and by PIN, and nobody by trying."""

import ssl
import stat
from http.client import HTTPSConnection
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from dashboard import create_app
from dashboard.cli import window
from dashboard.house import EXTENSION, House
from dashboard.passwords import weak_password, weak_pin
from dashboard.people import People
from dashboard.settings import Settings
from dashboard.signing_in import first_code
from dashboard.tls import certificate, fingerprint
from table_controller.core.house import Language
from table_controller.core.people import Role
from tests.dashboard.browsing import serving
from tests.dashboard.world import ORIGIN, PASSWORD, PIN, make_people, post, token


@pytest.fixture
def empty(tmp_path: Path) -> Flask:
    return create_app(Settings(data=tmp_path, language=Language.ENGLISH))


@pytest.fixture
def peopled(tmp_path: Path) -> Flask:
    make_people(tmp_path)
    return create_app(Settings(data=tmp_path, language=Language.ENGLISH))


def house_of(app: Flask) -> House:
    found = app.extensions[EXTENSION]
    assert isinstance(found, House)
    return found


def first(client: FlaskClient, code: str, **fields: str) -> str:
    known = {"code": code, "name": "Alex", "password": "a long enough word", "pin": "2580"}
    return post(client, "/first", False, **{**known, **fields}).headers["Location"]


def test_a_new_house_has_no_account_and_no_default_password(empty: Flask) -> None:
    client = empty.test_client()
    assert client.get("/sign-in").headers["Location"] == "/first"
    for name, word in (("admin", "admin"), ("administrator", "administrator"), ("root", "")):
        assert post(client, "/sign-in", name=name, password=word).headers["Location"] == "/sign-in"


def test_the_first_administrator_knows_the_code_of_the_console(empty: Flask) -> None:
    client, code = empty.test_client(), first_code(house_of(empty))
    assert first(client, "00000000") == "/first"
    assert first(client, code, password="short") == "/first"
    assert first(client, code, pin="1234") == "/first"
    assert not house_of(empty).people.anybody()
    assert first(client, code) == "/"
    account = house_of(empty).people.account("Alex")
    assert account is not None
    assert account.role is Role.ADMINISTRATOR
    assert client.get("/people/").status_code == 200


def test_there_is_only_one_first_administrator(empty: Flask) -> None:
    code = first_code(house_of(empty))
    first(empty.test_client(), code)
    assert first(empty.test_client(), code, name="Robin") == "/sign-in"
    assert house_of(empty).people.account("Robin") is None


def test_passwords_and_pins_are_kept_as_argon2_and_tokens_as_digests(peopled: Flask) -> None:
    client = peopled.test_client()
    post(client, "/sign-in", name="dealer", password=PASSWORD)
    path = house_of(peopled).settings.people
    stored = b"".join(file.read_bytes() for file in path.parent.glob("people.db*"))
    with client.session_transaction() as session:
        assert session["token"].encode() not in stored
    assert PASSWORD.encode() not in stored
    assert b"$argon2id$" in stored
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_pin_is_enough_on_a_tablet_of_the_house_and_nowhere_else(peopled: Flask) -> None:
    tablet, stranger = peopled.test_client(), peopled.test_client()
    assert post(stranger, "/sign-in", name="dealer", pin=PIN).headers["Location"] == "/sign-in"
    post(tablet, "/sign-in", name="administrator", password=PASSWORD)
    post(tablet, "/people/tablets", label="pit 1")
    post(tablet, "/sign-out")
    page = tablet.get("/sign-in").text
    assert 'value="dealer"' in page
    assert 'value="dealer"' not in stranger.get("/sign-in").text
    assert post(tablet, "/sign-in", name="dealer", pin=PIN).headers["Location"] == "/"
    assert tablet.get("/tables").status_code == 200


def test_a_tablet_that_was_removed_is_a_stranger_again(peopled: Flask) -> None:
    tablet = peopled.test_client()
    post(tablet, "/sign-in", name="administrator", password=PASSWORD)
    post(tablet, "/people/tablets", label="pit 1")
    (known,) = house_of(peopled).sessions.tablets()
    post(tablet, "/people/tablets/dismiss", token=known.token)
    post(tablet, "/sign-out")
    assert post(tablet, "/sign-in", name="dealer", pin=PIN).headers["Location"] == "/sign-in"


def test_wrong_passwords_lock_the_password_and_not_the_pin_in_use_at_a_table(peopled: Flask) -> None:
    people = house_of(peopled).people
    for _ in range(3):
        people.check("pit_boss", "wrong", "password", 1000, (3, 60))
    assert people.check("pit_boss", PASSWORD, "password", 1001, (3, 60)) is None
    assert people.check("pit_boss", PIN, "pin", 1001, (3, 60)) is not None
    assert people.check("pit_boss", PASSWORD, "password", 1061, (3, 60)) is not None


def test_many_tries_from_one_place_are_slowed_down_whoever_they_name(peopled: Flask) -> None:
    client = peopled.test_client()
    mark = token(client)
    codes = [
        client.post("/sign-in", data={"csrf_token": mark, "name": f"n{n}", "password": "x"}, headers=ORIGIN).status_code
        for n in range(25)
    ]
    assert codes[0] == 302
    assert codes[-1] == 429


def test_nobody_changes_the_own_role_or_disables_oneself(peopled: Flask) -> None:
    client = peopled.test_client()
    post(client, "/sign-in", name="administrator", password=PASSWORD)
    post(client, "/people/change", name="administrator", what="active", value="0")
    account = house_of(peopled).people.account("administrator")
    assert account is not None
    assert account.active


def test_everything_done_to_accounts_is_kept_with_who_did_it(peopled: Flask) -> None:
    client = peopled.test_client()
    post(client, "/sign-in", name="administrator", password=PASSWORD)
    post(client, "/people/change", name="dealer", what="role", value="pit_boss")
    post(client, "/people/change", name="dealer", what="active", value="0")
    told = [(deed.by, deed.what, deed.whom) for deed in house_of(peopled).people.deeds(2)]
    assert told == [("administrator", "active", "dealer"), ("administrator", "role", "dealer")]


def test_each_person_has_language_and_theme(peopled: Flask) -> None:
    client = peopled.test_client()
    post(client, "/sign-in", name="dealer", password=PASSWORD)
    post(client, "/me/looks", language="ru", theme="light")
    page = client.get("/me").text
    assert '<html lang="ru" data-theme="light">' in page
    assert "Язык" in page


@pytest.mark.parametrize(
    ("pin", "weak"), [("1111", True), ("1234", True), ("9876", True), ("12", True), ("2580", False)]
)
def test_pins_everybody_would_try_are_refused(pin: str, weak: bool) -> None:
    assert weak_pin(pin) is weak


@pytest.mark.parametrize(
    ("word", "weak"), [("short", True), ("Alexander the great", True), ("a long enough word", False)]
)
def test_passwords_that_are_short_or_the_name_are_refused(word: str, weak: bool) -> None:
    assert weak_password(word, "alexander") is weak


def test_people_can_be_added_and_disabled_without_a_browser(tmp_path: Path) -> None:
    run = CliRunner()
    added = run.invoke(
        window, ["add", "--data", str(tmp_path), "--name", "Kim", "--role", "dealer"], input="a long enough word\n"
    )
    assert added.exit_code == 0, added.output
    assert run.invoke(window, ["disable", "--data", str(tmp_path), "Kim"]).exit_code == 0
    account = People(tmp_path / "people.db").account("Kim")
    assert account is not None
    assert not account.active
    assert run.invoke(window, ["disable", "--data", str(tmp_path), "Nobody"]).exit_code == 2


def test_who_may_do_what_can_be_printed(tmp_path: Path) -> None:
    printed = CliRunner().invoke(window, ["access"])
    assert printed.exit_code == 0
    lines = printed.output.splitlines()
    assert lines[0] == "sort,name,act,dealer,pit_boss,surveillance,technician,administrator,proof"
    assert "command,void_round,correct,,yes,,,yes,pin second" in lines
    assert list(tmp_path.iterdir()) == []


def test_a_house_can_serve_over_tls_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    with serving(tmp_path, "--tls", "--name", "pit.local") as address:
        kept, _ = certificate(tmp_path / "keys", ())
        trust = ssl.create_default_context(cafile=str(kept))
        browser = HTTPSConnection("127.0.0.1", int(address.rsplit(":", 1)[1]), context=trust)
        browser.request("GET", "/first")
        answer = browser.getresponse()
        cookie = answer.headers["Set-Cookie"]
        browser.close()
    assert answer.status == 200
    assert cookie.startswith("__Host-krupier=")
    assert "Secure" in cookie
    assert answer.headers["Strict-Transport-Security"]
    assert len(fingerprint(kept).split(":")) == 32
    assert fingerprint(kept) in (tmp_path / "window.log").read_text()
    assert stat.S_IMODE((tmp_path / "keys" / "window.key").stat().st_mode) == 0o600
