"""krupier replay: the state at a row, a round's course, other rules tried on it. Writes nothing."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final

import click
import msgspec

from table_controller import houses
from table_controller.commands import fail
from table_controller.core.blackjack.round import BlackjackRound
from table_controller.core.blackjack.rules import read_rules, values_of
from table_controller.core.blackjack.words import BetReopened, BetResettled, BetSettled, Line
from table_controller.core.events import Event, TableOpened
from table_controller.core.house import Language
from table_controller.core.notation import write
from table_controller.core.stimuli import Stimulus
from table_controller.export.wording import Wording
from table_controller.journal.errors import NotKept
from table_controller.journal.record import Record
from table_controller.record_commands.asking import JSON, PATH, ZONE, answering, day_of, doubt, warn, zone_of
from table_controller.replay.judge_again import Difference, WhatIf, differences, what_if
from table_controller.replay.opening import Recorded, load
from table_controller.replay.walk import Walk, events_between, played_rows, rows_of_round, state_at

Json = dict[str, object]
NEAR_SECONDS: Final = 3600
DAY_SECONDS: Final = 86_400


@click.command()
@click.argument("path", type=PATH)
@click.option("--round", "number", type=int, help="The course of this round.")
@click.option("--seq", type=int, help="The state after this record.")
@click.option("--at", "clock", help="The round on the table at this time of day, such as 21:15, and its neighbours.")
@click.option("--rules", help="What if: a house by name, or a rule-set file.")
@ZONE
@JSON
@answering
def replay(
    path: Path,
    *,
    number: int | None,
    seq: int | None,
    clock: str | None,
    rules: str | None,
    zone: str | None,
    as_json: bool,
) -> None:
    """State or course of a round, "what if" under other rules; without options every decision is judged again."""
    _refuse_mixtures({"--round": number, "--seq": seq, "--at": clock, "--rules": rules})
    journal = day_of(path, number)
    day = load(journal, warn)
    status = doubt([journal], as_json=as_json or seq is not None)
    if rules is not None:
        _tell(_what_if(day, _numbers(day, number), _rules(rules), _words(day, UTC)), as_json=as_json)
    elif number is not None:
        _tell([_course(day, number, _words(day, zone_of(zone, journal)))], as_json=as_json)
    elif seq is not None:
        click.echo(msgspec.json.encode(_state(day, seq)))
    elif clock is not None:
        _tell(_around(day, clock, _words(day, zone_of(zone, journal))), as_json=as_json)
    else:
        status = max(status, _judge_all_again(day, as_json=as_json))
    raise SystemExit(status)


def _refuse_mixtures(options: dict[str, object]) -> None:
    given = {name for name, value in options.items() if value is not None}
    if len(given) > 1 and given != {"--round", "--rules"}:
        fail(f"{' and '.join(sorted(given))} are two questions; ask one at a time (--rules may go with --round)")


def _state(day: Recorded, seq: int) -> Json:
    if seq < 1:
        raise NotKept(f"the day has rows 1 to {len(day.rows)}, not {seq}")
    return {"seq": seq, "state": msgspec.Raw(day.game.write_state(state_at(day, seq)))}


def _tell(answers: Iterable[Json], *, as_json: bool) -> None:
    for answer in answers:
        if as_json:
            click.echo(msgspec.json.encode({key: value for key, value in answer.items() if key != "lines"}))
        else:
            lines = answer["lines"]
            assert isinstance(lines, list)
            click.echo("\n".join(lines))


def _numbers(day: Recorded, number: int | None) -> list[int]:
    return [number] if number is not None else sorted({row.round for row in played_rows(day) if row.round is not None})


def _rules(name: str) -> Json:
    if name in houses.NAMES:
        return houses.rule_values(name)
    if not Path(name).exists():
        fail(f"--rules {name}: no such house or file; houses are {', '.join(houses.NAMES)}")
    return values_of(read_rules(houses.read_toml(Path(name))))


def _course(day: Recorded, number: int, say: Wording) -> Json:
    rows = [day.rows[seq - 1] for seq in rows_of_round(day, number)]
    events = events_between(day, rows_of_round(day, number))
    told = list(_told(day, rows))
    ledger = _lines(events, _begun(day, number))
    net = _net(ledger)
    return {
        "round": number,
        "rows": told,
        "net": net,
        "ledger": [msgspec.to_builtins(line) for line in ledger],
        "lines": [
            *(f"{row['seq']:>7}  {_clock(row['at_ns'], say.zone)}  {row['what']}" for row in told),
            f"net {_net_text(net, say)}",
        ],
    }


def _told(day: Recorded, rows: Iterable[Record]) -> Iterator[Json]:
    for row in rows:
        said = day.said(row)
        if isinstance(said, Event | Stimulus):
            sign = "<" if isinstance(said, Stimulus) else " >"
            yield {"seq": row.seq, "at_ns": row.at_ns, "kind": row.kind, "what": f"{sign} {write(said)}"}


def _clock(at_ns: object, zone: tzinfo) -> str:
    assert isinstance(at_ns, int)
    return datetime.fromtimestamp(at_ns // 10**9, UTC).astimezone(zone).strftime("%H:%M:%S%z")


def _begun(day: Recorded, number: int) -> tuple[Line, ...]:
    """The lines a round had already when the day began, where it was begun the day before."""
    rnd = day.start.round
    return rnd.lines if isinstance(rnd, BlackjackRound) and rnd.number == number else ()


def _lines(events: Iterable[Event], begun: tuple[Line, ...] = ()) -> list[Line]:
    """The ledger lines that hold at the end: a line settled again replaces the one it was."""
    lines = list(begun)
    for event in events:
        if isinstance(event, BetResettled | BetReopened):
            lines.remove(event.was)
        if isinstance(event, BetSettled | BetResettled):
            lines.append(event.line)
    return lines


def _net(lines: Iterable[Line]) -> dict[str, int]:
    net: dict[str, int] = {}
    for line in lines:
        net[str(line.box)] = net.get(str(line.box), 0) + line.net
    return dict(sorted(net.items()))


def _net_text(net: dict[str, int], say: Wording) -> str:
    return ", ".join(f"box {box}: {say.signed(amount)}" for box, amount in net.items()) or "nothing"


def _words(day: Recorded, zone: tzinfo) -> Wording:
    """How this command writes amounts and times: as every other one does, in the currency the table was opened with."""
    opened = (fact for row in day.rows if isinstance(fact := day.said(row), TableOpened))
    house = day.start.house
    currency = house.currency if house is not None else next((str(one.house["currency"]) for one in opened), "")
    return Wording(Language.ENGLISH, currency, zone)


def _what_if(day: Recorded, numbers: list[int], rules: Json, say: Wording) -> Iterator[Json]:
    walk = Walk(day)
    for number in numbers:
        tried = what_if(walk, number, rules)
        begun = _begun(day, number)
        recorded, now = _net(_lines(tried.recorded, begun)), _net(_lines(tried.now, begun))
        yield {
            "round": number,
            "net": now,
            "net_recorded": recorded,
            "parts": _difference(tried.parts),
            "now": [write(event) for event in tried.now],
            "unfinished": tried.unfinished,
            "obstacle": write(tried.obstacle) if tried.obstacle else None,
            "lines": [
                f"round {number}: {_outcome(tried, now, say)}; recorded {_net_text(recorded, say)}",
                *_parting(tried),
            ],
        }


def _outcome(tried: WhatIf, now: dict[str, int], say: Wording) -> str:
    if not tried.unfinished:
        return _net_text(now, say)
    why = write(tried.obstacle) if tried.obstacle else "more would have to be said than was"
    return f"cannot be finished under these rules ({why})"


def _parting(tried: WhatIf) -> list[str]:
    if tried.parts is None:
        return ["  the same facts"]
    return [f"  parts at record {tried.parts.seq}: {_text(tried.parts.recorded)} -> {_text(tried.parts.now)}"]


def _difference(parts: Difference | None) -> Json | None:
    if parts is None:
        return None
    return {"seq": parts.seq, "recorded": _text(parts.recorded), "now": _text(parts.now)}


def _text(event: Event | None) -> str:
    return write(event) if event is not None else "nothing"


def _around(day: Recorded, clock: str, say: Wording) -> Iterator[Json]:
    """The round that was on the table at a time of day (the last one begun by the end of that minute), the one before
    it and the one after it."""
    try:
        wanted = datetime.strptime(clock, "%H:%M").time()
    except ValueError:
        fail(f"--at {clock}: no time of day; write it like 21:15")
    begun = {row.round: row for row in reversed(played_rows(day)) if row.round is not None}
    rounds = sorted(begun.values(), key=lambda row: row.seq)

    def after(row: Record) -> float:
        """Seconds from the end of the minute to the round's beginning, the nearer way round the clock."""
        there = datetime.fromtimestamp(row.at_ns / 10**9, UTC).astimezone(say.zone)
        apart = (there - there.replace(hour=wanted.hour, minute=wanted.minute, second=59)).total_seconds()
        return (apart + DAY_SECONDS / 2) % DAY_SECONDS - DAY_SECONDS / 2

    if not rounds or min(abs(after(row)) for row in rounds) > NEAR_SECONDS:
        first, last = (_clock(row.at_ns, say.zone) for row in (day.rows[0], day.rows[-1]))
        raise NotKept(f"no round within an hour of {clock}; the day was recorded from {first} to {last}")
    there = max((number for number, row in enumerate(rounds) if after(row) <= 0), default=0)
    for row in rounds[max(0, there - 1) : there + 2]:
        yield _one_around(day, row, say, wanted=row is rounds[there])


def _one_around(day: Recorded, row: Record, say: Wording, *, wanted: bool) -> Json:
    assert row.round is not None
    net = _net(_lines(events_between(day, rows_of_round(day, row.round)), _begun(day, row.round)))
    return {
        "round": row.round,
        "at_ns": row.at_ns,
        "wanted": wanted,
        "net": net,
        "lines": [
            f"{'->' if wanted else '  '} {_clock(row.at_ns, say.zone)}  round {row.round}: {_net_text(net, say)}"
        ],
    }


def _judge_all_again(day: Recorded, *, as_json: bool) -> int:
    first = next(differences(day), None)
    answer: Json = {"ok": first is None, "records": len(day.rows), "first_difference": _difference(first)}
    if as_json:
        click.echo(msgspec.json.encode({**answer, "state": msgspec.Raw(day.game.write_state(day.end()))}))
    elif first is None:
        click.echo(f"{len(day.rows)} records: every decision comes out as recorded")
    else:
        click.echo(f"record {first.seq}: recorded {_text(first.recorded)}, now {_text(first.now)}")
    return 0 if first is None else 1
