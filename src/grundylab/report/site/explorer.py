"""The position explorer of a ruleset's page: the game's rules as JavaScript, and the explorer's HTML.

The script is made from the same model of the rules as the solvers use. It stores the game's texts and its rules, as
functions, in ``grundylab.games``. The scripts ``rules.js`` and ``explorer.js`` in report/assets solve and show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from grundylab.errors import EvaluationError
from grundylab.games.model import Move, Ruleset
from grundylab.games.rules import Rules
from grundylab.language import Expr
from grundylab.language.javascript import Script, javascript_literal, javascript_variable
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, free_names
from grundylab.report.templates import PagePart, render_part
from grundylab.solve.instance_choice import trial_instance
from grundylab.strategy.lines import Line, choices_by_name

NO_VALUES: Mapping[str, int] = MappingProxyType({})


def explorer(
    ruleset: Ruleset, parameters: Mapping[str, int] = NO_VALUES, strategy: Sequence[Line] = ()
) -> PagePart:
    """Return the explorer of a ruleset's page; or the reason why there is none, without a script.

    There is none for a family of games, and where moves lead to sums under misère play.

    parameters: their values at the start, by default the first in their domains. strategy: the lines of a strategy,
    whose move is marked. The page must load ``rules.js``, the script and ``explorer.js``, in this order and with
    ``defer``.
    """
    hints = {p.name: str(p.domain) for p in ruleset.parameters}
    for coordinate in ruleset.coordinates:
        span = coordinate.range
        # a bound is left out, since it is the edge of a table and no rule
        bounded = bool(free_names(span.high) & {*ruleset.bounds})
        hints[coordinate.name] = f"{span.low} or more" if bounded else str(span)
        if coordinate.name == ruleset.pass_flag:
            hints[coordinate.name] = "1: a pass can still be made"
    where = None if ruleset.where == TRUE else ruleset.where
    script = "" if ruleset.free or ruleset.misere_sums else game_script(ruleset, parameters, strategy)
    return render_part("explorer.html.j2", script, ruleset=ruleset, hints=hints, where=where)


def game_script(
    ruleset: Ruleset, parameters: Mapping[str, int] = NO_VALUES, strategy: Sequence[Line] = ()
) -> str:
    """Return the ruleset as a classic script (no module), which sets ``grundylab.games[NAME] = {data, fix}``.

    ``data`` has the names and texts that the explorer shows, with numbers as strings, since they may have any size.
    ``fix(R, PARAMETERS…, BOUNDS…)`` returns the rules for these values: the parameters' domains, the coordinates'
    ranges, the condition ``where``, and a generator for each move. The generator yields, for each choice of the move,
    the list of the positions whose sum it leads to, or null if the move's ``when`` forbids the choice. ``strategy`` has
    for each line the number of its move, its condition, and the positions to which it leads.
    """
    script = Script(ruleset.rule_functions)
    rules = _rules(ruleset, strategy, script)
    names = set(ruleset.coordinate_names)
    data = {
        "coordinates": [
            {"name": c.name, "depends": bool((free_names(c.range.low) | free_names(c.range.high)) & names)}
            for c in ruleset.coordinates
        ],
        "parameters": [{"name": p.name, "domain": str(p.domain)} for p in ruleset.parameters],
        "bounds": list(ruleset.bounds),
        "where": None if ruleset.where == TRUE else str(ruleset.where),
        "play": ruleset.play,
        "moves": [{"name": move.name, "pass": move.a_pass} for move in ruleset.moves],
        "start": start_of(ruleset, parameters),
    }
    constants = ", ".join(["R", *map(javascript_variable, ruleset.parameter_names + ruleset.bounds)])
    lines = [
        "// Made by grundylab from a ruleset; do not edit.",
        "globalThis.grundylab = globalThis.grundylab || {};",
        "grundylab.games = grundylab.games || Object.create(null);",
        f"grundylab.games[{javascript_literal(ruleset.name)}] = {{",
        f"data: {javascript_literal(data)},",
        f'fix: function ({constants}) {{\n"use strict";',
        *script.definitions,
        "return {",
        *rules,
        "};\n},\n};\n",
    ]
    return "\n".join(lines)


def start_of(ruleset: Ruleset, parameters: Mapping[str, int]) -> dict[str, list[str]] | None:
    """Return parameters and a position for the explorer's start: the last position of a small table.

    parameters: their values; the first in their domains if the table would be too large for these.

    None if there is no such table, or if its rules cannot be evaluated.
    """
    instance = trial_instance(ruleset, parameters=parameters) or trial_instance(ruleset)
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


def _rules(ruleset: Ruleset, strategy: Sequence[Line], script: Script) -> list[str]:
    """Return the lines, in JavaScript, of the object that ``fix`` returns."""
    names = ruleset.coordinate_names
    variables = ", ".join(map(javascript_variable, names))
    ends = [
        _array(_function(end, names[:place], script) for end in c.ends)
        for place, c in enumerate(ruleset.coordinates)
    ]
    rules = [
        f"domains: {_array(_function(parameter.domain, (), script) for parameter in ruleset.parameters)},",
        f"ranges: {_array(ends)},",
        f"where: {_function(ruleset.where, names, script)},",
        f"moves: {_array(_move(move, names, script) for move in ruleset.moves)},",
    ]
    objects = []
    for line in strategy:
        move = ruleset.moves[line.number]
        values = choices_by_name(move, line.choices)
        parts = [[substitute(value, values) for value in part] for part in move.parts]
        to = _array(_array(map(script.expression, part)) for part in parts)
        when = _function(line.when, names, script)
        objects.append(f"{{ move: {line.number}, when: {when}, to: ({variables}) => {to} }}")
    return [*rules, f"strategy: {_array(objects)},"]


def _array(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _function(expr: Expr, names: tuple[str, ...], script: Script) -> str:
    return f"({', '.join(map(javascript_variable, names))}) => {script.expression(expr)}"


def _move(move: Move, names: tuple[str, ...], script: Script) -> str:
    lines = [f"function* ({', '.join(map(javascript_variable, names))}) {{"]
    for depth, choice in enumerate(move.choices):
        low, high = script.expression(choice.range.low), script.expression(choice.range.high)
        chosen, last = javascript_variable(choice.name), f"last{depth}"
        if depth > 0:
            lines.append("yield null;")  # a search through choices without moves can be interrupted here
        lines.append(f"for (let {chosen} = {low}, {last} = {high}; {chosen} <= {last}; {chosen}++) {{")
    parts = _array(_array(map(script.expression, part)) for part in move.parts)
    guard = "" if move.when == TRUE else f"{script.expression(move.when)} ? "
    lines.append(f"yield {guard}{parts}{guard and ' : null'};")
    lines.append("}" * (len(move.choices) + 1))
    return "\n".join(lines)
