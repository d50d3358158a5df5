"""Every page, every command: without signing in, with the wrong role, without token, from elsewhere, stale, hostile.

What is tried comes from the url map and the table of commands, so that no new page escapes.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import IntegerConverter

from dashboard.kinds import KINDS
from dashboard.roles import ACCESS, Act, act_of, is_public
from dashboard.security import HEADERS
from table_controller.core.people import Role
from tests.dashboard.samples import SAMPLES
from tests.dashboard.world import ORIGIN, PIN, World, make_world, token

PUBLIC = {
    "signing_in.sign_in",
    "signing_in.sign_in_now",
    "signing_in.first",
    "signing_in.first_now",
    "signing_in.choose_language",
    "live_feed.alive",
}
ENDS_THE_SESSION = {"signing_in.sign_out", "signing_in.lock"}
HOSTILE = (
    "<script>alert(1)</script>",
    "'; DROP TABLE people; --",
    "../../../../etc/passwd",
    "{{ 7 * 7 }}",
    "%s%n",
    "-1",
    "9" * 400,
    "٣",
    "1e999",
    "NaN",
    "\x00\x1b[2J",
    "a\r\nSet-Cookie: x=y",
    "\N{RIGHT-TO-LEFT OVERRIDE}abc",
    "",
)


class Door(NamedTuple):
    """A way into the window."""

    endpoint: str
    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def doors(app: Flask, text: str = "T01") -> Iterator[Door]:
    """Every rule and method; a number in a path is 1, a text `text`."""
    for rule in app.url_map.iter_rules():
        if rule.endpoint == "static":
            continue
        values: dict[str, Any] = {
            name: 1 if isinstance(converter, IntegerConverter) else text for name, converter in rule._converters.items()
        }
        with app.test_request_context():
            path = app.url_for(rule.endpoint, **values)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            yield Door(rule.endpoint, method, path)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = make_world(tmp_path_factory.mktemp("house"))
    yield world
    world.end()


@pytest.fixture(autouse=True)
def nobody_is_locked_out(house: World) -> None:
    """Hostile PINs lock accounts, as they should; each test begins anew."""
    house.people.do(("DELETE FROM failures", ()))


@pytest.fixture(scope="module")
def people(house: World) -> dict[Role, FlaskClient]:
    return {role: house.signed_in(role) for role in Role}


def knock(client: FlaskClient, door: Door, headers: dict[str, str] | None = None, **fields: str) -> int:
    answer = client.open(door.path, method=door.method, data=fields, headers=ORIGIN if headers is None else headers)
    return answer.status_code


def test_every_page_is_marked_with_what_opening_it_means(house: World) -> None:
    views = house.app.view_functions
    unmarked = {
        name for name, view in views.items() if name != "static" and act_of(view) is None and not is_public(view)
    }
    assert unmarked == set()
    assert {name for name, view in views.items() if is_public(view)} == PUBLIC


def test_nobody_sees_or_does_anything_without_signing_in(house: World) -> None:
    wrong = []
    for door in doors(house.app):
        client = house.app.test_client()
        status = knock(client, door, csrf_token=token(client))
        expected = {302} if door.method == "GET" else {401}
        if door.endpoint not in PUBLIC and status not in expected:
            wrong.append((str(door), status))
    assert wrong == []


def test_a_role_that_may_not_is_refused_everywhere(house: World, people: dict[Role, FlaskClient]) -> None:
    tried, wrong = 0, []
    for door in doors(house.app):
        act = act_of(house.app.view_functions[door.endpoint])
        for role in Role:
            if act is not None and role not in ACCESS[act]:
                tried += 1
                status = knock(people[role], door, csrf_token=token(people[role]))
                if status != 403:
                    wrong.append((str(door), role, status))
    assert wrong == []
    assert tried > 20


def test_every_form_needs_the_token_against_forgery(house: World, people: dict[Role, FlaskClient]) -> None:
    posts = [door for door in doors(house.app) if door.method != "GET"]
    told = {
        str(door): knock(people[Role.ADMINISTRATOR], door) for door in posts if door.endpoint not in ENDS_THE_SESSION
    }
    assert {door: status for door, status in told.items() if status != 400} == {}
    assert len(told) > 10


@pytest.mark.parametrize(
    "origin", [{}, {"Origin": "null"}, {"Origin": "http://localhost.evil"}, {"Origin": "https://localhost"}]
)
def test_every_form_must_come_from_a_page_of_the_window(
    house: World, people: dict[Role, FlaskClient], origin: dict[str, str]
) -> None:
    client = people[Role.ADMINISTRATOR]
    posts = [door for door in doors(house.app) if door.method != "GET"]
    told = {str(door): knock(client, door, origin, csrf_token=token(client)) for door in posts}
    assert {door: status for door, status in told.items() if status != 403} == {}


def test_hostile_input_is_refused_and_never_an_error_of_ours(house: World, people: dict[Role, FlaskClient]) -> None:
    client, wrong = people[Role.ADMINISTRATOR], []
    names = {name for fields in SAMPLES.values() for name in fields} | {
        "name",
        "value",
        "what",
        "role",
        "label",
        "token",
        "seed",
        "mistakes",
        "round",
    }
    for hostile in HOSTILE:
        for door in doors(house.app, text=hostile or "x"):
            if door.endpoint in ENDS_THE_SESSION:
                continue
            fields = dict.fromkeys(names, hostile) if door.method != "GET" else {}
            data = {"csrf_token": token(client), **fields}
            answer = client.open(door.path, method=door.method, data=data, headers=ORIGIN)
            if answer.status_code >= 500 or "<script>alert" in answer.text or "Set-Cookie: x" in str(answer.headers):
                wrong.append((str(door), hostile, answer.status_code))
    assert wrong == []
    assert house.people.account("administrator") is not None


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_hostile_fields_never_reach_the_table(house: World, people: dict[Role, FlaskClient], kind: str) -> None:
    client = people[Role.ADMINISTRATOR]
    before, wrong = len(house.controller.asked), []
    said = {**SAMPLES[kind], "id": "hostile-tap", "table": "T01", "version": "0"}
    for field in said:
        for hostile in HOSTILE:
            fields = {**_proof(kind), **said, field: hostile, "kind": kind, "csrf_token": token(client)}
            answer = client.post("/commands", data=fields, headers={**ORIGIN, "Accept": "application/json"})
            if answer.status_code not in (400, 409):
                wrong.append((field, hostile, answer.status_code))
    assert wrong == []
    heard = [bytes(ask.said).decode() for ask in house.controller.asked[before:]]
    assert not any(mark in text for text in heard for mark in ("\\u0000", "\\u001b", "\\r", "\u202e", "9" * 400))


def _proof(kind: str) -> dict[str, str]:
    return (
        {"pin": PIN, "second": "second", "second_pin": PIN} if KINDS[kind].second or KINDS[kind].maybe else {"pin": PIN}
    )


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_stale_command_is_refused_and_says_so(house: World, people: dict[Role, FlaskClient], kind: str) -> None:
    client, state = people[Role.ADMINISTRATOR], house.felt.state
    fields = {
        **_proof(kind),
        **SAMPLES[kind],
        "id": "stale-" + kind.replace("_", "-"),
        "table": "T01",
        "version": str(state.version - 1),
    }
    answer = client.post(
        "/commands",
        data={**fields, "kind": kind, "csrf_token": token(client)},
        headers={**ORIGIN, "Accept": "application/json"},
    )
    assert answer.json is not None
    assert (answer.status_code, answer.json["outcome"]) == (409, "stale"), answer.json
    assert house.felt.state is state


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_command_is_refused_to_every_role_that_may_not(
    house: World, people: dict[Role, FlaskClient], kind: str
) -> None:
    before = len(house.controller.asked)
    for role in set(Role) - ACCESS[KINDS[kind].act]:
        client = people[role]
        fields = {
            **_proof(kind),
            **SAMPLES[kind],
            "id": "role-tap",
            "table": "T01",
            "version": str(house.felt.state.version),
        }
        answer = client.post("/commands", data={**fields, "kind": kind, "csrf_token": token(client)}, headers=ORIGIN)
        assert answer.status_code == 403
    assert len(house.controller.asked) == before


@pytest.mark.parametrize("kind", sorted(name for name, kind in KINDS.items() if kind.pin))
def test_a_command_that_needs_a_pin_is_not_taken_without(
    house: World, people: dict[Role, FlaskClient], kind: str
) -> None:
    before, client = len(house.controller.asked), people[Role.PIT_BOSS]
    fields = {
        **_proof(kind),
        "pin": "",
        **SAMPLES[kind],
        "id": "no-pin-tap",
        "table": "T01",
        "version": "1",
        "kind": kind,
    }
    answer = client.post(
        "/commands", data={**fields, "csrf_token": token(client)}, headers={**ORIGIN, "Accept": "application/json"}
    )
    assert answer.json is not None
    assert answer.json["reason"] == "pin"
    assert len(house.controller.asked) == before


def test_every_answer_forbids_what_a_page_does_not_need(house: World, people: dict[Role, FlaskClient]) -> None:
    for door in doors(house.app):
        if door.method == "GET":
            answer = people[Role.ADMINISTRATOR].get(door.path)
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, str(door)
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
            assert answer.headers["Cache-Control"] != "", str(door)


def test_pages_hold_no_script_or_style_of_their_own(house: World, people: dict[Role, FlaskClient]) -> None:
    for door in doors(house.app):
        if door.method == "GET":
            text = people[Role.ADMINISTRATOR].get(door.path).text
            assert "<style" not in text
            assert " style=" not in text
            assert "onclick" not in text
            assert "<script>" not in text, str(door)


def test_a_locked_screen_shows_and_does_nothing(house: World) -> None:
    client = house.signed_in(Role.ADMINISTRATOR)
    mark = token(client)
    assert client.post("/lock", data={"csrf_token": mark}, headers=ORIGIN).headers["Location"] == "/unlock"
    wrong = []
    for door in doors(house.app):
        act = act_of(house.app.view_functions[door.endpoint])
        if act in (None, Act.SIGN_IN):
            continue
        status = knock(client, door, csrf_token=mark)
        if status != (302 if door.method == "GET" else 423):
            wrong.append((str(door), status))
    assert wrong == []
    assert client.post("/unlock", data={"csrf_token": mark, "word": PIN}, headers=ORIGIN).headers["Location"] == "/"
    assert client.get("/tables").status_code == 200


def test_a_session_that_idles_is_locked(house: World) -> None:
    client = house.signed_in(Role.DEALER)
    house.people.do(("UPDATE sessions SET seen_at = seen_at - 601 WHERE name = 'dealer'", ()))
    answer = client.get("/tables")
    house.people.do(("UPDATE sessions SET seen_at = seen_at + 601 WHERE name = 'dealer'", ()))
    assert answer.headers["Location"] == "/unlock"


def test_the_matrix_is_what_the_checks_do(house: World, people: dict[Role, FlaskClient]) -> None:
    text = people[Role.ADMINISTRATOR].get("/people/access?format=csv").text
    lines = {line.split(",")[1]: line for line in text.splitlines()}
    assert "GET /people/access" in lines
    for door in doors(house.app):
        act = act_of(house.app.view_functions[door.endpoint])
        if act is None or door.endpoint in ENDS_THE_SESSION or door.method != "GET":
            continue
        rule = next(rule for rule in house.app.url_map.iter_rules() if rule.endpoint == door.endpoint)
        cells = lines[f"GET {rule.rule}"].split(",")[3:8]
        passed = ["yes" if knock(people[role], door) != 403 else "" for role in Role]
        assert cells == passed, str(door)
