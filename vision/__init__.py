"""The eyes: from a picture of the felt to named cards in named places."""
