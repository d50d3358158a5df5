"""From a journal and a round to a bundle."""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.blackjack.rules import RuleSet, values_of
from table_controller.core.events import Disputed, Event, PayoutReported, RulesChanged, ShoeRanOut, TableOpened
from table_controller.core.house import Language
from table_controller.core.table import TableState
from table_controller.export.bundle import EVIDENCE, REPORT, RULES, SCREEN, SLICE, Manifest, sign
from table_controller.export.identity import Identity
from table_controller.export.masking import disputed_boxes, seen_by
from table_controller.export.round_report import RoundPaper, round_report
from table_controller.export.wording import Wording
from table_controller.houses import fingerprint as rules_fingerprint
from table_controller.journal.chain import DAY_CLOSED
from table_controller.journal.complaints import COMPLAINT_OPENED
from table_controller.journal.errors import JournalDamaged, KeyUnusable, NotKept
from table_controller.journal.evidence import EVIDENCE_KEPT, evidence_folder, evidence_of
from table_controller.journal.keys import fingerprint, public_hex
from table_controller.journal.record import Record, content_of
from table_controller.journal.slice import write_slice
from table_controller.journal.verify import opening
from table_controller.journal.vocabulary import STIMULUS
from table_controller.replay.opening import Recorded, load
from table_controller.replay.walk import Walk, rows_of_round

RULES_IN_FORCE = (TableOpened, RulesChanged)


class Ask(NamedTuple):
    """Which round, for whom (`box` None: everybody), in which language and zone, when it is made, its file's name."""

    number: int
    box: int | None
    language: Language
    zone: tzinfo
    made_at_ns: int
    bundle: str = "BUNDLE.zip"


class _Found(NamedTuple):
    """A round in its day: its rows, those the reader may see, and the row that put the rules in force."""

    day: Recorded
    rows: range
    seen: frozenset[int]
    ruled: int | None


class _Noted(Struct):
    """Of a note about a round: for whose box, None for the whole table."""

    box: int | None = None


def export(path: Path, ask: Ask, key: Ed25519PrivateKey) -> bytes:
    """The bundle of a round; raises NotKept if there is no such round or box, KeyUnusable if the key is another's."""
    day = load(path, _refuse)
    opened, named = opening(day.rows[0])
    if public_hex(named) != public_hex(key.public_key()):
        raise KeyUnusable(f"{path.name} was sealed with another key than the one given")
    found = _find(day, ask)
    evidence = dict(_evidence(path, found, ask))
    state = _last_sight(found)
    identity = Identity(opened.table, opened.day, day.rows[-1].hash.hex(), fingerprint(named))
    report = round_report(_paper(found, ask, identity, state, evidence), _wording(ask, state))
    members = {
        REPORT: report,
        RULES: msgspec.json.encode(_rules(found, state), order="deterministic") + b"\n",
        SLICE: write_slice(day.rows, lambda row: row.seq in found.seen),
        **{EVIDENCE + name: content for name, content in evidence.items()},
    }
    if ask.box is None:
        members[SCREEN] = day.game.write_state(state) + b"\n"
    return sign(_manifest(ask, identity), members, key)


def _find(day: Recorded, ask: Ask) -> _Found:
    rows = rows_of_round(day, ask.number)
    said = {seq: day.said(day.rows[seq - 1]) for seq in rows}
    played = sorted({box for one in said.values() if isinstance(box := getattr(one, "box", None), int)})
    if ask.box is not None and ask.box not in played:
        raise NotKept(f"box {ask.box} had no part in round {ask.number}; these had: {', '.join(map(str, played))}")
    before = [seq for seq in range(1, rows.stop) if day.rows[seq - 1].kind in _kinds(RULES_IN_FORCE)]
    seen = _seen(day, said, ask.box) | {row.seq for row in day.rows if _is_note_for(row, ask)}
    ruled = before[-1] if before else None
    if ruled is not None and (ask.box is None or day.rows[ruled - 1].kind not in _kinds((TableOpened,))):
        seen.add(ruled)  # the row that opens a table tells the bank's float, which is no player's business
    return _Found(day, rows, frozenset(seen), ruled)


def _seen(day: Recorded, course: Mapping[int, object], box: int | None) -> set[int]:
    """The rows of a round's course, without what the journal noted meanwhile; that may be about other rounds."""
    if box is None:
        return {seq for seq, one in course.items() if one is not None}
    asking = _kinds((Disputed, PayoutReported, ShoeRanOut))
    rows = [row for row in day.rows[: max(course)] if row.kind.startswith(STIMULUS) or row.kind in asking]
    return seen_by(box, course, disputed_boxes({row.seq: day.said(row) for row in rows}))


def _kinds(facts: tuple[type[Event], ...]) -> set[str]:
    return {f"event.{fact.__struct_config__.tag}" for fact in facts}


def _is_note_for(row: Record, ask: Ask) -> bool:
    """Evidence that shows the whole table, and what others complain of, is not for one player."""
    if row.round != ask.number or row.kind not in (EVIDENCE_KEPT, COMPLAINT_OPENED):
        return False
    return ask.box is None or content_of(row, _Noted).box == ask.box


def _evidence(path: Path, found: _Found, ask: Ask) -> Iterator[tuple[str, bytes]]:
    for seq in sorted(found.seen):
        row = found.day.rows[seq - 1]
        if row.kind == EVIDENCE_KEPT:
            kept = evidence_of(row)
            content = _read(evidence_folder(path, ask.number) / kept.name)
            if hashlib.sha256(content).hexdigest() != kept.sha256:
                raise JournalDamaged(f"{kept.name} is not the evidence that record {seq} speaks of", seq)
            yield kept.name, content


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise NotKept(f"{file}: {error.strerror}; the record says this evidence was kept") from None


def _last_sight(found: _Found) -> TableState:
    """The table at the end of the round, while its cards still lay there."""
    walk = Walk(found.day)
    for seq in reversed(found.rows):
        state = walk.to(seq)
        if state.round is not None and state.round.number == found.day.rows[seq - 1].round:
            return state
    return walk.to(found.rows[0])


def _rules(found: _Found, state: TableState) -> dict[str, object]:
    if found.ruled is not None:
        fact = found.day.said(found.day.rows[found.ruled - 1])
        assert isinstance(fact, TableOpened | RulesChanged)
        return fact.rules
    assert isinstance(state.rules, RuleSet)
    return values_of(state.rules)


def _paper(found: _Found, ask: Ask, identity: Identity, state: TableState, evidence: Mapping[str, bytes]) -> RoundPaper:
    assert isinstance(state.rules, RuleSet)
    return RoundPaper(
        number=ask.number,
        box=ask.box,
        identity=identity,
        closed=any(row.kind == DAY_CLOSED for row in found.day.rows[-2:]),
        records=len(found.day.rows),
        rows=(found.rows[0], found.rows[-1]),
        events=tuple(_events(found)),
        settled=state.round if isinstance(state.round, BlackjackRound) else None,
        rules=_rules(found, state),
        rules_hash=rules_fingerprint(state.rules),
        files={name: hashlib.sha256(content).hexdigest() for name, content in evidence.items()},
        made_at_ns=ask.made_at_ns,
        bundle=ask.bundle,
    )


def _refuse(warning: str) -> None:
    """A paper for a stranger is made of nothing that had to be passed over."""
    raise JournalDamaged(warning)


def _wording(ask: Ask, state: TableState) -> Wording:
    return Wording(ask.language, state.house.currency if state.house else "", ask.zone)


def _events(found: _Found) -> Iterator[tuple[int, int, Event]]:
    for seq in found.rows:
        row = found.day.rows[seq - 1]
        said = found.day.said(row)
        if seq in found.seen and isinstance(said, Event):
            yield seq, row.at_ns, said


def _manifest(ask: Ask, identity: Identity) -> Manifest:
    return Manifest(
        table=identity.table,
        day=identity.day,
        round=ask.number,
        box=ask.box,
        language=ask.language.value,
        made_at_ns=ask.made_at_ns,
        head=identity.head,
        fingerprint=identity.fingerprint,
        files={},
    )
