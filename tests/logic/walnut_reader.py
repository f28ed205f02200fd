"""A slow reader of Walnut's predicates over the numbers 0 … most: what a script means, said in other words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product

_TOKEN = re.compile(r"\s*(<=>|=>|<=|>=|!=|[-+*()<>=~&|,]|\$\w+|\w+)")
Values = Mapping[str, int]
Predicate = Callable[..., bool]
Node = Callable[[dict[str, int]], int]


class Reader:
    """Reads a predicate; ``calls`` are the automata and definitions it may use."""

    def __init__(self, text: str, calls: Mapping[str, Predicate], most: int) -> None:
        self._tokens = [*_TOKEN.findall(text), ""]
        assert "".join(self._tokens) == re.sub(r"\s", "", text), "a sign that the reader does not know"
        self._calls, self._most, self._at = calls, most, 0
        self.truth = self._formula()
        assert self._tokens[self._at] == "", self._tokens[self._at :]

    def _take(self, *wanted: str) -> str | None:
        if self._tokens[self._at] in wanted:
            self._at += 1
            return self._tokens[self._at - 1]
        return None

    def _formula(self) -> Node:
        left = self._disjunction()
        while sign := self._take("=>", "<=>"):
            left = self._implied(sign, left, self._disjunction())
        return left

    @staticmethod
    def _implied(sign: str, a: Node, b: Node) -> Node:
        if sign == "=>":
            return lambda values: not a(values) or b(values)
        return lambda values: bool(a(values)) == bool(b(values))

    def _disjunction(self) -> Node:
        parts = [self._conjunction()]
        while self._take("|"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else lambda values: any(part(values) for part in parts)

    def _conjunction(self) -> Node:
        parts = [self._unary()]
        while self._take("&"):
            parts.append(self._unary())
        return parts[0] if len(parts) == 1 else lambda values: all(part(values) for part in parts)

    def _unary(self) -> Node:
        if self._take("~"):
            inner = self._unary()
            return lambda values: not inner(values)
        if word := self._take("E", "A"):
            names = [self._word()]
            while self._take(","):
                names.append(self._word())
            return self._quantified(word, names, self._formula())  # as far as it goes
        if self._take("("):
            inner = self._formula()
            assert self._take(")")
            return inner
        if self._tokens[self._at].startswith("$"):
            return self._called()
        return self._compared()

    def _word(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _quantified(self, word: str, names: list[str], inner: Node) -> Node:
        def each(values: dict[str, int]) -> Iterator[int]:
            for chosen in product(range(self._most + 1), repeat=len(names)):
                yield inner({**values, **dict(zip(names, chosen, strict=True))})

        return (lambda values: any(each(values))) if word == "E" else (lambda values: all(each(values)))

    def _called(self) -> Node:
        function = self._calls[self._word()[1:]]
        assert self._take("(")
        arguments = [self._sum()]
        while self._take(","):
            arguments.append(self._sum())
        assert self._take(")")
        return lambda values: function(*(argument(values) for argument in arguments))

    def _compared(self) -> Node:
        a = self._sum()
        sign = self._word()
        b = self._sum()
        test = {
            "=": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__,
        }[sign]  # fmt: skip
        return lambda values: test(a(values), b(values))

    def _sum(self) -> Node:
        parts = [self._product()]
        while self._take("+"):
            parts.append(self._product())
        return parts[0] if len(parts) == 1 else lambda values: sum(part(values) for part in parts)

    def _product(self) -> Node:
        first = self._word()
        if self._take("*"):
            name = self._word()
            return lambda values: int(first) * values[name]
        if first.isdecimal():
            return lambda values: int(first)
        return lambda values: values[first]


LIBRARY: dict[str, Predicate] = {
    "nimsum": lambda a, b, c: a ^ b == c,
    "bitand": lambda a, b, c: a & b == c,
    "bitor": lambda a, b, c: a | b == c,
    "power2": lambda a: a > 0 and a & (a - 1) == 0,
}


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
            truth = Reader(text, calls, most).truth
            if kind == "eval":
                answers[name] = bool(truth({}))
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
