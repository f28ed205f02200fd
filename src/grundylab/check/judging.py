"""Verdicts on claims; a claim may look up values of other positions, or of other games, in their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial

from grundylab.check.verification import Check, Verdict, check_table
from grundylab.errors import InstanceError, NoSweep, RulesetError
from grundylab.games import Claim, Instance, make_instance
from grundylab.games.listing import quantify
from grundylab.games.lookups import lookup_ruleset
from grundylab.games.model import Ranged, Target
from grundylab.games.specialise import fixed_values
from grundylab.games.statements import THIS
from grundylab.language import Expr, Functions
from grundylab.language.functions import Tabulated
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Call, Int, conjunction, distinct_parts
from grundylab.solve import solve
from grundylab.solve.memory import check_memory
from grundylab.solve.table import NO_POSITION, Table

WORTH_IT = 100_000_000  # cells; a smaller table is solved faster than a formula is compiled for a sweep
_MOVES = 200_000_000  # moves; NumPy evaluates a condition at so many in a few seconds


Checks = dict[tuple[Expr, Target, Expr, int], Check]  # by formula, target, condition and id of the table


def judge(claim: Claim, tables: Iterable[Table], earlier: Checks | None = None) -> Verdict:
    """Return the verdict on the claim from all positions that it concerns in these tables.

    tables: of instances of the claim's ruleset. earlier: checks of claims without lookups, which are reused; new ones
    are added to it. It must not outlive the tables. Raises RulesetError if a ruleset named in the claim's
    ``values:`` does not fit.
    """
    checks = []
    for table in tables:
        of = claim.formula, claim.target, claim.where, id(table)
        kept = earlier if earlier is not None and claim.plain else {}
        if of not in kept:
            kept[of] = judge_table(claim, table)
        checks.append(kept[of])
    return Verdict(claim.formula, claim.target, claim.where, tuple(checks))


def judge_instances(
    claim: Claim, instances: Sequence[Instance], done: Callable[[int], None] | None = None
) -> Verdict:
    """Return the verdict on the claim; each instance is solved here, or swept line by line if it is very large.

    done: called after each instance with the number of its cells.
    """
    linewise = [claim.plain and instance.cells >= WORTH_IT for instance in instances]
    for instance, lines in zip(instances, linewise, strict=True):
        if not lines:
            check_memory(instance)  # before anything is solved
    checks = []
    for instance, lines in zip(instances, linewise, strict=True):
        check = None
        if lines:
            from grundylab.check.linewise import check_lines

            with suppress(NoSweep):
                check = check_lines(claim.formula, claim.target, instance, claim.where)
        if check is None:
            check = judge_table(claim, solve(instance, claim.target.values))
        checks.append(check)
        if done is not None:
            done(instance.cells)
    return Verdict(claim.formula, claim.target, claim.where, tuple(checks))


def judge_table(claim: Claim, table: Table) -> Check:
    """Return the check of the claim in one table.

    If the claim looks up a position outside another game's table, that game is solved with two and then four times the
    bounds.
    """
    formula, where = expanded_formula(claim, table.instance.constants), claim.where
    if claim.variables:  # a position is not counted if a variable has no value there
        where = conjunction(where, quantify("any", _within(claim, table.instance.constants), TRUE))
    others = any(of != THIS for _, of in claim.values)
    for scale in (1, 2, 4) if others else (1,):
        functions = claim_functions(claim, table, scale)
        check = check_table(formula, claim.target, table, where, functions)
        if check.limit is None:
            break
    return check


def expanded_formula(claim: Claim, bounds: Mapping[str, int]) -> Expr:
    """Return the claim's formula inside universal quantifiers for its variables.

    bounds: the values of the names that occur in the variables' ranges.
    """
    return quantify("all", _within(claim, bounds), claim.formula)


def _within(claim: Claim, bounds: Mapping[str, int]) -> list[Ranged]:
    """Return the claim's variables; in their ranges the names in ``bounds`` are replaced by their values."""
    numbers = {name: Int(value) for name, value in bounds.items()}
    return [variable.mapped(partial(substitute, values=numbers)) for variable in claim.variables]


def claim_functions(claim: Claim, table: Table, scale: int = 1) -> Functions:
    """Return the functions that the claim may call: the game's, the claim's own tables, and its lookups.

    scale: the bounds of another game's table are this table's bounds multiplied by ``scale``.
    """
    lookups = list[Tabulated]()
    for name, of in claim.values:
        instance = _lookup(name, of, claim, table.instance, scale)
        solved = of == THIS and table.kind == "grundy"
        values = table.values if solved else _grundy_numbers(instance).values
        lows, what = tuple(side.low for side in instance.box), f"the Grundy numbers of {instance}"
        names = instance.ruleset.coordinate_names
        lookups.append(Tabulated(name, names, values, lows, what, NO_POSITION))
    return table.instance.ruleset.functions.given(*claim.tables, *lookups)


def check_lookups(claim: Claim, instance: Instance) -> None:
    """Raise RulesetError unless the rulesets that the claim looks up exist and its calls fit their coordinates."""
    for name, of in claim.values:
        _lookup(name, of, claim, instance)


def _lookup(name: str, of: str, claim: Claim, instance: Instance, scale: int = 1) -> Instance:
    """Return the instance of the ruleset ``of`` in which the claim looks up values.

    It has the same values of common parameters; common bounds are multiplied by ``scale``. Raises RulesetError if there
    is no such instance, or if a call of the lookup has the wrong number of coordinates.
    """
    ruleset, given = instance.ruleset, instance.constants
    if of != THIS:
        other = lookup_ruleset(of, ruleset)
        parameters = {name: given[name] for name in other.parameter_names if name in given}
        bounds = {name: scale * given[name] for name in other.bounds if name in given}
        try:
            instance = make_instance(other, parameters, bounds)
        except InstanceError as error:
            raise RulesetError(
                f"{ruleset.name}: claim {claim.id} looks up values of {other.name}: {error.message}"
            ) from None
    for call in (
        node for e in (claim.formula, claim.where) for node in distinct_parts(e) if isinstance(node, Call)
    ):
        if call.name == name and len(call.arguments) != len(instance.ruleset.coordinates):
            names = ", ".join(instance.ruleset.coordinate_names)
            raise RulesetError(
                f"{ruleset.name}: claim {claim.id}: {call} does not fit: a position of {instance.ruleset.name} "
                f"is ({names})"
            )
    return instance


def claim_tables(claim: Claim, tables: Sequence[Table]) -> Sequence[Table]:
    """Return tables with positions that the claim concerns.

    These are ``tables``, unless the claim fixes parameters at values that none of them has: then a table is solved for
    these values. A claim about options is checked move by move, so for such a claim a table with very many moves is
    replaced by a smaller one.
    """
    if claim.kind == "options":
        smaller = list[Table]()
        for table in tables:
            instance = table.instance
            while instance.moves > _MOVES and max(dict(instance.bounds).values(), default=0) > 1:
                halved = {name: value // 2 for name, value in instance.bounds}
                instance = make_instance(instance.ruleset, dict(instance.parameters), halved)
            smaller.append(table if instance is table.instance else solve(instance, table.kind))
        tables = smaller
    ruleset = tables[0].instance.ruleset
    fixed = fixed_values(claim.where, ruleset.parameter_names)
    if any(fixed.items() <= dict(table.instance.parameters).items() for table in tables):
        return tables
    first = tables[0].instance
    instance = make_instance(ruleset, {**dict(first.parameters), **fixed}, dict(first.bounds))
    return [solve(instance, tables[0].kind)]


@lru_cache(maxsize=8)  # the claims of a ruleset look up the same few games
def _grundy_numbers(instance: Instance) -> Table:
    return solve(instance, "grundy")
