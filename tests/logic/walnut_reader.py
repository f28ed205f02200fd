"""A slow reader of Walnut's predicates over the numbers 0 … most: what a script means, said in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_TOKEN = re.compile(r"\s*(<=|>=|!=|[-+*()<>=~&|,]|\$\w+|\w+)")
_PYTHON = {"=": "==", "~": " not ", "&": " and ", "|": " or "}  # which bind in the same order
Predicate = Callable[..., bool]

LIBRARY: dict[str, Predicate] = {
    "nimsum": lambda a, b, c: a ^ b == c,
    "bitand": lambda a, b, c: a & b == c,
    "bitor": lambda a, b, c: a | b == c,
    "power2": lambda a: a > 0 and a & (a - 1) == 0,
}


def truth_of(text: str, calls: Mapping[str, Predicate], most: int) -> Callable[[Mapping[str, int]], bool]:
    """Reads a predicate; ``calls`` are the automata and definitions it may use. It is told the free variables."""
    tokens = _TOKEN.findall(text)
    assert "".join(tokens) == re.sub(r"\s", "", text), "a sign that the reader does not know"
    code = compile("".join(_python(tokens)).strip(), "<predicate>", "eval")
    known: dict[str, Any] = {**{f"call_{name}": each for name, each in calls.items()}, "to": range(most + 1)}
    return lambda values: bool(eval(code, {**known, **values}))  # noqa: S307 - made of these tokens


def _python(tokens: list[str]) -> Iterator[str]:
    """Each token; the variables of a quantifier are named where its parentheses end, not where they begin."""
    ends, at = list[str](), 0
    while at < len(tokens):
        token, at = tokens[at], at + 1
        if token == "(" and tokens[at] in ("E", "A"):
            yield "any(" if tokens[at] == "E" else "all("
            names, at = [tokens[at + 1]], at + 2
            while tokens[at] == ",":
                names, at = [*names, tokens[at + 1]], at + 2
            ends.append("".join(f" for {name} in to" for name in names) + ")")
        elif token == "(":
            ends.append(")")
            yield "("
        elif token == ")":
            yield ends.pop()
        else:
            assert token not in ("E", "A"), "a quantifier without parentheses"
            yield _PYTHON.get(token, token.replace("$", "call_"))


def commands(script: str) -> list[str]:
    """The commands of a script, which all versions of Walnut must find in it.

    Walnut 3 to 6: lines are one command up to the first ``;`` or ``:``, and what follows on its line is dropped; a
    command that begins with ``#`` is reported as invalid. Walnut 7: lines that begin with ``#`` are skipped.
    """
    found, parts = [], []
    for line in script.splitlines():
        ended = re.match("[^;:]*[;:]", line)
        parts.append(ended[0] if ended else line)
        if ended:
            found.append("".join(parts))
            parts = []
    found = [command for command in found if not command.startswith("#")]
    assert not "".join(parts), "a command without an end"
    assert found == [line for line in script.splitlines() if not line.startswith("#")], (
        "not so in all versions"
    )
    return found


def run(script: str, most: int) -> dict[str, bool]:
    """The answers of a script's ``eval``s, with every variable from 0 to ``most``."""
    calls, answers = dict(LIBRARY), {}
    for line in commands(script):
        if command := re.fullmatch(r'(def|eval) (\w+) "\?msd_2 (.*)":', line):
            kind, name, text = command.groups()
            truth = truth_of(text, calls, most)
            if kind == "eval":
                answers[name] = truth({})
            else:
                # a definition that Walnut finds false loses its arguments, but not by a case that is empty
                assert re.search(r" & \(v\w+<0 \| .*\)$", text), "it may have no arguments"
                free = sorted(_free(text))
                calls[name] = lambda *values, truth=truth, free=free: truth(
                    dict(zip(free, values, strict=True))
                )
        else:
            assert re.match(r"reg (\w+) (msd_2 )+\"[01\[\],()|*]+\":$", line), line
    return answers


def _free(text: str) -> set[str]:
    """The free variables of a definition: its variables that no quantifier binds, none of which are named alike."""
    words = set(re.findall(r"(?<![$\w])[a-zA-Z]\w*", text)) - {"E", "A"}
    bound = {name for names in re.findall(r"[EA] ([\w,]+)", text) for name in names.split(",")}
    return words - bound
