"""A script of physical events, each answered ok or violation with its reason."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import rules_of
from table_controller.core.blackjack.words import Action, HolePeeked, HoleTurned, Signal
from table_controller.core.cards import Card
from table_controller.core.events import CommandRefused, Disputed, Event, ObservationNoted, SignalRefused
from table_controller.core.places import Place
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.play.felt import FLOOR, SECOND, CannotPlay, Felt


class Happening(msgspec.Struct):
    """One physical event of a script; a kind uses what it needs."""

    ev: str
    box: int = 0
    hand: int | None = 0
    amount: int | None = None
    side: said.Side = said.Side.MAIN
    to: str = ""
    card: str | None = None
    face: said.Face = said.Face.UP
    blackjack: bool = False
    do: str = ""
    shuffled: bool = False


def _card(cause: Cause, ev: Happening) -> Stimulus:
    return said.CardSeen(cause, Place.parse(ev.to), Card.parse(ev.card) if ev.card else None, ev.face)


def _bet(cause: Cause, ev: Happening) -> Stimulus:
    return said.PlaceBet(cause, FLOOR, ev.box, ev.amount or 0, ev.side)


SAID: Final[Mapping[str, Callable[[Cause, Happening], Stimulus]]] = {
    "bet": _bet,
    "no_more_bets": lambda cause, _ev: said.CloseBets(cause, FLOOR),
    "card": _card,
    "peek": lambda cause, ev: HolePeeked(cause, ev.blackjack),
    "action": lambda cause, ev: Signal(cause, ev.box, ev.hand or 0, Action(ev.do), ev.amount),
    "reveal": lambda cause, ev: HoleTurned(cause, Card.parse(ev.card) if ev.card else None),
    "settle": lambda cause, ev: said.BoxPaid(cause, ev.box),
    "round_end": lambda cause, _ev: said.TableCleared(cause),
}


def play_protocol(felt: Felt, script: list[Happening]) -> list[dict[str, object]]:
    """One answer a line of the script. A round is open for bets unless the script starts it itself."""
    if not script or script[0].ev != "round_start":
        felt.command(said.OpenBets(felt.cause(), FLOOR))
    return [_answer(_happen(felt, happening)) for happening in script]


def _happen(felt: Felt, happening: Happening) -> tuple[Event, ...]:
    if happening.ev == "round_start":
        return _start(felt, shuffled=happening.shuffled)
    build = SAID.get(happening.ev)
    if build is None:
        raise CannotPlay(f"{happening.ev!r} is no event: {', '.join((*SAID, 'round_start'))}")
    return felt.say(build(felt.cause(), happening))


def _start(felt: Felt, *, shuffled: bool) -> tuple[Event, ...]:
    """The next round, from a shoe shuffled for it or from one that has been dealt from before."""
    if shuffled and felt.state.round is None:
        felt.load()
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
