"""Expressions as logic: sentences for the provers MONA and Walnut, terms for Coq, and automata built directly."""
