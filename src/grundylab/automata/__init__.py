"""Automata over the digits of numbers. No expression is known here."""
