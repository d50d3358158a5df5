"""The record: an append-only, chained, sealed journal of what a table said and what the judge made of it."""
