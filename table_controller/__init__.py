"""The judge: what the rules make of what the table saw."""
