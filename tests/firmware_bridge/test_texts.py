"""Every sentence people see exists in Polish, English and Russian, with the same blanks."""

from string import Template

import pytest

from firmware_bridge.describe import describe
from firmware_bridge.events import DeviceEvent, EventKind
from firmware_bridge.outputs import Refusal
from firmware_bridge.texts import LANGUAGES, sentences, text

PORT_CHECKS = {
    "permission",
    "busy",
    "gone",
    "not_found",
    "not_a_port",
    "io_error",
    "no_answer",
    "no_jumper",
    "keys_unreadable",
}


@pytest.mark.parametrize("name", sorted(sentences()))
def test_a_sentence_has_three_languages_and_one_set_of_blanks(name: str) -> None:
    versions = sentences()[name]
    assert set(versions) == set(LANGUAGES)
    assert len({frozenset(Template(version).get_identifiers()) for version in versions.values()}) == 1
    assert len(set(versions.values())) == 3


def test_every_refusal_and_every_trouble_of_a_port_says_what_to_do() -> None:
    for check in PORT_CHECKS | {refusal.value for refusal in Refusal}:
        assert "/dev/x" in text(check, "en", path="/dev/x") or check == "not_found"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [*EventKind, 200])
def test_every_event_can_be_told_in_every_language(kind: int, language: str) -> None:
    assert describe(DeviceEvent("d", 1, 1, kind, 0x12, 3, 0, None), language)
