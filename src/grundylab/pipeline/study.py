"""A study as plain data, the part of it that each stage uses, and the rows that it asks about.

The part of a stage is in the ``params`` of the stage's rule and is all that the stage gets: so Snakemake sees every
change of what a stage depends on, and a stage cannot use what Snakemake does not see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from grundylab.check.families import Extent, parse_extent
from grundylab.errors import ConfigError, InstanceError, Place
from grundylab.games import Instance, Ruleset, Target, load_ruleset, make_instance, parse_target
from grundylab.games.combinations import combinations
from grundylab.games.heaps import is_heap
from grundylab.games.instance import check_domain
from grundylab.games.layers import axes_of, layered
from grundylab.games.model import GRUNDY, Values
from grundylab.games.validation import Strict
from grundylab.language import NO_FUNCTIONS, Expr, check_names, parse_condition
from grundylab.language.plain import evaluate
from grundylab.solve.made import Made, digests, made_by

Asked = dict[str, Any]
_MOST_VALUES = 1_000  # of a range
EDITED = "it was edited while the workflow ran; run again"

_RULESET = ("name", "version", "ruleset", "files")  # the study's own ruleset
_RULESETS = ("name", "version", "ruleset", "sources")  # with those whose tables its claims look up
USED: Mapping[str, tuple[str, ...]] = {
    "discover": (
        *_RULESET,
        "seed",
        "values",
        "train",
        "where",
        "each",
        "engines",
        "in_turn",
        "kept",
        "budget",
    ),
    "verify": (*_RULESETS, "seed", "values", "test", "where", "every", "judges_claims"),
    "prove": (*_RULESETS, "seed", "test", "prove", "proof_timeout"),
    "slab": (*_RULESETS, "seed", "large"),
    "large": (*_RULESETS, "seed", "large", "slabs"),
    "rows": (*_RULESET, "seed", "rows"),
    "catalogue": ("version", "open", "about"),
    "pictures": (*_RULESET, "values", "train", "datasets", "drawn"),
}


def _several(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    """One value, a list of them, or a range ``2..9``, as a list."""
    values = value if isinstance(value, list) else [value]
    if isinstance(value, str) and (ends := re.fullmatch(r"\s*(\d{1,9})\s*\.\.\s*(\d{1,9})\s*", value)):
        values = list(range(int(ends[1]), int(ends[2]) + 1))
        if not 1 <= len(values) <= _MOST_VALUES:
            raise ValueError(f"{value} are {len(values):,} values; 1 to {_MOST_VALUES:,} are needed here")
    if len(set(map(str, values))) < len(values):
        raise ValueError(f"a value is there twice: {', '.join(map(str, values))}")
    return values


Whole = Annotated[list[int], BeforeValidator(_several)]


class RowsAsked(Strict):
    """The rows of a study: every combination of the parameters' values and of those of the fixed coordinates.

    where: a condition on the parameters and the fixed coordinates. length: places of each row that are looked at (of
    one heap with bounded takes, as many as its period needs).
    """

    fix: dict[str, Whole] = Field(default_factory=dict)
    parameters: dict[str, Whole] = Field(default_factory=dict)
    where: str = "True"
    length: int = Field(default=100_000, gt=0)
    target: str = "p"

    @property
    def rows(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """The parameters' values and the fixed coordinates of each row."""
        where = parse_condition(self.where)
        for parameters, fixed in product(combinations(self.parameters), combinations(self.fix)):
            if evaluate(where, {**parameters, **fixed}):
                yield parameters, fixed

    def check(self, ruleset: Ruleset) -> None:
        """Raises InstanceError unless these are rows of the game."""
        for name in self.parameters:
            if name not in ruleset.parameter_names:
                raise InstanceError(f"{ruleset.name} has no parameter '{name}'")
        target = parse_target(self.target)
        names = (*self.parameters, *self.fix)
        check_names(parse_condition(self.where), names, NO_FUNCTIONS, "parameter or fixed coordinate")
        for parameters, fixed in self.rows:
            check_domain(ruleset, parameters)
            if not (target == GRUNDY and not fixed and is_heap(ruleset, parameters)):
                layered(ruleset, parameters, axes_of(ruleset, fixed), target).top(fixed)


@dataclass(frozen=True)
class Study:
    """A study, or what a stage is asked of one.

    asked: lists, numbers and text by key. A stage's has the keys that are ``USED`` there: another is a KeyError.
    """

    asked: Mapping[str, Any]
    ruleset: Ruleset

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Study:
        """What a stage is asked. Raises ConfigError if the rulesets are not those that the run has begun with."""
        ruleset = load_ruleset(asked["ruleset"])
        files = asked.get("sources", asked.get("files", {}))
        for file, digest in digests(files).items():
            if digest != files[file]:
                raise ConfigError(EDITED, Place(file))
        return cls(asked, ruleset)

    def asked_of(self, stage: str) -> Asked:
        """What a stage is asked, as plain data."""
        known = {**self.asked, "about": self.about}
        return {key: known[key] for key in USED[stage]}

    def asked_to_solve(self, instances: Sequence[Instance]) -> Asked:
        """What the solve stage is asked: all that a dataset depends on, so no change of a title or a claim."""
        known = {key: self.asked[key] for key in ("version", "ruleset", "values")}
        return {**known, "hash": self.ruleset.hash, "instances": list(map(plain, instances))}

    @property
    def name(self) -> str:
        """What the study is called."""
        return str(self.asked["name"])

    @property
    def seed(self) -> int:
        """The seed of all that is drawn at random."""
        return int(self.asked["seed"])

    @property
    def made(self) -> Made:
        """The header of a result: by what it was made."""
        files = self.asked.get("sources", self.asked.get("files", {}))
        return made_by(files, self.seed, self.asked["version"])

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """What formulas are looked for."""
        return tuple(map(parse_target, self.asked["targets"]))

    @property
    def values(self) -> Values:
        """What must be solved for, so that every target and claim can be looked at."""
        values: Values = self.asked["values"]
        return values

    @cached_property
    def engines(self) -> dict[Target, tuple[str, ...]]:
        """What looks for each target."""
        return {parse_target(target): tuple(names) for target, names in self.asked["engines"].items()}

    @cached_property
    def in_turn(self) -> tuple[Target, ...]:
        """The targets for which the engines are asked one after another until an answer stands, and not each."""
        return tuple(map(parse_target, self.asked["in_turn"]))

    @property
    def kept(self) -> dict[str, int]:
        """The least bounds of the test instances: discovery does not look that far."""
        return dict(self.asked["kept"])

    @property
    def budget(self) -> float:
        """Seconds for one engine on one target."""
        return float(self.asked["budget"])

    @cached_property
    def train(self) -> tuple[Instance, ...]:
        """The instances that formulas are learnt from."""
        return self._instances("train")

    @cached_property
    def test(self) -> tuple[Instance, ...]:
        """The instances that formulas and claims are verified on."""
        return self._instances("test")

    @cached_property
    def large(self) -> tuple[Instance, ...]:
        """The instances on which what holds is looked at line by line."""
        return self._instances("large")

    @property
    def slabs(self) -> int:
        """In how many parts."""
        return int(self.asked["slabs"])

    @property
    def where(self) -> Expr:
        """The positions that formulas are learnt and judged on."""
        return parse_condition(self.asked["where"])

    @property
    def each(self) -> bool:
        """Whether each setting of the parameters is learnt from alone."""
        return bool(self.asked["each"])

    @cached_property
    def every(self) -> dict[str, Extent]:
        """How far each free function of a family of games is looked at."""
        return {name: parse_extent(text) for name, text in self.asked["every"].items()}

    @property
    def judges_claims(self) -> bool:
        """Whether the claims of the ruleset are judged here: of the studies of one ruleset only the first does."""
        return bool(self.asked["judges_claims"])

    @property
    def prove(self) -> tuple[Expr, ...]:
        """The conditions under each of which proofs are attempted."""
        return tuple(map(parse_condition, self.asked["prove"]))

    @property
    def proof_timeout(self) -> float:
        """Seconds for one run of MONA."""
        return float(self.asked["proof_timeout"])

    @property
    def rows(self) -> RowsAsked | None:
        """The rows whose periods are looked for."""
        return RowsAsked.model_validate(self.asked["rows"]) if self.asked["rows"] else None

    @cached_property
    def datasets(self) -> tuple[Instance, ...]:
        """The test instances whose tables are kept: none of a family of games, which are solved one by one."""
        return self._instances("datasets")

    @property
    def drawn(self) -> tuple[Values, list[dict[str, int]]]:
        """The settings of the parameters whose rows are drawn, and what is drawn of them."""
        return parse_target(self.asked["drawn"]["target"]).values, self.asked["drawn"]["settings"]

    @property
    def parts(self) -> list[str]:
        """The files, in the study's folder, of what each slab of the large instances says."""
        count = self.slabs if self.large else 0
        return [f"slabs/{number}-of-{count}.json" for number in range(1, count + 1)]

    @property
    def files(self) -> list[str]:
        """The ruleset's files: its own and those it extends."""
        return list(self.asked["files"])

    @property
    def sources(self) -> list[str]:
        """Those and the files of the rulesets whose tables its claims look up: what the verdicts depend on."""
        return list(self.asked["sources"])

    @property
    def about(self) -> dict[str, Any]:
        """What the study asks, for those who read its results."""
        return {
            "ruleset": self.ruleset.name,
            "title": self.ruleset.title,
            "where": self.asked["where"],
            "targets": self.asked["targets"],
            "training": [instance.label for instance in self.train],
            "test": [instance.label for instance in self.test],
            "engines": self.asked["engines"],
            "each": self.each,
            "settings": [dict(setting) for setting in dict.fromkeys(i.parameters for i in self.train)],
        }

    def _instances(self, key: str) -> tuple[Instance, ...]:
        return tuple(make_instance(self.ruleset, **sizes) for sizes in self.asked[key])


def plain(instance: Instance) -> Asked:
    """An instance as plain data, without its ruleset."""
    return {"parameters": dict(instance.parameters), "bounds": dict(instance.bounds)}
