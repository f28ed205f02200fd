"""Expressions as logic: for MONA, for Walnut, and as automata directly."""
