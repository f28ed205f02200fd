"""A slow reader of Walnut's predicates over the numbers 0 … most: what a script means, said in Python.

A number's word is found by counting: the words of a numeration system, the shorter ones first and those of one length
in the order of their digits, are 0, 1, 2, …
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice, product
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


def known_by(files: Mapping[str, str], most: int) -> dict[str, Predicate]:
    """What predicates may call before anything is defined: the library, and the automata of the files."""
    calls = dict(LIBRARY)
    for path, text in files.items():
        if found := re.fullmatch(r"Automata Library/([a-z]\w*)\.txt", path):
            calls[found[1]] = _member(Machine.read(text), files, most)
    return calls


def run(files: Mapping[str, str], most: int) -> dict[str, bool]:
    """The answers of a script's ``eval``s, with every variable from 0 to ``most``, but for those about sums.

    files: as they are written, by their paths, the script first.
    """
    calls, answers, script = known_by(files, most), {}, next(iter(files.values()))
    for line in commands(script):
        if command := re.fullmatch(r'(def|eval) (\w+) "\?(msd_\w+) (.*)":', line):
            kind, name, system, text = command.groups()
            if name.endswith("_sums"):
                continue
            assert system in BUILT_IN or f"Custom Bases/{system}_addition.txt" in files
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


@dataclass(frozen=True)
class Machine:
    """An automaton's file. rows: for each state by its number the states that follow; the first one begins."""

    heading: tuple[str, ...]
    first: int
    rows: Mapping[int, Mapping[tuple[int, ...], int]]
    accepting: frozenset[int]

    @classmethod
    def read(cls, text: str) -> Machine:
        """Of the text, each line of which is one that every version of Walnut knows."""
        heading, *lines = [line for line in text.splitlines() if line]
        tracks = tuple(re.findall(r"\{[\d,]+\}|msd_\w+", heading))
        assert " ".join(tracks) == heading
        rows: dict[int, dict[tuple[int, ...], int]] = {}
        accepting, state = set(), None
        for line in lines:
            if declared := re.fullmatch(r"(\d+) ([01])", line):
                state = int(declared[1])
                assert state not in rows
                rows[state] = {}
                accepting |= {state} if declared[2] == "1" else set()
            else:
                step = re.fullmatch(r"(\d+(?: \d+)*) -> (\d+)", line)
                symbol = tuple(map(int, step[1].split()))
                assert len(symbol) == len(tracks)
                assert symbol not in rows[state]
                rows[state][symbol] = int(step[2])
        assert {target for row in rows.values() for target in row.values()} <= set(rows)
        return cls(tracks, next(iter(rows)), rows, frozenset(accepting))

    def accepts(self, words: Sequence[Sequence[int]]) -> bool:
        """Whether it accepts the words, the highest digit first, with zeros before the shorter ones."""
        longest = max(map(len, words))
        answers = {self._reads(words, longest + more) for more in range(2)}
        assert len(answers) == 1, "leading zeros matter"
        return answers.pop()

    def _reads(self, words: Sequence[Sequence[int]], length: int) -> bool:
        state = self.first
        for symbol in zip(*((0,) * (length - len(word)) + tuple(word) for word in words), strict=True):
            if symbol not in self.rows[state]:
                return False
            state = self.rows[state][symbol]
        return state in self.accepting


# Which words of 0 and 1 are a number's in the systems that come with Walnut.
BUILT_IN = {"msd_2": "[01]*", "msd_fib": "(?!.*11)[01]*", "msd_trib": "(?!.*111)[01]*"}


def words_of(system: str, files: Mapping[str, str], most: int) -> list[tuple[int, ...]]:
    """The words of the numbers 0 … most, without leading zeros."""
    return list(islice(_words(system, files), most + 1))


def _words(system: str, files: Mapping[str, str]) -> Iterator[tuple[int, ...]]:
    yield ()
    valid = None if system in BUILT_IN else Machine.read(files[f"Custom Bases/{system}.txt"])
    base = 2 if valid is None else len(valid.heading[0].split(","))
    for length in count(1):
        for word in product(range(base), repeat=length):
            text = "".join(map(str, word))
            if word[0] and (re.fullmatch(BUILT_IN[system], text) if valid is None else valid.accepts([word])):
                yield word


def _member(machine: Machine, files: Mapping[str, str], most: int) -> Predicate:
    """Whether the automaton accepts the numbers, each in the system that its heading names."""
    words = [words_of(system, files, most) for system in machine.heading]
    return lambda *numbers: machine.accepts(
        [each[number] for each, number in zip(words, numbers, strict=True)]
    )


def _free(text: str) -> set[str]:
    """The free variables of a definition: its variables that no quantifier binds, none of which are named alike."""
    words = set(re.findall(r"(?<![$\w])[a-zA-Z]\w*", text)) - {"E", "A"}
    bound = {name for names in re.findall(r"[EA] ([\w,]+)", text) for name in names.split(",")}
    return words - bound
