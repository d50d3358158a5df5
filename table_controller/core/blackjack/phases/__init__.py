"""What each stimulus means in each phase: (state, stimulus) -> facts."""
