"""The life of a table: opened and closed by two people, paused, its devices lost and back, its dealers and players."""

from msgspec.structs import replace

from table_controller.core import events as fact
from table_controller.core import stimuli as said
from table_controller.core.disputes import dispute, not_floor, one_person
from table_controller.core.game import Course
from table_controller.core.house import Absent, read_house
from table_controller.core.irregular import Irregularity
from table_controller.core.money import Chips, worth
from table_controller.core.parameters import Unusable
from table_controller.core.people import Role
from table_controller.core.reasons import Reason, Refusal
from table_controller.core.table import Bank, TableState, blocking

NS = 1_000_000_000


def unknown_chip(state: TableState, chips: Chips) -> Refusal | None:
    """Chips the house does not have, or fewer than none."""
    assert state.house is not None
    return _bad_chips(chips, state.house.denominations)


def _bad_chips(chips: Chips, denominations: tuple[int, ...]) -> Refusal | None:
    strange = [chip for chip, number in chips.items() if chip not in denominations or number < 0]
    return Refusal(Reason.NO_SUCH_CHIP, f"{strange}; chips are {list(denominations)}") if strange else None


def cannot_open(state: TableState, command: said.OpenTable) -> Refusal | None:
    """Why the table stays closed; the game adds what is wrong with the rules."""
    if state.rules is not None:
        return Refusal(Reason.TABLE_OPEN)
    if one_person(command.by, command.second):
        return Refusal(Reason.SECOND_PERSON)
    try:
        house = read_house(command.house)
    except Unusable as refused:
        return Refusal(Reason.HOUSE_UNUSABLE, str(refused))
    if house.deck_check and command.checked is None:
        return Refusal(Reason.DECKS_UNCHECKED)
    return _bad_chips(command.chips, house.denominations) or not_floor(command)


def open_table(course: Course, command: said.OpenTable) -> None:
    """Open, with everything by value."""
    by_value = (command.rules, command.house, command.chips, command.checked)
    course.record(fact.TableOpened(course.cause, command.by, command.second, *by_value))


def table_opened(state: TableState, event: fact.TableOpened) -> TableState:
    """House and float; the game folds in the rules, since only it can read them."""
    return replace(state, house=read_house(event.house), bank=Bank(opening=worth(event.chips)))


def between_rounds(state: TableState) -> Refusal | None:
    """Whether the table is open and no round is on it."""
    if state.rules is None:
        return Refusal(Reason.TABLE_CLOSED)
    return Refusal(Reason.ROUND_OPEN) if state.round is not None else None


def cannot_close(state: TableState, command: said.CloseTable) -> Refusal | None:
    """Why the table stays open."""
    if (early := between_rounds(state)) is not None:
        return early
    if one_person(command.by, command.second):
        return Refusal(Reason.SECOND_PERSON)
    if state.paused:
        return Refusal(Reason.TABLE_PAUSED)
    if state.disputes:
        return Refusal(Reason.DISPUTE_OPEN, str(state.disputes[0].irregularity))
    return unknown_chip(state, command.chips) or not_floor(command)


def close_table(course: Course, command: said.CloseTable) -> None:
    """Close with the count and the win it proves."""
    win, back = course.state.bank.win(worth(command.chips)), dict(course.state.carried)
    course.record(fact.TableClosed(course.cause, command.by, command.second, command.chips, win, back))


def table_closed(state: TableState, _event: fact.TableClosed) -> TableState:
    return replace(
        state,
        rules=None,
        house=None,
        shoe=None,
        disputes=(),
        sights=(),
        carried={},
        dealer=None,
        players={},
        bank=Bank(),
        upkeep=replace(state.upkeep, reader_inspected=False),
    )


def cannot_change_rules(state: TableState, command: said.ChangeRules) -> Refusal | None:
    """Rules are constant while a round runs (25 CFR 547.8(b)(1)); another number of decks needs another shoe."""
    return between_rounds(state) or not_floor(command)


def change_rules(course: Course, command: said.ChangeRules) -> None:
    """From the next round on."""
    course.record(fact.RulesChanged(course.cause, command.by, command.rules))


def cannot_pause(state: TableState, _command: said.PauseTable) -> Refusal | None:
    """A pause only stops what moves."""
    if state.rules is None:
        return Refusal(Reason.TABLE_CLOSED)
    return Refusal(Reason.TABLE_PAUSED) if state.paused else None


def pause(course: Course, command: said.PauseTable) -> None:
    """Anybody at the table may stop it."""
    course.record(fact.TablePaused(course.cause, command.by, command.reason))


def paused(state: TableState, _event: fact.TablePaused) -> TableState:
    return replace(state, paused=True)


def cannot_resume(state: TableState, command: said.ResumeTable) -> Refusal | None:
    """Only the floor lets it go on."""
    return not_floor(command) if state.paused else Refusal(Reason.NOT_PAUSED)


def resume(course: Course, command: said.ResumeTable) -> None:
    """Go on."""
    course.record(fact.TableResumed(course.cause, command.by))


def resumed(state: TableState, _event: fact.TableResumed) -> TableState:
    return replace(state, paused=False)


def device_lost(course: Course, seen: said.DeviceLost) -> None:
    """A fault that may change the outcome; no new round until it is back (25 CFR 547.8(b)(3))."""
    if seen.device in course.state.faults:
        course.record(fact.ObservationNoted(course.cause, "device_lost", Reason.NOTHING_TO_DO))
    else:
        course.record(fact.DeviceFailed(course.cause, seen.device))


def device_back(course: Course, seen: said.DeviceBack) -> None:
    """It answers again."""
    if seen.device in course.state.faults:
        course.record(fact.DeviceRecovered(course.cause, seen.device))
    else:
        course.record(fact.ObservationNoted(course.cause, "device_back", Reason.NOTHING_TO_DO))


def failed(state: TableState, event: fact.DeviceFailed) -> TableState:
    return replace(state, faults=(*state.faults, event.device))


def recovered(state: TableState, event: fact.DeviceRecovered) -> TableState:
    return replace(state, faults=tuple(device for device in state.faults if device != event.device))


def cannot_sign_on(state: TableState, command: said.SignOn) -> Refusal | None:
    """Dealers change between rounds, and a supervisor sees it."""
    if (early := between_rounds(state)) is not None:
        return early
    return Refusal(Reason.ROLE) if command.by.role in (Role.TECHNICIAN, Role.SURVEILLANCE) else None


def sign_on(course: Course, command: said.SignOn) -> None:
    """A relief burns what the house wants (58 Pa. Code 685a.7(c))."""
    house, before = course.state.house, course.state.dealer
    assert house is not None
    burn = house.burns.new_dealer if before is not None and before != command.dealer else 0
    course.record(fact.DealerSignedOn(course.cause, command.by, command.dealer, burn))


def signed_on(state: TableState, event: fact.DealerSignedOn) -> TableState:
    shoe = state.shoe and replace(state.shoe, burn_due=state.shoe.burn_due + event.burn)
    return replace(state, dealer=event.dealer, shoe=shoe)


def cannot_take_box(state: TableState, command: said.TakeBox) -> Refusal | None:
    """Players come and go between rounds."""
    if (early := between_rounds(state)) is not None:
        return early
    assert state.rules is not None
    return None if 1 <= command.box <= state.rules.boxes else Refusal(Reason.NO_SUCH_BOX)


def take_box(course: Course, command: said.TakeBox) -> None:
    """A box has a player."""
    course.record(fact.BoxTaken(course.cause, command.box, command.player))


def box_taken(state: TableState, event: fact.BoxTaken) -> TableState:
    players = {box: name for box, name in state.players.items() if box != event.box}
    return replace(state, players={**players, event.box: event.player} if event.player is not None else players)


def tick(course: Course, clock: said.Tick) -> None:
    """A card drawn and never seen becomes a question when the house's time for it is over."""
    state, house = course.state, course.state.house
    if house is None or state.shoe is None or not state.shoe.drawn or blocking(state) is not None:
        return
    if clock.seen_until_ns - state.shoe.drawn[0].at_ns > house.timers.card_seconds * NS:
        dispute(course, Irregularity.DRAWN_NOT_SEEN)


def stands_when_absent(state: TableState) -> bool:
    """Whether the house lets an absent player's hand stand without asking anybody."""
    return state.house is not None and state.house.absent is Absent.STAND


def overdue(state: TableState, at_ns: int, times: int = 1) -> bool:
    """Whether a player has not answered for so many times the house's time."""
    house = state.house
    return house is not None and at_ns - state.moved_at_ns > times * house.timers.answer_seconds * NS


def plays_when_absent(state: TableState) -> bool:
    """Whether the house has an absent player's hand played by its strategy."""
    return state.house is not None and state.house.absent is Absent.PLAY


def unchanged(state: TableState, _event: fact.Event) -> TableState:
    return state
