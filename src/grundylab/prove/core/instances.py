"""Consequence by instances: a claim follows from facts, each of which the evidence names with its terms.

The kernel searches for nothing. A tree adds facts to the hypotheses, may distinguish two cases, and ends with a
decision by automata, in which numbers stand in place of the terms that the evidence names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from grundylab.automata.dfa import Dfa
from grundylab.games.model import Range, Ranged, Ruleset
from grundylab.games.statements import THIS
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Expr,
    Int,
    Kind,
    Name,
    compare,
    conjunction,
    conjuncts,
    distinct_parts,
)
from grundylab.prove.core.claims import ProofRoot, root_of
from grundylab.prove.core.closing import CELLS, Decisions, example, number_name, with_numbers
from grundylab.prove.core.definedness import implied, negation
from grundylab.prove.core.evidence_types import Called, EvidenceModel, FormulaText, TargetText
from grundylab.prove.core.facts import VALUE_FACTS, CoreFact, RecurrenceValue, TermTexts, add
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.foundation import foundation
from grundylab.prove.core.game import rules_alone
from grundylab.prove.core.sequent import Sequent, Theory, Universal
from grundylab.prove.core.solution import Core
from grundylab.prove.core.space import check_provable
from grundylab.statement import Lookup, Statement
from grundylab.statement.conditions import split_condition

DEEPEST, MOST_FACTS, MOST_LEMMAS, MOST_GAMES = 60, 400, 40, 4
BRANCHES = ("yes", "no", "natural", "nearer")
HOLE = "_hole"  # the name in an image that a number takes the place of


class ProofTree(EvidenceModel):
    """A tree of instances: facts, then two cases, or an intermediate goal, or a fixed point, or a decision.

    case: the condition that distinguishes the cases; the goal is proved in ``yes`` where it is true, in ``no`` where it
    is not. cut: an intermediate goal, which ``no`` proves; ``yes`` proves the goal from it. image: a term E(w), with
    the name ``HOLE`` for w. ``natural`` proves that E(w) >= 0; ``nearer``, that E(v) and E(w) differ in fewer of the
    lowest binary digits than v and w. Then a number is E of itself, and ``yes`` may use it. using: of a decision, the
    numbers of the hypotheses from which automata decide the goal. numbers: the terms in place of which a number is put.
    """

    facts: Annotated[tuple[CoreFact, ...], Field(max_length=MOST_FACTS)] = ()
    case: FormulaText | None = None
    cut: FormulaText | None = None
    image: FormulaText | None = None
    yes: ProofTree | None = None
    no: ProofTree | None = None
    natural: ProofTree | None = None
    nearer: ProofTree | None = None
    using: Annotated[tuple[int, ...], Field(max_length=MOST_FACTS)] = ()
    numbers: TermTexts = ()

    @property
    def branches(self) -> tuple[ProofTree, ...]:
        """The trees below the facts."""
        return tuple(tree for name in BRANCHES if (tree := getattr(self, name)) is not None)


def check_tree(sequent: Sequent, tree: ProofTree, cells: int = CELLS, depth: int = 0) -> None:
    """Raise Refused, or another GrundylabError, unless the tree proves the sequent's goal from its hypotheses."""
    if depth > DEEPEST:
        raise Refused(f"the tree is more than {DEEPEST} deep")
    for fact in tree.facts:
        sequent = add(fact, sequent)
    below = branches(sequent, tree)
    if len(below) != len(tree.branches):
        raise Refused("a branch is missing, or there is one too many")
    if not below:
        check_decision(sequent, tree, cells)
    for premise, branch in zip(below, tree.branches, strict=True):
        check_tree(premise, branch, cells, depth + 1)


def branches(sequent: Sequent, tree: ProofTree) -> tuple[Sequent, ...]:
    """Return the sequents that the branches of a tree have to prove; none if it ends with a decision."""
    terms = [term for term in (tree.case, tree.cut, tree.image) if term is not None]
    if not terms:
        return ()
    if len(terms) > 1 or (terms[0].kind is Kind.NUMBER) != (terms[0] is tree.image):
        raise Refused("a tree has two cases, or a goal, which are conditions, or an image, which is a number")
    if tree.image is not None:
        return fixed_point(sequent, tree.image)
    sequent.check_terms(*terms)
    no = sequent.assuming(negation(terms[0])) if tree.cut is None else replace(sequent, goal=terms[0])
    return sequent.assuming(terms[0]), no


def fixed_point(sequent: Sequent, image: Expr) -> tuple[Sequent, Sequent, Sequent]:
    """Return the sequents that a number w = E(w) is assumed in, that E is natural, and that it brings numbers nearer.

    Begin with any number w, and replace it by E(w) again and again. If two successive numbers differ in none but the
    lowest k + 1 binary digits, then the next two differ in none but the lowest k; so they become equal.
    """

    def value(name: str) -> Expr:
        return substitute(image, {HOLE: Name(name)})

    sequent.check_terms(substitute(image, {HOLE: Int(0)}))  # it names none of the new numbers
    one, w = sequent.with_name()
    two, v = one.with_name()
    three, q = two.with_name()
    power, power_of_two = Name(q), Call("is_power_of_two", (Name(q),))
    near = compare("<", Binary("^", Name(v), Name(w)), Binary("*", Int(2), power))
    nearer = compare("<", Binary("^", value(v), value(w)), power)
    return (
        one.assuming(compare("==", Name(w), value(w))),
        replace(one, goal=compare(">=", value(w), Int(0))),
        replace(three, goal=implied(conjunction(power_of_two, near), nearer)),
    )


def facts_of(tree: ProofTree) -> Iterator[CoreFact]:
    """Yield the facts of a tree."""
    yield from tree.facts
    for branch in tree.branches:
        yield from facts_of(branch)


def check_decision(sequent: Sequent, tree: ProofTree, cells: int) -> None:
    """Raise Refused unless automata decide that the goal follows, with numbers in place of the terms."""
    decisions = Decisions([*sequent.hypotheses, sequent.goal])
    counterexample = example(failing(sequent, tree.using, tree.numbers, decisions, cells), decisions.work)
    if counterexample is not None:
        where = ", ".join(f"{name} = {value}" for name, value in sorted(counterexample.items()))
        raise Refused(f"it does not follow from the facts: {where}")


def failing(
    sequent: Sequent, using: Sequence[int], terms: Sequence[Expr], decisions: Decisions, cells: int = CELLS
) -> list[Dfa]:
    """Return automata for the numbers with which these hypotheses are true and the goal is false.

    using: the numbers of the hypotheses. terms: those with a number in their place, ``number_name(i)`` for term i.
    decisions: earlier ones about the same terms and names, whose automata are used again.
    """
    sequent.check_terms(*terms)
    if not all(0 <= number < len(sequent.hypotheses) for number in using):
        raise Refused("there is no such hypothesis")
    said = [*(sequent.hypotheses[number] for number in using), sequent.goal]
    *hypotheses, goal = with_numbers(said, terms)
    natural = sequent.theory.is_natural
    integers = {
        number_name(index)
        for index, term in enumerate(terms)
        if not (isinstance(term, Call) and natural(term.name))
    }
    return decisions.failing(hypotheses, goal, sequent.integers | integers, cells)


# -- theorems ---------------------------------------------------------------------------------------------------------


class LemmaVariable(EvidenceModel):
    """A variable of a lemma, with the ends of its range."""

    name: str
    low: FormulaText
    high: FormulaText


class Lemma(EvidenceModel):
    """A statement from which another follows.

    values: the function of the values of the game that it is about. Its formulas call values by these functions, which
    the theory of the statement must have.
    """

    values: Called
    target: TargetText
    formula: FormulaText
    where: FormulaText = TRUE
    variables: tuple[LemmaVariable, ...] = ()


class FoundedGame(EvidenceModel):
    """A game that is shown to be well founded by trees. values: the function of its values."""

    values: Called
    trees: tuple[ProofTree, ...]


class InstanceEvidence(EvidenceModel):
    """Evidence by instances. meaning: a tree for the condition that the statement has a value. tree: one for itself.

    games: rulesets whose values the trees use, besides those that the statement looks up. measure: the term by which
    the statement may be assumed at smaller places; None if it is not. lemmas: statements that the trees use, each a
    premise. founded: games whose values are used, and that automata do not show to be well
    founded.
    """

    rule: Literal["instances"] = "instances"
    games: Annotated[tuple[str, ...], Field(max_length=MOST_GAMES)] = ()
    measure: FormulaText | None = None
    lemmas: Annotated[tuple[Lemma, ...], Field(max_length=MOST_LEMMAS)] = ()
    founded: tuple[FoundedGame, ...] = ()
    meaning: ProofTree = ProofTree()
    tree: ProofTree


def lemma_of(theory: Theory, lemma: Lemma) -> Statement:
    """Return a lemma as a statement; raise Refused if it is about a game that the theory has not."""
    called = {node.name: node for said in (lemma.formula, lemma.where) for node in calls(said)}
    lookups = tuple(
        Lookup(name, THIS, None, len(called[name].arguments))
        if name == lemma.values
        else Lookup(name, game.name, game, len(called[name].arguments))
        for name, game in theory.values.items()
        if name in called
    )
    variables = tuple(Ranged(v.name, Range(v.low, v.high)) for v in lemma.variables)
    game = theory.game(lemma.values)
    return Statement(game, lemma.target, lemma.formula, lemma.where, variables, lookups)


def calls(expr: Expr) -> Iterator[Call]:
    """Yield the calls in an expression, each once."""
    return (part for part in distinct_parts(expr) if isinstance(part, Call))


def games_used(root: ProofRoot, tree: ProofTree) -> list[str]:
    """Return the functions of values that a claim calls, or that a fact of its tree is about."""
    called = {node.name for said in (root.claim.condition, root.claim.said) for node in calls(said)}
    called |= {fact.values for fact in facts_of(tree) if isinstance(fact, VALUE_FACTS)}
    return [name for name in root.theory.values if name in called]


def check_instances(core: Core, statement: Statement, evidence: InstanceEvidence) -> tuple[Statement, ...]:
    """Return the lemmas from which the statement follows by the evidence; raise Refused, or another error, if not.

    The games whose values are used must be well founded, and the statement must have a value wherever it is about
    something: both are proved here. The lemmas may be used for both, as they are theorems by themselves.
    """
    statement = statement.looking_up(evidence.games)
    statement.check()
    root = root_of(statement)
    check_provable(statement.game)
    trees = {game.values: game.trees for game in evidence.founded}
    lemmas = tuple(lemma_of(root.theory, lemma) for lemma in evidence.lemmas)
    claims = tuple(root_of(lemma).claim for lemma in lemmas)
    for name in games_used(root, evidence.tree):
        assumed = assumed_of(statement, root.theory.game(name))
        check_foundation(core, root, name, assumed, claims, trees.get(name))
    check_recurrences(core, statement, root, evidence)
    check_tree(replace(root.meaning, lemmas=claims), evidence.meaning)
    check_tree(root.sequent(evidence.measure, claims), evidence.tree)
    return lemmas


def check_recurrences(core: Core, statement: Statement, root: ProofRoot, evidence: InstanceEvidence) -> None:
    """Raise Refused unless each recurrence has values that the statement is about, or that a fact unfolds."""
    game = replace(statement.game, functions=root.theory.functions)
    trees = (evidence.tree, evidence.meaning, *(tree for g in evidence.founded for tree in g.trees))
    facts = (fact for tree in trees for fact in facts_of(tree) if isinstance(fact, RecurrenceValue))
    ranged = (*game.coordinates, *statement.variables)
    ends = (end for variable in ranged for end in variable.ends)
    unfolded = (Call(fact.function, (fact.at,)) for fact in facts)
    core.check_recurrences(
        game, (statement.formula, statement.where, game.where, game.domain, *ends, *unfolded)
    )


def assumed_of(statement: Statement, game: Ruleset) -> Expr:
    """Return the part of a statement's condition that is about a game's parameters alone."""
    assumed, _ = split_condition(statement.where, statement.game)
    return conjunction(*(term for term in conjuncts(assumed) if term.free <= {*game.parameter_names}))


def check_foundation(
    core: Core,
    root: ProofRoot,
    values: str,
    assumed: Expr,
    lemmas: tuple[Universal, ...],
    trees: Sequence[ProofTree] | None,
) -> None:
    """Raise Refused, or another error, unless trees or, without any, automata show that a game is well founded.

    lemmas: theorems that the trees may use. Each has been proved with the meaning and the foundation that it needs.
    """
    game = rules_alone(root.theory.game(values))
    if trees is None:
        core.check_well_founded(game, assumed)
        return
    core.check_recurrences(game, game.expressions)
    sequents = list(foundation(root.theory, values, assumed, root.definedness))
    if len(sequents) != len(trees):
        raise Refused(f"well-foundedness needs {len(sequents)} trees")
    for sequent, tree in zip(sequents, trees, strict=True):
        check_tree(replace(sequent, lemmas=lemmas), tree)
