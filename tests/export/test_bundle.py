"""A bundle proves a round to a stranger: any byte changed in it is found, and a forger's key is not the house's."""

import io
import zipfile
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.export.archive import pack, unpack
from table_controller.export.bundle import Manifest, sign, verify_bundle
from table_controller.export.masking import boxes_of
from table_controller.games import GAMES
from table_controller.journal.day import open_day
from table_controller.journal.errors import JournalDamaged, KeyUnusable, NotKept
from table_controller.journal.evidence import evidence_folder
from table_controller.journal.keys import fingerprint, make_key, public_hex
from table_controller.journal.record import Draft
from table_controller.journal.slice import read_slice, write_slice
from table_controller.journal.verify import Verdict, verify_file
from tests.evening import EveningClock, rows
from tests.export.conftest import BOX, DISPUTED, Evening, forge


@pytest.fixture(scope="module")
def bundle(evening: Evening, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evening.bundle(tmp_path_factory.mktemp("bundle"))


@pytest.fixture(scope="module")
def one_box(evening: Evening, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evening.bundle(tmp_path_factory.mktemp("bundle"), box=BOX)


def changed(bundle: Path, name: str, content: bytes) -> Verdict:
    """What is said of the bundle when one member is replaced and everything else left as it was."""
    other = bundle.with_name(f"changed-{name.replace('/', '-')}.zip")
    other.write_bytes(pack({**unpack(bundle.read_bytes()), name: content}))
    return verify_bundle(other)


@pytest.mark.parametrize("box", [None, BOX])
def test_a_bundle_is_good_as_it_was_made(evening: Evening, tmp_path: Path, box: int | None) -> None:
    verdict = verify_bundle(evening.bundle(tmp_path, box=box))
    assert (verdict.ok, verdict.reason, verdict.closed) == (True, None, True)
    assert (verdict.head, verdict.fingerprint) == _identity(verify_file(evening.path))


def _identity(verdict: Verdict) -> tuple[str | None, str | None]:
    return verdict.head, verdict.fingerprint


def test_a_bundle_holds_all_a_stranger_needs(bundle: Path) -> None:
    assert set(unpack(bundle.read_bytes())) == {
        "evidence/box-3.jpg",
        "evidence/table.jpg",
        "house.pub",
        "journal.jsonl",
        "manifest.json",
        "manifest.sig",
        "report.html",
        "rules.json",
        "screen.json",
    }


@settings(max_examples=400, deadline=None)
@given(at=st.integers(0, 1 << 40), difference=st.integers(1, 255))
def test_any_byte_changed_in_a_bundle_is_found(bundle: Path, at: int, difference: int) -> None:
    content = bytearray(bundle.read_bytes())
    content[at % len(content)] ^= difference
    other = bundle.with_name("flipped.zip")
    other.write_bytes(content)
    assert not verify_bundle(other).ok


@settings(max_examples=200, deadline=None)
@given(at=st.integers(0, 1 << 40), difference=st.integers(1, 255))
def test_a_byte_changed_in_a_shown_record_names_that_record(bundle: Path, at: int, difference: int) -> None:
    members = unpack(bundle.read_bytes())
    lines = members["journal.jsonl"].split(b"\n")
    shown = [number for number, line in enumerate(lines) if line.startswith(b"[")]
    number = shown[at % len(shown)]
    line = bytearray(lines[number])
    line[at % len(line)] ^= difference
    lines[number] = bytes(line)
    verdict = changed(bundle, "journal.jsonl", b"\n".join(lines))
    assert not verdict.ok
    hidden_before = 0
    while number - hidden_before > 1 and lines[number - hidden_before - 1].startswith(b'"'):
        hidden_before += 1
    assert verdict.first_bad in range(number - hidden_before, number + 1)


def test_a_record_whose_salt_or_hash_is_spelt_another_way_is_named(bundle: Path) -> None:
    """The last letter before the padding has bits that mean nothing."""
    lines = unpack(bundle.read_bytes())["journal.jsonl"].split(b"\n")
    last = max(number for number, line in enumerate(lines) if line.startswith(b"["))
    letter = lines[last][-4]
    lines[last] = lines[last][:-4] + bytes([letter + 1]) + lines[last][-3:]
    assert changed(bundle, "journal.jsonl", b"\n".join(lines)).first_bad == last


def test_records_of_the_round_are_named_exactly(evening: Evening, bundle: Path) -> None:
    members = unpack(bundle.read_bytes())
    paid = next(row for row in rows(evening.path) if row.kind == "event.bet_settled" and row.round == DISPUTED)
    content = members["journal.jsonl"].replace(paid.body[:-1].replace(b'"', b'\\"'), b"{}", 1)
    assert changed(bundle, "journal.jsonl", content).first_bad == paid.seq


@pytest.mark.parametrize("name", ["report.html", "screen.json", "evidence/table.jpg", "evidence/box-3.jpg"])
def test_a_changed_file_is_named(bundle: Path, name: str) -> None:
    content = unpack(bundle.read_bytes())[name]
    assert changed(bundle, name, content + b" ").reason == f"{name} is not the file that was put in"


def test_a_file_left_out_or_added_is_named(bundle: Path) -> None:
    members = unpack(bundle.read_bytes())
    other = bundle.with_name("other.zip")
    other.write_bytes(pack({name: content for name, content in members.items() if name != "report.html"}))
    assert verify_bundle(other).reason == "report.html is missing"
    assert changed(bundle, "note.txt", b"he was paid").reason == "note.txt was added"


def resigned(bundle: Path, key: Ed25519PrivateKey, name: str, content: bytes) -> Verdict:
    """One member replaced and the list signed again, by whoever has this key."""
    members = {**unpack(bundle.read_bytes()), name: content}
    manifest = msgspec.json.decode(members.pop("manifest.json"), type=Manifest)
    del members["manifest.sig"]
    other = bundle.with_name("resigned.zip")
    other.write_bytes(sign(manifest, members, key))
    return verify_bundle(other)


def test_other_rules_than_those_recorded_are_found_even_if_the_house_signs_them(evening: Evening, bundle: Path) -> None:
    rules = unpack(bundle.read_bytes())["rules.json"].replace(b'"bj_pays":[3,2]', b'"bj_pays":[6,5]')
    verdict = resigned(bundle, evening.key, "rules.json", rules)
    opened = next(row for row in rows(evening.path) if row.kind == "event.table_opened")
    assert verdict.first_bad == opened.seq
    assert "rules.json is not the rule set" in str(verdict.reason)


def test_other_evidence_than_that_recorded_is_found_even_if_the_house_signs_it(evening: Evening, bundle: Path) -> None:
    verdict = resigned(bundle, evening.key, "evidence/table.jpg", b"another picture")
    kept = next(row for row in rows(evening.path) if row.kind == "journal.evidence_kept")
    assert verdict.first_bad == kept.seq


def test_a_list_signed_by_another_key_is_found(bundle: Path, tmp_path: Path) -> None:
    report = unpack(bundle.read_bytes())["report.html"].replace(b"lost", b"won")
    assert not resigned(bundle, make_key(tmp_path / "forger.key"), "report.html", report).ok


def test_a_forgery_sealed_with_a_key_of_its_own_is_good_only_to_itself(evening: Evening, tmp_path: Path) -> None:
    forged = forge(evening, tmp_path, b'"result":"lose"', b'"result":"push"')
    true, false = verify_file(evening.path), verify_file(forged.path)
    assert false.ok
    assert false.fingerprint != true.fingerprint
    assert false.head != true.head
    verdict = verify_bundle(forged.bundle(tmp_path))
    assert verdict.ok
    assert (verdict.fingerprint, verdict.head) == (false.fingerprint, false.head)


def test_a_players_bundle_shows_no_other_box(one_box: Path) -> None:
    content = one_box.read_bytes()
    found = read_slice(unpack(content)["journal.jsonl"])
    said = [GAMES["blackjack"].words.read(row) for row in found.shown]
    assert {box for one in said for box in boxes_of(one)} == {BOX}
    assert not any(row.kind in ("event.round_settled", "event.bets_closed") for row in found.shown)
    for name in (b"player-a", b"player-c", b"whole table"):
        assert name not in content
    assert set(unpack(content)) >= {"evidence/box-3.jpg"}
    assert "screen.json" not in unpack(content)


def test_a_players_report_shows_his_cards_and_the_dealers_alone(one_box: Path) -> None:
    report = unpack(one_box.read_bytes())["report.html"].decode()
    assert "Box 3" in report
    assert "Box 1" not in report
    assert "Box 5" not in report


def test_a_bundle_is_made_only_with_the_key_of_its_journal(evening: Evening, tmp_path: Path) -> None:
    with pytest.raises(KeyUnusable, match="sealed with another key"):
        Evening(evening.path, make_key(tmp_path / "other.key")).bundle(tmp_path)


def test_a_box_without_a_bet_has_no_bundle(evening: Evening, tmp_path: Path) -> None:
    with pytest.raises(NotKept, match="box 7 had no part in round 2"):
        evening.bundle(tmp_path, box=7)


def test_evidence_that_is_gone_or_changed_stops_the_export(evening: Evening, tmp_path: Path) -> None:
    picture = evidence_folder(evening.path, DISPUTED) / "table.jpg"
    content = picture.read_bytes()
    try:
        picture.write_bytes(b"another picture")
        with pytest.raises(JournalDamaged, match=r"table\.jpg is not the evidence"):
            evening.bundle(tmp_path)
        picture.unlink()
        with pytest.raises(NotKept, match="the record says this evidence was kept"):
            evening.bundle(tmp_path)
    finally:
        picture.write_bytes(content)


def test_a_slice_that_ends_early_is_found(bundle: Path) -> None:
    members = unpack(bundle.read_bytes())
    lines = members["journal.jsonl"].split(b"\n")
    shorter = b"\n".join([*lines[:-4], b""])
    verdict = changed(bundle, "journal.jsonl", shorter)
    assert verdict.reason == f"records are missing after {len(lines) - 5}"


def test_masked_rows_leave_nothing_to_guess_from(evening: Evening) -> None:
    """The same card dealt twice has two digests, for each row has a salt of its own."""
    first = write_slice(rows(evening.path), lambda _: False).split(b"\n")
    masked = [line for line in first if line.startswith(b'"')]
    assert len(masked) == len(set(masked))
    assert len({row.salt for row in rows(evening.path)}) == len(rows(evening.path))


def test_another_key_put_beside_the_journal_is_named(bundle: Path, tmp_path: Path) -> None:
    other = public_hex(make_key(tmp_path / "other.key").public_key()).encode() + b"\n"
    assert changed(bundle, "house.pub", other).reason == "house.pub is not the key of this journal"
    assert changed(bundle, "house.pub", b"no key").reason == "house.pub is no key"


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_compressed_bundle_is_refused_before_it_is_unpacked(bundle: Path, method: int) -> None:
    """What is never made here is never decompressed: a damaged stream could end in anything."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in unpack(bundle.read_bytes()).items():
            archive.writestr(name, content)
    damaged = bytearray(buffer.getvalue())
    damaged[60:90] = bytes(30)
    other = bundle.with_name("compressed.zip")
    other.write_bytes(damaged)
    assert verify_bundle(other).reason == "the bundle is compressed; none that is made here is"


@pytest.mark.parametrize("body", [b"[]", b"rules", b'{"rules":' + b"[" * 200_000])
def test_rules_that_cannot_be_read_are_the_first_bad_record(tmp_path: Path, body: bytes) -> None:
    key = make_key(tmp_path / "house.key")
    day = open_day(tmp_path / "T07-2026-11-29.db", key, EveningClock())
    day.writer.write([Draft(kind="event.table_opened", body=body, source="judge")], seal=True)
    head = day.writer.head.hash.hex()
    day.leave()
    members = {"journal.jsonl": write_slice(rows(day.path), lambda _: True), "rules.json": b"{}\n"}
    manifest = Manifest(
        table="T07",
        day="2026-11-29",
        round=1,
        box=None,
        language="en",
        made_at_ns=1,
        head=head,
        fingerprint=fingerprint(key.public_key()),
        files={},
    )
    other = tmp_path / "bundle.zip"
    other.write_bytes(sign(manifest, members, key))
    verdict = verify_bundle(other)
    assert (verdict.ok, verdict.first_bad) == (False, 2)
