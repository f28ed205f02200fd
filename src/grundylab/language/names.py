"""Names that the code generates. Each begins with an underscore; no name that a user can write does.

So no generated name can capture, or be captured by, a name of a formula or ruleset, not even one hidden in the body of
a function. Names of different kinds differ in their second part, so that these never collide either.

Words that MONA or Walnut reserves are avoided elsewhere: ``logic/`` writes a letter before each name for them.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection
from itertools import count

from grundylab.language.syntax import RESERVED

_LONGEST = 20  # letters of a generated name's stem; a name has at most 60
VALUE, OTHER = "_value", "_value_2"  # Grundy numbers in a prover's sentence
GAME = "_game"  # the number of a game, where all games of a family are treated together
NEW, NUMBER = "_new_", "_number_"  # how the names begin that a proof by instances introduces


def reserved_reason(name: str) -> str | None:
    """Return the reason why the name is reserved, as a clause for a message; None if it is not reserved."""
    if _LIKE_A_DIGEST.search(name):
        return "it has '_' and 16 hexadecimal digits, as in names that grundylab makes; leave these out"
    if name not in RESERVED:
        return None
    word = "word" if keyword.iskeyword(name) or name == "range" else "function"
    return f"it is a {word} of the formula language"


def may_name_a_variable(name: str) -> bool:
    """Tell whether a variable of a statement, which evidence may name as it likes, may have this name.

    It may not be a name that a proof of the statement introduces, nor one that no formula can contain, such as the
    names of tracks that automata make.
    """
    return bool(_VARIABLE.fullmatch(name)) and not name.startswith((NEW, NUMBER))


def part_value_name(part: int) -> str:
    """Return the name for the Grundy number of a component of a disjunctive sum. part: the component's number."""
    return f"_value_of_{part}"


def moved_coordinate_name(coordinate: str, part: int) -> str:
    """Return the name for a coordinate's value after a move.

    A move leads to a disjunctive sum of positions. part: the number of the component that has the coordinate.
    """
    return f"_after_{part}_{coordinate}"


def family_function_name(function: str) -> str:
    """Return the name of the function that takes the number of a game in a family as an additional first argument."""
    return f"_of_game_{function}"


def fresh_bound_name(variable: str, taken: Collection[str]) -> str:
    """Return a generated name for this bound variable that is not in ``taken``."""
    stem = variable if not variable.startswith("_bound_") else variable.split("_", 3)[3]
    return next(name for i in count() if (name := f"_bound_{i}_{stem}") not in taken)


def is_generated(name: str) -> bool:
    """Tell whether the name is generated, so that no user can have written it."""
    return name.startswith("_")


def user_name(variable: str, taken: Collection[str]) -> str:
    """Return a name that a user could write, in place of a generated one; it is not in ``taken``.

    It is the last part of the generated name without the digits around it, with a number if needed, and never a word of
    the language.
    """
    last = variable.rstrip("0123456789_").split("_")[-1]
    stem = last.lstrip("0123456789")[:_LONGEST] or "n"
    return unused_name(stem, {*taken, *RESERVED})


def unused_name(stem: str, taken: Collection[str]) -> str:
    """Return the name, with the first number from 1 on appended that makes it unused if it is in ``taken``."""
    return next(name for i in count() if (name := f"{stem}{i or ''}") not in taken)


_QUALIFIER = re.compile(r"(?<![A-Za-z0-9_])_[0-9a-f]{64}_(?=[A-Za-z])")
_VARIABLE = re.compile(r"_?[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_LIKE_A_DIGEST = re.compile(r"_[0-9a-f]{16}")


def qualified_name(name: str, digest: str) -> str:
    """Return the name that identifies a function among all rulesets. digest: its definition's SHA-256, hexadecimal.

    It has the whole digest, as two definitions with the same 64 bits of a digest can be found.
    """
    return f"_{digest}_{with_plain_names(name)}"


def with_plain_names(text: str) -> str:
    """Return the text with each qualified name of a function replaced by the function's name in its ruleset."""
    return _QUALIFIER.sub("", text)
