"""However fast the dealer and however late the camera: within the house's time the same cards end in the same hands."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.round import DueKind, deal_order, hole_index, rules_of
from table_controller.core.blackjack.words import Action, HolePeeked, Signal
from table_controller.core.cards import PACK, Card
from table_controller.core.codec import ENCODER
from table_controller.core.events import Disputed
from table_controller.core.irregular import Irregularity, Remedy
from table_controller.core.life import NS
from table_controller.core.places import DEALER, Place
from table_controller.core.stimuli import Cause, Face, Stimulus
from table_controller.play.felt import FLOOR, SECOND, Felt

BOXES = (1, 3, 5)


@dataclass(frozen=True)
class Said:
    """What one witness says: when it happened, when it is heard."""

    source: str
    at_ns: int
    heard_ns: int
    place: Place = DEALER
    card: Card | None = None
    face: Face = Face.UP
    frame_ns: int | None = None

    def stimulus(self, number: int) -> Stimulus:
        if self.source == "shoe":
            return said.CardDrawn(Cause("shoe", number, self.at_ns))
        cause = Cause("eyes", number, self.frame_ns or self.heard_ns)
        return said.CardSighted(
            cause, (self.place,), self.card, self.face, self.at_ns, self.place.box * 100, number * 20
        )


def betted(house: str, witnesses: list[str]) -> Felt:
    felt = Felt()
    felt.open(houses.rule_values(house), {**houses.house_values(house), "witnesses": witnesses})
    felt.command(said.OpenBets(felt.cause(), FLOOR))
    for box in BOXES:
        felt.command(said.PlaceBet(felt.cause(), FLOOR, box, 300))
    felt.command(said.CloseBets(felt.cause(), FLOOR))
    return felt


def dealt(draw: st.DrawFn, felt: Felt, pulses: bool) -> tuple[list[Said], dict[Place, list[Card]]]:
    """A deal: every card with its pulse and its sighting, each heard up to the house's time after the draw."""
    rules = rules_of(felt.state)
    order = deal_order(rules, felt.round.boxes)
    cards = draw(st.lists(st.sampled_from(PACK), min_size=len(order), max_size=len(order), unique=True))
    now, heard, truth = 2 * NS, list[Said](), dict[Place, list[Card]]()
    for place, card in zip(order, cards, strict=True):
        now += draw(st.integers(NS // 10, NS))
        down = place == DEALER and rules.hole_card and len(truth.get(DEALER, [])) == hole_index(rules)
        truth.setdefault(place, []).append(card)
        rest = now + draw(st.integers(NS // 10, NS))
        late = draw(st.integers(0, 49 * NS // 10))
        if pulses:
            heard.append(Said("shoe", now, now + draw(st.integers(0, 49 * NS // 10))))
        seen = None if down else card
        heard.append(Said("eyes", rest, max(rest, now + late), place, seen, Face.DOWN if down else Face.UP))
    return [after_the_back(one, heard) if hole_index(rules) == 0 else one for one in heard], truth


def after_the_back(one: Said, heard: list[Said]) -> Said:
    """Where the hidden card comes first, an open one read before its back is seen may be it: it would be asked for."""
    backs = [back for back in heard if back.face is Face.DOWN]
    if one.card is None or one.place != DEALER or not backs:
        return one
    return replace(one, heard_ns=max(one.heard_ns, backs[0].heard_ns + 1))


def hear(felt: Felt, heard: list[Said], until_ns: int, *, eyes_say: bool = False) -> None:
    """In the order in which it is heard, each source numbering its own words, the clock ticking in between.

    The eyes may say how far they have come: there is nothing earlier that they have yet to say.
    """
    numbers, ticks, clock = {"shoe": 0, "eyes": 0}, 0, 2 * NS
    pulses = iter(sorted((one for one in heard if one.source == "shoe"), key=lambda one: one.at_ns))
    for one in sorted(heard, key=lambda one: one.heard_ns):
        while clock + NS // 4 <= one.heard_ns:
            ticks, clock = ticks + 1, clock + NS // 4
            unread = [other for other in heard if other.source == "eyes" and other.heard_ns > clock]
            unsaid = (other.frame_ns or other.at_ns for other in unread)
            felt.say(said.Tick(Cause("clock", ticks, clock), min(unsaid, default=clock) if eyes_say else 0))
        told = next(pulses) if one.source == "shoe" else one  # a line keeps the order of what it delivers
        numbers[one.source] += 1
        felt.say(told.stimulus(numbers[one.source]))
    felt.say(said.Tick(Cause("clock", ticks + 1, until_ns)))


def check(felt: Felt, truth: dict[Place, list[Card]]) -> None:
    rules, rnd = rules_of(felt.state), felt.round
    asked = [event for event in felt.events if isinstance(event, Disputed)]
    assert asked == []
    hidden = hole_index(rules) if rules.hole_card else None
    for place, cards in truth.items():
        known = [None if place == DEALER and at == hidden else card for at, card in enumerate(cards)]
        assert sorted(map(str, rnd.cards_at(place))) == sorted(map(str, known)), place
    assert felt.state.shoe is not None
    assert felt.state.shoe.drawn == ()
    assert all(sight.place is not None for sight in felt.state.sights)


@pytest.mark.parametrize("witnesses", [["camera"], ["camera", "shoe"]], ids=["camera", "camera and shoe"])
@pytest.mark.parametrize("house", houses.NAMES)
def test_any_order_of_pulses_and_sightings_within_the_houses_time_ends_in_the_same_cards(
    house: str, witnesses: list[str]
) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        felt = betted(house, witnesses)
        heard, truth = data.draw(st.composite(dealt)(felt, "shoe" in witnesses))
        hear(felt, heard, 30 * NS)
        check(felt, truth)
        rules = rules_of(felt.state)
        if rules.hole_card:
            told = b"".join(map(ENCODER.encode, felt.events))
            assert f'"{truth[DEALER][hole_index(rules)]}"'.encode() not in told

    holds()


@pytest.mark.parametrize("witnesses", [["camera"], ["camera", "shoe"]], ids=["camera", "camera and shoe"])
@pytest.mark.parametrize("house", houses.NAMES)
def test_eyes_that_say_how_far_they_have_come_may_be_late(house: str, witnesses: list[str]) -> None:
    @settings(max_examples=20, deadline=None)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        felt = betted(house, witnesses)
        heard, truth = data.draw(st.composite(dealt)(felt, "shoe" in witnesses))
        behind = data.draw(st.integers(0, 25 * NS))
        late = [
            replace(one, heard_ns=one.heard_ns + behind, frame_ns=one.heard_ns) if one.source == "eyes" else one
            for one in heard
        ]
        hear(felt, late, 58 * NS, eyes_say=True)
        check(felt, truth)

    holds()


def with_a_slip(draw: st.DrawFn, heard: list[Said], slip: str) -> list[Said]:
    """One thing that went wrong at the table or with a witness."""
    sights = [one for one in heard if one.source == "eyes" and one.card is not None]
    pulses = [one for one in heard if one.source == "shoe"]
    sight = draw(st.sampled_from(sights))
    match slip:
        case "a pulse is missing":
            lost = draw(st.sampled_from(pulses))
            return [one for one in heard if one is not lost]
        case "a finger in the shoe":
            one = draw(st.sampled_from(pulses))
            return [*heard, replace(one, at_ns=one.at_ns + 1, heard_ns=one.heard_ns + 1)]
        case "a card is not seen":
            return [one for one in heard if one is not sight]
        case "a card lies elsewhere":
            other = draw(st.sampled_from([Place(box) for box in (*BOXES, 6) if box != sight.place.box]))
            return [replace(one, place=other) if one is sight else one for one in heard]
        case _:
            name = draw(st.sampled_from(PACK) | st.sampled_from([one.card for one in sights]))
            return [*heard, replace(sight, card=name, heard_ns=sight.heard_ns + 1)]


SLIPS = ["a card is not seen", "a card lies elsewhere", "a card too many"]


@pytest.mark.parametrize(
    ("witnesses", "slip"),
    [
        *((["camera"], slip) for slip in SLIPS),
        *((["camera", "shoe"], slip) for slip in [*SLIPS, "a pulse is missing", "a finger in the shoe"]),
    ],
    ids=str,
)
def test_a_slip_is_asked_about_or_waited_for_and_never_passed_over(witnesses: list[str], slip: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        felt = betted("golden_wolf", witnesses)
        heard, _ = data.draw(st.composite(dealt)(felt, "shoe" in witnesses))
        hear(felt, data.draw(st.composite(with_a_slip)(heard, slip)), 40 * NS)
        asked = any(isinstance(event, Disputed) for event in felt.events)
        waits = slip == "a card is not seen" and felt.round.due.kind is DueKind.CARD
        assert asked or waits
        assert felt.round.due.kind is not DueKind.SIGNAL or felt.state.disputes

    holds()


@pytest.mark.parametrize("gone_first", [True, False], ids=["gone, then seen", "seen, then gone"])
def test_a_card_is_moved_once_it_lies_no_more_where_it_lay_and_not_because_another_of_its_name_is_dealt(
    gone_first: bool,
) -> None:
    felt = betted("golden_wolf", ["camera", "shoe"])
    felt.say(said.CardDrawn(Cause("shoe", 1, 2 * NS)))
    felt.say(Said("eyes", 3 * NS, 3 * NS, Place(3), Card.parse("TS")).stimulus(1))
    felt.say(said.Tick(Cause("clock", 1, 9 * NS)))
    assert [one.irregularity for one in felt.state.disputes] == [Irregularity.WRONG_PLACE]
    as_due, gone = Said("eyes", 10 * NS, 10 * NS, Place(1), Card.parse("TS")), said.CardGone
    if gone_first:
        felt.say(gone(Cause("eyes", 2, 10 * NS), 1))
        assert felt.state.disputes
        felt.say(as_due.stimulus(3))
    else:
        felt.say(as_due.stimulus(2))
        assert felt.state.disputes
        assert felt.round.due.place == Place(1)
        felt.say(gone(Cause("eyes", 3, 11 * NS), 1))
    assert not felt.state.disputes
    assert felt.round.cards_at(Place(1)) == (Card.parse("TS"),)


@settings(max_examples=100, deadline=None)
@given(
    late=st.tuples(st.integers(0, 49), st.integers(0, 49), st.integers(0, 49), st.integers(0, 49)),
    first=st.sampled_from(["2C", "3D", "4H"]),
)
def test_a_hit_card_is_the_same_whichever_witness_speaks_first(late: tuple[int, int, int, int], first: str) -> None:
    felt = betted("golden_wolf", ["camera", "shoe"])
    order = [Place(1), Place(3), Place(5), DEALER, Place(1), Place(3), Place(5), DEALER]
    for at, (place, card) in enumerate(zip(order, ["2S", "TS", "TH", "7H", "3S", "9D", "9C", None], strict=True)):
        face = Face.UP if card else Face.DOWN
        felt.say(said.CardDrawn(felt.cause()))
        felt.say(said.CardSeen(felt.cause(), place, Card.parse(card) if card else None, face))
        assert felt.round.dealer or at < 4
    heard = list[Said]()
    for at, card in enumerate((first, "5C")):
        now = (10 + 10 * at) * NS
        pulse = Said("shoe", now, now + late[2 * at] * NS // 10)
        sight = Said(
            "eyes", now + NS // 2, now + NS // 2 + late[2 * at + 1] * NS // 10 * 9 // 10, Place(1), Card.parse(card)
        )
        felt.say(Signal(Cause("keys", at + 1, now - NS // 4), 1, 0, Action.HIT))
        numbers = {"shoe": at + 1, "eyes": at + 1}
        for one in sorted((pulse, sight), key=lambda one: one.heard_ns):
            felt.say(one.stimulus(numbers[one.source]))
        heard += [pulse, sight]
    assert [str(card) for card in felt.round.cards_at(Place(1))] == ["2S", "3S", first, "5C"]
    assert not felt.state.disputes
    assert felt.round.due.kind in (DueKind.SIGNAL, DueKind.CARD, DueKind.PEEK)


def test_a_peek_before_the_last_card_was_understood_is_noted_and_asked_again() -> None:
    felt = betted("live_dealer", ["camera"])
    told = felt.say(HolePeeked(felt.cause(), blackjack=False))
    assert [type(event).__name__ for event in told] == ["ObservationNoted"]


@settings(max_examples=60, deadline=None)
@given(
    lost=st.sampled_from(["gone", "covered"]),
    unread=st.booleans(),
    late=st.integers(0, 80),
    shown=st.booleans(),
)
def test_a_hole_card_turned_and_not_read_in_the_houses_time_is_asked_about_once(
    lost: str, unread: bool, late: int, shown: bool
) -> None:
    """Whatever the eyes say of it, or if they say nothing but that its back is gone; shown again it answers itself."""
    felt = betted("golden_wolf", ["camera"])
    for number, card in enumerate(["2S", "TS", "TH", "7H", "3S", "9D", "9C"], 1):
        place = felt.round.due.place
        felt.say(said.CardSighted(Cause("eyes", number, NS), (place,), Card.parse(card), Face.UP, NS, number * 40))
    felt.say(said.CardSighted(Cause("eyes", 8, NS), (DEALER,), None, Face.DOWN, NS, 900))
    for box in BOXES:
        felt.say(Signal(Cause("keys", box, 2 * NS), box, 0, Action.STAND))
    assert felt.round.due.kind is DueKind.REVEAL
    now = 20 * NS + late * NS // 10
    felt.say(said.CardGone(Cause("eyes", 9, now), 8, lost == "covered"))
    if unread:
        felt.say(said.CardSighted(Cause("eyes", 10, now), (DEALER,), None, Face.UP, now, 901))
    for tick in range(1, 30):
        felt.say(said.Tick(Cause("clock", tick, now + tick * NS // 4)))
    asked = [(one.irregularity, one.place) for one in felt.events if isinstance(one, Disputed)]
    assert asked == [(Irregularity.UNREADABLE, DEALER)]
    if shown:
        felt.say(said.CardSighted(Cause("eyes", 11, now + 9 * NS), (DEALER,), Card.parse("5S"), Face.UP, now, 930))
        assert felt.round.revealed
        assert not felt.state.disputes


@pytest.mark.parametrize("remedy", [Remedy.BURN, Remedy.NO_CARD])
def test_no_pulse_of_a_void_round_is_a_card_of_the_next_one(remedy: Remedy) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        felt = betted("golden_wolf", ["camera", "shoe"])
        heard, _ = data.draw(st.composite(dealt)(felt, True))
        hear(felt, heard[: data.draw(st.integers(0, len(heard)))], data.draw(st.integers(2, 40)) * NS)
        shoe = felt.state.shoe
        assert shoe is not None
        felt.command(said.VoidRound(felt.cause(), FLOOR, SECOND, "cannot be continued"))
        assert felt.state.shoe is not None
        assert len(felt.state.disputes) == len(felt.state.shoe.drawn)
        for one in felt.state.disputes:
            felt.command(said.ResolveDispute(felt.cause(), FLOOR, one.number, remedy))
        assert felt.state.shoe.drawn == ()
        assert felt.state.shoe.cards_left <= shoe.cards_left

    holds()
