"""Automata over the digits of numbers, independent of the formula language."""
