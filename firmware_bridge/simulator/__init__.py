"""The real firmware in simavr, as a process: start it, move its pins, cut its power."""
