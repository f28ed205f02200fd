"""Automata, and numeration systems, as files of Walnut, which reads the highest digit first.

The first line of an automaton's file has the numeration system of each number that it reads; the first line of a
numeration system's file has its digits. Then comes each state, the initial one first: a line with its number and
whether it accepts, and a line for each symbol with a transition. Walnut before version 7 does not read comments.
"""

from __future__ import annotations

import hashlib

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.reversal import reversed_automaton
from grundylab.automata.sums import addition
from grundylab.automata.systems import NAMED, System
from grundylab.logic.fragment import OutsideFragment

MAX_STATES = 20_000  # of an automaton that reads the highest digit first


def walnut_system_name(system: System) -> str:
    """Return the system's name in Walnut; a system with a name in grundylab has the same name there."""
    if system.binary:
        return "msd_2"
    if system.plain:
        return f"msd_{system.base}"
    return f"msd_{system}" if is_walnut_system(system) else f"msd_u{'_'.join(map(str, system.recurrence))}"


def is_walnut_system(system: System) -> bool:
    """Tell whether the system comes with Walnut."""
    return system.binary or system.plain or str(system) in NAMED


def automaton_name(automaton: DigitAutomaton) -> str:
    """Return a name unique to the automaton, so that no script loads the automaton of another script."""
    return f"accepts_{hashlib.sha256(str(automaton).encode()).hexdigest()[:16]}"


def automaton_file(automaton: DigitAutomaton) -> tuple[str, str]:
    """Return the path where Walnut looks for the automaton's file, and the file's text."""
    heading = " ".join([walnut_system_name(automaton.system)] * automaton.arity)
    return f"Automata Library/{automaton_name(automaton)}.txt", _text(automaton, heading)


def base_files(system: System) -> dict[str, str]:
    """Return the files that define a system for Walnut, its valid words and its sums; none if Walnut has the system.

    The order of numbers needs no file: Walnut takes the order of the words. Raises TooLarge if the automaton of the
    sums is too large.
    """
    if is_walnut_system(system):
        return {}
    digits = f"{{{','.join(map(str, range(system.base)))}}}"
    named = ((DigitAutomaton.of_every(system), ""), (addition(system), "_addition"))
    return {
        f"Custom Bases/{walnut_system_name(system)}{ending}.txt": _text(
            automaton, " ".join([digits] * automaton.arity)
        )
        for automaton, ending in named
    }


def _text(automaton: DigitAutomaton, heading: str) -> str:
    def check(states: int, _: int) -> None:
        if states > MAX_STATES:
            raise OutsideFragment(
                f"an automaton of {automaton.states:,} states has more than {MAX_STATES:,} if it reads the highest "
                "digit first, as Walnut does"
            )

    accepted = (state for state, accepts in enumerate(automaton.accepting) if accepts)
    rows, accepting = reversed_automaton(automaton.rows, accepted, check, dead=True)
    size, places = automaton.system.base, range(automaton.arity - 1, -1, -1)
    lines = [heading]
    for state, (row, accepts) in enumerate(zip(rows, accepting, strict=True)):
        lines += ["", f"{state} {int(accepts)}"]
        for symbol, target in enumerate(row):
            if target != DEAD:
                lines.append(f"{' '.join(str(symbol // size**place % size) for place in places)} -> {target}")
    return "\n".join([*lines, ""])
