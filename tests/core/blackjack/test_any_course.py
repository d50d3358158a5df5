"""Whatever happens at a table of any of the five houses, legal or not, the laws hold."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.game import BLACKJACK
from table_controller.core.blackjack.hands import is_natural
from table_controller.core.blackjack.round import Due, DueKind, hole_lies, round_of, rules_of, upcard
from table_controller.core.blackjack.transitions import ARROWS, BACK, PAUSES
from table_controller.core.blackjack.words import Action, BetSettled, HolePeeked, HoleTurned, Signal
from table_controller.core.cards import PACK, Card
from table_controller.core.codec import ENCODER, Codec
from table_controller.core.events import CommandRefused, Event, PayoutCorrected, RoundSettled, RoundVoided, TableClosed
from table_controller.core.game import evolve
from table_controller.core.irregular import Remedy
from table_controller.core.notation import read_event, write
from table_controller.core.people import Person, Role
from table_controller.core.places import DEALER, Place
from table_controller.core.step import replay, step, why_not
from table_controller.core.stimuli import Cause, Stimulus
from table_controller.core.table import TableState
from table_controller.play.felt import FLOOR, SECOND

CODEC = Codec(BLACKJACK)
PEOPLE = st.sampled_from([FLOOR, SECOND, Person("dealer", Role.DEALER), Person("eye", Role.SURVEILLANCE)])
PLACES = st.one_of(st.just(DEALER), st.builds(Place, st.integers(1, 8), st.integers(0, 3)))
MONEY = st.integers(-100, 12_000) | st.sampled_from([50, 100, 150, 300, 1000])
CHIPS = st.dictionaries(st.sampled_from([25, 50, 100, 500, 7]), st.integers(-1, 20), max_size=3)


def stray(kind: type[Stimulus], cause: Cause, data: st.DataObject, cards: st.SearchStrategy[Card]) -> Stimulus:
    """Any stimulus of a kind, sense or nonsense."""
    draw, maybe_card = data.draw, st.none() | cards
    by: dict[type[Stimulus], list[st.SearchStrategy[Any]]] = {
        said.CardDrawn: [maybe_card],
        said.CardSeen: [PLACES, maybe_card, st.sampled_from(said.Face)],
        said.NothingDrawn: [st.sampled_from(said.Pull)],
        said.CardSighted: [PLACES.map(lambda place: (place,)), maybe_card, st.sampled_from(said.Face), st.just(2**60)],
        said.CardGone: [st.integers(1, 60), st.booleans()],
        said.CircleChanged: [st.integers(0, 8)],
        said.SupervisorCalled: [],
        said.CardExposed: [maybe_card],
        said.CardBurnt: [maybe_card],
        said.CutCardSeen: [st.none() | PLACES],
        said.BoxPaid: [st.integers(0, 8)],
        said.TableCleared: [],
        said.DeviceLost: [st.sampled_from(["camera", "shoe"])],
        said.DeviceBack: [st.sampled_from(["camera", "shoe"])],
        said.Tick: [],
        said.DayBegan: [st.sampled_from(["2026-11-29", "2026-11-30"])],
        said.CloseTable: [PEOPLE, PEOPLE, CHIPS],
        said.ChangeRules: [PEOPLE, st.just({"decks": 9})],
        said.LoadShoe: [PEOPLE, st.booleans(), st.none() | PEOPLE],
        said.CutShoe: [PEOPLE, PLACES, st.integers(0, 60)],
        said.InspectReader: [PEOPLE],
        said.SignOn: [PEOPLE, st.sampled_from(["one", "two"])],
        said.TakeBox: [PEOPLE, st.integers(0, 8), st.none() | st.just("guest")],
        said.MoveMoney: [PEOPLE, st.sampled_from(said.Moved), CHIPS, st.none() | PEOPLE],
        said.OpenBets: [PEOPLE, st.booleans()],
        said.PlaceBet: [PEOPLE, st.integers(0, 8), MONEY, st.sampled_from(said.Side), st.none() | MONEY],
        said.TakeBack: [PEOPLE, st.integers(0, 8)],
        said.CloseBets: [PEOPLE],
        said.CorrectBet: [PEOPLE, PEOPLE, st.integers(0, 8), MONEY],
        said.CorrectCard: [PEOPLE, PEOPLE, PLACES, st.integers(-1, 3), cards],
        said.EnterCard: [PEOPLE, PEOPLE, PLACES, maybe_card, st.just("the camera fails")],
        said.ReportPayout: [PEOPLE, st.integers(0, 8), MONEY],
        said.VoidRound: [PEOPLE, PEOPLE, st.just("for a reason")],
        said.PauseTable: [PEOPLE, st.just("for a reason")],
        said.ResumeTable: [PEOPLE],
        Signal: [st.integers(0, 8), st.integers(-1, 3), st.sampled_from(Action), st.none() | MONEY],
        HolePeeked: [st.booleans()],
        HoleTurned: [maybe_card],
    }
    return kind(cause, *(draw(strategy) for strategy in by[kind]))


KINDS = [kind for kind in BLACKJACK.judges if kind not in (said.OpenTable, said.CountShoe, said.ResolveDispute)]


class AnyCourse(RuleBasedStateMachine):
    """One pack, so that the hole card is the only one of its kind and any trace of it would be seen."""

    house = "golden_wolf"
    witnesses: tuple[str, ...] = ("camera",)

    def __init__(self) -> None:
        super().__init__()
        self.state, self.events, self.seq, self.now = BLACKJACK.empty, list[Event](), 0, 0
        self.last: Stimulus | None = None
        self.hole: Card | None = None
        self.rounds, self.stands = dict[int, int](), dict[int, int]()
        rules = {**houses.rule_values(self.house), "decks": 1, "practice": True}
        house = {**houses.house_values(self.house), "witnesses": list(self.witnesses)}
        self.take(said.OpenTable(self.cause(), FLOOR, SECOND, rules, house, {}))
        self.take(said.LoadShoe(self.cause(), FLOOR))

    def cause(self) -> Cause:
        self.seq, self.now = self.seq + 1, self.now + 1_000_000
        return Cause("table", self.seq, self.now)

    def take(self, stimulus: Stimulus) -> tuple[Event, ...]:
        before = self.state
        refusal = why_not(BLACKJACK, before, stimulus)
        done = step(BLACKJACK, before, stimulus)
        self.check_events(before, done.events)
        if self.hole is not None and self.hidden(before) and self.hidden(done.state):
            assert f'"{self.hole}"'.encode() not in ENCODER.encode(done.stimulus)
        if isinstance(stimulus, said.Command):
            assert (refusal is not None) == isinstance(done.events[0], CommandRefused)
        elif not isinstance(stimulus, said.Tick):
            assert done.events, "an observation never leads to nothing"
        again = step(BLACKJACK, done.state, stimulus)
        assert again.events == () or not done.events, "a duplicate changes nothing"
        self.state, self.last = done.state, stimulus
        self.events.extend(done.events)
        return done.events

    def check_events(self, state: TableState, events: tuple[Event, ...]) -> None:
        for event in events:
            before, state = state, evolve(BLACKJACK, state, event)
            self.count(before, event)
            arrow = (before.phase, state.phase)
            if arrow[0] != arrow[1]:
                assert arrow in ARROWS | BACK | PAUSES, f"{arrow} by {write(event)}"
            body = ENCODER.encode(event)
            assert CODEC.event(body) == event
            assert read_event(BLACKJACK, write(event, cause=True)) == event
            if self.hole is not None and self.hidden(state):
                assert f'"{self.hole}"'.encode() not in body, f"the hole card is told by {write(event)}"
            if isinstance(event, BetSettled):
                line = event.line
                assert line.net + line.stake == line.back + line.carried

    def hidden(self, state: TableState) -> bool:
        rnd = round_of(state)
        return rnd is not None and hole_lies(rules_of(state), rnd)

    def in_the_shoe(self) -> list[Card]:
        """Cards that may really come: those inside, the hidden hole card excepted."""
        shoe = self.state.shoe
        assert shoe is not None
        hidden = self.hole if self.hidden(self.state) else None
        return [card for card in PACK if shoe.holds(card) and card != hidden]

    @rule(data=st.data())
    def what_is_due_happens(self, data: st.DataObject) -> None:
        rnd = round_of(self.state)
        if self.state.rules is None:
            rules = {**houses.rule_values(self.house), "decks": 1, "practice": True}
            self.take(said.OpenTable(self.cause(), FLOOR, SECOND, rules, houses.house_values(self.house), {}))
            self.take(said.LoadShoe(self.cause(), FLOOR))
            return
        if self.state.paused:
            self.take(said.ResumeTable(self.cause(), FLOOR))
        if rnd is None:
            self.take(said.LoadShoe(self.cause(), FLOOR, True))
            for _ in range(self.state.shoe.burn_due if self.state.shoe else 0):
                self.take(said.CardBurnt(self.cause()))
            for device in self.state.faults:
                self.take(said.DeviceBack(self.cause(), device))
            self.take(said.OpenBets(self.cause(), FLOOR, data.draw(st.booleans())))
            return
        self.happen(rnd.due.kind, data)

    def happen(self, due: DueKind, data: st.DataObject) -> None:
        rnd = round_of(self.state)
        assert rnd is not None
        match due:
            case DueKind.BETS:
                for box in data.draw(st.sets(st.integers(1, 7), min_size=1, max_size=3)):
                    self.take(said.PlaceBet(self.cause(), FLOOR, box, data.draw(st.sampled_from([100, 300]))))
                self.take(said.CloseBets(self.cause(), FLOOR))
            case DueKind.CARD | DueKind.SHOW | DueKind.REVEAL:
                self.lay(data)
            case DueKind.PEEK:
                up = upcard(rules_of(self.state), rnd)
                self.take(HolePeeked(self.cause(), is_natural((up, self.hole))))
            case DueKind.PAY:
                for paid in rnd.boxes:
                    self.take(said.BoxPaid(self.cause(), paid.number))
                self.take(said.TableCleared(self.cause()))
            case _:
                place = rnd.due.place
                self.take(Signal(self.cause(), place.box, place.hand, data.draw(st.sampled_from(Action))))

    def lay(self, data: st.DataObject) -> None:
        rnd = round_of(self.state)
        assert rnd is not None
        due, cards = rnd.due, self.in_the_shoe()
        if due.kind is DueKind.REVEAL:
            self.take(HoleTurned(self.cause(), self.hole))
            return
        if not cards:
            return
        card = data.draw(st.sampled_from(cards))
        if "shoe" in self.witnesses and due.kind is DueKind.CARD:
            if due.face is said.Face.DOWN:
                self.hole = card
            self.take(said.CardDrawn(self.cause(), card if data.draw(st.booleans()) else None))
        if due.face is said.Face.DOWN:
            self.hole = card
            self.see(data, due.place, data.draw(st.sampled_from([None, card])), due.face)
        else:
            self.see(data, due.place, card)

    def see(self, data: st.DataObject, place: Place, card: Card | None, face: said.Face = said.Face.UP) -> None:
        """By a person's word, or by the eyes, who may lose sight of it again."""
        if data.draw(st.booleans()):
            self.take(said.CardSeen(self.cause(), place, card, face))
            return
        cause, x = self.cause(), data.draw(st.integers(0, 3)) * 10
        self.take(said.CardSighted(cause, (place,), card, face, cause.at_ns, x))

    @rule(data=st.data())
    def the_eyes_lose_sight_of_a_card(self, data: st.DataObject) -> None:
        if self.state.sights:
            lost = data.draw(st.sampled_from(self.state.sights))
            self.take(said.CardGone(self.cause(), lost.number, data.draw(st.booleans())))

    @rule(data=st.data())
    def anything_at_all_happens(self, data: st.DataObject) -> None:
        others = st.sampled_from([card for card in PACK if card != self.hole])
        self.take(stray(data.draw(st.sampled_from(KINDS)), self.cause(), data, others))

    @rule()
    def the_hole_card_is_glimpsed(self) -> None:
        if self.hole is not None and self.hidden(self.state):
            rnd = round_of(self.state)
            upcard_due = rnd is not None and (rnd.due == Due(DueKind.CARD) or rnd.unread)
            if rnd is not None and rnd.due.kind is not DueKind.REVEAL and not upcard_due:
                self.take(said.CardSeen(self.cause(), DEALER, self.hole, said.Face.UP))
                for back in self.state.sights:
                    if back.place == DEALER and back.face is said.Face.DOWN:
                        self.take(said.CardGone(self.cause(), back.number))
                self.take(said.CardSighted(self.cause(), (DEALER,), self.hole, said.Face.UP, self.now))
            self.take(said.CardSeen(self.cause(), DEALER, self.hole, said.Face.DOWN))

    @rule(data=st.data())
    def somebody_tries_to_name_the_hole_card(self, data: st.DataObject) -> None:
        rnd = round_of(self.state)
        if self.hole is None or rnd is None or not self.hidden(self.state) or rnd.due.kind is DueKind.REVEAL:
            return
        at = 0 if rules_of(self.state).dealer_up == "last" else 1
        self.take(said.CorrectCard(self.cause(), FLOOR, SECOND, DEALER, at, self.hole))
        for one in self.state.disputes:
            if one.place == DEALER and not rnd.unread:
                typed = (one.number, Remedy.TYPE_CARD, SECOND, None, self.hole)
                self.take(said.ResolveDispute(self.cause(), FLOOR, *typed))
        self.take(HoleTurned(self.cause(), self.hole))
        self.take(said.CardSeen(self.cause(), Place(0, data.draw(st.integers(0, 2))), self.hole, said.Face.DOWN))

    @rule(data=st.data())
    def a_dispute_is_resolved(self, data: st.DataObject) -> None:
        if self.state.disputes and self.state.house is not None:
            one = data.draw(st.sampled_from(self.state.disputes))
            remedy = data.draw(st.sampled_from(self.state.house.remedies[one.irregularity]))
            card = data.draw(st.sampled_from(self.in_the_shoe() or list(PACK))) if remedy is Remedy.TYPE_CARD else None
            boxes = tuple(data.draw(st.sets(st.integers(1, 7), max_size=3)))
            self.take(said.ResolveDispute(self.cause(), FLOOR, one.number, remedy, SECOND, None, card, boxes))

    @rule(seconds=st.integers(1, 100))
    def time_passes(self, seconds: int) -> None:
        self.now += seconds * 1_000_000_000
        self.take(said.Tick(self.cause()))

    @invariant()
    def every_card_is_somewhere_once(self) -> None:
        shoe, rnd = self.state.shoe, round_of(self.state)
        if shoe is None:
            return
        table = Counter(rnd.dealer) if rnd is not None else Counter[Card | None]()
        for box in rnd.boxes if rnd is not None else ():
            for hand in box.hands:
                table.update(hand.cards)
        for card in PACK:
            assert shoe.inside[card.index] + shoe.discards[card.index] + table[card] == shoe.decks, card

    @invariant()
    def the_bank_is_the_sum_of_the_rounds(self) -> None:
        assert self.state.bank.house_net == sum(self.rounds.values()) - sum(self.stands.values())

    def count(self, before: TableState, event: Event) -> None:
        """Keep the books a second time."""
        if isinstance(event, RoundSettled):
            assert event.house_net == (0 if event.practice else -sum(event.net.values()))
            self.rounds[event.number] = event.house_net
        elif isinstance(event, RoundVoided):
            self.rounds[event.number] = self.stands[event.number] = 0
        elif isinstance(event, PayoutCorrected) and event.stands:
            number = before.round.number if before.round is not None else 0
            self.stands[number] = self.stands.get(number, 0) + event.difference
        elif isinstance(event, TableClosed):
            self.rounds.clear()
            self.stands.clear()

    def teardown(self) -> None:
        assert replay(BLACKJACK, self.events) == self.state
        assert CODEC.state(ENCODER.encode(self.state)) == self.state


@pytest.mark.parametrize("witnesses", [("camera",), ("camera", "shoe")], ids=["camera", "camera and shoe"])
@pytest.mark.parametrize("house", houses.NAMES)
def test_the_laws_hold_in_any_course(house: str, witnesses: tuple[str, ...]) -> None:
    class Here(AnyCourse):
        pass

    Here.house, Here.witnesses = house, witnesses
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=25, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
