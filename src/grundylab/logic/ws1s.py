"""Sentences as WS1S text for MONA: integers as sets of binary digits, with a truth value for the sign of a signed one.

Natural numbers in the digits of another numeration system are in ``ws1s_digits.py``; the following is about binary
digits.

A natural number is the finite set of the positions of its binary digits 1. A signed integer n has a sign, too: if it is
false, the set is that of n, else that of -n - 1 (two's complement). In a comparison of linear forms, negative terms
are moved to the other side, so that natural numbers suffice: ``x + y - z >= m - 1`` becomes ``x + y + 1 >= m + z``.
"""

from __future__ import annotations

from collections.abc import Mapping

from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.systems import BINARY, System
from grundylab.language.operators import OPERATORS
from grundylab.logic import ws1s_digits
from grundylab.logic.addition import ADDITION
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.sentence import (
    Conjunction,
    DefinitionUse,
    Digitwise,
    Disjunction,
    Exists,
    Linear,
    Membership,
    Naturalness,
    Negation,
    Power,
    Sentence,
    TruthValue,
    Variable,
    Zero,
    subsentences,
    used_definitions,
)
from grundylab.logic.ws1s_automata import automaton_predicate, mona_comment

PredicateNames = Mapping[DigitAutomaton, str]  # the name of each automaton's predicate


def mona_script(sentence: Sentence, title: str, system: System = BINARY) -> str:
    """Return a whole MONA script, with the definitions that the sentence uses.

    system: the numeration system; unless it is binary, the script also asks whether its sums are correct, and
    OutsideFragment is raised if a number may be negative.
    """
    used = used_definitions([sentence])
    inside = (part for whole in (*(d.sentence for d in used), sentence) for part in subsentences(whole))
    distinct = dict.fromkeys(part.automaton for part in inside if isinstance(part, Membership))
    names = {automaton: f"accepts{number}" for number, automaton in enumerate(distinct)}
    defined = list[str]()
    for d in used:
        parts = [part for variable in d.parameters for part in _parts(variable, system)]
        # MONA requires a formal parameter, so a dummy stands for none
        formal = ", ".join(f"var{0 if part.startswith('s_') else 2} {part}" for part in parts) or "var2 v_"
        body = ws1s_formula(d.sentence, names, system)
        defined.append(f"{mona_comment(d.says)}\npred {d.name}({formal}) =\n  {body};\n")
    automata = [automaton_predicate(name, automaton) for automaton, name in names.items()]
    heading = [*map(mona_comment, title.splitlines()), "ws1s;", ""]
    library = LIBRARY if system.binary else ws1s_digits.prelude(system)
    asked = [f"{ws1s_formula(sentence, names, system)};"]
    if not system.binary:  # the prelude's ``plus`` holds for numbers only, and is addition
        sums = f"{ws1s_digits.sums_are_valid(system)} & {ws1s_formula(ADDITION, {}, system)}"
        asked.insert(0, f"{sums} &")
    return "\n".join([*heading, library, *automata, *defined, *asked, ""])


def ws1s_formula(sentence: Sentence, automata: PredicateNames, system: System = BINARY) -> str:
    """Return the sentence as a formula that needs no parentheses around it.

    automata: the name of the predicate of each automaton in the sentence.
    """
    match sentence:
        case TruthValue(value=value):
            return "true" if value else "false"
        case Zero(form=form):
            return _zero(form) if system.binary else ws1s_digits.zero_formula(system, form)
        case Naturalness(form=form):
            return _natural(form) if system.binary else ws1s_digits.natural_formula(system, form)
        case Digitwise():
            return _digitwise(sentence)
        case Power(variable=variable):
            power = f"power_of_two({_set(variable)})"
            return f"(~{_sign(variable)} & {power})" if variable.signed else power
        case Membership(automaton=automaton, variables=variables):
            return f"{automata[automaton]}({', '.join(_set(variable, system) for variable in variables)})"
        case Negation(sentence=inner):
            return f"~{ws1s_formula(inner, automata, system)}"
        case Conjunction(parts=parts):
            return f"({' & '.join(ws1s_formula(part, automata, system) for part in parts)})"
        case Disjunction(parts=parts):
            return f"({' | '.join(ws1s_formula(part, automata, system) for part in parts)})"
        case Exists(variables=variables, sentence=inner):
            signed = ", ".join(_sign(variable) for variable in variables if variable.signed)
            signs = f"ex0 {signed}: " if signed else ""
            groups = [_set(variable, system) for variable in variables]
            valid = "" if system.binary else "".join(f"valid({group}) & " for group in groups)
            return f"({signs}ex2 {', '.join(groups)}: {valid}{ws1s_formula(inner, automata, system)})"
        case DefinitionUse(definition=definition, arguments=arguments):
            sets = (part for variable in arguments for part in _parts(variable, system))
            return f"{definition.name}({', '.join(sets) or '{}'})"
    raise TypeError(f"not a sentence: {sentence!r}")


# -- variables ---------------------------------------------------------------------------------------------


def _set(variable: Variable, system: System = BINARY) -> str:
    """Return the variable's set; in a system other than the binary one, its sets, separated by commas."""
    if variable.signed and not system.binary:
        raise OutsideFragment(f"a number in it may be negative, and {system.words} have no sign")
    return ws1s_digits.variable_sets(system, variable)


def _sign(variable: Variable) -> str:
    return f"s_{variable.name}"


def _parts(variable: Variable, system: System) -> list[str]:
    own = _set(variable, system)
    return [_sign(variable), own] if variable.signed else own.split(", ")


# -- digits ------------------------------------------------------------------------------------------------


def _digitwise(said: Digitwise) -> str:
    variables, digits = (said.result, said.left, said.right), OPERATORS[said.op].digits
    assert digits is not None
    if not any(variable.signed for variable in variables):
        result, left, right = map(_set, variables)
        return digits.mona.format(result=result, left=left, right=right)
    result, left, right = (
        f"~(p in {_set(v)} <=> {_sign(v)})" if v.signed else f"(p in {_set(v)})" for v in variables
    )
    digitwise = f"(all1 p: {result} <=> {digits.mona_digit.format(left=left, right=right)})"
    result, left, right = (_sign(v) if v.signed else "false" for v in variables)
    return f"(({result} <=> {digits.mona_digit.format(left=left, right=right)}) & {digitwise})"


# -- linear forms ------------------------------------------------------------------------------------------


class _Sums:
    """The new sets that one comparison of linear forms needs, such as sums, and their definitions."""

    def __init__(self) -> None:
        self._sets: list[tuple[str, str]] = []
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return f"t{self._count}"

    def bind(self, names: str, meaning: str) -> None:
        self._sets.append((names, meaning))

    def sides(self, form: Linear) -> tuple[list[str], list[str]]:
        """Return two lists of sets, each a number; the form is the sum of the first list minus that of the second."""
        sides: tuple[list[str], list[str]] = [], []
        for variable, factor in form.terms:
            if not variable.signed:
                sides[factor < 0].extend(_multiples(_set(variable), abs(factor)))
                continue
            more, less = self.new(), self.new()
            self.bind(f"{more}, {less}", f"difference({_sign(variable)}, {_set(variable)}, {more}, {less})")
            sides[factor < 0].extend(_multiples(more, abs(factor)))
            sides[factor > 0].extend(_multiples(less, abs(factor)))
        if form.constant:
            sides[form.constant < 0].append(constant_set(abs(form.constant)))
        return sides

    def total(self, summands: list[str]) -> str:
        total, *others = summands or ["empty"]
        for summand in others:
            total, before = self.new(), total
            self.bind(total, f"plus({before}, {summand}, {total})")
        return total

    def around(self, formula: str) -> str:
        for names, meaning in reversed(self._sets):
            formula = f"(ex2 {names}: {meaning} & {formula})"
        return formula


def _zero(form: Linear) -> str:
    sums = _Sums()
    left, right = sums.sides(form)
    if len(left) < len(right):
        left, right = right, left
    if not right:
        return sums.around(f"({' & '.join(f'{summand} = empty' for summand in left)})")
    total = sums.total(right)
    if len(left) == 1:
        return sums.around(f"({left[0]} = {total})")
    return sums.around(f"plus({sums.total(left[:-1])}, {left[-1]}, {total})")


def _natural(form: Linear) -> str:
    strict = form.constant < 0  # a >= b + 1 is b < a
    sums = _Sums()
    left, right = sums.sides(form + 1 if strict else form)
    relation = "less" if strict else "at_most"
    return sums.around(f"{relation}({sums.total(right)}, {sums.total(left)})")


def _multiples(digits: str, factor: int) -> list[str]:
    """Return sets with the sum factor * digits: for each binary digit 1 of the factor, the shifted set of digits."""
    shifts = [shift for shift in range(factor.bit_length()) if factor >> shift & 1]
    return [digits if shift == 0 else f"({digits} + {shift})" for shift in shifts]


_MACHINE = 2**31  # MONA reads larger constants in pconst(n) modulo 2**32

LIBRARY = """\
# a + b = c; k holds the positions that a carry comes into
pred plus(var2 a, b, c) =
    ex2 k: 0 notin k & (all1 p:
    (p + 1 in k <=> (p in a & p in b | p in a & p in k | p in b & p in k)) &
    (p in c <=> (p in a <=> (p in b <=> p in k))));

# a < b: at the highest position where they differ, b has the digit 1
pred less(var2 a, b) =
    ex1 p: p notin a & p in b & (all1 q: q > p => (q in a <=> q in b));

# a <= b
pred at_most(var2 a, b) =
    ~less(b, a);

# a ^ b = c, digit by digit without carry
pred nimsum(var2 a, b, c) =
    all1 p: p in c <=> ~(p in a <=> p in b);

# a is 1, 2, 4, 8, …: it has one digit 1
pred power_of_two(var2 a) =
    ex1 p: a = {p};

# the integer with digits a and sign s (which is a, or -a - 1 if s) is b - c, one of them 0
pred difference(var0 s, var2 a, b, c) =
    (~s & b = a & c = empty) | (s & b = empty & plus(a, {0}, c));
"""


def constant_set(value: int) -> str:
    """Return MONA's term for a natural number, the set of the positions of its binary digits 1."""
    if value == 0:
        return "empty"
    if value < _MACHINE:
        return f"pconst({value})"
    return f"{{{', '.join(str(i) for i in range(value.bit_length()) if value >> i & 1)}}}"
