"""Rulesets: the language that games are written in, loading and checking, and their instances."""

from grundylab.games.instance import Instance, Position, make_instance
from grundylab.games.load import find_ruleset, load_ruleset, parent_of, parse_ruleset
from grundylab.games.model import Claim, Move, Ruleset, Target, parse_target
from grundylab.games.rules import Rules

__all__ = [
    "Claim",
    "Instance",
    "Move",
    "Position",
    "Rules",
    "Ruleset",
    "Target",
    "find_ruleset",
    "load_ruleset",
    "make_instance",
    "parent_of",
    "parse_ruleset",
    "parse_target",
]
