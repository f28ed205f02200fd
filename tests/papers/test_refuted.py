"""Refuted claims of papers are false by the slow definition alone, and their corrections hold."""

from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from tests.papers.small import FAMILIES, ROOT, instance, of_family, ruleset, tables
from tests.papers.test_claims import FALSE

from grundylab.check.families import family_games, judge_family, parse_extent
from grundylab.check.judging import claim_tables, judge
from grundylab.check.verification import Counterexample
from grundylab.findings.hand_calculation import hand_calculation
from grundylab.findings.papers import load_papers
from grundylab.findings.wording import words_text
from grundylab.games import Claim, Instance, Ruleset
from grundylab.games.model import OptionCondition
from grundylab.games.statements import THIS
from grundylab.language.functions import Tabulated
from grundylab.language.plain import evaluate
from grundylab.solve.reference import solve_reference
from grundylab.solve.table import Table

PAPERS = {paper.name: paper for paper in load_papers(ROOT / "papers")}
# How large a table has what a counterexample speaks of; else as large as its largest coordinate.
BOUNDS = {
    "chocolate-log": 14,
    "chocolate-monotone-1-pass": 4,
    "heaps-1-2-3": 6,
    "max-nim-ceil": 8,
    "nim-with-a-pass-2": 4,
}


def verdict_on(name: str, claim: Claim):
    if name not in FAMILIES:
        return judge(claim, claim_tables(claim, tables(name)))
    bounds, extents = FAMILIES[name]
    every = {function: parse_extent(text) for function, text in extents.items()}
    (found,), _ = judge_family([claim], [instance(name, bounds)], every)
    return found


def recorded(name: str, claim_id: str) -> Counterexample:
    claim = ruleset(name).claim(claim_id)
    found = of_family(name)[claim_id] if name in FAMILIES else judge(claim, tables(name))
    assert found.counterexample is not None
    return found.counterexample


def game_of(name: str, example: Counterexample) -> Ruleset:
    """Return the game of the counterexample; in a family it is the one with the counterexample's functions."""
    if name not in FAMILIES:
        return ruleset(name)
    every = {function: parse_extent(text) for function, text in FAMILIES[name][1].items()}
    wanted = [one.values for one in example.functions.values()]
    return next(
        game
        for game in family_games(ruleset(name), every)
        if [tuple(game.functions[free.name].values.flat) for free in ruleset(name).free] == wanted
    )


def slow(name: str, example: Counterexample) -> Table:
    """Return the game's table, large enough for the counterexample, by recursion from the definition."""
    bounds = dict.fromkeys(ruleset(name).bounds, BOUNDS.get(name, max(example.position.values(), default=0)))
    if name in FAMILIES:
        bounds |= {bound: size for bound, size in FAMILIES[name][0].items() if bound in ("X", "Y", "Z")}
    given = tuple(sorted(bounds.items(), key=lambda item: ruleset(name).bounds.index(item[0])))
    game = game_of(name, example)
    return solve_reference(Instance(game, tuple(example.parameters.items()), given), "grundy")


def looked_up(claim: Claim, table: Table) -> list[Tabulated]:
    """Return the functions of a claim that look up Grundy numbers; in refuted claims they are all of this game."""
    assert {of for _, of in claim.values} <= {THIS}
    names, lows = table.instance.ruleset.coordinate_names, tuple(side.low for side in table.instance.box)
    return [Tabulated(name, names, table.values, lows, "the table") for name, _ in claim.values]


def choices(claim: Claim, known: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Yield all values of the claim's variables, each together with the known values."""
    ranges = [range(evaluate(v.range.low, known), evaluate(v.range.high, known) + 1) for v in claim.variables]
    for values in product(*ranges):
        yield {**known, **dict(zip((v.name for v in claim.variables), values, strict=True))}


@pytest.mark.parametrize(("name", "claim_id"), FALSE)
def test_the_counterexample_of_a_refuted_line_is_one_by_the_slow_definition_alone(name, claim_id):
    claim, example = ruleset(name).claim(claim_id), recorded(name, claim_id)
    table = slow(name, example)
    game = table.instance.ruleset
    functions = game.functions.given(*claim.tables, *looked_up(claim, table))
    known = {**table.instance.constants, **example.position}
    assert evaluate(claim.where, known, functions)
    assert not isinstance(claim.printed, OptionCondition)
    value = table[tuple(example.position[coordinate] for coordinate in game.coordinate_names)]
    if claim.target.name == "true":
        said = [bool(evaluate(claim.formula, each, functions)) for each in choices(claim, known)]
        assert not all(said)
    else:
        truth = {"p": int(value == 0), "grundy": value}.get(
            claim.target.name, int(value == claim.target.value)
        )
        assert truth == example.truth
        assert int(evaluate(claim.formula, known, functions)) == example.found != truth


@pytest.mark.parametrize(("name", "claim_id"), FALSE)
def test_what_the_record_says_is_true_instead_holds_and_is_not_what_is_printed(name, claim_id):
    claim = ruleset(name).claim(claim_id)
    if (name, claim_id) == ("chocolate-log", "table-1"):
        assert claim.instead is None  # the entries are put right by the game's own table
        return
    assert claim.instead is not None
    found = verdict_on(name, claim.instead)
    assert (found.status, found.reason) == ("holds", None)
    assert (claim.instead.formula, claim.instead.where) != (claim.formula, claim.where)


@pytest.mark.parametrize(("name", "claim_id"), FALSE)
def test_a_refuted_line_can_be_followed_by_hand_and_its_paper_is_told_what_stands(name, claim_id):
    claim, example = ruleset(name).claim(claim_id), recorded(name, claim_id)
    if name != "chocolate-monotone":  # of which the note names the function
        assert words_text(hand_calculation(ruleset(name), claim, example))
    statement = PAPERS[claim.paper].statement_of(claim.at)
    assert statement is not None
    assert statement.stands
    assert statement.kind != "text uncertain"


def test_what_stands_is_said_of_refuted_lines_only():
    false = {(ruleset(name).claim(claim).paper, ruleset(name).claim(claim).at) for name, claim in FALSE}
    said = {(name, s.at) for name, paper in PAPERS.items() for s in paper.statements if s.stands}
    assert all(
        any(paper == of and PAPERS[of].statement_of(place).at == at for of, place in false)
        for paper, at in said
    )


def test_nothing_is_claimed_at_a_place_whose_text_is_uncertain():
    uncertain = {
        (name, s.at) for name, paper in PAPERS.items() for s in paper.statements if s.kind == "text uncertain"
    }
    assert ("restricted-nim-with-a-pass", "Lemma 2 (i), proof") in uncertain
    claims = [claim for path in (ROOT / "rulesets").glob("*.yaml") for claim in ruleset(path.stem).claims]
    found = [
        (claim.paper, PAPERS[claim.paper].statement_of(claim.at)) for claim in claims if claim.paper in PAPERS
    ]
    assert not uncertain & {(paper, statement.at) for paper, statement in found if statement}
