"""Worked cases of the five houses: what is asked, what is allowed, who is paid."""

import json
from pathlib import Path
from typing import Any

import pytest

from table_controller.play.cases import answer

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "cases/rounds.jsonl").read_text("utf-8").splitlines()
]
COLUMNS = ("kind", "box", "stake", "result", "net", "back", "hand", "when", "carried")


def of_kind(kind: str) -> pytest.MarkDecorator:
    cases = [case for case in CASES if case["kind"] == kind]
    assert cases
    return pytest.mark.parametrize("case", cases, ids=lambda case: f"{case['id']} {case['reason']}")


def answered(case: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps(answer(json.dumps(case).encode())))
    assert told.pop("id") == case["id"]
    return told


def ledger(lines: list[dict[str, Any]]) -> list[list[Any]]:
    return sorted(([line.get(column) for column in COLUMNS] for line in lines), key=repr)


@of_kind("blackjack_round")
def test_a_round_is_asked_and_paid_as_the_house_says(case: dict[str, Any]) -> None:
    told, wanted = answered(case), case["expect"]
    assert "error" not in told
    assert len(told["points"]) == len(wanted["points"])
    for point, expected in zip(told["points"], wanted["points"], strict=True):
        assert sorted(point["legal"]) == sorted(expected["legal"])
        for key in ("stage", "box", "hand", "total", "soft", "max", "do", "amount"):
            assert point.get(key) == expected.get(key)
    assert ledger(told["ledger"]) == ledger(wanted["ledger"])
    for key in ("net", "back", "carried", "house_net", "cards_used", "dealer", "hands"):
        assert told[key] == wanted[key]


@of_kind("protocol")
def test_a_script_of_physical_events_is_in_order_up_to_its_last_one(case: dict[str, Any]) -> None:
    statuses = [event["status"] for event in answered(case)["events"]]
    assert statuses == ["ok"] * (len(case["script"]) - 1) + [case["expect"]["last_event"]]


@of_kind("bet_check")
def test_bets_are_accepted_or_refused_with_every_reason(case: dict[str, Any]) -> None:
    told = answered(case)
    assert told["accept"] is case["expect"]["accept"]
    assert set(case["expect"]["reasons_include"]) <= set(told["reasons"])
    assert told["accept"] is not bool(told["reasons"])


@of_kind("session")
def test_a_session_keeps_the_houses_budget(case: dict[str, Any]) -> None:
    rounds = answered(case)["rounds"]
    assert [{key: told[key] for key in wanted} for told, wanted in zip(rounds, case["expect"], strict=True)] == (
        case["expect"]
    )


@of_kind("funds")
def test_a_player_cannot_stake_what_he_does_not_have(case: dict[str, Any]) -> None:
    assert sorted(answered(case)["legal"]) == sorted(case["expect"]["legal"])
