"""Rulesets as plain data, and their meaning in Python alone, without any code of grundylab.

Python evaluates the texts of rules and claims, since its operators mean the same. Values of positions come from a plain
recursion over the options; values of far positions come from a closed form that the rules' generator knows, and that a
test compares with the recursion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from math import isqrt
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import yaml

Env = Mapping[str, int]
Place = tuple[int, ...]
BUILT_IN = {
    each.__name__: each for each in (min, max, abs, isqrt, range, any, all, sum)
}  # what the language shares with Python
NEAR = 40  # up to this coordinate the recursion is used
SMALL = range(9)  # numbers that are always tried
MOST = 100_000  # values of a claim that are looked at
NOTHING = "nothing is asked"
ENDLESS = "N"  # the bound of a table: as large as you like


class NoValue(Exception):
    """A position, a parameter or an expression that has no value."""


@lru_cache(maxsize=10_000)
def _code(text: str) -> CodeType:
    return compile(text.strip(), "<ruleset>", "eval")


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """Return the value of an expression; raise NoValue if it has none."""
    try:
        return eval(_code(text), {"__builtins__": {}, **BUILT_IN, **names})  # noqa: S307 - texts of the tests
    except (ArithmeticError, ValueError) as problem:
        raise NoValue(f"{text}: {problem}") from problem


# -- rules ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    """A ruleset with the keys of its file.

    file: the keys written in the file, if it extends another one. broken: tells whether there is no game for these
    parameters. closed: gives the value of a far position.
    """

    name: str
    position: Mapping[str, str]
    moves: Sequence[Mapping[str, Any]]
    parameters: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, Any] = field(default_factory=dict)
    where: str = "True"
    play: str = "normal"
    measure: str | None = None
    claims: Sequence[Mapping[str, Any]] = ()
    file: Mapping[str, Any] | None = None
    broken: Callable[[Env], bool] = lambda _: False
    closed: Callable[[Game, Place], int] | None = None

    @property
    def free(self) -> list[str]:
        """The functions about which the rules say only that they have a property."""
        return [head for head, body in self.functions.items() if isinstance(body, dict) and "any" in body]

    @property
    def text(self) -> str:
        """The text of the ruleset's file."""
        whole: dict[str, Any] = {"title": self.name}
        if self.file is not None:
            whole |= self.file
        else:
            for key in ("parameters", "functions", "position", "where", "moves", "play", "measure"):
                if (value := getattr(self, key)) not in ({}, "True", "normal", None):
                    whole[key] = value
        whole |= {"claims": list(self.claims)} if self.claims else {}
        return str(yaml.safe_dump(whole, sort_keys=False, width=1000))


def over(parent: Rules, name: str, claims: Sequence[Mapping[str, Any]] = (), **changes: Any) -> Rules:
    """Return the ruleset that extends another one: functions and parameters are merged, other keys replaced."""
    merged = dict(changes)
    for key in {"functions", "parameters"} & changes.keys():
        own = {head.split("(")[0] for head in changes[key]}
        kept = {head: value for head, value in getattr(parent, key).items() if head.split("(")[0] not in own}
        merged[key] = {**kept, **changes[key]}
    return replace(parent, name=name, claims=claims, file={"extends": parent.name, **changes}, **merged)


def write(folder: Path, rules: Iterable[Rules]) -> Path:
    """Write the files into ``folder/rulesets``, and return that folder."""
    place = folder / "rulesets"
    place.mkdir(exist_ok=True)
    for each in rules:
        (place / f"{each.name}.yaml").write_text(each.text)
    return place


# -- functions --------------------------------------------------------------------------------------------------------


def functions_at(definitions: Mapping[str, Any], parameters: Env) -> dict[str, Callable[..., int]]:
    """Return the functions, for these values of the parameters, as Python functions."""
    found: dict[str, Callable[..., int]] = {}
    for head, body in definitions.items():
        name, arguments = _signature(head)
        if isinstance(body, str):
            found[name] = _Plain(name, arguments, [("True", body)], parameters, found)
        elif "cases" in body:
            cases = [
                (each.get("when", "True"), each.get("value", each.get("otherwise"))) for each in body["cases"]
            ]
            found[name] = _Plain(name, arguments, cases, parameters, found)
        elif "recurrence" in body:
            found[name] = _Recurrence(name, arguments, body, parameters, found)
    return found


def _signature(head: str) -> tuple[str, list[str]]:
    name, inside = head.rstrip(")").split("(")
    return name, [each.strip() for each in inside.split(",")]


@dataclass(frozen=True)
class _Plain:
    name: str
    arguments: list[str]
    cases: list[tuple[str, str]]
    parameters: Env
    others: Mapping[str, Callable[..., int]]

    def __call__(self, *values: int) -> int:
        names = {**self.others, **self.parameters, **dict(zip(self.arguments, values, strict=True))}
        for when, value in self.cases:
            if evaluate(when, names):
                return int(evaluate(value, names))
        raise NoValue(f"{self.name}{values}")


class _Recurrence:
    """A recurrence in one argument; values are computed upward, so that recursion is never more than one step deep."""

    def __init__(
        self,
        name: str,
        arguments: list[str],
        body: Mapping[str, Any],
        parameters: Env,
        others: Mapping[str, Any],
    ) -> None:
        (self._argument,) = arguments
        self._name, self._step = name, body["recurrence"]
        self._names = {**others, **parameters, name: self._at}
        initial = {int(n): int(value) for n, value in body["initial"].items()}
        self._first = min(initial)
        self._values = [initial[n] for n in sorted(initial)]

    def _at(self, n: int) -> int:
        if not 0 <= n - self._first < len(self._values):
            raise NoValue(f"{self._name}({n})")
        return self._values[n - self._first]

    def __call__(self, n: int) -> int:
        while self._first + len(self._values) <= n:
            names = {**self._names, self._argument: self._first + len(self._values)}
            self._values.append(int(evaluate(self._step, names)))
        return self._at(n)


# -- games ------------------------------------------------------------------------------------------------------------


class Game:
    """A ruleset with its parameters fixed."""

    def __init__(self, rules: Rules, parameters: Env) -> None:
        self.rules, self.parameters = rules, parameters
        self.functions = functions_at(rules.functions, parameters)
        self._values: dict[Place, int] = {}

    def names(self, place: Place) -> dict[str, Any]:
        """Return what the rules may name at a position."""
        return {**self.functions, **self.parameters, **dict(zip(self.rules.position, place, strict=True))}

    def is_position(self, place: Place) -> bool:
        """Tell whether the place is a position; its numbers may have any size."""
        if len(place) != len(self.rules.position):
            return False
        names = self.names(place)
        for (name, text), value in zip(self.rules.position.items(), place, strict=True):
            low, high = ends(text, names)
            if low < 0:
                raise NoValue(f"the range of {name} begins below 0")
            if value < low or (high is not None and value > high):
                return False
        return bool(evaluate(self.rules.where, names))

    def options(self, place: Place) -> Iterator[Place]:
        """Yield the positions that moves lead to; raise NoValue for a move that leads to none."""
        names = self.names(place)
        measure = self.rules.measure or " + ".join(self.rules.position)
        for move in self.rules.moves:
            choices, when, to = _long_form(move)
            for chosen in _chosen(list(choices.items()), names):
                inside = {**names, **chosen}
                if not evaluate(when, inside):
                    continue
                new = tuple(evaluate(to.get(name, name), inside) for name in self.rules.position)
                if min(new) < 0 or not self.is_position(new):
                    raise NoValue(f"{self.rules.name}: a move leads from {place} to {new}")
                if not 0 <= evaluate(measure, self.names(new)) < evaluate(measure, names):
                    raise NoValue(f"{self.rules.name}: the measure does not fall from {place} to {new}")
                yield new

    def value(self, place: Place) -> int:
        """Return the Grundy number of a position."""
        if not self.is_position(place):
            raise NoValue(f"{self.rules.name} has no position {place}")
        if max(place) > NEAR and self.rules.closed is not None:
            return self.rules.closed(self, place)
        if place not in self._values:
            self._values[place] = mex(self.value(option) for option in self.options(place))
        return self._values[place]


def mex(values: Iterable[int]) -> int:
    """Return the least natural number that is not among these values."""
    found, least = set(values), 0
    while least in found:
        least += 1
    return least


def ends(text: str, names: Mapping[str, Any]) -> tuple[int, int | None]:
    """Return both ends of a range; the upper end is None if it grows with the table."""
    low, high = text.split("..")
    return evaluate(low, names), None if high.strip() == ENDLESS else evaluate(high, names)


def _long_form(move: Mapping[str, Any]) -> tuple[Mapping[str, str], str, Mapping[str, str]]:
    """Return the choices of a move, its condition, and the new values of the coordinates."""
    when = move.get("when", "True")
    if "take" not in move:
        return move.get("for", {}), when, move["to"]
    pile, take = move["from"], move["take"]
    if isinstance(take, list):
        several = f"_taken in {tuple(map(int, take))} and ({when})"
        return {"_taken": f"1..{pile}"}, several, {pile: f"{pile} - _taken"}
    name, taken = ("_taken", take) if ".." in take else (take, f"1..{pile}")
    return {name: taken}, when, {pile: f"{pile} - {name}"}


def _chosen(choices: list[tuple[str, str]], names: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    if not choices:
        yield {}
        return
    (name, text), *rest = choices
    low, high = ends(text, names)
    assert high is not None
    for value in range(low, high + 1):
        for more in _chosen(rest, {**names, name: value}):
            yield {name: value, **more}


# -- claims -----------------------------------------------------------------------------------------------------------


class World:
    """Rulesets that look up each other's values."""

    def __init__(self, rules: Iterable[Rules]) -> None:
        self.rules = {each.name: each for each in rules}
        self._games: dict[tuple[str, tuple[tuple[str, int], ...]], Game] = {}

    def game(self, name: str, given: Env) -> Game:
        """Return a game for these parameters; raise NoValue if there is none, or if its positions have no values."""
        rules = self.rules[name]
        if rules.free or rules.play == "misere":
            raise NoValue(f"{name} has no Grundy numbers")
        if missing := set(rules.parameters) - set(given):
            raise NoValue(f"nothing gives {name} its {min(missing)}")
        parameters = {each: given[each] for each in rules.parameters}
        key = name, tuple(parameters.items())
        if key not in self._games:
            if not all(evaluate(domain, parameters) for domain in rules.parameters.values()):
                raise NoValue(f"{name} has no {parameters}")
            if rules.broken(parameters):
                raise NoValue(f"{name} is no game for {parameters}")
            self._games[key] = Game(rules, parameters)
        return self._games[key]

    def names(self, game: Game, claim: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a claim may call: the game's functions, and values of positions."""

        def values(of: str) -> Callable[..., int]:
            name = game.rules.name if of == "this" else of
            return lambda *place: self.game(name, game.parameters).value(place)

        return {**game.functions, **{name: values(of) for name, of in claim.get("values", {}).items()}}

    def at(
        self, game: Game, claim: Mapping[str, Any], place: Place, numbers: Sequence[int]
    ) -> Iterator[bool]:
        """Yield, for each tried value of the claim's variables, whether the claim is true at a position."""
        if not game.is_position(place):
            return
        names = {**game.names(place), **self.names(game, claim)}
        if not evaluate(claim.get("where", "True"), names):
            return
        if "condition" in claim:
            for chosen in variables(list(claim.get("for", {}).items()), names, numbers):
                yield bool(evaluate(claim["condition"], {**names, **chosen}))
            return
        says = evaluate(claim["formula"], names)
        value = game.value(place)
        yield bool(says) == (value == 0) if claim["target"] == "p" else says == value


def variables(
    ranges: list[tuple[str, str]], names: Mapping[str, Any], numbers: Sequence[int]
) -> Iterator[dict[str, int]]:
    """Yield values of a claim's variables: the first and last of each range, and those of ``numbers`` inside it."""
    if not ranges:
        yield {}
        return
    (name, text), *rest = ranges
    low, high = ends(text, names)
    if high is not None and high < low:
        return
    if low < 0:
        raise NoValue(f"the range of {name} begins at {low}")
    found = {low, low + 1, low + 2, *(number for number in numbers if number >= low)}
    found |= {high, high - 1} if high is not None else set()
    for value in sorted(each for each in found if low <= each and (high is None or each <= high)):
        for more in variables(rest, {**names, name: value}, numbers):
            yield {name: value, **more}


# -- where to look ----------------------------------------------------------------------------------------------------


def constants(texts: Iterable[str]) -> list[int]:
    """Return the large numbers that occur in the texts."""
    return sorted({int(each) for text in texts for each in re.findall(r"(?<![\w.])\d+", text)} - set(SMALL))


def around(numbers: Iterable[int]) -> list[int]:
    """Return small numbers, and the numbers near the given ones and near their doubles."""
    far = {each for number in numbers for each in (*range(number - 1, number + 3), 2 * number + 1)}
    return sorted({*SMALL, *far})


@dataclass(frozen=True)
class Wrong:
    """A place where a claim is false or has no value; None if the whole game is at fault."""

    place: Place | None
    parameters: Env
    why: str


def counterexample(
    world: World,
    name: str,
    claim: Mapping[str, Any],
    numbers: Sequence[int],
    concerned: Callable[[Env], bool] = lambda _: True,
    inside: Sequence[int] | None = None,
) -> Wrong | None:
    """Return a place where the claim is wrong, among positions and parameters made of these numbers.

    concerned: tells which parameters the claim is about. inside: the numbers to try for the claim's variables, if they
    differ from ``numbers``.
    """
    rules, looks = world.rules[name], 0
    for parameters in _parameters(rules, numbers if inside is None else inside):
        if not concerned(parameters):
            continue
        try:
            game = world.game(name, parameters)
        except NoValue as problem:
            return Wrong(None, parameters, str(problem))
        places = list(product(numbers, repeat=len(rules.position)))
        Random(0).shuffle(places)
        for place in places:
            try:
                for true in world.at(game, claim, place, numbers if inside is None else inside):
                    looks += 1
                    if not true:
                        return Wrong(place, parameters, "it is false")
            except NoValue as problem:
                return Wrong(place, parameters, f"no value: {problem}")
            if looks > MOST:
                return None
    return None if looks else Wrong(None, {}, NOTHING)


def _parameters(rules: Rules, numbers: Sequence[int]) -> Iterator[dict[str, int]]:
    """Yield the allowed values of the parameters that are made of these numbers."""
    for given in product(numbers, repeat=len(rules.parameters)):
        parameters = dict(zip(rules.parameters, given, strict=True))
        if all(evaluate(domain, parameters) for domain in rules.parameters.values()):
            yield parameters
