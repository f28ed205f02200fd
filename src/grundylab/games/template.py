"""A ruleset to start from: a small game that solves at once, with comments that say what may be changed."""

from __future__ import annotations

import re

from grundylab.errors import RulesetError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_OTHERWISE = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")  # to YAML 1.1
_PILES = "xyzwvu"
_MOST_PILES = len(_PILES)

_TEMPLATE = """\
# A ruleset of grundylab: change it to your game, and run 'grundylab check {name}' after each change.
# docs/cookbook.md has games to copy from, and docs/rulesets.md says what each key means.
title: "{title}"

# Numbers that stay fixed through a game, each with the condition on it; a study says which values to try.
# parameters: {{m: m >= 1}}

# What a position is. {piles_comment}
# The range 0..N goes from nothing to N, the edge of the table, which is given when solving.
piles: {piles}
position: {{x: 0..N}}

# What may be done in a move. {moves_comment}
moves:
  - {{take: "1..min(3, x)", from: x}}           # one, two or three, and no more than there are
# Other moves, to use instead or besides:
#  - {{take: t, from: x}}                       # any number
#  - {{take: 1..ceil(x/2), from: x}}            # at most half, rounded up
#  - name: halve                               # the general form: choices, a condition, and where it leads
#    for: {{a: 0..x-1}}
#    when: 2 * a >= x
#    to: {{x: a}}
# A list after 'to:' is the sum of its positions, here of a pile in two; each of them says what every pile is in it:
{splits}{passing}
# Who cannot move loses, unless play is misère:
# play: misere

# What you believe of the game: 'grundylab verify' holds it against a table, 'grundylab prove' proves it.
# The target p says which positions lose for the player to move (P-positions); grundy is the Grundy number.
claims:
  - id: guess
{where}    target: p
    formula: (x % 4) ^ ... == 0                # '^' is the nim-sum; '...' goes on over all piles
"""
_PASS = """
# Once in a game a player may pass where this is true, though not where there is no other move.
# It adds the coordinate p: 1 until the pass is used, then 0.
pass: {when: x + ... >= 2}
"""
_NO_PASS = """
# A pass that may be used once in a game; it adds the coordinate p: 1 until it is used, then 0.
# pass: {when: x + ... >= 2}
"""


def check_name(name: str) -> str:
    """The name of a new ruleset; RulesetError for one that is no plain file name."""
    if not _NAME.fullmatch(name):
        raise RulesetError(
            f"'{name}' cannot name a ruleset: use up to 64 letters, digits, '-' and '_', as in my-nim"
        )
    return name


def template(name: str, piles: int = 2, passing: bool = False) -> str:
    """The file's text. Raises RulesetError for a name that is none, or a number of piles that is not 1 to 6."""
    check_name(name)
    if not 1 <= piles <= _MOST_PILES:
        raise RulesetError(f"{piles} piles: a new ruleset has 1 to {_MOST_PILES}")
    several = piles > 1
    return _TEMPLATE.format(
        name=name,
        title=name,
        piles=piles,
        piles_comment="With 'piles: 3' the line for x is for y and z as well."
        if several
        else "Here it is one pile x.",
        moves_comment="A move that mentions x alone is a move of every pile." if several else "",
        splits="".join(_split(pile, _PILES[:piles]) for pile in _PILES[:piles]),
        passing=_PASS if passing else _NO_PASS,
        where="    where: p == 0                             # once the pass is used\n" if passing else "",
    )


def _split(pile: str, piles: str) -> str:
    """The move of a pile in two, as a comment."""
    one = ", ".join(f"{name}: {'a' if name == pile else 0}" for name in piles)
    other = ", ".join(f"{name}: {f'{name} - a' if name == pile else name}" for name in piles)
    return f"#  - {{name: split {pile}, for: {{a: 1..{pile}-1}}, to: [{{{one}}}, {{{other}}}]}}\n"


def first_steps(name: str, piles: int = 2, passing: bool = False) -> tuple[str, ...]:
    """The commands to go on with."""
    fix = " --fix p=1" * passing + f" --fix {','.join(f'{pile}=0' for pile in _PILES[2:piles])}" * (piles > 2)
    bound, large = _bounds(piles)
    return (
        f"grundylab check {name}",
        f"grundylab show {name} --bound N={bound}{fix}",
        f"grundylab discover {name} --bound N={bound}",
        f"grundylab verify {name} --claim guess --bound N={large}",
        f"grundylab prove {name} --claim guess",
    )


def study_lines(name: str) -> str:
    """Return the study for ``config.yaml``, as a line under ``studies:``: what it does not name is chosen."""
    return f"  {quoted(name)}: {{}}\n"


def quoted(name: str) -> str:
    """Return a name as YAML reads it back, in quotes where it would be a number, a date or a truth value without."""
    plain = name[0].isalpha() and name.lower() not in _OTHERWISE
    return name if plain else f'"{name}"'


def _bounds(piles: int) -> tuple[int, int]:
    """Tables to learn from and to verify on, of which the smaller is drawn and the larger is solved in a second."""
    return {1: (40, 400), 2: (20, 100), 3: (12, 40), 4: (8, 16)}.get(piles, (5, 8))
