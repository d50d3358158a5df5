"""A dispute in one file: report, journal slice, rule set, public key, evidence, and a signed list of it all."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from table_controller.export.archive import is_as_packed, pack, unpack
from table_controller.journal.certificate import canonical
from table_controller.journal.errors import JournalDamaged, KeyUnusable
from table_controller.journal.evidence import EVIDENCE_KEPT, evidence_of
from table_controller.journal.keys import fingerprint, public_hex, public_key
from table_controller.journal.record import UNREADABLE, content_of
from table_controller.journal.slice import Slice, read_slice
from table_controller.journal.verify import Verdict

PURPOSE: Final = b"krupier bundle 1\n"
MANIFEST, SIGNATURE, KEY, SLICE, RULES = "manifest.json", "manifest.sig", "house.pub", "journal.jsonl", "rules.json"
REPORT, SCREEN, EVIDENCE = "report.html", "screen.json", "evidence/"


class Manifest(Struct, frozen=True, kw_only=True):
    """What the bundle is of and the SHA-256 of each of its files. `box` None: all boxes are shown."""

    table: str
    day: str
    round: int
    box: int | None
    language: str
    made_at_ns: int
    head: str
    fingerprint: str
    files: dict[str, str]


class _InForce(Struct):
    """Of a row that puts rules in force, what rules.json repeats."""

    rules: dict[str, Any]


def sign(manifest: Manifest, members: Mapping[str, bytes], key: Ed25519PrivateKey) -> bytes:
    """The bundle's bytes; `manifest.files` is filled in here."""
    members = {**members, KEY: public_hex(key.public_key()).encode() + b"\n"}
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(members.items())}
    text = canonical(msgspec.structs.replace(manifest, files=listed))
    signature = key.sign(PURPOSE + text).hex().encode() + b"\n"
    return pack({**members, MANIFEST: text, SIGNATURE: signature})


def verify_bundle(path: Path) -> Verdict:
    """Checks a bundle from itself alone. Never raises for a bad one; raises OSError if it cannot be read."""
    content = path.read_bytes()
    first_bad, reason, found = None, None, None
    try:
        members = unpack(content)
        found = _slice_of(members)
        _check_files(members, found)
        _check_rules(members, found)
        if not is_as_packed(content, members):
            raise JournalDamaged("the bundle was changed outside its files")
    except JournalDamaged as damage:
        reason, first_bad = damage.reason, damage.seq
    return Verdict(
        ok=reason is None,
        records=len(found.shown) if found else 0,
        first_bad=first_bad,
        reason=reason,
        path=str(path),
        table=found.opened.table if found else None,
        day=found.opened.day if found else None,
        head=found.head.hash.hex() if found else None,
        fingerprint=fingerprint(found.key) if found else None,
        sealed=found.sealed if found else 0,
        closed=found.closed if found else False,
    )


def manifest_of(members: Mapping[str, bytes], key: Ed25519PublicKey) -> Manifest:
    """The signed list; raises JournalDamaged if a byte of it or of its signature is not as the key's owner wrote it."""
    text, signature = _member(members, MANIFEST), _member(members, SIGNATURE)
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
        key.verify(bytes.fromhex(signature.decode().strip()), PURPOSE + text)
    except (InvalidSignature, *UNREADABLE):
        raise JournalDamaged("the list of files was not signed with the key of this journal") from None
    plain = bytes.fromhex(signature.decode()).hex().encode() + b"\n"  # the same could be written in capitals
    if (canonical(manifest), plain) != (text, signature):
        raise JournalDamaged("the list of files is not as it was written")
    return manifest


def _slice_of(members: Mapping[str, bytes]) -> Slice:
    found = read_slice(_member(members, SLICE))
    try:
        named = public_key(_member(members, KEY).decode().strip())
    except (KeyUnusable, UnicodeDecodeError):
        raise JournalDamaged(f"{KEY} is no key") from None
    if public_hex(named) != public_hex(found.key):
        raise JournalDamaged(f"{KEY} is not the key of this journal")
    return found


def _check_files(members: Mapping[str, bytes], found: Slice) -> None:
    manifest = manifest_of(members, found.key)
    if found.head.hash.hex() != manifest.head:
        raise JournalDamaged(f"records are missing after {found.head.seq}", found.head.seq + 1)
    for name, digest in manifest.files.items():
        if hashlib.sha256(_member(members, name)).hexdigest() != digest:
            raise JournalDamaged(f"{name} is not the file that was put in")
    surplus = set(members) - set(manifest.files) - {MANIFEST, SIGNATURE}
    if surplus:
        raise JournalDamaged(f"{sorted(surplus)[0]} was added")
    for row in found.shown:
        if row.kind == EVIDENCE_KEPT and row.round == manifest.round:
            kept = evidence_of(row)
            if manifest.files.get(EVIDENCE + kept.name) != kept.sha256:
                raise JournalDamaged(f"{kept.name} is not the evidence that record {row.seq} speaks of", row.seq)


def _check_rules(members: Mapping[str, bytes], found: Slice) -> None:
    recorded = [row for row in found.shown if row.kind in ("event.table_opened", "event.rules_changed")]
    if not recorded:  # the table was opened on an earlier day; the signed list alone vouches for the rules
        return
    rules = content_of(recorded[-1], _InForce).rules
    if msgspec.json.encode(rules, order="deterministic") + b"\n" != _member(members, RULES):
        seq = recorded[-1].seq
        raise JournalDamaged(f"{RULES} is not the rule set that record {seq} put in force", seq)


def _member(members: Mapping[str, bytes], name: str) -> bytes:
    try:
        return members[name]
    except KeyError:
        raise JournalDamaged(f"{name} is missing") from None
