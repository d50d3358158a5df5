"""A table that is drawn: a stand-in for the camera's view, with a deck of its own that nobody was trained on."""
