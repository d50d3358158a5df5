"""The bets beside the main one, exactly: pairs by number of packs, insurance, even money."""

from table_controller.core.blackjack.rules import RuleSet


def pairs_worth(rules: RuleSet) -> float | None:
    """What a unit on the pair of a box's first two cards is worth; None where there is no such bet."""
    if rules.pairs is None:
        return None
    return sum(chance * result for chance, result in pairs_chances(rules))


def pairs_chances(rules: RuleSet) -> list[tuple[float, float]]:
    """Each end of the pairs bet: how likely, and what a unit brings."""
    assert rules.pairs is not None
    left = 52 * rules.decks - 1
    perfect, coloured, mixed = (rules.decks - 1) / left, rules.decks / left, 2 * rules.decks / left
    won = [(perfect, rules.pairs.perfect), (coloured, rules.pairs.coloured), (mixed, rules.pairs.mixed)]
    return [*((chance, float(pays)) for chance, pays in won), (1.0 - perfect - coloured - mixed, -1.0)]


def insurance_worth(rules: RuleSet, *, natural: bool = False) -> float:
    """What a unit of insurance is worth when the ace is all one has seen, or the box's own natural besides."""
    likely = dealer_natural(rules, own_natural=natural)
    return likely * rules.insurance_pays[0] / rules.insurance_pays[1] - (1.0 - likely)


def even_money_gain(rules: RuleSet) -> float:
    """What taking even money gains over waiting, in first bets."""
    pays = rules.bj_pays[0] / rules.bj_pays[1]
    return 1.0 - pays * (1.0 - dealer_natural(rules, own_natural=True))


def dealer_natural(rules: RuleSet, *, own_natural: bool) -> float:
    """How likely the dealer's ace is a natural."""
    seen = 1 if own_natural else 0
    return (16 * rules.decks - seen) / (52 * rules.decks - 1 - 2 * seen)


def others(rules: RuleSet) -> dict[str, float]:
    """Every bet the house offers beside the main one, by name, to the player and per unit of its own stake."""
    told: dict[str, float] = {}
    pairs = pairs_worth(rules)
    if rules.insurance:
        told["insurance"] = insurance_worth(rules)
        if rules.insurance_bj:
            told["insurance_natural"] = insurance_worth(rules, natural=True)
    if rules.even_money:
        told["even_money"] = even_money_gain(rules)
    if pairs is not None:
        told["pairs"] = pairs
    return told
