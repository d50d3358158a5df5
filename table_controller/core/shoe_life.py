"""The shoe's life: filled, cut, burned from, counted, run dry."""

from typing import Final

from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core import stimuli as said
from table_controller.core import upkeep_words as tended
from table_controller.core.cards import PACK, Card
from table_controller.core.disputes import dispute, not_floor
from table_controller.core.game import Course
from table_controller.core.house import Witness
from table_controller.core.irregular import Irregularity
from table_controller.core.life import between_rounds
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.shoe import Drawn, differences, discarded, fresh, refilled, without
from table_controller.core.table import Phase, TableState
from table_controller.core.upkeep import cannot_change, cannot_stay, changed

FROM_EITHER_END: Final = 10
"""Cards the cut card lies from either end at least; one that comes out further off than that was put elsewhere."""


def cannot_load(state: TableState, command: said.LoadShoe) -> Refusal | None:
    """Never in a round; a shoe that was found wrong is replaced, not shuffled again."""
    if (early := between_rounds(state)) is not None:
        return early
    if state.shoe is not None and state.shoe.condemned and not command.new_cards:
        return Refusal(Reason.SHOE_CONDEMNED)
    return cannot_stay(state, command) if not command.new_cards else cannot_change(state, command)


def load(course: Course, command: said.LoadShoe) -> None:
    """Whole packs, and the house's burn."""
    by, second = command.by, command.second if command.new_cards else None
    rules, house = course.state.rules, course.state.house
    assert rules is not None
    assert house is not None
    course.record(fact.ShoeLoaded(course.cause, by, rules.decks, command.new_cards, house.burns.new_shoe, second))


def loaded(state: TableState, event: fact.ShoeLoaded) -> TableState:
    upkeep = changed(state.upkeep, event.cause.at_ns) if event.new_cards else state.upkeep
    return replace(state, shoe=fresh(event.decks, event.burn), upkeep=upkeep)


def cannot_cut(state: TableState, command: said.CutShoe) -> Refusal | None:
    """At least ten cards from either end (N.J.A.C. 13:69F-2.5), by somebody who sits there, before the first card."""
    if (early := between_rounds(state)) is not None:
        return early
    assert state.rules is not None
    if state.shoe is None:
        return Refusal(Reason.NO_SHOE)
    if not state.shoe.shuffled:
        return Refusal(Reason.NOT_DUE)
    if not 0 <= command.place.box <= state.rules.boxes:
        return Refusal(Reason.NO_SUCH_BOX)
    most = state.shoe.decks * len(PACK) - FROM_EITHER_END
    if not FROM_EITHER_END <= command.behind <= most:
        return Refusal(Reason.CUT_DEPTH, f"{FROM_EITHER_END} to {most}")
    return None


def usual_cut(state: TableState) -> int:
    """How many cards lie behind the cut card where the house usually puts it; 0 where it does not ask."""
    if state.house is None or state.house.cut_percent is None or state.shoe is None:
        return 0
    return max(FROM_EITHER_END, state.shoe.decks * len(PACK) * state.house.cut_percent // 100)


def cut(course: Course, command: said.CutShoe) -> None:
    """Said again before the first card, the last word counts."""
    course.record(tended.ShoeCut(course.cause, command.by, command.place, command.behind))


def was_cut(state: TableState, event: tended.ShoeCut) -> TableState:
    assert state.shoe is not None
    return replace(state, shoe=replace(state.shoe, cut_by=event.place, behind=event.behind))


def cannot_count(state: TableState, command: said.CountShoe) -> Refusal | None:
    """A census is of the cards that should be inside, between rounds."""
    if (early := between_rounds(state)) is not None:
        return early
    if state.shoe is None:
        return Refusal(Reason.NO_SHOE)
    known = {card.text for card in PACK}
    strange = sorted(set(command.inside) - known)
    return Refusal(Reason.NO_SUCH_CARD, ", ".join(strange)) if strange else not_floor(command)


def count(course: Course, command: said.CountShoe) -> None:
    """Compare the count with what must be inside; a difference takes the shoe out of play."""
    assert course.state.shoe is not None
    counted = bytes(max(0, min(255, command.inside.get(card.text, 0))) for card in PACK)
    found = differences(course.state.shoe, counted)
    course.record(fact.ShoeCounted(course.cause, command.by, found))
    if found:
        dispute(course, Irregularity.CENSUS_DIFFERS)


def counted(state: TableState, event: fact.ShoeCounted) -> TableState:
    assert state.shoe is not None
    return replace(state, shoe=replace(state.shoe, condemned=state.shoe.condemned or bool(event.differences)))


def drawn(course: Course, pulse: said.CardDrawn) -> None:
    """The shoe says a card left. Without a card due it was drawn in error and must be the next card used.

    The late word about a card that a person has accepted meanwhile is no second card.
    """
    state = course.state
    if state.shoe is None or state.house is None or Witness.SHOE not in state.house.witnesses:
        course.record(fact.ObservationNoted(course.cause, "card_drawn", Reason.NO_SHOE))
        return
    late = bool(state.shoe.unpulsed) and pulse.cause.at_ns < state.shoe.unpulsed[0]
    course.record(fact.CardLeftShoe(course.cause, pulse.card, pulse.long))
    if late:
        return
    if state.shoe.burn_due and state.round is None:
        burn(course, pulse.card, "due")
    elif state.round is None:
        dispute(course, Irregularity.OUTSIDE_ROUND)
    elif not course.game.card_due(course.state):
        dispute(course, Irregularity.DRAWN_IN_ERROR)


def left_shoe(state: TableState, event: fact.CardLeftShoe) -> TableState:
    assert state.shoe is not None
    shoe, at_ns = state.shoe, event.cause.at_ns
    if shoe.unpulsed and at_ns < shoe.unpulsed[0]:
        return replace(state, shoe=replace(shoe, unpulsed=shoe.unpulsed[1:]))
    drawn = (*shoe.drawn, Drawn(at_ns, event.card))
    return replace(state, shoe=replace(shoe, drawn=drawn, unpulsed=(), long_pull=event.long))


def pulse_dismissed(state: TableState, _event: fact.PulseDismissed) -> TableState:
    assert state.shoe is not None
    return replace(state, shoe=replace(state.shoe, drawn=state.shoe.drawn[1:]))


def pulse_taken(state: TableState, event: fact.PulseTaken) -> TableState:
    shoe, at = state.shoe, event.pulse
    if shoe is None or at >= len(shoe.drawn):
        return state
    return replace(state, shoe=replace(shoe, drawn=(shoe.drawn[at], *shoe.drawn[:at], *shoe.drawn[at + 1 :])))


def burnt(course: Course, seen: said.CardBurnt) -> None:
    """A burn by the dealer; outside the house's burn it is recorded all the same."""
    if course.state.shoe is None:
        course.record(fact.ObservationNoted(course.cause, "card_burnt", Reason.NO_SHOE))
    else:
        burn(course, seen.card, "due" if course.state.shoe.burn_due else "dealer")


def exposed(course: Course, seen: said.CardExposed) -> None:
    """A card face up in the shoe is not used and takes nobody's place (S.D. Admin. R. 20:18:15:28)."""
    if course.state.shoe is None:
        course.record(fact.ObservationNoted(course.cause, "card_exposed", Reason.NO_SHOE))
    else:
        burn(course, seen.card, "exposed_in_shoe")


def burn(course: Course, card: Card | None, why: str) -> None:
    """A card goes unplayed to the rack; one the shoe cannot hold goes there unnamed, and is a question."""
    assert course.state.shoe is not None
    possible = card is None or course.state.shoe.holds(card)
    course.record(fact.CardBurned(course.cause, card if possible else None, why))
    if not possible:
        dispute(course, Irregularity.IMPOSSIBLE_CARD, None, card)


def burned(state: TableState, event: fact.CardBurned) -> TableState:
    shoe = state.shoe
    assert shoe is not None
    if shoe.drawn:
        shoe = replace(shoe, drawn=shoe.drawn[1:])
    due = max(0, shoe.burn_due - (event.why == "due"))
    return replace(state, shoe=replace(discarded(without(shoe, event.card), (event.card,)), burn_due=due))


def cut_card(course: Course, seen: said.CutCardSeen) -> None:
    """The round is finished from this shoe; the next needs a shuffle (58 Pa. Code 685a.7(d)). It is never a rank."""
    if course.state.shoe is None:
        course.record(fact.ObservationNoted(course.cause, "cut_card", Reason.NO_SHOE))
        return
    shoe = course.state.shoe
    course.record(fact.CutCardShown(course.cause))
    left = shoe.cards_left - len(shoe.drawn)
    if shoe.cut_by is not None and not shoe.cut_card_seen and abs(left - shoe.behind) > FROM_EITHER_END:
        course.record(tended.CutCardMisplaced(course.cause, shoe.behind, left))
    if seen.place is not None and course.state.phase is not Phase.IDLE:
        dispute(course, Irregularity.CUT_CARD_DEALT, seen.place)


def cut_card_shown(state: TableState, _event: fact.CutCardShown) -> TableState:
    assert state.shoe is not None
    return replace(state, shoe=replace(state.shoe, cut_card_seen=True))


def shoe_refilled(state: TableState, _event: fact.ShoeRefilled) -> TableState:
    assert state.shoe is not None
    return replace(state, shoe=replace(refilled(state.shoe), cut_card_seen=True))
