"""Plays a scenario file: rules, bets, cards and signals a line each, and the facts that must follow."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.words import Action, BetSettled, HoleTurned, Signal
from table_controller.core.cards import Card
from table_controller.core.events import Event, RoundSettled
from table_controller.core.life import NS
from table_controller.core.notation import read_event, read_stimulus, write
from table_controller.core.places import Place
from table_controller.core.step import kind_of, replay
from table_controller.play.felt import FLOOR, CannotPlay, Felt

SCENARIOS = Path(__file__).parent / "scenarios"


def lines(path: Path) -> Iterator[tuple[int, str, str]]:
    """Number, first word and rest of every line that is no comment."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        text = line.split(" # ")[0].strip()
        if text and not text.startswith("#"):
            word, _, rest = text.partition(" ")
            yield number, word, rest.strip()


def merged(values: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {
        **values,
        **{key: {**values[key], **change} if isinstance(change, dict) else change for key, change in changes.items()},
    }


class Scenario:
    """The table of one file and what the last line of it led to."""

    def __init__(self) -> None:
        self.felt, self.latest = Felt(), tuple[Event, ...]()
        self.said, self.now = dict[str, int](), NS
        self.rules, self.house_changes = ("golden_wolf", {}), dict[str, Any]()  # type: tuple[str, dict[str, Any]], Any

    def opened(self) -> Felt:
        if not self.felt.events:
            name, changes = self.rules
            house = merged(houses.house_values(name), self.house_changes)
            self.felt.open({**houses.rule_values(name), **changes}, house)
        return self.felt

    def do_rules(self, rest: str) -> None:
        name, _, changes = rest.partition(" ")
        self.rules = (name, msgspec.json.decode(changes or "{}"))

    def do_house(self, rest: str) -> None:
        self.house_changes = msgspec.json.decode(rest)

    def do_bets(self, rest: str) -> None:
        felt = self.opened()
        already = len(felt.events)
        felt.command(said.OpenBets(felt.cause(), FLOOR))
        for word in rest.split():
            box, _, stake = word.partition(":")
            main, _, pairs = stake.partition("+")
            if int(main):
                felt.command(said.PlaceBet(felt.cause(), FLOOR, int(box), int(main)))
            if pairs:
                felt.command(said.PlaceBet(felt.cause(), FLOOR, int(box), int(pairs), said.Side.PAIRS))
        felt.command(said.CloseBets(felt.cause(), FLOOR))
        self.latest = tuple(felt.events[already:])

    def do_deal(self, rest: str) -> None:
        felt = self.opened()
        already = len(felt.events)
        for word in rest.split():
            due = felt.round.due
            assert due.kind in ("card", "bets"), f"{due.kind} {due.place} is due, not a card"
            felt.say(said.CardSeen(felt.cause(), due.place, None if word == "?" else Card.parse(word), due.face))
        self.latest = tuple(felt.events[already:])

    def do_say(self, rest: str) -> None:
        felt = self.opened()
        self.latest = felt.say(read_stimulus(BLACKJACK, rest, felt.cause()))

    def at(self, source: str) -> said.Cause:
        """The next number of a source, at the scenario's time."""
        self.said[source] = self.said.get(source, 0) + 1
        return said.Cause(source, self.said[source], self.now)

    def take(self, stimulus: said.Stimulus) -> None:
        self.latest = self.opened().say(stimulus)

    def do_at(self, rest: str) -> None:
        self.now = int(float(rest) * NS)

    def do_tick(self, rest: str) -> None:
        self.now += int(float(rest) * NS)
        self.take(said.Tick(self.at("clock")))

    def do_pulse(self, rest: str) -> None:
        card, _, long = rest.partition(" ")
        self.take(said.CardDrawn(self.at("shoe"), Card.parse(card) if card not in ("", "-") else None, long == "long"))

    def do_sees(self, rest: str) -> None:
        places, card, spot, back = (*rest.split(), *("0,0", "")[len(rest.split()) - 2 :])
        x, _, y = spot.partition(",")
        face = said.Face.DOWN if card == "down" else said.Face.UP
        named = Card.parse(card) if card not in ("-", "down") else None
        where = tuple(Place.parse(place) for place in places.split(","))
        self.take(said.CardSighted(self.at("eyes"), where, named, face, self.now, int(x), int(y), back=back))

    def do_gone(self, rest: str) -> None:
        self.take(said.CardGone(self.at("eyes"), int(rest)))

    def do_covered(self, rest: str) -> None:
        self.take(said.CardGone(self.at("eyes"), int(rest), covered=True))

    def do_chips(self, rest: str) -> None:
        self.take(said.CircleChanged(self.at("eyes"), int(rest), "before.png", "after.png"))

    def do_signals(self, rest: str) -> None:
        box, hand, action = rest.split()
        self.take(Signal(self.at("keys"), int(box), int(hand), Action(action)))

    def do_burn(self, rest: str) -> None:
        felt = self.opened()
        for _ in range(int(rest)):
            self.latest = felt.say(said.CardBurnt(felt.cause()))

    def do_turn(self, rest: str) -> None:
        felt = self.opened()
        self.latest = felt.say(HoleTurned(felt.cause(), Card.parse(rest)))

    def do_pay(self, _rest: str) -> None:
        felt = self.opened()
        already = len(felt.events)
        felt.clear()
        self.latest = tuple(felt.events[already:])
        assert felt.state.round is None, f"not everything could be paid and cleared: {self.written()}"

    def written(self) -> list[str]:
        return [write(event) for event in self.latest]

    def do_fact(self, rest: str) -> None:
        assert rest in self.written(), f"wanted {rest!r}, got {self.written()}"

    def do_nofact(self, rest: str) -> None:
        assert rest not in [kind_of(event) for event in self.latest], f"got {self.written()}"

    def do_nothing(self, _rest: str) -> None:
        assert not self.latest, f"wanted nothing, got {self.written()}"

    def do_due(self, rest: str) -> None:
        kind, _, place = rest.partition(" ")
        due = self.felt.round.due
        assert (str(due.kind), str(due.place)) == (kind, place or str(due.place)), f"{due.kind} {due.place} is due"

    def do_phase(self, rest: str) -> None:
        assert self.felt.state.phase == rest, f"the phase is {self.felt.state.phase}"

    def do_net(self, rest: str) -> None:
        settled = [event for event in self.felt.events if isinstance(event, RoundSettled)]
        assert settled, "no round is settled yet"
        net = settled[-1].net
        assert net == {int(box): int(amount) for box, amount in (word.split(":") for word in rest.split())}, (
            f"got {net}"
        )
        assert settled[-1].house_net == -sum(net.values())


def play(path: Path) -> Scenario:
    """Play a file; whatever is wrong with it or with the table is told with the number of its line."""
    scenario = Scenario()
    for number, word, rest in lines(path):
        act: Callable[[str], None] | None = getattr(scenario, f"do_{word}", None)
        if act is None:
            raise AssertionError(f"{path.name}:{number}: {word!r} is no word of a scenario")
        try:
            act(rest)
        except (AssertionError, CannotPlay, ValueError) as wrong:
            raise AssertionError(f"{path.name}:{number}: {wrong}") from wrong
    assert scenario.felt.events, f"{path.name} plays nothing"
    return scenario


def check_laws(felt: Felt) -> None:
    """What must hold after any course of any table."""
    assert replay(BLACKJACK, felt.events) == felt.state
    for event in felt.events:
        assert read_event(BLACKJACK, write(event, cause=True)) == event
        if isinstance(event, BetSettled):
            line = event.line
            assert line.net + line.stake == line.back + line.carried
