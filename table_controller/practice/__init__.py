"""Practice for dealers and pit bosses at the real table: no money, mistakes made on purpose, and a score card."""
