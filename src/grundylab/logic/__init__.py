"""Expressions in logic: as sentences for MONA and Walnut, as terms for Coq, and directly as automata."""
