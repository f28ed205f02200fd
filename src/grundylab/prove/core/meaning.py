"""The meaning of a statement: its condition and the ranges of its variables must have values at every position.

Induction and instances prove this with everything else. The other rules may leave out a part of a condition, may read a
condition without a value as false, and take variables for natural numbers; so for them it is proved here.
"""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.games.listing import quantify
from grundylab.games.model import Ruleset
from grundylab.language.builtins import BUILTINS
from grundylab.language.syntax import FALSE, TRUE, Expr, Logic, compare, conjunction, distinct_parts
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.claims import natural_numbers, natural_terms, ranges_meant
from grundylab.prove.core.closing import Decisions, with_numbers
from grundylab.prove.core.definedness import Definedness, implied
from grundylab.prove.core.instances import ProofTree, calls, check_tree
from grundylab.prove.core.sequent import Sequent, Theory, Universal
from grundylab.prove.core.solution import Core, readable_part
from grundylab.prove.core.space import at_least_zero, range_conditions
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


def check_meaning(statement: Statement, core: Core) -> None:
    """Raise Refused, or another GrundylabError, unless the statement's condition and ranges have values everywhere.

    Of a value that is looked up, and of a free function, only this is checked: the arguments are natural numbers. A
    family's rules must have values, too. Every recurrence must have values, also one that only the formula or the rules
    call.
    """
    game, given = statement.game, (statement.formula, statement.where)
    ends = (end for variable in statement.variables for end in variable.ends)
    core.check_recurrences(game, (*game.expressions, *given, *ends))
    for lookup in statement.lookups:
        if lookup.game is not None:
            core.check_recurrences(lookup.game, lookup.game.expressions)
    opaque = {lookup.name for lookup in statement.lookups} | {table.name for table in statement.tables}
    opaque |= {function.name for function in game.free}
    definedness = Definedness(statement.functions, dict.fromkeys(opaque, natural_terms))
    positions = (*range_conditions(game.coordinates, game.bounds), game.where)
    meant = [
        definedness.in_order(game.domain, *positions, statement.where),
        ranges_meant(statement, definedness, positions),
        *natural_numbers(game, [*game.coordinates, *statement.variables]),
        *(definedness.of(term) for term in _before_literals(statement.formula)),
    ]
    if game.free:
        assumed, _ = split_condition(statement.where, game)
        here = conjunction(game.domain, assumed, *positions)
        meant += [implied(here, definedness.of(rule)) for rule in _rules(game)]
    theory = Theory({}, statement.functions, {free.name: free for free in game.free}, game.parameter_names)
    defined = theory.plain(conjunction(*meant))
    if defined != TRUE:
        variables = tuple(variable.name for variable in statement.variables)
        names = (*game.formula_names, *game.bounds, *variables)
        values = tuple(call for call in calls(defined) if call.name in opaque and call.free <= {*names})
        decisions = Decisions([defined])
        decisions.work.give(core.cells)

        def read(part: Expr) -> None:
            (numbered,) = with_numbers([part], values)
            if numbered.calls - BUILTINS.keys():
                raise OutsideFragment("a function is called that automata cannot read")
            decisions.reader.true(numbered)

        defined = readable_part(defined, read)
        negative = frozenset(each.name for each in game.parameters if not at_least_zero(each))
        claim = Universal(names, TRUE, defined)
        sequent = Sequent(theory, claim, (), defined, names, negative, founded=False)
        check_tree(sequent, ProofTree(numbers=values), core.cells)


def _before_literals(formula: Expr) -> Iterator[Expr]:
    """Yield the terms before a literal truth value, which would swallow them though they may have no value."""
    for node in distinct_parts(formula):
        if isinstance(node, Logic):
            literal = TRUE if node.op == "or" else FALSE
            yield from node.terms[: node.terms.index(literal)] if literal in node.terms else ()


def _rules(game: Ruleset) -> Iterator[Expr]:
    """Yield conditions that have values where the measure and the moves have."""
    yield compare("==", game.measure, game.measure)
    for move in game.moves:
        option = conjunction(*(compare("==", value, value) for part in move.parts for value in part))
        yield quantify("all", move.choices, implied(move.when, option))
