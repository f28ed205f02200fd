"""Statements: claims about games in which every name and look-up is resolved."""

from grundylab.statement.statement import Lookup, Statement, statement_about

__all__ = ["Lookup", "Statement", "statement_about"]
