"""From a box of parts to a configured table: one question after the other, one readable file at the end."""
