"""Statements about games, in which nothing is left to look up."""

from grundylab.statement.statement import Lookup, Statement, statement_about

__all__ = ["Lookup", "Statement", "statement_about"]
