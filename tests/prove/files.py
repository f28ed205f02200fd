"""The tests' rulesets as files, and the prover's answer about the claim in them."""

from __future__ import annotations

from pathlib import Path

from tests.prove.oracle import Rules, write

from grundylab.errors import GrundylabError
from grundylab.games.load import load_ruleset, parent_of
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import prove_claim

LIMITS = Limits(timeout=5)


def proof(folder: Path, rules: tuple[Rules, ...]) -> Proof | None:
    """Return the proof of the first ruleset's claim c; None if it is not proved, or refused."""
    place = write(folder, rules)
    try:
        ruleset = load_ruleset(rules[0].name, place)
        found = prove_claim(ruleset, ruleset.claim("c"), parent=parent_of(ruleset), limits=LIMITS)
    except GrundylabError:
        return None
    return found if found.status == "proved" else None


def texts(rules: tuple[Rules, ...]) -> str:
    """Return the files' texts, to be printed if a test fails."""
    return "\n".join(f"# {each.name}.yaml\n{each.text}" for each in rules)
