"""Judging claims: what a claim says of other positions' and other games' values is looked up in their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from grundylab.check.verification import Check, Verdict, check
from grundylab.errors import InstanceError, NoSweep, RulesetError
from grundylab.games import Claim, Instance, Ruleset, make_instance
from grundylab.games.listing import quantified
from grundylab.games.lookups import looked_up
from grundylab.games.model import Ranged, Target
from grundylab.games.specialise import fixed_by
from grundylab.games.statements import THIS
from grundylab.language import Expr, Functions
from grundylab.language.functions import Tabulated
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Call, Int, conjunction, parts
from grundylab.solve import solve
from grundylab.solve.memory import check_memory
from grundylab.solve.table import NO_POSITION, Table

WORTH_IT = 100_000_000  # cells: to compile a formula, for a sweep line by line, takes a second or two
_MOVES = 200_000_000  # what NumPy evaluates a condition at in some seconds


Checks = dict[tuple[Expr, Target, Expr, int], Check]  # by formula, target, condition and table


def judge(claim: Claim, tables: Iterable[Table], known: Checks | None = None) -> Verdict:
    """The claim's verdict on every position of the tables that it is about (instances of the claim's ruleset).

    known: what has been checked of claims that look nothing up, in tables that are still there; it grows. Raises
    RulesetError if a ruleset that its ``values:`` name does not fit.
    """
    checks = []
    for table in tables:
        of = claim.formula, claim.target, claim.where, id(table)
        kept = known if known is not None and claim.plain else {}
        if of not in kept:
            kept[of] = judge_at(claim, table)
        checks.append(kept[of])
    return Verdict(claim.formula, claim.target, claim.where, tuple(checks))


def judge_instances(
    claim: Claim, instances: Sequence[Instance], done: Callable[[int], None] | None = None
) -> Verdict:
    """The same, with each instance solved here, or swept line by line where its table would be very large.

    done: is told, after each instance, how many cells it has.
    """
    linewise = [claim.plain and instance.cells >= WORTH_IT for instance in instances]
    for instance, lines in zip(instances, linewise, strict=True):
        if not lines:
            check_memory(instance)  # before any work is done
    checks = []
    for instance, lines in zip(instances, linewise, strict=True):
        checks.append(_judged(claim, instance, lines))
        if done is not None:
            done(instance.cells)
    return Verdict(claim.formula, claim.target, claim.where, tuple(checks))


def _judged(claim: Claim, instance: Instance, linewise: bool) -> Check:
    if linewise:
        from grundylab.check.linewise import check_lines

        try:
            return check_lines(claim.formula, claim.target, instance, claim.where)
        except NoSweep:
            pass
    return judge_at(claim, solve(instance, claim.target.values))


def judge_at(claim: Claim, table: Table) -> Check:
    """The same at one instance. Another game is looked up in larger tables if one of the same bounds is too small."""
    formula, where = written_out(claim, table.instance.constants), claim.where
    if claim.variables:  # what has no value of a variable is not counted
        where = conjunction(where, _some_value(claim, table.instance.constants))
    others = any(of != THIS for _, of in claim.values)
    for scale in (1, 2, 4) if others else (1,):
        functions = functions_of(claim, table, scale)
        found = check(formula, claim.target, table, where, functions)
        if found.limit is None:
            break
    return found


def written_out(claim: Claim, bounds: Mapping[str, int]) -> Expr:
    """The claim's formula with its variables as quantifiers over their ranges within these bounds."""
    return quantified("all", _within(claim, bounds), claim.formula)


def _some_value(claim: Claim, bounds: Mapping[str, int]) -> Expr:
    """Return the condition that there are values of the claim's variables."""
    return quantified("any", _within(claim, bounds), TRUE)


def _within(claim: Claim, bounds: Mapping[str, int]) -> list[Ranged]:
    """Return the claim's variables with their ranges within these bounds."""
    known = {name: Int(value) for name, value in bounds.items()}
    return [variable.mapped(partial(substitute, values=known)) for variable in claim.variables]


def functions_of(claim: Claim, table: Table, scale: int = 1) -> Functions:
    """What the claim may call: the game's functions, those of its own tables, and the values of positions.

    scale: by what the bounds of other games' tables are multiplied.
    """
    ruleset = table.instance.ruleset
    values = [_values(name, of, claim, table, scale) for name, of in claim.values]
    return ruleset.functions.given(*claim.tables, *values)


def _values(name: str, of: str, claim: Claim, table: Table, scale: int) -> Tabulated:
    """The Grundy numbers of a ruleset at the instance with the table's parameters and bounds, as a function."""
    instance = _lookup(name, of, claim, table.instance, scale)
    known = of == THIS and table.kind == "grundy"
    values = table if known else _grundy_numbers(instance)
    lows = tuple(side.low for side in instance.box)
    what = f"the Grundy numbers of {instance}"
    return Tabulated(name, instance.ruleset.coordinate_names, values.values, lows, what, NO_POSITION)


def check_lookups(claim: Claim, instance: Instance) -> None:
    """Raise RulesetError unless the rulesets that the claim looks up are there, and fit what it says of them."""
    for name, of in claim.values:
        _lookup(name, of, claim, instance)


def _lookup(name: str, of: str, claim: Claim, instance: Instance, scale: int = 1) -> Instance:
    """Return the instance that is looked up. Raises RulesetError if a position of it is not as the claim says."""
    ruleset = instance.ruleset
    if of != THIS:
        instance = _alike(looked_up(of, ruleset), instance, claim, scale)
    for call in (node for e in (claim.formula, claim.where) for node in parts(e) if isinstance(node, Call)):
        if call.name == name and len(call.arguments) != len(instance.ruleset.coordinates):
            names = ", ".join(instance.ruleset.coordinate_names)
            raise RulesetError(
                f"{ruleset.name}: claim {claim.id}: {call}: a position of {instance.ruleset.name} is ({names})"
            )
    return instance


def _alike(ruleset: Ruleset, instance: Instance, claim: Claim, scale: int) -> Instance:
    """The instance of another ruleset with the same values of the parameters and bounds (scaled) that it has."""
    given = instance.constants
    try:
        return make_instance(
            ruleset,
            {name: given[name] for name in ruleset.parameter_names if name in given},
            {name: scale * given[name] for name in ruleset.bounds if name in given},
        )
    except InstanceError as error:
        raise RulesetError(
            f"{instance.ruleset.name}: claim {claim.id} looks up values of {ruleset.name}: {error.message}"
        ) from None


def tables_for(claim: Claim, tables: Sequence[Table]) -> Sequence[Table]:
    """The tables, or if the claim fixes parameters to values that none of them has, one with these values.

    What a claim says of options is looked at move by move: of a table with very many, a smaller one.
    """
    if claim.kind == "options":
        tables = [_of_fewer_moves(table) for table in tables]
    ruleset = tables[0].instance.ruleset
    fixed = fixed_by(claim.where, ruleset.parameter_names)
    if any(fixed.items() <= dict(table.instance.parameters).items() for table in tables):
        return tables
    first = tables[0].instance
    instance = make_instance(ruleset, {**dict(first.parameters), **fixed}, dict(first.bounds))
    return [solve(instance, tables[0].kind)]


def _of_fewer_moves(table: Table) -> Table:
    """The table, or one with its bounds halved until it has few enough moves."""
    instance = table.instance
    while instance.moves > _MOVES and max(dict(instance.bounds).values(), default=0) > 1:
        halved = {name: value // 2 for name, value in instance.bounds}
        instance = make_instance(instance.ruleset, dict(instance.parameters), halved)
    return table if instance is table.instance else solve(instance, table.kind)


@lru_cache(maxsize=8)  # a ruleset's claims look up the same few games
def _grundy_numbers(instance: Instance) -> Table:
    return solve(instance, "grundy")
