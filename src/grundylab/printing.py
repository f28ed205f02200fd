"""Claims as people read them: one line of the formula language, and LaTeX as in the paper."""

from __future__ import annotations

from collections.abc import Mapping

from grundylab.formula.latex import to_latex
from grundylab.formula.syntax import (
    FALSE,
    TRUE,
    Expr,
    Int,
    Kind,
    Logic,
    Name,
    compare,
    conjunction,
    free_names,
    substitute,
)
from grundylab.rulesets.model import (
    PASS_COORDINATE,
    Choice,
    Claim,
    Listing,
    Member,
    OfOptions,
    PrintedTable,
    Ruleset,
    Target,
)
from grundylab.rulesets.specialise import fixed_by


def claim_text(claim: Claim) -> str:
    """The claim without its ``where``, in the formula language."""
    match claim.printed:
        case Listing(members=members):
            return f"{claim.target}: " + "; ".join(map(_member_text, members))
        case PrintedTable(entries=entries):
            return f"{claim.target}: a table of {len(entries)} entries"
        case OfOptions(quantifier=quantifier, condition=condition):
            return f"{quantifier} option: {condition}"
    if claim.kind == "condition":
        spans = "".join(f" for {variable.name} in {variable.range}" for variable in claim.variables)
        return f"{claim.formula}{spans}"
    return f"{claim.target}: {claim.formula}"


def _member_text(member: Member) -> str:
    listed = f"({', '.join(map(str, member.entries))})"
    return listed if member.where == TRUE else f"{listed} for {member.where}"


def claim_latex(claim: Claim, ruleset: Ruleset) -> str:
    """The whole claim in LaTeX's math mode, on one line."""
    names = ruleset.coordinate_names
    if isinstance(claim.printed, Listing) and len(claim.printed.members[0].entries) < len(names):
        names = tuple(name for name in names if name != PASS_COORDINATE)
    where, fixed = _without_fixed(claim.where, names)
    position = f"({', '.join(to_latex(fixed.get(name, Name(name))) for name in names)})"
    said = _said(claim, position, fixed)
    about = [rf"\forall\, {_span(variable, fixed, ruleset.bounds)}" for variable in claim.variables]
    if where != TRUE and claim.kind != "table":
        said = rf"{to_latex(where)} \implies {said}"
    joined = r",\ ".join(about)
    return rf"{joined} \colon\ {said}" if about else said


def _span(variable: Choice, fixed: Mapping[str, Expr], bounds: tuple[str, ...]) -> str:
    """The variable's range; a bound is the edge of a table, so it is no end of a statement's range."""
    low, high = (substitute(end, fixed) for end in (variable.range.low, variable.range.high))
    name = to_latex(Name(variable.name))
    if low == high:
        return rf"{name} = {to_latex(low)}"
    if free_names(high) & set(bounds):
        return rf"{name} \ge {to_latex(low)}"
    return rf"{to_latex(low)} \le {name} \le {to_latex(high)}"


def _without_fixed(where: Expr, names: tuple[str, ...]) -> tuple[Expr, dict[str, Expr]]:
    """The condition without what fixes coordinates, which is put in for them; and the numbers put in."""
    fixed: dict[str, Expr] = {name: Int(value) for name, value in fixed_by(where, names).items()}
    terms = where.terms if isinstance(where, Logic) and where.op == "and" else (where,)
    kept = (term for term in terms if not any(term == compare("==", Name(n), v) for n, v in fixed.items()))
    return conjunction(*(substitute(term, fixed) for term in kept)), fixed


def _said(claim: Claim, position: str, fixed: dict[str, Expr]) -> str:
    match claim.printed:
        case Listing(members=members):
            listed = r" \cup ".join(_sets(members))
            return rf"\{{{position} : {_is(claim.target, position)}\}} = {listed}"
        case PrintedTable(entries=entries):
            return rf"\text{{{len(entries)} values of }} {_value(claim.target, position)}"
        case OfOptions(quantifier=quantifier, condition=condition):
            return rf"\text{{{quantifier} option of }} {position} \text{{ fulfils }} {to_latex(condition)}"
    if claim.kind == "condition":
        return to_latex(substitute(claim.formula, fixed))
    return _described(claim.target, substitute(claim.formula, fixed), position)


def _described(target: Target, formula: Expr, position: str) -> str:
    if target.kind is Kind.NUMBER:
        return rf"\mathcal{{G}}{position} = {to_latex(formula)}"
    if formula == TRUE:
        return _is(target, position)
    if formula == FALSE:
        return _is(target, position, no=True)
    return rf"{_is(target, position)} \iff {to_latex(formula)}"


def _is(target: Target, position: str, no: bool = False) -> str:
    if target.name == "p":
        article, letter = ("an", "N") if no else ("a", "P")
        return rf"{position} \text{{ is {article} }} \mathcal{{{letter}}}\text{{-position}}"
    sign = r"\ne" if no else "="
    return rf"\mathcal{{G}}{position} {sign} {target.value}"


def _value(target: Target, position: str) -> str:
    return rf"\mathcal{{G}}{position}" if target.name == "grundy" else rf"\text{{the outcome of }} {position}"


def _sets(members: tuple[Member, ...]) -> list[str]:
    """The single positions as one set, then each family."""
    single = [_entries(member) for member in members if not member.indices and member.where == TRUE]
    found = [rf"\{{{', '.join(single)}\}}"] if single else []
    for member in members:
        if member.indices or member.where != TRUE:
            found.append(rf"\{{{_entries(member)} : {to_latex(member.where)}\}}")
    return found


def _entries(member: Member) -> str:
    return f"({', '.join(map(to_latex, member.entries))})"
