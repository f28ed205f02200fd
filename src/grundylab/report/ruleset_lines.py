"""A ruleset as lines of text: its positions, parameters, moves and claims, in the formula language."""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.findings.claim_layout import claim_text
from grundylab.games import Ruleset
from grundylab.language.syntax import TRUE


def ruleset_lines(ruleset: Ruleset) -> Iterator[str]:
    """Yield the lines of the ruleset's summary."""
    yield f"{ruleset.name}: {ruleset.title}"
    yield "  position    " + ", ".join(f"{c.name} in {c.range}" for c in ruleset.coordinates)
    if ruleset.where != TRUE:
        yield f"  where       {ruleset.where}"
    if ruleset.parameters:
        yield "  parameters  " + ", ".join(f"{p.name}: {p.domain}" for p in ruleset.parameters)
    for move in ruleset.moves:
        choices = ", ".join(f"{c.name} in {c.range}" for c in move.choices)
        when = f" when {move.when}" if move.when != TRUE else ""
        when += ", only if there is another move" * move.a_pass
        changes = [move.changes(ruleset.coordinate_names, part) for part in range(len(move.parts))]
        parts = " and ".join(", ".join(f"{name} → {new}" for name, new in c.items()) for c in changes)
        yield f"  move        {move.name}: " + (f"for {choices}: " if choices else "") + parts + when
    yield f"  measure     {ruleset.measure}; {ruleset.play} play"
    for claim in ruleset.claims:
        at = f" ({claim.at})" if claim.at else ""
        yield f"  claim       {claim.id}{at}: {claim_text(claim)}"
