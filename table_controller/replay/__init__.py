"""Any moment of a recorded day again: the state at a row, a round's course, other rules tried on it. Writes nothing."""
