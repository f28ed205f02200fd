"""Automata that read the digits of numbers; this subpackage is independent of the formula language."""
