"""Sentences as predicates of Walnut (Mousavi, *Automatic theorem proving in Walnut*, 2016), in one numeration system.

Walnut decides the first-order theory of the natural numbers, with addition and the sets that automata accept in the
digits of the system. Negative terms of a comparison are moved to the other side; a variable cannot be negative.
Automata are files beside the script, and so is a numeration system that Walnut does not have. For such a system the
script also asks whether its sums are correct.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grundylab.automata.systems import BINARY, System
from grundylab.language.operators import OPERATORS, InfixOperator
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
    negation,
    subsentences,
    used_definitions,
)
from grundylab.logic.walnut_files import automaton_file, automaton_name, base_files, walnut_system_name


def _digit_automaton(row: InfixOperator) -> str:
    rows = "|".join(f"[{a},{b},{row.value(a, b)}]" for a in (0, 1) for b in (0, 1))
    assert row.digits is not None
    return f'reg {row.digits.name} msd_2 msd_2 msd_2 "({rows})*":'


# Automata that the predicates call, as Walnut's ``reg`` commands, which read the most significant digit first.
LIBRARY = {
    **{row.digits.name: _digit_automaton(row) for row in OPERATORS.values() if row.digits},
    "power2": 'reg power2 msd_2 "0*10*":',
}


def walnut_files_of(
    questions: Mapping[str, Sentence], name: str, heading: Iterable[str], system: System = BINARY
) -> dict[str, str]:
    """Return the texts of a script and of the files beside it, by their paths in Walnut's folder, the script first.

    questions: a sentence for each name. The script has an ``eval`` for each question, and the definitions that the
    questions use, all called NAME_…. heading: lines of comment.

    Raises OutsideFragment for sentences that Walnut cannot express, TooLarge if the automaton of a system's sums is too
    large.
    """
    bases = base_files(system)
    asked = {**({"sums": ADDITION} if bases else {}), **questions}
    used = used_definitions(asked.values())
    inside = (part for s in (*(d.sentence for d in used), *asked.values()) for part in subsentences(s))
    automata = dict.fromkeys(part.automaton for part in inside if isinstance(part, Membership))
    # Walnut 7 skips comments; older versions read them as commands, which need a terminator
    lines = [f"# {line};" for line in heading]
    read_in, body = f"?{walnut_system_name(system)}", list[str]()
    for definition in used:
        variables = [_word(variable) for variable in definition.parameters]
        # every parameter is mentioned, so that it becomes an argument; and there is an impossible alternative, because
        # Walnut drops the arguments of a definition that is always false
        every = [f"{variable}>=0" for variable in variables]
        said = f"({variables[0]}<0 | {walnut_predicate(definition.sentence, name)})"
        body.append(f'def {name}_{definition.name} "{read_in} {" & ".join([*every, said])}":')
    for what, sentence in asked.items():
        body.append(f'eval {name}_{what} "{read_in} {walnut_predicate(sentence, name)}":')
    library = [line for word, line in LIBRARY.items() if any(f"${word}(" in command for command in body)]
    script = "\n".join([*lines, *library, *body, ""])
    return {f"Command Files/{name}.txt": script, **bases, **dict(map(automaton_file, automata))}


def walnut_predicate(sentence: Sentence, name: str = "game") -> str:
    """Return the sentence as a predicate, in parentheses if it has parts. name: the prefix of definitions' names."""
    match sentence:
        case TruthValue(value=value):
            return "0=0" if value else "0=1"
        case Zero(form=form):
            left, right = _sides(form)
            return f"{left}={right}"
        case Naturalness(form=form):
            strict = form.constant < 0  # a >= b + 1 is b < a
            left, right = _sides(form + 1 if strict else form)
            return f"{right}<{left}" if strict else f"{right}<={left}"
        case Digitwise(op=op, left=a, right=b, result=result) if digits := OPERATORS[op].digits:
            return f"${digits.name}({','.join(map(_word, (a, b, result)))})"
        case Power(variable=variable):
            return f"$power2({_word(variable)})"
        case Membership(automaton=automaton, variables=variables):
            return f"${automaton_name(automaton)}({','.join(map(_word, variables))})"
        case Negation(sentence=Exists(variables=variables, sentence=inner)):
            return f"(A {','.join(map(_word, variables))} {walnut_predicate(negation(inner), name)})"
        case Negation(sentence=inner):
            return f"~({walnut_predicate(inner, name)})"
        case Conjunction(parts=parts):
            return f"({' & '.join(walnut_predicate(part, name) for part in parts)})"
        case Disjunction(parts=parts):
            return f"({' | '.join(walnut_predicate(part, name) for part in parts)})"
        case Exists(variables=variables, sentence=inner):
            return f"(E {','.join(map(_word, variables))} {walnut_predicate(inner, name)})"
        case DefinitionUse(definition=definition, arguments=arguments):
            # Walnut takes the arguments in the alphabetical order of the definition's variables
            given = sorted(zip(map(_word, definition.parameters), map(_word, arguments), strict=True))
            return f"${name}_{definition.name}({','.join(argument for _, argument in given)})"
    raise TypeError(f"not a sentence: {sentence!r}")


def _word(variable: Variable) -> str:
    """Return the variable's name in Walnut, which never begins with A or E. Raises OutsideFragment if it is signed."""
    if variable.signed:
        what = f"the choice {variable.name}" if not variable.name.startswith("_") else "a number in it"
        raise OutsideFragment(f"{what} may be negative, and Walnut has natural numbers only")
    invented = variable.name.startswith("_")
    return f"w{variable.name[1:]}" if invented else f"v{variable.name}"


def _sides(form: Linear) -> tuple[str, str]:
    """Return both sides of a comparison of the form with 0: its positive terms, and its negative terms negated."""
    sides: tuple[list[str], list[str]] = [], []
    for variable, factor in form.terms:
        word, times = _word(variable), abs(factor)
        sides[factor < 0].append(word if times == 1 else f"{times}*{word}")
    if form.constant:
        sides[form.constant < 0].append(str(abs(form.constant)))
    left, right = ("+".join(side) or "0" for side in sides)
    return left, right
