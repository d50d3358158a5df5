"""A round whose bets, cards and decisions are given: what was asked, what was allowed, who was paid."""

import msgspec

from table_controller import houses
from table_controller.core import stimuli as said
from table_controller.core.blackjack.hands import total
from table_controller.core.blackjack.round import DueKind, rules_of
from table_controller.core.blackjack.rules import RuleSet, Surrender, values_of
from table_controller.core.blackjack.words import Action, BetKind, Line
from table_controller.core.cards import Card
from table_controller.core.events import Event, SignalRefused
from table_controller.core.places import Place
from table_controller.play.felt import FLOOR, CannotPlay, Felt, Point

Answer = dict[str, object]


class Bet(msgspec.Struct, forbid_unknown_fields=True):
    """What lies on a box before the deal, in minor units."""

    box: int
    main: int = 0
    pairs: int = 0


class Decision(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody does; with `reject` it must be refused and change nothing."""

    box: int
    do: str
    hand: int = 0
    amount: int | None = None
    reject: bool = False


def table_for(rules: RuleSet, house: str) -> Felt:
    """An open table with these rules, a shuffled shoe and the house file of that name."""
    felt = Felt()
    felt.open(values_of(rules), houses.house_values(house))
    return felt


def place_bets(felt: Felt, bets: list[Bet], *, practice: bool = False, funds: int | None = None) -> None:
    """Open the bets, lay exactly these, what stayed on the boxes being part of them, and close."""
    felt.command(said.OpenBets(felt.cause(), FLOOR, practice))
    for box in felt.round.boxes:
        felt.command(said.TakeBack(felt.cause(), FLOOR, box.number))
    left = None if funds is None else funds - sum(bet.main + bet.pairs for bet in bets)
    for bet in bets:
        owned = None if left is None else left + bet.main
        felt.command(said.PlaceBet(felt.cause(), FLOOR, bet.box, bet.main, funds=owned))
        if bet.pairs:
            felt.command(said.PlaceBet(felt.cause(), FLOOR, bet.box, bet.pairs, said.Side.PAIRS))
    felt.command(said.CloseBets(felt.cause(), FLOOR))


def ask_first(felt: Felt, shoe: list[str]) -> tuple[Action, ...]:
    """Deal these cards and tell what the first hand asked may do."""

    class Asked(Exception):
        pass

    def stop(point: Point) -> tuple[Action, int | None]:
        raise Asked(point.legal)

    felt.cards = map(Card.parse, shoe)
    try:
        felt.play(stop)
    except Asked as asked:
        return tuple(asked.args[0])
    raise CannotPlay("nobody was asked")


class Script:
    """The decisions of a case, handed out one by one; every one taken becomes a point."""

    def __init__(self, felt: Felt, decisions: list[Decision]) -> None:
        self.felt, self.left, self.points = felt, list(decisions), list[Answer]()

    def choose(self, point: Point) -> tuple[Action, int | None]:
        """The next decision that is not to be refused; those before it must really be refused."""
        while self.left:
            decision = self.left.pop(0)
            self.points.append(_told(point, decision))
            if not decision.reject:
                return self._checked(point, decision)
            self._must_be_refused(decision)
        raise CannotPlay(f"a decision is missing: box {point.place.box} hand {point.place.hand}, {point.stage}")

    def _checked(self, point: Point, decision: Decision) -> tuple[Action, int | None]:
        action = _action(decision)
        if decision.box != point.place.box or (point.stage == "play" and decision.hand != point.place.hand):
            raise CannotPlay(f"box {decision.box} hand {decision.hand} decides, but {point.place} is asked")
        if action not in point.legal:
            raise CannotPlay(f"{decision.do} of {point.place} is not allowed: {', '.join(point.legal)}")
        return action, decision.amount

    def _must_be_refused(self, decision: Decision) -> None:
        said_now = self.felt.signal(Place(decision.box, decision.hand), _action(decision), decision.amount)
        if not all(isinstance(event, SignalRefused) for event in said_now):
            raise CannotPlay(f"{decision.do} of box {decision.box} was to be refused and was taken")

    def surrenders_early(self) -> None:
        """Early surrender is made before the hole card is checked; there is no asking for it, only the making."""
        while self.left and self.left[0].do == Action.SURRENDER and not self.left[0].reject:
            decision = self.left.pop(0)
            box = self.felt.round.box(decision.box)
            if box is None:
                raise CannotPlay(f"box {decision.box} has no bet")
            point = Point("play", Place(decision.box), (Action.SURRENDER,), box, box.hands[0], 0)
            self.points.append(_told(point, decision))
            _refused_is_an_error(self.felt.signal(point.place, Action.SURRENDER))


def _action(decision: Decision) -> Action:
    try:
        return Action(decision.do)
    except ValueError:
        raise CannotPlay(f"{decision.do!r} is no decision: {', '.join(Action)}") from None


def _refused_is_an_error(events: tuple[Event, ...]) -> None:
    for event in events:
        if isinstance(event, SignalRefused):
            raise CannotPlay(f"{event.signal} of box {event.box}: {event.reason}")


def _told(point: Point, decision: Decision) -> Answer:
    told: Answer = {"stage": point.stage, "box": point.place.box, "legal": list(point.legal)}
    if point.stage == "play":
        points, soft = total(point.hand.cards)
        told |= {"hand": point.place.hand, "total": points, "soft": soft}
    if point.stage == "insurance":
        told["max"] = point.limit
    if decision.reject:
        return {**told, "reject": {"box": decision.box, "hand": decision.hand, "do": decision.do}}
    return {**told, "do": decision.do} | ({} if decision.amount is None else {"amount": decision.amount})


def play_round(
    felt: Felt, bets: list[Bet], shoe: list[str], decisions: list[Decision], *, practice: bool = False
) -> Answer:
    """Play one round to its settlement; raises CannotPlay for anything missing, surplus or wrongly allowed."""
    place_bets(felt, bets, practice=practice)
    felt.cards, felt.used = map(Card.parse, shoe), 0
    script = Script(felt, decisions)
    early = rules_of(felt.state).surrender is Surrender.EARLY
    felt.play(script.choose, before_peek=script.surrenders_early if early else None)
    if script.left:
        raise CannotPlay(f"{len(script.left)} decisions are left over")
    return {"points": script.points, **told_round(felt)}


def told_round(felt: Felt) -> Answer:
    """The settled round: ledger, money by box, cards."""
    rnd = felt.round
    assert rnd.due.kind is DueKind.PAY
    boxes = [box.number for box in rnd.boxes]

    def by_box(column: str) -> dict[str, int]:
        return {str(number): sum(getattr(line, column) for line in rnd.lines if line.box == number) for number in boxes}

    return {
        "ledger": [_told_line(line) for line in rnd.lines],
        "net": by_box("net"),
        "back": by_box("back"),
        "carried": by_box("carried"),
        "house_net": -sum(line.net for line in rnd.lines),
        "cards_used": felt.used,
        "dealer": [str(card) for card in rnd.dealer],
        "hands": {str(box.number): [[str(card) for card in hand.cards] for hand in box.hands] for box in rnd.boxes},
    }


def _told_line(line: Line) -> Answer:
    told: Answer = {"kind": line.bet, "box": line.box, "stake": line.stake, "result": line.result}
    told |= {"net": line.net, "back": line.back, "when": line.when}
    if line.bet is BetKind.MAIN:
        told["hand"] = line.hand
    return told | ({"carried": line.carried} if line.carried else {})
