"""A script of physical events, each answered ok or violation with its reason."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import rules_of
from table_controller.core.blackjack.words import Action, HolePeeked, HoleTurned, Signal
from table_controller.core.cards import Card
from table_controller.core.events import CommandRefused, Disputed, Event, ObservationNoted, SignalRefused
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.play.felt import FLOOR, SECOND, CannotPlay, Felt

Happening = Mapping[str, Any]


def _bet(cause: Cause, ev: Happening) -> Stimulus:
    side = said.Side(ev.get("side", "main"))
    return said.PlaceBet(cause, FLOOR, int(ev["box"]), int(ev["amount"]), side)


def _card(cause: Cause, ev: Happening) -> Stimulus:
    """A card lying face down has no identity for us, whatever the script knows."""
    face = said.Face(ev.get("face", "up"))
    known = ev.get("card") if face is said.Face.UP else None
    return said.CardSeen(cause, Place.parse(ev["to"]), Card.parse(known) if known else None, face)


def _action(cause: Cause, ev: Happening) -> Stimulus:
    return Signal(cause, int(ev["box"]), int(ev.get("hand") or 0), Action(ev["do"]), ev.get("amount"))


SAID: Final[Mapping[str, Callable[[Cause, Happening], Stimulus]]] = {
    "bet": _bet,
    "no_more_bets": lambda cause, _ev: said.CloseBets(cause, FLOOR),
    "card": _card,
    "peek": lambda cause, ev: HolePeeked(cause, bool(ev["blackjack"])),
    "action": _action,
    "reveal": lambda cause, ev: HoleTurned(cause, Card.parse(ev["card"])),
    "settle": lambda cause, ev: said.BoxPaid(cause, int(ev["box"])),
    "round_end": lambda cause, _ev: said.TableCleared(cause),
}


def play_protocol(felt: Felt, script: list[dict[str, object]]) -> list[dict[str, object]]:
    """One answer a line of the script. A round is open for bets unless the script starts it itself."""
    if not script or script[0].get("ev") != "round_start":
        felt.command(said.OpenBets(felt.cause(), FLOOR))
    return [_answer(_happen(felt, happening)) for happening in script]


def _happen(felt: Felt, happening: Happening) -> tuple[Event, ...]:
    kind = str(happening.get("ev"))
    if kind == "round_start":
        return _start(felt, shuffled=bool(happening.get("shuffled")))
    build = SAID.get(kind)
    if build is None:
        raise CannotPlay(f"{kind!r} is no event: {', '.join((*SAID, 'round_start'))}")
    try:
        stimulus = build(felt.cause(), happening)
    except KeyError as missing:
        raise CannotPlay(f"{kind} lacks {missing}") from None
    return felt.say(stimulus)


def _start(felt: Felt, *, shuffled: bool) -> tuple[Event, ...]:
    """The next round, from a shoe shuffled for it or from one that has been dealt from before."""
    if shuffled:
        felt.say(said.LoadShoe(felt.cause(), FLOOR))
    elif felt.state.round is None and felt.state.rounds == 0:
        _play_a_round_before(felt)
    return felt.say(said.OpenBets(felt.cause(), FLOOR))


def _play_a_round_before(felt: Felt) -> None:
    """A script that starts unshuffled begins at a table in use: one void round has left its mark on the shoe."""
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    felt.command(said.PlaceBet(felt.cause(), FLOOR, 1, rules_of(felt.state).min_bet or rules_of(felt.state).bet_step))
    felt.say(said.CardSeen(felt.cause(), Place(1)))
    felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "before the script"))


def _answer(events: tuple[Event, ...]) -> dict[str, object]:
    for event in events:
        reason = _violated(event)
        if reason is not None:
            return {"status": "violation", "reason": reason}
    return {"status": "ok"}


def _violated(event: Event) -> str | None:
    match event:
        case Disputed():
            return str(event.irregularity)
        case CommandRefused() | SignalRefused() | ObservationNoted():
            return event.reason.partition(":")[0]
        case _:
            return None
