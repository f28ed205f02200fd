"""The rule of solutions: formulas that agree with the options everywhere give the values of a well-founded game.

Let a game be well founded: every move leads to positions, and lowers a natural number. Let formulas be given for the
positions of a region, and let them be *local*: no move leads from there out of the region, no option of a position has
the position's value, and each smaller value is the value of an option (all by the formulas). Then by induction on the
measure they give the true values (Siegel, Combinatorial Game Theory, Section IV.1). An option outside the region does
no harm at a position that is in none of the levels: there only options that are found in a level count.

Conversely the values are the only solution on the whole space: where one formula is not local, it is wrong at a
position of least measure. So for which parameters a formula is true is decided by the same sentence.

All of this is sentences (``game.py``), and automata decide them. The formulas are the evidence, and are not trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from grundylab.automata.dfa import Dfa, intersection
from grundylab.games.model import ALWAYS, Ruleset, Target
from grundylab.games.specialise import fixed_values, specialise, with_variables
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, Kind, Logic, conjunction, conjuncts, disjunction
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.sentence import atom, implies
from grundylab.prove.core.decide import CELLS, GameReader, GameReaders, Goal
from grundylab.prove.core.definedness import Definedness, implied
from grundylab.prove.core.evidence_types import Solution
from grundylab.prove.core.formulas import Formulas, Refused
from grundylab.prove.core.game import (
    CLOSED,
    DESCENDS,
    EXACT,
    FOLLOWS,
    MEANING,
    NATURAL,
    STAYS,
    GameSentences,
    Obligation,
    agreement,
    rules_alone,
)
from grundylab.prove.core.space import range_conditions
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition

INDUCTION = (NATURAL, STAYS, CLOSED, EXACT, FOLLOWS)
PLAYABLE = (NATURAL, STAYS)  # these two parts: the rules make a game
SAID = (NATURAL, FOLLOWS)  # these two parts suffice for a condition claimed of every position

_T = TypeVar("_T")
ObligationMaker = Callable[[GameSentences], Iterable[Obligation]]


# -- questions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """A statement and formulas that are to solve its game, with numbers in place of its fixed parameters.

    formula, target, where: those of the statement. condition: a condition on the parameters under which the statement
    is to be proved. exactly: the statement is also to be shown false for all other parameters.
    """

    formula: Expr
    target: Target
    where: Expr
    formulas: Formulas
    condition: Expr = TRUE
    exactly: bool = False

    def about_positions(self, game: Ruleset) -> Question:
        """Return the question without its conditions on the parameters alone."""
        _, about = split_condition(self.where, game)
        return replace(self, where=about, condition=TRUE, exactly=False)

    def sources(self, assuming: Expr, parts: Collection[str]) -> Iterator[tuple[object, ObligationMaker]]:
        """Yield the makers of the obligations of these parts, each with a key by which questions share them.

        assuming: a condition on the parameters, beside ``where``.
        """
        solved, formulas = self.target != ALWAYS, self.formulas
        if solved and {NATURAL, STAYS, DESCENDS} & {*parts}:
            yield assuming, lambda game: game.well_founded(assuming)
        if solved and {CLOSED, EXACT, DESCENDS} & {*parts}:
            yield (assuming, formulas), lambda game: game.local(formulas, assuming)
        if {FOLLOWS, DESCENDS} & {*parts} or not solved:
            yield (assuming, self), lambda game: self._claimed(game, assuming)

    def _claimed(self, game: GameSentences, assuming: Expr) -> Iterator[Obligation]:
        if self.target == ALWAYS:  # otherwise the rules make a game, which is shown on its own
            yield from game.natural_coordinates(assuming)
            said = atom(self.formula)
        else:
            said = agreement(self.formula, self.formulas, level_of(self.target))
        yield from game.claimed(self.formula, conjunction(assuming, self.where), assuming, said)


def level_of(target: Target) -> int:
    """Return the Grundy value of the level set that the target names; 0 for the P-positions (and any other target)."""
    return target.value if target.name == "level" else 0


def parts_of(target: Target) -> tuple[str, ...]:
    """Return the parts of an induction that a statement with this target needs.

    A condition claimed of every position (target ``true``) does not depend on the moves, so two parts suffice.
    """
    return SAID if target == ALWAYS else INDUCTION


def question_of(statement: Statement, evidence: Solution) -> tuple[Ruleset, Question]:
    """Return the game and the question for automata that the statement and the evidence make.

    In the game, numbers stand for the fixed parameters, and the statement's variables are further coordinates. Raises
    Refused for evidence that does not fit the statement, FormulaError for an expression that is not about the game.
    """
    if statement.lookups or statement.tables:
        raise Refused("automata cannot look values up")
    terms = conjuncts(statement.where)
    left_out = conjuncts(evidence.condition) if evidence.condition != TRUE else ()
    if not set(left_out) <= set(terms):
        raise Refused("the evidence's condition is no part of the statement's")
    rest = conjunction(*(term for term in terms if term not in left_out))
    fixed = fixed_values(rest, statement.game.parameter_names)
    game = with_variables(statement.game, statement.variables) if statement.variables else statement.game
    game = specialise(game, fixed)

    def put(expr: Expr) -> Expr:
        return game.check_condition(substitute(expr, fixed))

    grundy = None if evidence.grundy is None else put(evidence.grundy)
    formulas = Formulas(put(evidence.region), grundy, tuple(map(put, evidence.levels)))
    condition = put(evidence.condition)
    if condition.kind is not Kind.CONDITION or not condition.free <= set(game.parameter_names):
        raise Refused(f"'{condition}' is no condition on the parameters alone")
    where = substitute(rest, fixed)
    return game, Question(
        put(statement.formula), statement.target, where, formulas, condition, evidence.exactly
    )


# -- decisions --------------------------------------------------------------------------------------------------------


class Decider:
    """Decisions about one question. cells: the largest number of transition-table cells that one decision may use.

    The question's conditions on the parameters alone are left out: each method is given those that matter.
    Each method raises TooLarge if it would need more cells, OutsideFragment for a subterm that automata cannot express.
    """

    def __init__(self, game: GameReader, question: Question, cells: int) -> None:
        self._game, self._question = game, question.about_positions(game.game)
        self._cells = cells

    def example(
        self, parts: Sequence[str], assuming: Expr = TRUE, cells: int | None = None
    ) -> dict[str, int] | None:
        """Return a position and parameters where at least one of the parts fails; None if they hold everywhere.

        cells: a smaller limit for this one decision.
        """
        self._game.work.give(min(cells or self._cells, self._cells))
        failing = (goal.failing.example() for goal in self.goals(parts, assuming))
        found = next((example for example in failing if example is not None), None)
        names = self._game.game.formula_names
        return None if found is None else {name: found.get(name, 0) for name in names}

    def first(self, part: str, assuming: Expr = TRUE) -> dict[str, int] | None:
        """Return the first position where the part fails; None if it fails nowhere.

        Positions are ordered by measure, then lexicographically by coordinates, then by parameters.
        """
        self._game.work.give(self._cells)
        return self._game.first(self.goals((part,), assuming))

    def good_for(self, parts: Sequence[str], assuming: Expr = TRUE) -> Dfa:
        """Return the parameter values for which all parts hold; values outside the domain are among them."""
        self._game.work.give(self._cells)
        return self._game.good_parameters(self.goals(parts, assuming))

    def good_exactly(self, parts: Sequence[str], condition: Expr, assuming: Expr = TRUE) -> bool:
        """Tell whether the parameters for which all parts hold are, under ``assuming``, those with ``condition``."""
        good, read = self.good_for(parts, assuming), self._game.atoms.true
        among = intersection([read(self._game.game.domain), read(assuming)], self._game.work)
        return (among & (good ^ read(condition))).is_empty

    def check(self, part: str, assuming: Expr, condition: Expr) -> None:
        """Raise Refused, with an example, if the part fails for parameters with ``assuming`` and ``condition``."""
        self._game.work.give(self._cells)
        check_goals(self.goals((part,), assuming), self._game.atoms.true(condition))

    def goals(self, parts: Collection[str], assuming: Expr) -> Iterator[Goal]:
        """Yield the goals of these parts."""
        for key, obligations in self._question.sources(assuming, parts):
            yield from (goal for goal in self._game.goals(key, obligations) if goal.part in parts)


def check_goals(goals: Iterable[Goal], among: Dfa | None = None) -> None:
    """Raise Refused, with an example, unless no goal fails for any parameters that ``among`` accepts (None: all)."""
    for goal in goals:
        example = (goal.failing if among is None else goal.failing & among).example()
        if example is not None:
            place = ", ".join(f"{name}={value}" for name, value in sorted(example.items()))
            raise Refused(f"it is not so that {goal.name}" + (f": at {place}" if place else ""))


class Core:
    """A store of the automata of games, and of other results that several statements need.

    cells: the largest number of cells of transition tables that one question to automata may use.
    """

    def __init__(self, cells: int = CELLS) -> None:
        self.cells = cells
        self.games = GameReaders()
        self._kept: dict[Hashable, Any] = {}

    def kept(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return the result stored under the key; at the first call, ``make`` computes it."""
        if key not in self._kept:
            self._kept[key] = make()
        result: _T = self._kept[key]
        return result

    def question(self, statement: Statement, evidence: Solution) -> tuple[Ruleset, Question]:
        """Return the result of ``question_of``, which all parts of an induction share."""
        return self.kept(("question", statement, evidence), lambda: question_of(statement, evidence))

    def decider(self, game: Ruleset, question: Question) -> Decider:
        """Return the decider of a question."""
        formulas = question.formulas
        said = (question.formula, question.where, formulas.region, *formulas.values)
        return Decider(self.games.of(game, said), question, self.cells)

    def check_well_founded(self, game: Ruleset, assumed: Expr) -> None:
        """Raise Refused unless the rules make a game for all parameters that fulfil ``assumed``."""
        reader = self.games.of(game, (assumed,))
        reader.work.give(self.cells)
        check_goals(reader.goals(assumed, lambda sentences: sentences.well_founded(assumed)))

    def check_recurrences(self, game: Ruleset, said: Iterable[Expr]) -> None:
        """Raise Refused unless each recurrence that the expressions call has a value from its first argument on."""
        reader = self.games.of(game)
        reader.work.give(self.cells)
        check_goals(Goal(each, reader) for each in reader.sentences.meant(reader.sentences.recurrences(said)))

    def check_solution(self, statement: Statement, evidence: Solution, part: str) -> None:
        """Raise Refused unless this part of the induction holds that the statement and the evidence make."""
        game, question = self.question(statement, evidence)
        if (statement.target == ALWAYS) == bool(question.formulas.values):
            raise Refused(
                "a solution is about outcomes or Grundy numbers, and gives either Grundy values or levels"
            )
        if part == MEANING:
            self._check_condition(statement, game)
        if part in (*parts_of(statement.target), MEANING):
            assumed, _ = split_condition(question.where, game)
            asked = DESCENDS if part == MEANING else part
            self.decider(game, question).check(asked, assumed, question.condition)

    def check_exactly(self, statement: Statement, evidence: Solution) -> bool:
        """Tell whether, for each parameter setting outside the evidence's condition, the statement is false somewhere.

        Nothing is checked, and the answer is True, if the evidence's flag ``exactly`` is not set. For a target other
        than ``true`` the only formula must be the statement's own. Otherwise the first position where the induction
        fails could be one where only another formula is false.
        """
        if not evidence.exactly:
            return True
        game, question = self.question(statement, evidence)
        assumed, about = split_condition(question.where, game)
        formulas = question.formulas
        alone = formulas.region == TRUE and question.formula in formulas.values[:1] and about == TRUE
        if statement.target != ALWAYS and not (alone and len(formulas.values) <= 1):
            return False
        decider = self.decider(game, question)
        return decider.good_exactly(parts_of(statement.target), question.condition, assumed)

    def _check_condition(self, statement: Statement, game: Ruleset) -> None:
        """Raise Refused unless positions and the condition have a value everywhere, and every recurrence has values.

        Variables do not matter here: the condition needs a value also where a variable has none. It needs one, too, for
        other values of the parameters that it fixes: where an equation that fixes one is false, nothing after the last
        of these equations is evaluated. The terms that automata apply last belong to the condition.
        game: with numbers in place of the fixed parameters, and with the statement's variables.
        """
        whole, terms = rules_alone(statement.game), conjuncts(statement.where)
        fixing = [number for number, term in enumerate(terms) if fixed_values(term, whole.parameter_names)]
        earlier = conjunction(*terms[: fixing[-1] + 1]) if fixing else TRUE
        fixed = fixed_values(statement.where, whole.parameter_names)
        put = {name: value for name, value in fixed.items() if name not in game.parameter_names}
        bare = specialise(whole, put)
        given, formula = substitute(statement.where, put), substitute(statement.formula, put)
        ends = (end for coordinate in game.coordinates for end in coordinate.ends)
        self.check_recurrences(bare, (*bare.expressions, formula, given, *ends))
        ranges = range_conditions(bare.coordinates, bare.bounds)
        positions = Definedness(bare.functions).in_order(bare.domain, *ranges, bare.where, given)
        self._check_true(bare, positions)
        meant = Definedness(whole.functions).of(earlier)
        if meant != TRUE:  # else the ranges need not be read without a number for a fixed parameter
            space = conjunction(*range_conditions(whole.coordinates, whole.bounds), whole.where)
            self._check_true(whole, implied(space, meant))

    def _check_true(self, game: Ruleset, meant: Expr) -> None:
        """Raise Refused unless something has a value for all parameters in their domains. meant: where it has one."""
        if meant != TRUE:
            reader = self.games.of(game, (meant,))
            reader.work.give(self.cells)
            said = implies(reader.sentences.given(TRUE), atom(readable_part(meant, reader.atoms.true)))
            check_goals([Goal(Obligation(MEANING, reader.sentences.coordinates, said), reader)])


def readable_part(condition: Expr, read: Callable[[Expr], object]) -> Expr:
    """Return a condition from which the other follows: without the alternatives that automata cannot read.

    read: what reads a condition; it raises OutsideFragment for one that automata cannot read.
    """
    if not isinstance(condition, Logic):
        return condition
    parts = [readable_part(term, read) for term in condition.terms]
    if condition.op == "and":
        return conjunction(*parts)

    def is_readable(part: Expr) -> bool:
        try:
            read(part)
        except OutsideFragment:
            return False
        return True

    return disjunction(*filter(is_readable, parts))
