"""Inductions decided by automata, without the sentences that MONA and Walnut are given."""
