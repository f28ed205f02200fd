"""The parser of formulas. They have the grammar of Python's expressions, restricted to a list of accepted nodes.

Python's ``ast`` reads the text, but Python never evaluates it. Text that Python reads otherwise than people do is
refused: a comment, a letter that Python replaces by another one, a number with '_'. In a ruleset with piles, ``...``
repeats the expression right before it for all piles. The copies are joined by the operator before ``...`` (``x ^ ...``
is ``x ^ y ^ z``), or by commas.
"""

from __future__ import annotations

import ast
import difflib
import re
import unicodedata
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal, cast

from grundylab.automata.digits import DigitAutomaton
from grundylab.errors import FormulaError, Place
from grundylab.language import syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import NO_FUNCTIONS, Functions
from grundylab.language.operators import OPERATORS
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    ACCEPTS,
    COMPARISONS,
    QUANTIFIERS,
    RESERVED,
    Expr,
    Kind,
    Quantifier,
    called_functions,
    chain,
    distinct_parts,
    free_names,
    negative,
)

MAX_TEXT = 20_000  # characters
MAX_DEPTH = 150  # nested operators
MAX_DIGITS = 40
MAX_NAME = 60  # characters
DIGEST = 64  # hexadecimal digits of a SHA-256
_TOO_LONG = f"a number has at most {MAX_DIGITS} digits"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_GENERATED = re.compile(r"_?[A-Za-z][A-Za-z0-9_]*")
_NUMBER = re.compile(rb"[0-9]+|0[xX][0-9A-Fa-f]+|0[oO][0-7]+|0[bB][01]+")
_AFTER_NUMBER = re.compile(rb"[A-Za-z0-9_]")

_INSTEAD = {
    ast.Pow: "powers are not in the language ('^' is nim-sum): write products, or 1 << n for a power of two",
    ast.Attribute: "attributes are not in the language",
    ast.Subscript: "indexing is not in the language",
    ast.Lambda: "lambda is not in the language: define a function in the ruleset",
    ast.JoinedStr: "text is not in the language",
    ast.List: "lists are not in the language",
    ast.Tuple: "tuples are not in the language: is a comma or a function's name missing?",
    ast.Invert: "'~' is not in the language",
    ast.MatMult: "'@' is not in the language",
    ast.In: "'in' is not in the language: write x == 1 or x == 2",
    ast.Is: "'is' is not in the language: write ==",
    ast.NamedExpr: "':=' is not in the language: write ==",
}

# Notation from mathematics or other languages, and the advice given for it.
_HINTS = (
    (r"(?<![=!<>])=(?!=)", "'=' is '==' here"),
    ("≤", "'≤' is '<=' here"),
    ("≥", "'≥' is '>=' here"),
    ("≠", "'≠' is '!=' here"),
    ("⊕", "the nim-sum is '^' here"),
    ("[×·]", "a product is 'x * y' here"),
    ("[∧&]{2}|∧", "write 'and'"),
    (r"\|\||∨", "write 'or'"),
    (r"!(?!=)|¬", "write 'not'"),
    (r"\bmod\b", "a remainder is 'x % y' here"),
    (r"\bxor\b", "the nim-sum is 'x ^ y' here"),
    (r"\.\.", "a range is for choosing numbers; a condition is 1 <= m <= 10"),
    (r"(?<![A-Za-z0-9_])[0-9]+ ?[A-Za-z(]", "a product needs its sign: 2*x"),
)
_DIGITS = re.compile(r"0|[1-9][0-9]{0,17}")


def parse(text: str, piles: Sequence[str] = ()) -> Expr:
    """Return the syntax tree of a formula.

    piles: the names of the piles, for which ``...`` repeats. Raises FormulaError with the column (from 1) of the error.
    """
    return _parsed(text, tuple(piles), MAX_NAME, _NAME)


def parse_stored(text: str, generated: bool = False) -> Expr:
    """Return the syntax tree of a formula in a proof's file, where a digest follows each name of a function.

    generated: whether names that the code generates are accepted.
    """
    return _parsed(text, (), MAX_NAME + len("__") + DIGEST, _GENERATED if generated else _NAME)


def _parsed(text: str, piles: tuple[str, ...], longest: int, names: re.Pattern[str]) -> Expr:
    flat = " ".join(text.split())
    if len(flat) > MAX_TEXT:
        raise FormulaError(f"a formula has at most {MAX_TEXT:,} characters, this one {len(flat):,}")
    if not flat:
        raise FormulaError("the formula is empty")
    if _DIGITS.fullmatch(flat):
        return syntax.Int(int(flat))  # a fast path: a list of values has thousands of them
    if re.search(rf"\d(_?\d){{{MAX_DIGITS}}}", flat):
        raise FormulaError(_TOO_LONG)
    _refuse_disguised(flat)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about code that is never run
            body = ast.parse(flat, mode="eval").body
    except SyntaxError as error:
        column = min(error.offset or len(flat), len(flat))  # an offset of 0 is the end of the line
        hint = next((f" ({words})" for sign, words in _HINTS if re.search(sign, flat)), "")
        raise FormulaError(f"cannot read '{_short(flat)}': {error.msg}{hint}", Place(column=column)) from None
    except ValueError:
        raise FormulaError("cannot read the formula: it is not plain text") from None
    except (RecursionError, MemoryError):
        raise FormulaError(
            f"cannot read the formula: it is nested too deeply (at most {MAX_DEPTH})"
        ) from None
    return _Reader(flat, piles, longest, names).read(body, 0)


def has_short_numbers(expr: Expr) -> bool:
    """Tell whether all numbers in the expression have few enough digits to be read again from its text."""
    return all(abs(node.value) < 10**MAX_DIGITS for node in syntax.walk(expr) if isinstance(node, syntax.Int))


def _refuse_disguised(flat: str) -> None:
    """Raise FormulaError for ``#``, which begins a comment, and for a character that Python replaces by others."""
    for place, sign in enumerate(flat, 1):
        if sign == "#":
            raise FormulaError(
                "'#' does not begin a comment in a formula: remove what follows, or move it outside",
                Place(column=place),
            )
        if not sign.isascii() and (plain := unicodedata.normalize("NFKC", sign)) != sign:
            raise FormulaError(
                f"'{sign}' (U+{ord(sign):04X}) is not '{plain}': write plain letters, digits and signs",
                Place(column=place),
            )


def parse_condition(text: str, piles: Sequence[str] = ()) -> Expr:
    """Return the syntax tree of a condition. Raises FormulaError if the text is not one."""
    return require_kind(parse(text, piles), Kind.CONDITION)


def parse_number(text: str, piles: Sequence[str] = ()) -> Expr:
    """Return the syntax tree of a number. Raises FormulaError if the text is not one."""
    return require_kind(parse(text, piles), Kind.NUMBER)


def require_kind(expr: Expr, kind: Kind) -> Expr:
    """Return the expression unchanged. Raises FormulaError if it is not of this kind."""
    if expr.kind is not kind:
        hint = "; write floor(a/b) or a // b" if expr.kind is Kind.RATIO else ""
        hint += syntax.condition_hint(expr, kind)
        raise FormulaError(f"'{expr}' is {expr.kind.value}, but must be {kind.value}{hint}")
    return expr


def check_names(
    expr: Expr, names: Iterable[str], functions: Functions = NO_FUNCTIONS, what: str = "name"
) -> None:
    """Raise FormulaError if a free name is unknown, a bound variable is in ``names``, or a call fits no function.

    names: the names that are known. what: the word for a name in the message.
    """
    usable = set(names)
    for name in sorted(free_names(expr) - usable):
        raise FormulaError(f"unknown {what} '{name}'{_known_ones(name, usable)}")
    bound = {node.variable for node in distinct_parts(expr) if isinstance(node, syntax.Bounded)}
    for name in sorted(bound & usable):
        raise FormulaError(f"'{name}' is already the name of something else; use another variable in range()")
    check_calls(expr, {function.name: len(function.arguments) for function in functions})


def check_calls(expr: Expr, arities: Mapping[str, int]) -> None:
    """Raise FormulaError for a call of an unknown function, or with the wrong number of arguments.

    arities: the number of arguments of each known function that is not built in.
    """
    for name in sorted(called_functions(expr) - set(arities)):
        raise FormulaError(f"unknown function '{name}'{_known_ones(name, {*arities, *BUILTINS})}")
    if not expr.calls & set(arities):
        return
    for node in distinct_parts(expr):
        if (
            isinstance(node, syntax.Call)
            and node.name in arities
            and len(node.arguments) != arities[node.name]
        ):
            wanted, given = arities[node.name], len(node.arguments)
            raise FormulaError(f"{node.name}() takes {wanted} argument{'s' * (wanted != 1)}, not {given}")


def _known_ones(name: str, usable: set[str]) -> str:
    close = difflib.get_close_matches(name, usable, n=1)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; known here: {', '.join(sorted(usable))}" if usable else "; no names are known here"


class _Reader:
    """A translator of the accepted ``ast`` nodes; any other node is refused, with the column where it begins."""

    def __init__(self, text: str, piles: tuple[str, ...], longest: int, names: re.Pattern[str]) -> None:
        self._text = text
        self._longest, self._names = longest, names
        self._bytes = text.encode()
        self._piles = piles

    def read(self, node: ast.expr, depth: int) -> Expr:
        if depth > MAX_DEPTH:
            raise self._refusal(node, f"the formula is nested too deeply (at most {MAX_DEPTH})")
        try:
            return self._translate(node, depth + 1)
        except FormulaError as error:
            if error.place.column is None:
                raise FormulaError(error.message, self._place(node)) from None
            raise

    def _translate(self, node: ast.expr, depth: int) -> Expr:
        match node:
            case ast.Constant(value=bool(truth)):
                return syntax.Bool(truth)
            case ast.Constant(value=int(number)):
                if number >= 10**MAX_DIGITS:  # a literal such as 0xfff… has more digits in decimal
                    raise self._refusal(node, _TOO_LONG)
                self._check_number(node)
                return syntax.Int(number)
            case ast.Constant(value=value) if value is Ellipsis:
                raise self._refusal(node, "'...' may only follow an operator or a comma, as in x ^ ...")
            case ast.Constant(value=value):
                raise self._refusal(
                    node, f"{_short(repr(value))} is not in the language: only integers, True and False are"
                )
            case ast.Name(id=name):
                if name in RESERVED:
                    raise self._refusal(node, f"'{name}' is a function: write {name}(…)")
                return syntax.Name(self._checked_name(node, name))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return negative(self.read(operand, depth))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                inner = self.read(operand, depth)
                if inner.kind is Kind.CONDITION:
                    raise FormulaError(f"'+' takes a number, but '{inner}' is a condition")
                return inner
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return syntax.Not(self.read(operand, depth))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _signs():
                return self._binary(_signs()[type(op)], left, right, depth)
            case ast.Compare(left=left, ops=ops, comparators=rest):
                if unknown := next((op for op in ops if type(op) not in _signs()), None):
                    raise self._refusal(
                        node, _INSTEAD.get(type(unknown), "this comparison is not in the language")
                    )
                terms = tuple(self.read(term, depth) for term in (left, *rest))
                return syntax.Compare(tuple(_signs()[type(op)] for op in ops), terms)
            case ast.BoolOp(op=op, values=values):
                terms = tuple(self._read_all(values, depth))
                joining: Literal["and", "or"] = "and" if isinstance(op, ast.And) else "or"
                return syntax.Logic(joining, terms) if len(terms) > 1 else terms[0]
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return syntax.If(*(self.read(part, depth) for part in (test, then, otherwise)))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(node, name, arguments, depth)
            case ast.Call():
                raise self._refusal(node, "a call is name(argument, …), without keywords")
            case _:
                refused: ast.AST = getattr(node, "op", node)
                what = _INSTEAD.get(type(refused), f"'{type(refused).__name__}' is not in the language")
                raise self._refusal(node, what)

    def _checked_name(self, node: ast.expr, name: str) -> str:
        if not self._names.fullmatch(name):
            raise FormulaError(f"'{_short(name)}' cannot be a name: use letters, digits and '_', as in m1")
        if len(name) > self._longest:
            raise FormulaError(f"'{_short(name)}': a name has at most {self._longest} characters")
        return name

    def _binary(self, op: str, left: ast.expr, right: ast.expr, depth: int) -> Expr:
        if not _is_dots(right):
            return syntax.Binary(op, self.read(left, depth), self.read(right, depth))
        before = []
        between = self._bytes[left.end_col_offset : right.col_offset]
        if isinstance(left, ast.BinOp) and b")" not in between:  # no parentheses around the left operand
            inner = _signs().get(type(left.op))
            if inner == op:  # p + x + ... repeats x
                before, left = [self.read(left.left, depth)], left.right
            elif inner and OPERATORS[inner].binds == OPERATORS[op].binds:
                raise self._refusal(
                    left, f"put parentheses around what '...' repeats: it follows both '{inner}' and '{op}'"
                )
        return chain(op, before + self._for_all_piles(left, depth))

    def _read_all(self, nodes: list[ast.expr], depth: int) -> list[Expr]:
        """Translate the nodes; a node that ``...`` follows is repeated for all piles."""
        expressions: list[Expr] = []
        for number, node in enumerate(nodes):
            if number + 1 < len(nodes) and _is_dots(nodes[number + 1]):
                expressions += self._for_all_piles(node, depth)
            elif number == 0 or not _is_dots(node):
                expressions.append(self.read(node, depth))
        return expressions

    def _check_number(self, node: ast.expr) -> None:
        """Raise FormulaError for a number that people misread: 1_000, or 0xfor (to Python, 0xf and then ``or``)."""
        written, after = (
            self._bytes[node.col_offset : node.end_col_offset],
            self._bytes[node.end_col_offset :],
        )
        if not _NUMBER.fullmatch(written) or _AFTER_NUMBER.match(after):
            raise self._refusal(node, "write a number as digits only, with a space after it")

    def _call(self, node: ast.expr, name: str, arguments: list[ast.expr], depth: int) -> Expr:
        if name in QUANTIFIERS:
            return self._bounded(node, name, arguments, depth)
        if name == "range":
            raise self._refusal(node, "range(a, b) is only allowed in any(), all() or sum()")
        if name == ACCEPTS:
            return self._accepts(node, arguments, depth)
        self._checked_name(node, name)
        read = self._arguments(node, arguments, depth)
        if len(read) == 1 and name in ("min", "max") and any(map(_is_dots, arguments)):
            return read[0]
        return syntax.Call(name, read)

    def _accepts(self, node: ast.expr, arguments: list[ast.expr], depth: int) -> Expr:
        match arguments:
            case [ast.Constant(value=str(text)) as quoted, _, *_]:
                written = self._bytes[quoted.col_offset : quoted.end_col_offset].decode()
                if written not in (f'"{text}"', f"'{text}'"):  # not r"…", "…" "…", nor escapes with '\\'
                    raise self._refusal(quoted, "an automaton is one text in plain quotation marks")
                numbers = self._arguments(node, arguments[1:], depth)
                return syntax.Accepts(DigitAutomaton.parse(text), numbers)
        raise self._refusal(node, f'write {ACCEPTS}("…", x, y): an automaton, and the numbers that it reads')

    def _arguments(self, node: ast.expr, arguments: list[ast.expr], depth: int) -> tuple[Expr, ...]:
        if any(isinstance(argument, ast.Starred) for argument in arguments):
            raise self._refusal(node, "'*' before an argument is not in the language")
        return tuple(self._read_all(arguments, depth))

    def _bounded(self, node: ast.expr, name: str, arguments: list[ast.expr], depth: int) -> Expr:
        match arguments:
            case [
                ast.GeneratorExp(
                    elt=body,
                    generators=[
                        ast.comprehension(
                            target=ast.Name(id=variable),
                            iter=ast.Call(func=ast.Name(id="range"), args=[start, stop], keywords=[]),
                            ifs=[],
                            is_async=0,
                        )
                    ],
                )
            ]:
                if variable in RESERVED:
                    raise self._refusal(node, f"'{variable}' is a built-in name; use another variable")
                variable = self._checked_name(node, variable)
                low, high = self.read(start, depth), self.read(stop, depth)
                inner = self.read(body, depth)
                return syntax.Bounded(cast(Quantifier, name), variable, low, high, inner)
        what = "EXPRESSION" if name in syntax.TOTALS else "CONDITION"
        raise self._refusal(node, f"write {name}({what} for n in range(a, b))")

    def _for_all_piles(self, template: ast.expr, depth: int) -> list[Expr]:
        if not self._piles:
            raise self._refusal(template, "'...' needs a ruleset with 'piles:'")
        first = self.read(template, depth)
        if self._piles[0] not in free_names(first):
            raise self._refusal(
                template, f"'...' repeats an expression of the first pile, '{self._piles[0]}'"
            )
        if others := sorted(free_names(first) & set(self._piles[1:])):
            raise self._refusal(
                template, f"'...' repeats an expression of one pile, but this one also has '{others[0]}'"
            )
        return [substitute(first, {self._piles[0]: syntax.Name(pile)}) for pile in self._piles]

    def _place(self, node: ast.expr) -> Place:
        # ast counts UTF-8 bytes; people count characters.
        return Place(column=len(self._text.encode()[: node.col_offset].decode(errors="ignore")) + 1)

    def _refusal(self, node: ast.expr, what: str) -> FormulaError:
        segment = ast.get_source_segment(self._text, node) or self._text
        return FormulaError(f"'{_short(segment)}': {what}", self._place(node))


@cache
def _signs() -> dict[type[ast.AST], str]:
    """Return the sign of each class of Python's nodes that stands for an operator or a comparison."""
    trees = {sign: ast.parse(f"a {sign} b", mode="eval").body for sign in (*OPERATORS, *COMPARISONS)}
    return {type(getattr(tree, "op", None) or tree.ops[0]): sign for sign, tree in trees.items()}  # type: ignore[attr-defined]


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis
