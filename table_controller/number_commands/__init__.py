"""Commands of the numbers: strategy, edge, bankroll, review."""
