"""The position explorer: a ruleset as a script for the browser, and where the explorer stands on its page.

The script is made from the model that the solvers use, by the JavaScript reader; it registers the game's words as data
and its rules as functions in one registry. ``report/assets/rules.js`` solves it, ``explorer.js`` beside it shows it.
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from grundylab.errors import EvaluationError
from grundylab.games.instance import Rules
from grundylab.games.model import PASS_COORDINATE, Move, Range, Ruleset
from grundylab.games.trial import trial_instance
from grundylab.language import Expr
from grundylab.language.javascript import Script, quoted, variable
from grundylab.language.syntax import TRUE, free_names
from grundylab.report.site.part import Part

_TITLE = "Explore and play"
_FRAGMENT = Markup(
    '<div class="explorer" data-game="{name}">\n'
    "<p>The explorer needs JavaScript, which is off or did not load. At a terminal, "
    "<code>grundylab explain</code> says the same of a position.</p>\n"
    "</div>\n"
)
_FAMILY = Markup(
    '<p class="explorer-none">There is nothing to explore here: {function} may be any function with {condition}, so '
    "this is a family of games, and a position has a value only in one of them.</p>\n"
)


def explorer(ruleset: Ruleset) -> Part:
    """The explorer of a ruleset's page; of a family of games, a sentence that says why there is none.

    The page must load ``../assets/explorer.css`` and, in this order and with ``defer``, ``../assets/rules.js``, the
    script in ``files``, and ``../assets/explorer.js``.
    """
    for free in ruleset.free:
        head = Markup("<code>{}({})</code>").format(free.name, ", ".join(free.arguments))
        said = _FAMILY.format(function=head, condition=Markup("<code>{}</code>").format(free.condition))
        return Part("explorer", _TITLE, said)
    script = {f"games/{ruleset.name}.js": game_script(ruleset)}
    return Part("explorer", _TITLE, _FRAGMENT.format(name=ruleset.name), script)


def game_script(ruleset: Ruleset) -> str:
    """The ruleset as a classic script: ``grundylab.games[NAME] = {data, fix}``.

    ``fix(R, PARAMETERS…, BOUNDS…)`` gives the rules with these fixed: domains, ranges, where, measure, and for each
    move a generator of the lists of positions whose sums it leads to (null for a choice that ``when`` forbids).
    """
    script = Script(ruleset.rule_functions)
    rules = _rules(ruleset, script)
    constants = ", ".join(["R", *map(variable, ruleset.parameter_names + ruleset.bounds)])
    lines = [
        "// Made by grundylab from a ruleset; do not edit.",
        "globalThis.grundylab = globalThis.grundylab || {};",
        "grundylab.games = grundylab.games || Object.create(null);",
        f"grundylab.games[{quoted(ruleset.name)}] = {{",
        f"data: {quoted(_data(ruleset))},",
        f'fix: function ({constants}) {{\n"use strict";',
        *script.definitions,
        "return {",
        *rules,
        "};\n},\n};\n",
    ]
    return "\n".join(lines)


def _data(ruleset: Ruleset) -> dict[str, object]:
    """What the explorer says in words. Numbers are texts: they may be of any size."""
    names, passes = set(ruleset.coordinate_names), any(move.a_pass for move in ruleset.moves)
    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "coordinates": [
            {
                "name": c.name,
                "range": str(c.range),
                "depends": bool(_mentioned(c.range) & names),
                "hint": "1: a pass can still be made" if passes and c.name == PASS_COORDINATE else None,
            }
            for c in ruleset.coordinates
        ],
        "parameters": [{"name": p.name, "domain": str(p.domain)} for p in ruleset.parameters],
        "bounds": list(ruleset.bounds),
        "where": None if ruleset.where == TRUE else str(ruleset.where),
        "play": ruleset.play,
        "moves": [{"name": move.name, "pass": move.a_pass} for move in ruleset.moves],
        "start": _start(ruleset),
    }


def _mentioned(span: Range) -> frozenset[str]:
    return free_names(span.low) | free_names(span.high)


def _start(ruleset: Ruleset) -> dict[str, list[str]] | None:
    """A small position to begin with, the last of a small table; None if there is none."""
    instance = trial_instance(ruleset)
    if instance is None:
        return None
    try:
        positions = list(Rules(instance).positions())
    except EvaluationError:
        return None
    if not positions:
        return None
    return {
        "parameters": [str(value) for _, value in instance.parameters],
        "position": [str(value) for value in positions[-1]],
    }


def _rules(ruleset: Ruleset, script: Script) -> list[str]:
    """The entries of what ``fix`` returns."""
    names = ruleset.coordinate_names
    ends = [
        _listed(_function(end, names[:place], script) for end in c.ends)
        for place, c in enumerate(ruleset.coordinates)
    ]
    return [
        f"domains: {_listed(_function(parameter.domain, (), script) for parameter in ruleset.parameters)},",
        f"ranges: {_listed(ends)},",
        f"where: {_function(ruleset.where, names, script)},",
        f"measure: {_function(ruleset.measure, names, script)},",
        f"moves: {_listed(_move(move, names, script) for move in ruleset.moves)},",
    ]


def _listed(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _function(expr: Expr, names: tuple[str, ...], script: Script) -> str:
    return f"({', '.join(map(variable, names))}) => {script.expression(expr)}"


def _move(move: Move, names: tuple[str, ...], script: Script) -> str:
    lines = [f"function* ({', '.join(map(variable, names))}) {{"]
    for depth, choice in enumerate(move.choices):
        low, high = script.expression(choice.range.low), script.expression(choice.range.high)
        chosen, last = variable(choice.name), f"last{depth}"
        if depth > 0:
            lines.append("yield null;")  # so that a search through choices without moves can be interrupted
        lines.append(f"for (let {chosen} = {low}, {last} = {high}; {chosen} <= {last}; {chosen}++) {{")
    parts = _listed(_listed(map(script.expression, part)) for part in move.parts)
    guard = "" if move.when == TRUE else f"{script.expression(move.when)} ? "
    lines.append(f"yield {guard}{parts}{guard and ' : null'};")
    lines.append("}" * (len(move.choices) + 1))
    return "\n".join(lines)
