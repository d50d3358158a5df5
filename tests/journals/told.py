"""What a day comes to: told when it was sealed, and to be told the same by every later version."""

from pathlib import Path

from table_controller.core.blackjack.words import BetSettled
from table_controller.export.day_report import as_json, report_on
from table_controller.journal.verify import verify_file
from table_controller.replay.opening import load


def told(path: Path) -> dict[str, object]:
    """Identity, money and results."""
    verdict = verify_file(path)
    day = load(path, _refuse)
    figures = as_json(report_on([path], _refuse))
    lines = [fact.line for fact in map(day.said, day.rows) if isinstance(fact, BetSettled)]
    return {
        "head": verdict.head,
        "fingerprint": verdict.fingerprint,
        "records": verdict.records,
        "rounds": figures["rounds"],
        "handle": figures["handle"],
        "house_net": figures["house_net"],
        "win": figures["win"],
        "drop": figures["drop"],
        "results": [[line.box, line.hand, line.bet, line.stake, line.result, line.net] for line in lines],
        "rounds_at_end": day.end().rounds,
    }


def _refuse(text: str) -> None:
    raise AssertionError(text)
