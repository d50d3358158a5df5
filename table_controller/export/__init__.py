"""What leaves the house on paper or in a file: bundles for a dispute, closing slips, figures of a day."""
