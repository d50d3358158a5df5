"""A second opinion: one box played and paid by a program written apart from the core, from the parameters alone.

It shares no code with the core: cards are rank letters, totals are found by trying every ace, a round is one function.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import floor
from typing import Any

Rules = dict[str, Any]
Ask = Callable[[str, set[str]], str]


def best(cards: Sequence[str]) -> tuple[int, bool]:
    choices = [(1, 11) if card == "A" else (10,) if card in "TJQK" else (int(card),) for card in cards]
    sums = [(sum(values), 11 in values) for values in product(*choices)]
    good = [one for one in sums if one[0] <= 21]
    return max(good) if good else min(sums)


def is_ten(card: str) -> bool:
    return card in "TJQK"


@dataclass
class Seat:
    """One hand of the box."""

    cards: list[str]
    stake: int
    split: bool = False
    result: str = ""
    net: int = 0
    carried: int = 0

    @property
    def natural(self) -> bool:
        return not self.split and len(self.cards) == 2 and best(self.cards)[0] == 21


@dataclass
class Oracle:
    """Plays one round; `ask` answers every question, its options are checked by the test."""

    rules: Rules
    shoe: list[str]
    bet: int
    ask: Ask
    used: int = 0
    dealer: list[str] = field(default_factory=list)
    hole: str = ""
    seats: list[Seat] = field(default_factory=list)
    insurance: int = 0
    insurance_net: int = 0

    def next(self) -> str:
        self.used += 1
        return self.shoe[self.used - 1]

    def play(self) -> None:
        seat = Seat([], self.bet)
        self.seats = [seat]
        first = [self.next(), self.next(), self.next()]
        seat.cards = [first[0], first[2]]
        last = self.next() if self.rules["hole_card"] else ""
        up, self.hole = (first[1], last) if self.rules["dealer_up"] == "first" else (last, first[1])
        self.offer(up)
        if (up == "A" and "A" in self.rules["peek"]) or (is_ten(up) and "T" in self.rules["peek"]):
            if best([up, self.hole])[0] == 21:
                self.dealer = [up, self.hole]
                self.settle()
                return
            self.insurance_net = -self.insurance
        at = 0
        while at < len(self.seats):
            self.turn(at, up)
            at += 1
        self.finish(up)

    def offer(self, up: str) -> None:
        seat = self.seats[0]
        if up != "A":
            return
        if seat.natural and self.rules["even_money"]:
            if self.ask("even_money", {"even_money", "no_even_money"}) == "even_money":
                seat.result, seat.net = "even_money", seat.stake
        elif (
            self.rules["insurance"]
            and (self.rules["insurance_bj"] or not seat.natural)
            and self.ask("insurance", {"insure", "no_insurance"}) == "insure"
        ):
            self.insurance = floor(self.bet * Fraction(self.rules["insurance_max"]))

    def turn(self, at: int, up: str) -> None:
        seat = self.seats[at]
        while not seat.result:
            if len(seat.cards) == 1:
                seat.cards.append(self.next())
            if self.ends_by_itself(seat, up) or seat.result:
                return
            options = self.options(seat)
            if options == {"stand"}:
                return
            done = self.ask("play", options)
            if done == "split":
                self.split(at)
                seat = self.seats[at]
            elif done == "surrender":
                back = floor(Fraction(seat.stake, 2))
                seat.result, seat.net = "surrender", back - seat.stake
            elif done in ("hit", "double"):
                seat.stake *= 2 if done == "double" else 1
                seat.cards.append(self.next())
                if done == "double":
                    self.bust(seat)
                    return
            else:
                return

    def bust(self, seat: Seat) -> bool:
        if best(seat.cards)[0] <= 21:
            return False
        seat.result, seat.net = "bust", -seat.stake
        return True

    def ends_by_itself(self, seat: Seat, up: str) -> bool:
        if self.bust(seat):
            return True
        total, soft = best(seat.cards)
        charlie = self.rules["charlie"]
        if charlie and len(seat.cards) >= charlie[0]:
            seat.result, seat.net = "charlie", floor(seat.stake * Fraction(*charlie[1]))
            return True
        if seat.natural:
            if self.rules["bj_when"] == "on_turn_if_safe" and up != "A" and not is_ten(up):
                seat.result, seat.net = "blackjack", floor(seat.stake * Fraction(*self.rules["bj_pays"]))
            return True
        return bool(total == 21 and self.rules["auto_stand_21"] and not (charlie and soft))

    def options(self, seat: Seat) -> set[str]:
        total, soft = best(seat.cards)
        ace_split = seat.split and seat.cards[0] == "A"
        two = len(seat.cards) == 2
        options = {"stand"} if ace_split and self.rules["split_aces_one_card"] else {"stand", "hit"}
        after = not seat.split or (self.rules["double_split_aces"] if ace_split else self.rules["das"])
        low = {"any2": 0, "9-11": 9, "10-11": 10, "none": 99}[self.rules["double"]]
        if two and after and (low == 0 or (not soft and low <= total <= 11)):
            options.add("double")
        one, other = seat.cards[:2]
        alike = {"none": False, "rank": one == other, "value": one == other or (is_ten(one) and is_ten(other))}
        most = min(self.rules["max_hands"], self.rules["max_hands_aces"] if one == "A" else 9)
        if two and alike[self.rules["split"]] and len(self.seats) < most:
            options.add("split")
        if two and not seat.split and self.rules["surrender"] != "none":
            options.add("surrender")
        return options

    def split(self, at: int) -> None:
        old = self.seats[at]
        pair = [Seat([card], self.bet, split=True) for card in old.cards]
        self.seats[at : at + 1] = pair
        if self.rules["split_deal"] == "both":
            for seat in pair:
                seat.cards.append(self.next())

    def finish(self, up: str) -> None:
        open_seats = [seat for seat in self.seats if not seat.result]
        playing = [seat for seat in open_seats if not seat.natural]
        waits = bool(open_seats) or bool(self.insurance and not self.insurance_net)
        self.dealer = [up]
        if self.rules["hole_card"]:
            self.dealer = [up, self.hole]
        elif playing or (waits and (up == "A" or is_ten(up))):
            self.dealer.append(self.next())
        while playing and self.dealer_draws():
            self.dealer.append(self.next())
        self.settle()

    def dealer_draws(self) -> bool:
        total, soft = best(self.dealer)
        return total < 17 or (total == 17 and soft and self.rules["soft17"] == "hit")

    def settle(self) -> None:
        natural = len(self.dealer) == 2 and best(self.dealer)[0] == 21
        if self.insurance and not self.insurance_net:
            self.insurance_net = self.insurance * 2 if natural else -self.insurance
        had_bust = any(seat.result == "bust" for seat in self.seats)
        left = {"all": 10**9, "obo": 0 if had_bust else self.bet, "bb+1": self.bet}[self.rules["bj_loss"]]
        for seat in self.seats:
            if seat.result:
                continue
            if natural and not seat.natural:
                taken = min(left, seat.stake)
                left -= taken
                seat.result, seat.net = "lose", -taken
            else:
                self.compare(seat, natural)

    def compare(self, seat: Seat, natural: bool) -> None:
        mine, theirs = best(seat.cards)[0], best(self.dealer)[0]
        if seat.natural and not natural:
            seat.result, seat.net = "blackjack", floor(seat.stake * Fraction(*self.rules["bj_pays"]))
        elif theirs > 21 or mine > theirs:
            seat.result, seat.net = "win", seat.stake
        elif mine < theirs:
            seat.result, seat.net = "lose", -seat.stake
        else:
            seat.result = "push"
            if self.rules["push"] == "stay" and not any(one.carried for one in self.seats):
                seat.carried = self.bet
