"""The first game. It knows the core; the core does not know it."""
