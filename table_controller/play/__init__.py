"""Rounds without a table: scripted cases, seeded evenings. Everything goes through the real core."""
