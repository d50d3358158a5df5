"""Training of the recogniser: rendered tables, detector, classifier, figures. Needs the extra `train`."""
