"""Screens and reports as pure folds of the record: `initial`, and `apply(view, event)`."""
