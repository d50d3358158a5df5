"""What finished shoes show of people's play: decisions that leave the strategy, and bets that follow the count.

Evidence for a person to weigh, never a verdict; only of shoes that are over, so that nobody can act on a shoe in play.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from table_controller.analysis.book import Book, hand_of
from table_controller.core import events as fact
from table_controller.core.blackjack import words as bj
from table_controller.core.blackjack.hands import points, total
from table_controller.core.blackjack.legal import legal
from table_controller.core.blackjack.round import BlackjackRound, DueKind, round_of, rules_of, upcard
from table_controller.core.blackjack.rules import RuleSet
from table_controller.core.blackjack.words import Action
from table_controller.core.cards import PACK
from table_controller.core.events import Event
from table_controller.core.house import ABSENT
from table_controller.core.table import TableState

DID: Final[dict[type[Event], Action]] = {
    bj.HandHit: Action.HIT,
    bj.HandStood: Action.STAND,
    bj.HandDoubled: Action.DOUBLE,
    bj.HandSplit: Action.SPLIT,
}
TAGS: Final = tuple(1 if 2 <= points(card) <= 6 else 0 if points(card) in (7, 8, 9) else -1 for card in PACK)
"""Hi-Lo by `Card.index`."""
ENOUGH: Final = 20
NOT_BY_PLAYERS: Final = frozenset({ABSENT, "clock"})


class Decision(NamedTuple):
    """What somebody did with a hand (pair, soft, total) against an upcard, and what the strategy would have done."""

    who: str
    dealer: str
    hand: tuple[bool, bool, int]
    up: int
    did: Action
    wanted: Action
    cost: float


class Wager(NamedTuple):
    """A first bet in minor units, and the true count when it lay."""

    who: str
    amount: int
    true_count: float


class Review(NamedTuple):
    """Everything seen in finished shoes."""

    shoes: int = 0
    rounds: int = 0
    decisions: tuple[Decision, ...] = ()
    wagers: tuple[Wager, ...] = ()


def review_of(steps: Iterable[tuple[TableState, Event]], book_of: Callable[[RuleSet], Book], *, ended: bool) -> Review:
    """Folds facts, each with the state before it. The last shoe counts only where the day has `ended`."""
    done, shoe = Review(), Review()
    for before, event in steps:
        if isinstance(event, fact.ShoeLoaded | fact.TableClosed):
            done, shoe = both(done, shoe), Review()
        elif isinstance(event, fact.BetsClosed) and before.round is not None and not before.round.practice:
            shoe = shoe._replace(rounds=shoe.rounds + 1, wagers=(*shoe.wagers, *_wagers(before)))
        else:
            decision = _decision(before, event, book_of)
            if decision is not None:
                shoe = shoe._replace(decisions=(*shoe.decisions, decision))
    return both(done, shoe) if ended else done


def both(one: Review, other: Review) -> Review:
    """Two reviews as one; a shoe nobody played from is none."""
    shoes = one.shoes + max(other.shoes, min(1, other.rounds))
    return Review(shoes, one.rounds + other.rounds, one.decisions + other.decisions, one.wagers + other.wagers)


def true_count(state: TableState) -> float:
    """Hi-Lo count of the cards seen so far, by the packs left."""
    assert state.shoe is not None
    seen = -sum(tag * number for tag, number in zip(TAGS, state.shoe.inside, strict=True))
    return seen * 52 / max(1, state.shoe.cards_left)


def _wagers(state: TableState) -> Iterator[Wager]:
    rnd = round_of(state)
    if rnd is None or state.shoe is None:
        return
    for box in rnd.boxes:
        yield Wager(state.players.get(box.number, str(box.number)), box.main, true_count(state))


def _decision(state: TableState, event: Event, book_of: Callable[[RuleSet], Book]) -> Decision | None:
    rnd = round_of(state)
    if rnd is None or rnd.practice or rnd.due.kind is not DueKind.SIGNAL or event.cause.source in NOT_BY_PLAYERS:
        return None
    did = DID.get(type(event))
    if isinstance(event, bj.BetSettled) and event.line.result is bj.Result.SURRENDER:
        did = Action.SURRENDER
    return None if did is None else _compared(state, rnd, did, book_of)


def _compared(
    state: TableState, rnd: BlackjackRound, did: Action, book_of: Callable[[RuleSet], Book]
) -> Decision | None:
    rules, place = rules_of(state), rnd.due.place
    box, hand, up = rnd.box(place.box), rnd.hand(place), upcard(rules, rnd)
    if box is None or hand is None or up is None:
        return None
    cards = [card for card in hand.cards if card is not None]
    allowed = legal(rules, box, hand)
    if len(cards) < len(hand.cards) or did not in allowed:
        return None
    book = book_of(rules)
    wanted = book.action(cards, up, allowed)
    worth = book.values(hand_of(cards), points(up) - 1)
    points_now, soft = total(cards)
    pair = len(cards) == 2 and points(cards[0]) == points(cards[1])
    cost = max(0.0, worth.get(wanted, 0.0) - worth.get(did, 0.0))
    who = state.players.get(place.box, str(place.box))
    return Decision(who, state.dealer or "–", (pair, soft, points_now), points(up), did, wanted, cost)


class Deviation(NamedTuple):
    """One kind of deviation: hand, upcard, done, wanted; how often, and what it cost in first bets."""

    hand: tuple[bool, bool, int]
    up: int
    did: Action
    wanted: Action
    times: int
    cost: float


class Player(NamedTuple):
    """All decisions of one person, and the deviations, dearest first."""

    who: str
    decisions: int
    wrong: int
    cost: float
    deviations: tuple[Deviation, ...]


def by_person(decisions: Iterable[Decision], person: Callable[[Decision], str]) -> list[Player]:
    """Decisions by player or by dealer."""
    groups: dict[str, list[Decision]] = {}
    for one in decisions:
        groups.setdefault(person(one), []).append(one)
    return [_player(who, found) for who, found in sorted(groups.items())]


def _player(who: str, found: list[Decision]) -> Player:
    kinds: dict[tuple[tuple[bool, bool, int], int, Action, Action], list[float]] = {}
    for one in found:
        if one.did is not one.wanted:
            kinds.setdefault((one.hand, one.up, one.did, one.wanted), []).append(one.cost)
    told = [Deviation(*kind, len(costs), sum(costs)) for kind, costs in kinds.items()]
    dearest = tuple(sorted(told, key=lambda one: (-one.cost, one.hand, one.up)))
    return Player(who, len(found), sum(one.times for one in told), sum(one.cost for one in told), dearest)


class Spread(NamedTuple):
    """One person's bets beside the count; no correlation where there are too few or all are alike."""

    who: str
    rounds: int
    correlation: float | None
    low: int
    high: int


def spreads(wagers: Iterable[Wager]) -> list[Spread]:
    """Bets against the count, by player."""
    groups: dict[str, list[Wager]] = {}
    for one in wagers:
        groups.setdefault(one.who, []).append(one)
    return [_spread(who, found) for who, found in sorted(groups.items())]


def _spread(who: str, found: list[Wager]) -> Spread:
    amounts, counts = np.array([one.amount for one in found]), np.array([one.true_count for one in found])
    enough = len(found) >= ENOUGH and amounts.std() > 0.0 and counts.std() > 0.0
    correlation = float(np.corrcoef(amounts, counts)[0, 1]) if enough else None
    return Spread(who, len(found), correlation, int(amounts.min()), int(amounts.max()))
