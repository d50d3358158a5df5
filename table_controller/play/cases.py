"""Scripted cases, one JSON object each: which kinds there are, and how one is answered."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Final

import msgspec

from table_controller.core.blackjack.phases.betting import bet_faults
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.parameters import Unusable
from table_controller.core.reasons import Reason
from table_controller.core.table import may_refuse_play
from table_controller.houses import NoSuchHouse, rules_with
from table_controller.play.felt import CannotPlay
from table_controller.play.protocol import Happening, play_protocol
from table_controller.play.scripted import Bet, Decision, ask_first, place_bets, play_round, table_for

Answer = dict[str, object]


class Round(msgspec.Struct, forbid_unknown_fields=True):
    """One round of a session."""

    bets: list[Bet]
    shoe: list[str] = []
    decisions: list[Decision] = []
    practice: bool = False


class ChartHand(msgspec.Struct, forbid_unknown_fields=True):
    """Two cards as a chart names them."""

    type: str
    value: str


class Case(msgspec.Struct):
    """What a case may hold; a kind uses what it needs."""

    id: str
    kind: str
    profile: str = ""
    overrides: dict[str, object] = {}
    bets: list[Bet] = []
    shoe: list[str] = []
    decisions: list[Decision] = []
    script: list[Happening] = []
    rounds: list[Round] = []
    bankroll: int | None = None
    hand: ChartHand | None = None
    dealer_up: str = ""


def _rules(case: Case) -> RuleSet:
    return rules_with(case.profile, case.overrides)


def _round(case: Case) -> Answer:
    felt = table_for(_rules(case), case.profile)
    return play_round(felt, case.bets, case.shoe, case.decisions)


def _protocol(case: Case) -> Answer:
    return {"events": play_protocol(table_for(_rules(case), case.profile), case.script)}


def _bet_check(case: Case) -> Answer:
    rules = _rules(case)
    reasons: list[Reason] = []
    seen: set[int] = set()
    for bet in case.bets:
        if not 1 <= bet.box <= rules.boxes:
            reasons.append(Reason.NO_SUCH_BOX)
        if bet.box in seen:
            reasons.append(Reason.BOX_TWICE)
        seen.add(bet.box)
        reasons.extend(bet_faults(rules, bet.main, bet.pairs))
    return {"accept": not reasons, "reasons": list(dict.fromkeys(reasons))}


def _session(case: Case) -> Answer:
    felt = table_for(_rules(case), case.profile)
    rounds: list[Answer] = []
    for one in case.rounds:
        if rounds:
            felt.load()
        answer = play_round(felt, one.bets, one.shoe, one.decisions, practice=one.practice)
        felt.clear()
        money = {"house_real": felt.state.bank.house_net, "may_refuse": may_refuse_play(felt.state)}
        rounds.append({**money, **{key: answer[key] for key in ("net", "back", "carried")}})
    return {"rounds": rounds}


def _funds(case: Case) -> Answer:
    felt = table_for(_rules(case), case.profile)
    place_bets(felt, case.bets, funds=case.bankroll)
    return {"legal": list(ask_first(felt, case.shoe))}


def _strategy(case: Case) -> Answer:
    from table_controller.play.absent import first_action  # the other kinds need no compiler

    if case.hand is None or not case.dealer_up:
        raise CannotPlay("hand {type, value} and dealer_up are needed")
    return first_action(_rules(case), case.hand.type, case.hand.value, case.dealer_up)


def _disconnect_autoplay(case: Case) -> Answer:
    from table_controller.play.absent import play_absent

    return play_absent(_rules(case), case.profile, case.bets, case.shoe, case.bankroll)


KINDS: Final[Mapping[str, Callable[[Case], Answer]]] = {
    "blackjack_round": _round,
    "protocol": _protocol,
    "bet_check": _bet_check,
    "session": _session,
    "funds": _funds,
    "strategy": _strategy,
    "disconnect_autoplay": _disconnect_autoplay,
}


def answer(line: bytes) -> Answer:
    """The answer to one case. A case that cannot be played is answered with its id and the reason."""
    try:
        found = msgspec.json.decode(line)
        case = msgspec.convert(found, Case)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as broken:
        return {"id": None, "error": f"unreadable case: {broken}"}
    except msgspec.ValidationError as wrong:
        return {"id": found.get("id") if isinstance(found, dict) else None, "error": f"unreadable case: {wrong}"}
    play = KINDS.get(case.kind)
    if play is None:
        return {"id": case.id, "error": f"unsupported kind: {case.kind}"}
    try:
        return {"id": case.id, **_played(play, case, found)}
    except (CannotPlay, Unusable, NoSuchHouse, ValueError, OSError) as reason:
        return {"id": case.id, "error": str(reason)}
    except ModuleNotFoundError as missing:
        return {"id": case.id, "error": f"needs {missing.name}; pip install 'krupier[numbers]'"}


def _played(play: Callable[[Case], Answer], case: Case, keys: Mapping[str, object]) -> Answer:
    for key in keys:
        meant = get_close_matches(key, Case.__struct_fields__, n=1, cutoff=0.75)
        if meant and meant[0] not in keys:
            raise CannotPlay(f"unknown key {key!r}; did you mean {meant[0]}?")
    if not case.profile:
        raise CannotPlay("profile is missing: name a house")
    return play(case)
