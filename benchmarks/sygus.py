"""cvc5's SyGuS solver as an engine to compare with: the same positions, the same operators, the same seconds.

Numbers are bit-vectors, since cvc5 has no bitwise operators on integers. They hold the largest number that occurs, with
a few digits to spare. The solver gets a list of constants and the option ``sygus-enum=fast``, with which it solved most
of the problems tried. It learns from a few positions; some at which its formula is wrong are added, and so on
(counterexample-guided, like the engine ``search``). To use it, run ``pip install cvc5==1.4.2`` first.

cvc5: Barbosa et al., cvc5: A Versatile and Industrial-Strength SMT Solver (TACAS 2022); its SyGuS solver: Reynolds et
al., cvc4sy: Smart and Fast Term Enumeration for Syntax-Guided Synthesis (CAV 2019).
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from math import ceil

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.base import Proposals
from grundylab.discover.ranking import error_mask
from grundylab.games.model import Target
from grundylab.language import Expr, parse

FIRST, MORE = 40, 12  # number of positions at first, and of those added at a time
SPARE = 3  # binary digits beyond those of the largest number
CONSTANTS = range(9)
NUMBERS = {
    "bvadd": "+", "bvsub": "-", "bvmul": "*", "bvudiv": "//", "bvurem": "%", "bvand": "&", "bvor": "|", "bvxor": "^",
    "bvshl": "<<", "bvlshr": ">>",
}  # fmt: skip
RELATIONS = {"=": "==", "bvult": "<", "bvule": "<="}
PLAIN = {**NUMBERS, **RELATIONS, "and": "and", "or": "or"}
WORDS = {"true": "True", "false": "False"}
ASK = """
import sys, cvc5
terms = cvc5.TermManager()
solver = cvc5.Solver(terms)
for option, value in (("sygus", "true"), ("sygus-enum", "fast"), ("dag-thresh", "0")):
    solver.setOption(option, value)
names = cvc5.SymbolManager(terms)
parser = cvc5.InputParser(solver, names)
parser.setStringInput(cvc5.InputLanguage.SYGUS_2_1, sys.stdin.read(), "samples")
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, names), end="")
"""


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return a formula that is right at all positions, or else the solver's last one; none if it found none in time.

    budget_seconds: of processor time. Raises SystemExit if cvc5 is not installed, or fails.
    """
    end, rows, found = _spent() + budget_seconds, sampling.draw_rows(samples, FIRST), list[Expr]()
    while (left := end - _spent()) > 0:
        text = _answer(_problem(samples.at(rows)), left)
        if text is None:
            break
        formula = parse(text)
        wrong = error_mask(formula, samples)
        if wrong is None:  # the formula has no value somewhere, though bit-vectors have one
            break
        found = [formula]
        if not wrong.any():
            break
        rows = np.union1d(rows, sampling.counterexamples(wrong, samples, MORE))
    return Proposals(tuple(found))


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _problem(samples: Samples) -> str:
    """Return the synthesis problem of the samples in the format SyGuS-IF 2.1."""
    largest = max(
        int(abs(column).max()) for column in (*samples.columns.values(), samples.values.astype(int))
    )
    width, condition = largest.bit_length() + SPARE, samples.values.dtype == bool
    number = f"(_ BitVec {width})"
    sorts = [("B", "Bool"), ("I", number)] if condition else [("I", number), ("B", "Bool")]
    constants = (_bits(value, width) for value in CONSTANTS)
    rules = {
        "B": " ".join([*(f"({op} I I)" for op in RELATIONS), "(and B B) (or B B) (not B)"]),
        "I": " ".join([*samples.names, *constants, *(f"({op} I I)" for op in NUMBERS), "(ite B I I)"]),
    }
    names = " ".join(f"({name} {number})" for name in samples.names)
    declared = " ".join(f"({name} {sort})" for name, sort in sorts)
    grammar = " ".join(f"({name} {sort} ({rules[name]}))" for name, sort in sorts)
    lines = ["(set-logic BV)", f"(synth-fun f ({names}) {sorts[0][1]} ({declared}) ({grammar}))"]
    for row, value in enumerate(samples.values):
        at = " ".join(_bits(int(samples.columns[name][row]), width) for name in samples.names)
        truth = str(bool(value)).lower() if condition else _bits(int(value), width)
        lines.append(f"(constraint (= (f {at}) {truth}))")
    return "\n".join([*lines, "(check-synth)"])


def _bits(value: int, width: int) -> str:
    return f"#b{value % (1 << width):0{width}b}"


def _answer(problem: str, seconds: float) -> str | None:
    """Return the solver's formula as text; None if there is none after so many seconds of processor time."""
    limit = ceil(seconds)
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        input=problem,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    if done.returncode > 0:  # it is below 0 if the time was up
        sys.exit(f"cvc5 failed: {done.stderr.strip()[-300:]}")
    tokens = iter(done.stdout.replace("(", " ( ").replace(")", " ) ").split())
    for token in tokens:
        if token == "define-fun":
            next(tokens)
            _skip(tokens)  # the arguments
            _skip(tokens)  # the sort
            return _text(tokens)
    return None


def _skip(tokens: Iterator[str]) -> None:
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return


def _text(tokens: Iterator[str]) -> str:
    """Read the next term of the solver's output and return it in the formula language."""
    token = next(tokens)
    if token != "(":
        return str(int(token[2:], 2)) if token.startswith("#b") else WORDS.get(token, token)
    op, parts = next(tokens), list[str]()
    while (part := next(tokens)) != ")":
        parts.append(_text(chain([part], tokens)))
    if op == "ite":
        return f"({parts[1]} if {parts[0]} else {parts[2]})"
    return f"(not {parts[0]})" if op == "not" else f"({f' {PLAIN[op]} '.join(parts)})"
