"""The rule of rows: statements about a row of positions that is arithmetic-periodic for ever.

A row is the part of a game in layers where all coordinates but two are fixed (all but one for Grundy values).
``recurrence.py`` checks that the states of the row recur, and recomputes everything from the ruleset. The statement
about the row is either a formula or the period itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grundylab.games.layers import LayeredGame, LayerValues, layered_game
from grundylab.games.model import ALWAYS, GRUNDY, Ruleset, Target
from grundylab.games.specialise import fixed_values
from grundylab.language.names import qualified_name
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Expr,
    If,
    Int,
    Name,
    Not,
    compare,
    conjunction,
    conjuncts,
)
from grundylab.prove.core.evidence import Rows
from grundylab.prove.core.periods.recurrence import (
    ProvedRow,
    Recurrence,
    RecurrenceState,
    check_layers,
)
from grundylab.prove.core.periods.row_formula import check_row_formula, check_side
from grundylab.prove.core.solution import Core, level_of
from grundylab.prove.core.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.statement import Lookup, Statement
from grundylab.statement.statement import rules_digest

MOST_PLACES = 5_000_000  # the most places of all layers together; each takes microseconds
THIS = "this"  # the game's own name in the 'values:' of a claim


@dataclass(frozen=True)
class RowCertificate:
    """A row, a claim about those of its positions that fulfil ``where``, and recurrences that imply the claim.

    game: the game in layers, with numbers for its parameters. layer: that of the row. The claim is either ``formula``,
    which describes the game's target, or ``period``: the pair (preperiod, p) with r(m + p) = r(m) + p for all
    m >= preperiod.
    """

    game: LayeredGame
    layer: LayerValues
    recurrences: tuple[Recurrence, ...]
    where: Expr = TRUE
    formula: Expr | None = None
    period: tuple[int, int] | None = None


def certificate_of(statement: Statement, evidence: Rows) -> RowCertificate:
    """Return the certificate for the statement; raise Refused if the evidence does not fit the statement."""
    parameters = fixed_values(statement.where, statement.game.parameter_names)
    if set(parameters) != set(statement.game.parameter_names):
        raise Refused("the statement's condition must give every parameter a value")
    target = evidence.target if evidence.period else statement.target
    game = layered_game(statement.game, parameters, evidence.axes, target)
    where = substitute(statement.where, parameters)
    layer = game.top(fixed_values(where, game.names))
    recurrences = tuple(
        Recurrence(row.layer, row.first, row.period, RecurrenceState(row.gap, row.beyond))
        for row in evidence.layers
    )
    bare = RowCertificate(game, layer, recurrences, game.game.check_condition(where))
    if evidence.period is not None:
        if statement != row_period(statement.game, statement.where, evidence.axes, target, evidence.period):
            raise Refused("the statement does not claim that the row has the period")
        return replace(bare, period=evidence.period)
    if not statement.plain or statement.target == ALWAYS:
        raise Refused("a row proves only a formula for its positions, without variables or look-ups")
    formula = game.game.check_formula(substitute(statement.formula, parameters), target)
    return replace(bare, formula=formula)


def row_period(
    game: Ruleset,
    where: Expr,
    axes: Sequence[str],
    target: Target,
    period: tuple[int, int],
    saltus: int | None = None,
) -> Statement:
    """Return the statement that a row is periodic: r(m + p) = r(m) + saltus for all m >= preperiod.

    where: the condition that fixes the row; ``m >= preperiod`` is added if it lacks that. axes: the
    coordinates along the row, the first of which is m. period: (preperiod, p). saltus: p by default.
    """
    preperiod, p = period
    saltus = p if saltus is None else saltus
    first = Name(axes[0])
    lookup = Lookup(qualified_name("G", rules_digest(game)), THIS, None, len(game.coordinates))

    def value(step: int) -> Call:
        moved = {name: Binary("+", Name(name), Int(step)) for name in axes} if step else {}
        return Call(lookup.name, tuple(moved.get(name, Name(name)) for name in game.coordinate_names))

    late = compare(">=", first, Int(preperiod))
    if late not in conjuncts(where):
        where = conjunction(where, late)
    said: Expr
    if target == GRUNDY:
        said = compare("==", value(p), Binary("+", value(0), Int(saltus)) if saltus else value(0))
    else:
        before, after = (compare("==", value(step), Int(level_of(target))) for step in (0, p))
        said = If(before, after, Not(after))
    return Statement(game, ALWAYS, said, where, lookups=(lookup,))


def check_row(certificate: RowCertificate, core: Core) -> ProvedRow:
    """Return the proved row; raise Refused if the recurrences do not prove the certificate's claim about it."""
    game = certificate.game
    places = sum(max(0, one.first) + max(0, one.period) for one in certificate.recurrences)
    if places > MOST_PLACES:
        raise Refused(f"it takes {places:,} places of rows; at most {MOST_PLACES:,} are allowed")
    if certificate.formula is not None and len(game.axes) > 1:
        # checked before any row is computed
        check_side(1 + max((one.first for one in certificate.recurrences), default=0))
    rows = core.kept(("rows", game.game.hash, game.axes, game.target), dict[LayerValues, ProvedRow])
    rows |= check_layers(game, certificate.layer, certificate.recurrences, rows)
    row = rows[certificate.layer]
    if certificate.period is not None:
        start, p = certificate.period
        if start < 0 or p < 1:
            raise Refused("the period must be at least 1, and begin at 0 or later")
        # one period of the proved row is checked, because r(m + p) - r(m) has the same period
        for m in range(start, max(start, row.first) + row.period):
            if row(m + p) != row(m) + p:
                raise Refused(f"the row does not have the period {p} at {m}")
    if certificate.formula is not None:
        check_row_formula(game, certificate.layer, row, certificate.formula, certificate.where)
    return row


def _follows(statement: Statement, evidence: Rows, core: Core) -> bool:
    check_row(certificate_of(statement, evidence), core)
    return True


RULE = Rule(
    "a period of a row",
    Rows,
    (SideCondition("the states of the rows recur, and the statement follows", _follows),),
    no_premises,
)
