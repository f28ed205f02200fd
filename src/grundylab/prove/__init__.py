"""Proofs for all sizes, decided by automata; MONA, where installed, is the second opinion."""
