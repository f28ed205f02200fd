"""An induction as a file that anyone can have gone through again, by automata (``grundylab certify``) or by MONA.

It states in the formula language what is claimed, where, and what is assumed. It holds no automaton: they are made anew
from it and the ruleset.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, GRUNDY, Claim, Range, Ranged, Ruleset, parse_target
from grundylab.games.specialise import fixed_by, specialise, with_variables
from grundylab.language import parse, parse_condition
from grundylab.language.parser import MAX_TEXT
from grundylab.language.substitution import substitute, with_written_names
from grundylab.language.syntax import TRUE, Expr, If, Logic, conjunction, disjunction, free_names
from grundylab.prove.hypothesis import Hypothesis, Question, level_of
from grundylab.prove.outcome import Proof
from grundylab.prove.space import SUMS, check_provable

KIND = "induction"

Record = dict[str, Any]


class Unfit(GrundylabError):
    """A file that states no induction about the ruleset."""


def statement(ruleset: Ruleset, proof: Proof, claim: Claim | None = None) -> Record | None:
    """The induction of a proof (of the claim) as JSON; None for other proofs, or if its parameters have no name."""
    if proof.status != "proved" or proof.hypothesis is None or proof.certificate is not None:
        return None
    if proof.condition is None and proof.automaton is not None:
        return None
    condition = TRUE if proof.condition is None else proof.condition
    where, hypothesis = conjunction(proof.where, proof.fixed_where), proof.hypothesis
    variables = claim.variables if claim else ()
    published = claim is not None and claim.id in {known.id for known in ruleset.claims}
    return {
        "certificate": KIND,
        "ruleset": ruleset.name,
        "hash": _game(ruleset, where, variables).hash,
        "claim": claim.id if claim and published else None,
        "target": str(proof.target),
        "formula": str(_readable(proof.formula, ruleset)),
        "where": str(_readable(where, ruleset)),
        "condition": str(condition),
        "exactly": condition != TRUE,
        "variables": [[v.name, str(v.range.low), str(v.range.high)] for v in variables],
        "region": _written(_readable(hypothesis.region, ruleset)),
        "levels": [_written(_readable(level, ruleset)) for level in hypothesis.levels],
        "grundy": None if hypothesis.grundy is None else str(_readable(hypothesis.grundy, ruleset)),
    }


def _readable(expr: Expr, ruleset: Ruleset) -> Expr:
    """The same with bound variables that a user could have written, where they were invented."""
    functions = ruleset.functions
    taken = {*ruleset.formula_names, *ruleset.bounds, *(function.name for function in functions)}
    return with_written_names(expr, taken)


def where_of(stated: Mapping[str, Any]) -> Expr:
    """Of which positions and parameters it is proved."""
    return conjunction(parse_condition(stated["where"]), parse_condition(stated["condition"]))


def variables_of(stated: Mapping[str, Any]) -> tuple[Ranged, ...]:
    """The claim's variables."""
    return tuple(Ranged(name, Range(parse(low), parse(high))) for name, low, high in stated["variables"])


def to_text(stated: Mapping[str, Any]) -> str:
    """The file."""
    return json.dumps(stated, indent=1, ensure_ascii=False) + "\n"


def _written(condition: Expr) -> str | Record:
    """A condition as text, or, as many positions in one text would be too long to read, by its parts."""
    text = str(condition)
    if len(text) <= MAX_TEXT or not isinstance(condition, If | Logic):
        return text
    return {condition.op if isinstance(condition, Logic) else "if": [*map(_written, condition.children)]}


def _condition(written: str | Mapping[str, Any]) -> Expr:
    if isinstance(written, str):
        return parse_condition(written)
    ((op, terms),) = written.items()
    parts = [_condition(term) for term in terms]
    if op == "if":
        test, then, otherwise = parts
        return If(test, then, otherwise)
    return conjunction(*parts) if op == "and" else disjunction(*parts)


def _game(ruleset: Ruleset, where: Expr, variables: Sequence[Ranged]) -> Ruleset:
    game = with_variables(ruleset, variables) if variables else ruleset
    return specialise(game, fixed_by(where, ruleset.parameter_names))


def _check_variables(variables: Sequence[Ranged], ruleset: Ruleset) -> None:
    """That each has a name of its own, and a range that the game and the variables before it tell."""
    functions = {function.name for function in ruleset.functions}
    taken, known = {*ruleset.formula_names, *functions}, {*ruleset.formula_names, *ruleset.bounds}
    for variable in variables:
        ends = free_names(variable.range.low) | free_names(variable.range.high)
        if variable.name in taken | known or not ends <= known:
            raise Unfit(f"'{variable.name}' is no variable of a claim about {ruleset.name}")
        known.add(variable.name)


def read_question(stated: Mapping[str, Any], ruleset: Ruleset) -> tuple[Ruleset, Question]:
    """The induction, and the game that it is about. Raises Unfit if it is none about this ruleset."""
    try:
        where = parse_condition(stated["where"])
        variables = variables_of(stated)
        game = _game(ruleset, where, variables)
        if stated["hash"] != game.hash:
            raise Unfit("the induction is about another game, or about another version of it")
        put = fixed_by(where, ruleset.parameter_names)
        target = parse_target(stated["target"])
        if variables and target != ALWAYS:
            raise Unfit("only a condition is claimed for all values of variables, of which no move is one")
        _check_variables(variables, ruleset)

        def condition_of(written: str | Mapping[str, Any]) -> Expr:
            return game.check_condition(substitute(_condition(written), put))

        formula = game.check_formula(substitute(parse(stated["formula"]), put), target)
        grundy = None if stated["grundy"] is None else substitute(parse(stated["grundy"]), put)
        if grundy is not None and game.play == "misere":
            raise Unfit("under misère play no Grundy numbers are assumed")
        if grundy is None and target == GRUNDY:
            raise Unfit("an induction about Grundy numbers assumes a formula of them")
        levels = tuple(map(condition_of, stated["levels"]))
        hypothesis = Hypothesis(condition_of(stated["region"]), grundy, levels, ())
        wanted = 1 + level_of(target)
        if target != ALWAYS and grundy is None and len(levels) != wanted:
            raise Unfit(f"the induction assumes {len(levels)} levels, and {target} needs {wanted}")
        if game.splits and grundy is None and target != ALWAYS:
            raise Unfit(SUMS)
        check_provable(game)
        where, condition = condition_of(stated["where"]), condition_of(stated["condition"])
        if not free_names(condition) <= set(game.parameter_names):
            raise Unfit(f"the condition {condition} is on more than the parameters")
        return game, Question(formula, target, where, hypothesis, condition, bool(stated["exactly"]))
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise Unfit(f"this is no induction: {problem}") from None
