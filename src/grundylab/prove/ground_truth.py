"""Ground truth for the prover: tables that refute false claims, and the confirmation of a counterexample."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, product

from grundylab.check.samples import restricted_columns
from grundylab.check.verification import Verdict, verify
from grundylab.errors import EvaluationError, GrundylabError, InstanceError, LimitError
from grundylab.games.instance import Instance, Position, make_instance
from grundylab.games.model import Claim, Ruleset, Target, Values
from grundylab.games.rules import Rules
from grundylab.language.plain import Meter, compile_plain
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.solve import Method, solve
from grundylab.solve.table import Table, unsolved_table

SMALL = 50_000  # moves of a table that the reference solver solves in about a tenth of a second
MANY = 40_000_000  # moves of a table that a compiled kernel solves in the same time
LONGEST = 1_000  # a table's bounds are less than this
LARGE, MOST = 4_000_000, 50 * MANY  # cells, and moves, of a table that a counterexample may need
PARAMETER_VALUES = 12  # how many values are tried for each parameter
TRIED = 20_000  # how many combinations of parameter values are tried
STEPS = 10_000_000  # steps of evaluation for the condition on all combinations: some seconds
SAMPLES = 2  # for how many parameter values tables are made
MAX_EXCEPTIONS = 150  # the most positions that are put into a hypothesis one by one


def ground_truth(
    ruleset: Ruleset, assuming: Expr, kind: Values | None, most: int = SMALL
) -> tuple[Table, ...]:
    """Return a table for each of the first few parameter values that fulfil ``assuming``.

    most: the greatest number of moves in a table; parameter values without such a table are left out. kind: the kind of
    values; None for tables without values, which suffice for conditions that are claimed at every position.
    """
    settings = islice(parameters_within(ruleset, assuming, range(PARAMETER_VALUES)), SAMPLES)
    largest = (largest_instance(ruleset, parameters, most) for parameters in settings)
    instances = (instance for instance in largest if instance is not None)
    if kind is None:
        return tuple(map(unsolved_table, instances))
    method: Method = "reference" if most <= SMALL else "auto"
    return tuple(solve(instance, kind, method) for instance in instances)


def parameters_within(ruleset: Ruleset, condition: Expr, values: Iterable[int]) -> Iterator[dict[str, int]]:
    """Yield combinations of the given parameter values that are in the parameters' domains and fulfil the condition.

    At most 20,000 combinations are tried.
    """
    names = ruleset.parameter_names
    inside = compile_plain(
        conjunction(ruleset.domain, condition), ruleset.functions, Meter(STEPS, LimitError)
    )
    for chosen in islice(product(values, repeat=len(names)), TRIED):
        parameters = dict(zip(names, chosen, strict=True))
        with suppress(GrundylabError):
            if inside(parameters):
                yield parameters


def largest_instance(ruleset: Ruleset, parameters: Mapping[str, int], most: int) -> Instance | None:
    """Return the instance with the largest equal bounds whose table has at most ``most`` moves; None if none has.

    The number of moves is assumed to grow with the bounds.
    """

    def of_size(size: int) -> Instance | None:
        instance = make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, size))
        return instance if instance.moves <= most else None

    best, size = of_size(2), 2
    if best is None or not ruleset.bounds:
        return best
    step = 1
    while size + step < LONGEST and (larger := of_size(size + step)) is not None:
        best, size, step = larger, size + step, 2 * step
    while step > 1:
        step //= 2
        if size + step < LONGEST and (larger := of_size(size + step)) is not None:
            best, size = larger, size + step
    return best


def unrefuted_claims(claims: Sequence[Claim], tables: Sequence[Table], start: Expr) -> list[Claim]:
    """Return the claims that no table refutes and that are about positions reachable from a position in ``start``.

    start: a condition on positions. If no table has such a position, reachability is ignored.
    """
    reached = list[set[Position]]()
    if start != TRUE:
        for table in tables:
            inside = _inside(start, table)
            reached.append(inside.union(_beyond(inside, table)))

    def helps(claim: Claim) -> bool:
        try:
            if verify(claim.formula, claim.target, tables, claim.where).status == "refuted":
                return False
            return not any(reached) or any(
                map(set.intersection, reached, (_inside(claim.where, t) for t in tables))
            )
        except EvaluationError:  # the claim's condition has no value somewhere
            return False

    return list(filter(helps, claims))


def _beyond(inside: Collection[Position], table: Table, outcomes: bool = False) -> Iterator[Position]:
    """Yield the positions outside ``inside`` that are reachable from positions inside.

    outcomes: True to follow only moves that decide who wins: all moves from a P-position, and one move to a P-position
    from an N-position.
    """
    rules, seen, waiting = Rules(table.instance), set(inside), list(inside)
    values = table.by_position
    while waiting:
        position = waiting.pop()
        options = [part for _, parts in rules.options(position) for part in parts]
        if outcomes and values[position] != 0:
            winning = [part for part in options if values[part] == 0]
            # there may be none: in misère play, a player who cannot move wins
            first = min(winning, key=lambda part: (sum(part), part), default=None)
            options = [] if first is None or seen.intersection(winning) else [first]
        for part in options:
            if part not in seen:
                seen.add(part)
                waiting.append(part)
                yield part


def needed_exceptions(region: Expr, table: Table, outcomes: bool) -> dict[Position, int] | None:
    """Return the true values of those positions outside the region on which the values inside depend.

    None if there are more than 150 of them: then the region lacks whole families of positions. outcomes: True if only
    the outcomes of the positions inside are needed.
    """
    found = list(islice(_beyond(_inside(region, table), table, outcomes), MAX_EXCEPTIONS + 1))
    if len(found) > MAX_EXCEPTIONS:
        return None
    return {position: int(table[position]) for position in sorted(found)}


def _inside(region: Expr, table: Table) -> set[Position]:
    ruleset, found = table.instance.ruleset, set[Position]()
    for slab in table.slabs():
        columns, _ = restricted_columns(slab, table.instance, region, ruleset.functions)
        found.update(zip(*(columns[name].tolist() for name in ruleset.coordinate_names), strict=True))
    return found


def confirm_counterexample(
    ruleset: Ruleset,
    formula: Expr,
    target: Target,
    where: Expr,
    parameters: Mapping[str, int],
    position: Position,
) -> Verdict | None:
    """Return the formula's verdict on a table that contains the position; None if a table or value is too large."""
    least = max(position, default=0)
    for size in (least, least + 1, 2 * least, 2 * least + 2, 4 * least + 4):
        try:
            instance = make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, size))
            if instance.cells > LARGE or instance.moves > MOST:
                return None
        except InstanceError:
            return None
        if Rules(instance).legal(position):
            break
    else:
        return None
    small = instance.moves <= 4 * SMALL
    table = solve(instance, target.values, "reference" if small else "auto")
    verdict = verify(formula, target, [table], where)
    limited = any(check.limit for check in verdict.checks)
    return None if limited and verdict.counterexample is None else verdict
