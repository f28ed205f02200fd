"""The shipped rulesets on small tables, each solved once, with the verdicts on their claims there."""

from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path

from grundylab.check.families import judge_family, parse_extent
from grundylab.check.judging import judge
from grundylab.check.verification import Verdict
from grundylab.games import Instance, Position, Ruleset, load_ruleset, make_instance
from grundylab.solve import solve
from grundylab.solve.instance_choice import TRIAL_BOUNDS, trial_instance
from grundylab.solve.table import Table

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))
SMALL = 6_000  # cells; up to here the reference solver takes less time than compiling a kernel

PARAMETERS = {
    "nim-with-a-pass-from-m": {"m": (1, 3, 4, 8)},
    "subtraction-1-to-m": {"m": (1, 2, 5)},
    "turn-limit-linear": {"m": (1, 2, 3)},
    "octal": {"a": (1, 7), "b": (3, 7), "c": (7, 0)},
    "wythoff-ends": {"l": (1, 2, 3)},
    "wythoff-translated": {"k": (0, 1, 3)},
    "two-stones-floor": {"a": (1, 3), "b": (2, 3)},
    "two-stones-ceil": {"a": (1, 3), "b": (2, 3)},
    "chocolate-half": {"k": (1, 2)},
    "chocolate-half-pass": {"k": (1, 2)},
    "chocolate-fraction": {"a": (1,), "b": (2, 3), "s": (0, 1)},
    "chocolate-fraction-pass": {"a": (1,), "b": (2, 3), "s": (0, 1)},
    "max-nim-fraction": {"a": (1, 2), "b": (1,)},
    "max-nim-fraction-pass": {"a": (1, 2), "b": (1,)},
    "nim-with-a-pass-from-m-2": {"m": (1, 4, 6)},
    "chocolate-odd": {"k": (1, 3, 5)},
    "ryuo-nim-pass": {"q": (3, 4)},
    "wythoff-multiples": {"b": (2, 3)},
    "generalized-diagonal-wythoff": {"p": (1,), "q": (2,)},
    "subtraction-a-b-c": {"a": (1, 2), "b": (3,), "c": (4, 5)},
}
# Bounds by the number of coordinates but the pass: small, and enough for most claims to say something.
BOUNDS = {1: 120, 2: 24, 3: 12, 4: 5, 5: 4, 6: 2}
# Other bounds. The Atlas's lists go up to some larger heaps, and its tables to 12 stones; Table 1 of "Chocolate games"
# goes to 15, Lemma 4 starts at 16, and what is looked up in two-pile Nim with a pass must be nim-sums that are in its
# table; Example 32 of "Games of Nim" starts at 15 stones for m = 1, and ends at 32.
OTHER_BOUNDS = {
    "chocolate-half": {"N": 17},
    "chocolate-half-pass": {"N": 15},
    "chocolate-log": {"N": 17},
    "chocolate-log-pass": {"N": 15},
    "chocolate-third": {"N": 14},
    "chocolate-two-flat-pass": {"N": 7},
    "heaps-1-2-3-4": {"N": 16},
    "heaps-1-2-3-4-pass": {"N": 16},
    "nim-with-a-pass": {"N": 40},
    "nim-with-a-pass-4": {"N": 8},
    "turn-limit-linear": {"N": 40, "K": 8},
}
# Families: bounds, and how far the free function is looked at.
FAMILIES = {
    "chocolate-monotone": ({"X": 1, "Y": 2, "Z": 3}, {"F": "0..1, 0..3 -> 0..2"}),
    "chocolate-monotone-1": ({"N": 16}, {"h": "0..16 -> 0..2"}),
    "chocolate-monotone-1-pass": ({"N": 7}, {"h": "0..7 -> 0..3"}),
    "max-nim-regular": ({"N": 7}, {"f": "0..7 -> 0..8"}),
    "turn-limit-any": ({"N": 4, "K": 1}, {"f": "1..5 -> 1..3"}),
    "turn-limit-nondecreasing": ({"N": 5, "K": 1}, {"f": "1..9 -> 1..3"}),
}


@cache
def ruleset(name: str) -> Ruleset:
    return load_ruleset(name, ROOT / "rulesets")


def trial(name: str) -> Instance:
    """Return a small instance of a shipped game, smaller if the game has many coordinates."""
    found = (trial_instance(ruleset(name), [bound]) for bound in TRIAL_BOUNDS)
    return next(one for one in found if one is not None and one.cells <= SMALL)


def instance(name: str, constants: Mapping[str, int]) -> Instance:
    given = dict(constants)
    bounds = {bound: given.pop(bound) for bound in ruleset(name).bounds}
    return make_instance(ruleset(name), given, bounds)


@cache
def tables(name: str) -> list[Table]:
    """Return the ruleset's tables, one for each of the parameter values above."""
    game, chosen = ruleset(name), PARAMETERS.get(name, {})
    size = BOUNDS[len([coordinate for coordinate in game.coordinate_names if coordinate != "p"])]
    bounds = {bound: size if bound == "N" else 6 for bound in game.bounds} | OTHER_BOUNDS.get(name, {})
    kind = "outcome" if game.play == "misere" else "grundy"
    found = []
    for values in product(*chosen.values()):
        one = instance(name, dict(zip(chosen, values, strict=True)) | bounds)
        found.append(solve(one, kind, "reference" if one.cells <= SMALL else "auto"))
    return found


@cache
def of_family(name: str) -> dict[str, Verdict]:
    """Return the verdict on each claim about a family of games; each game is solved once for all claims."""
    claims, (bounds, extents) = ruleset(name).claims, FAMILIES[name]
    every = {function: parse_extent(text) for function, text in extents.items()}
    found, _ = judge_family(claims, [instance(name, bounds)], every)
    return {claim.id: verdict for claim, verdict in zip(claims, found, strict=True)}


def comes_out(name: str, claim_id: str) -> str | Position | None:
    """Return the result of a claim: "holds", the smallest counterexample's position, or why it is undecided."""
    if name in FAMILIES:
        verdict = of_family(name)[claim_id]
    else:
        verdict = judge(ruleset(name).claim(claim_id), tables(name))
    if verdict.counterexample is not None:
        return tuple(verdict.counterexample.position.values())
    return "holds" if verdict.status == "holds" else verdict.reason
