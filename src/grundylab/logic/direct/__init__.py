"""Expressions as automata, by code that shares no more than the syntax tree with ``logic.ws1s``."""
