"""Random statements as files of rulesets: the prover's answer about them, and a place where they are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from tests.prove.oracle import (
    NOTHING,
    Env,
    Rules,
    World,
    Wrong,
    around,
    constants,
    counterexample,
    evaluate,
    write,
)

from grundylab.errors import GrundylabError
from grundylab.games.load import load_ruleset, parent_of
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import prove_claim

LIMITS = Limits(timeout=5)


@dataclass(frozen=True)
class Statement:
    """A claim of the first of some rulesets.

    members: some functions, if the ruleset is a family. trouble: the reason why the claim is no theorem, ``void`` if it
    is about nothing; empty if no reason is obvious. multiplied: whether it may be wrong at products of its numbers.
    """

    rules: tuple[Rules, ...]
    claim: Mapping[str, Any]
    trouble: str = ""
    members: Sequence[Any] = ()
    multiplied: bool = False

    @property
    def worlds(self) -> Iterator[World]:
        """The rulesets; for a family, some of its games."""
        first, *others = self.rules
        if not first.free:
            yield World(self.rules)
            return
        for body in self.members:
            yield World([replace(first, functions={"h(z)": body}), *others])

    def proof(self, folder: Path) -> Proof | None:
        """Return the proof of the claim; None if it is not proved, or refused. folder: for the files."""
        place = write(folder, self.rules)
        try:
            ruleset = load_ruleset(self.rules[0].name, place)
            found = prove_claim(ruleset, ruleset.claim("c"), parent=parent_of(ruleset), limits=LIMITS)
        except GrundylabError:
            return None
        return found if found.status == "proved" else None

    def wrong(self, proof: Proof) -> Wrong | None:
        """Return a place where the claim is wrong, among those that the proof is about; None if none is found."""
        if self.trouble == "void":
            return Wrong(None, {}, NOTHING)
        far = constants(each.text for each in self.rules)
        products = {each * other for one in far for each in (one, one + 1) for other in far}
        numbers = around([*far, *products] if self.multiplied else far)

        def concerned(parameters: Env) -> bool:
            conditions = [each for each in (proof.condition, proof.playable) if each is not None]
            return all(evaluate(str(each), parameters) for each in conditions)

        for world in self.worlds:
            found = counterexample(world, self.rules[0].name, self.claim, numbers, concerned, around(far))
            if found is not None and not (self.members and found.why == NOTHING):  # it may be asked elsewhere
                return found
        return None

    def __str__(self) -> str:
        """Return the files' texts, to be printed if a test fails."""
        return "\n".join(f"# {each.name}.yaml\n{each.text}" for each in self.rules)


class Choices:
    """The choices of one random statement."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def one(self, *of: Any) -> Any:
        return self.random.choice(of)

    def chance(self, of: float) -> bool:
        return self.random.random() < of
