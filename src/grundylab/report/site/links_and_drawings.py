"""Links and drawings of findings, which the templates show beside their words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grundylab.automata.digits import DigitAutomaton
from grundylab.findings.rows import Row
from grundylab.findings.wording import number_with_noun
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.language.syntax import Accepts, walk
from grundylab.records.finding import Finding
from grundylab.records.proofs import ProofRecord
from grundylab.report.site.automaton_drawing import automaton_svg, automaton_text
from grundylab.report.typeset import LONGEST

MEANINGS = {
    "proved": "for all sizes, by a proof that a program checks",
    "holds": "at every position checked, not proved",
    "refuted": "by a counterexample",
}


def anchor(record: Finding | Row) -> str:
    """Return the HTML id of a formula, claim or row, on the list and on its ruleset's page."""
    if isinstance(record, Row):
        key: tuple[str, ...] = (record.study, str(record.target), str(record.parameters), str(record.row))
    elif record.claimed:
        key = record.study, record.ruleset, record.source.claim
    else:
        statement = record.target, record.formula, record.where
        key = record.ruleset, record.study, *map(str, statement)
    return f"{record.kind[0]}-{hashlib.sha256(chr(0).join(key).encode()).hexdigest()[:10]}"


@dataclass(frozen=True)
class AutomatonDrawing:
    """A drawing of an automaton, with its title, its caption, and a description for readers who cannot see it."""

    svg: Markup
    title: str
    caption: str
    words: str


def place(record: Finding, ruleset: Ruleset) -> str:
    """Return the address that opens the explorer of the game at the record's counterexample.

    Empty if there is none, if it lacks a coordinate or parameter, or if the explorer does not show the game.
    """
    example = record.counterexample
    if example is None or ruleset.free or record.target == ALWAYS:
        return ""
    values = {**example.parameters, **example.position}
    names = (*ruleset.parameter_names, *ruleset.coordinate_names)
    return (
        f"#explore:{','.join(f'{name}={values[name]}' for name in names)}"
        if values.keys() >= {*names}
        else ""
    )


def automata(record: Finding) -> list[AutomatonDrawing]:
    """Return drawings of the small automata in the record's formula and in the equivalent formulas."""
    formulas = [wording.formula for wording in (record, *record.others)]
    drawings = [
        _automaton_drawing(node.automaton, list(map(str, node.arguments)), "The automaton of the formula.")
        for formula in formulas
        if len(str(formula)) <= LONGEST
        for node in walk(formula)
        if isinstance(node, Accepts)
    ]
    return [drawing for drawing in drawings if drawing]


def parameter_automaton(proof: ProofRecord) -> AutomatonDrawing | None:
    """Return a drawing of the automaton that accepts the parameters for which the formula is true.

    None if the proof has no such automaton, or if it has too many states.
    """
    automaton = proof.automaton
    if automaton is None or not automaton.text:
        return None
    names = list(automaton.variables)
    caption = f"The automaton of the values of {', '.join(names)} for which it is true, from the proof."
    return _automaton_drawing(DigitAutomaton.parse(automaton.text), names, caption)


def _automaton_drawing(
    automaton: DigitAutomaton, names: Sequence[str], caption: str
) -> AutomatonDrawing | None:
    title = f"Automaton of {number_with_noun(automaton.states, 'state')} that reads {', '.join(names)}"
    svg = automaton_svg(automaton, title)
    if svg is None:
        return None
    digits = "a digit" if len(names) == 1 else f"the digits of {', '.join(names)}, in this order"
    words, star = automaton.system.words, "either" if automaton.system.base == 2 else "any"
    reads = f"{caption} It reads {words}, lowest first; an edge shows {digits}, a star is {star} digit."
    dead = " One state, from which nothing is accepted, is not drawn." * (
        automaton.states > len(automaton.rows)
    )
    ends = f"Doubly drawn states accept; a missing edge means rejection.{dead}"
    return AutomatonDrawing(svg, title, f"{reads} {ends}", automaton_text(automaton, names))
