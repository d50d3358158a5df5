"""The imperative part of a table: what happens between the world, the judge and the disk."""
