"""Cases about the strategy of a house: one cell of its chart, and a round whose players do not answer."""

from table_controller import houses
from table_controller.analysis.book import Book
from table_controller.analysis.chart import ACTIONS, cell
from table_controller.core.blackjack.round import DueKind
from table_controller.core.blackjack.rules import RuleSet, values_of
from table_controller.core.cards import Card
from table_controller.core.events import SignalRefused
from table_controller.core.house import Absent, House, read_house
from table_controller.core.life import NS
from table_controller.play.felt import CannotPlay, Felt
from table_controller.play.scripted import Answer, Bet, place_bets, told_round
from table_controller.shell.stand_in import signal_for_absent


def first_action(rules: RuleSet, kind: str, value: str, up: str) -> Answer:
    """What the chart does with two cards: `kind` hard, soft or pairs, `value` such as 16 or 6,6."""
    try:
        found = cell(Book(rules), kind, value, up)
    except KeyError as nowhere:
        raise CannotPlay(
            f"no chart has {nowhere.args[0]}; hands are hard, soft or pairs, upcards 2 to 10 and A"
        ) from None
    return {"action": ACTIONS[found.code[0]], "code": found.code, "ev": found.ev}


def play_absent(rules: RuleSet, profile: str, bets: list[Bet], shoe: list[str], funds: int | None) -> Answer:
    """A round in which nobody answers and the house plays every hand by its strategy."""
    felt, book = Felt(), Book(rules)
    house = {**houses.house_values(profile), "absent": Absent.PLAY.value}
    felt.open(values_of(rules), house)
    place_bets(felt, bets, funds=funds)
    felt.cards, felt.used = map(Card.parse, shoe), 0
    patience = _patience(read_house(house))
    decisions = list[str]()
    while felt.round.due.kind is not DueKind.PAY:
        if felt.point() is None:
            felt.deal()
            continue
        signal = signal_for_absent(felt.state, book, felt.state.moved_at_ns + patience)
        if signal is None:
            raise CannotPlay(f"nobody plays {felt.round.due.place}")
        if any(isinstance(event, SignalRefused) for event in felt.say(signal)):
            raise CannotPlay(f"{signal.action} of {felt.round.due.place} was refused")
        decisions.append(signal.action)
    return {"decisions": decisions, **told_round(felt)}


def _patience(house: House) -> int:
    return (house.timers.answer_seconds + 1) * NS
