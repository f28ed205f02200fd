"""Claims for people to read: as a line in the formula language, and as typeset mathematics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grundylab.games.model import (
    Claim,
    Listing,
    OptionCondition,
    PrintedTable,
    Ranged,
    Ruleset,
    Target,
)
from grundylab.games.specialise import fixed_values
from grundylab.games.statements import THIS
from grundylab.language import boxes
from grundylab.language.boxes import (
    Box,
    comma_list,
    fenced,
    number,
    operator_row,
    parenthesised,
    row,
    script,
    sign,
    text_box,
)
from grundylab.language.layout import layout
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Expr,
    Int,
    Kind,
    Name,
    compare,
    conjunction,
    conjuncts,
    free_names,
)


def claim_text(claim: Claim) -> str:
    """Return the claim in the formula language, with the games whose values it looks up, but without its ``where``."""
    match claim.printed:
        case Listing(members=members):
            listed = list[str]()
            for member in members:
                entries = f"({', '.join(map(str, member.entries))})"
                listed.append(entries if member.where == TRUE else f"{entries} for {member.where}")
            text = f"{claim.target}: {'; '.join(listed)}"
        case PrintedTable(entries=values):
            text = f"{claim.target}: a table of {len(values)} entries"
        case OptionCondition(quantifier=quantifier, condition=condition):
            text = f"{quantifier} option: {condition}"
        case _ if claim.kind == "condition":
            spans = "".join(f" for {variable.name} in {variable.range}" for variable in claim.variables)
            text = f"{claim.formula}{spans}"
        case _:
            text = f"{claim.target}: {claim.formula}"
    others = (f"{name}() of {of}" for name, of in claim.values if of != THIS)
    return ", with ".join([text, *others])


def claim_latex(claim: Claim, ruleset: Ruleset) -> str:
    """Return the whole claim in LaTeX's math mode, on one line."""
    return claim_boxes(claim, ruleset).latex


def claim_boxes(claim: Claim, ruleset: Ruleset) -> Box:
    """Return the whole claim as typeset mathematics."""
    names = ruleset.coordinate_names
    if isinstance(claim.printed, Listing) and len(claim.printed.members[0].entries) < len(names):
        names = ruleset.own_coordinates
    # terms such as x == 0 are left out, and the value takes the place of x in all others
    fixed: dict[str, Expr] = {name: Int(value) for name, value in fixed_values(claim.where, names).items()}
    fixing = [compare("==", Name(name), value) for name, value in fixed.items()]
    kept = (substitute(term, fixed) for term in conjuncts(claim.where) if term not in fixing)
    where = conjunction(*kept)
    position = _tuple(fixed.get(name, Name(name)) for name in names)
    box = _body(claim, position, fixed)
    if where != TRUE and claim.kind != "table":
        box = row(layout(where), boxes.IMPLIES, box)
    for variable in reversed(claim.variables):
        last = variable is claim.variables[-1]
        span = _span(variable, fixed, ruleset.bounds)
        box = row(span, boxes.COLON, box) if last else row(row(span, boxes.COMMA, apart=False), box)
    return box


_FOR_ALL = sign(r"\forall\,", "∀")


def _tuple(entries: Iterable[Expr]) -> Box:
    return parenthesised(comma_list(list(map(layout, entries))))


def _span(variable: Ranged, fixed: Mapping[str, Expr], bounds: tuple[str, ...]) -> Box:
    """Return the typeset range of a claim's variable, with the coordinates in ``fixed`` replaced by their values.

    An upper end that depends on ``bounds`` (the sizes of tables) is not shown, since the claim does not end there.
    """
    low, high = (substitute(end, fixed) for end in variable.ends)
    name, at_edge = layout(Name(variable.name)), free_names(high) & set(bounds)
    if low == high:
        return (
            row(text_box("for the largest "), name)
            if at_edge
            else row(text_box("with "), name, boxes.EQUAL, layout(low))
        )
    if at_edge:
        return row(_FOR_ALL, name, boxes.AT_LEAST, layout(low))
    return row(_FOR_ALL, layout(low), boxes.AT_MOST, name, boxes.AT_MOST, layout(high))


def _body(claim: Claim, position: Box, fixed: dict[str, Expr]) -> Box:
    match claim.printed:
        case Listing(members=members):
            which = fenced("{", row(position, boxes.SUCH_THAT, _is(claim.target, position)))
            # one set of all single positions, one for each family
            single = [
                _tuple(member.entries) for member in members if not member.indices and member.where == TRUE
            ]
            families = [member for member in members if member.indices or member.where != TRUE]
            sets = [fenced("{", comma_list(single))] if single else []
            for member in families:
                family = row(_tuple(member.entries), boxes.SUCH_THAT, layout(member.where))
                sets.append(fenced("{", family))
            return row(which, boxes.EQUAL, operator_row(boxes.UNION, sets))
        case PrintedTable(entries=entries):
            about = _grundy(position)
            if claim.target.name != "grundy":
                about = row(text_box("the outcome of "), position)
            return row(text_box(f"{len(entries)} values of "), about)
        case OptionCondition(quantifier=quantifier, condition=condition):
            return row(
                text_box(f"{quantifier} option of "), position, text_box(" fulfils "), layout(condition)
            )
    formula = substitute(claim.formula, fixed)
    if claim.kind == "condition":
        return layout(formula)
    if claim.target.kind is Kind.NUMBER:
        return row(_grundy(position), boxes.EQUAL, layout(formula))
    if formula in (TRUE, FALSE):
        return _is(claim.target, position, no=formula == FALSE)
    return row(_is(claim.target, position), boxes.IFF, layout(formula))


def _is(target: Target, position: Box, no: bool = False) -> Box:
    if target.name == "p":
        article, letter = ("an", "N") if no else ("a", "P")
        kind = row(script(letter), text_box("-position"), apart=False)
        return row(position, text_box(f" is {article} "), kind)
    return row(_grundy(position), boxes.UNEQUAL if no else boxes.EQUAL, number(target.value))


def _grundy(position: Box) -> Box:
    return row(script("G"), position, apart=False)
