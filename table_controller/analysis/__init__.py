"""The numbers: exact values, strategy and edge of a rule set, and what follows from them. The core never reads this."""
