"""The rule of solutions: formulas that agree with the options everywhere give the values of a well-founded game.

Let a game be well founded: every move leads to positions, and lowers a natural number. Let formulas be given for the
positions of a region, and let them be *local*: no move leads from there out of the region, no option of a position has
the position's value, and each smaller value is the value of an option (all by the formulas). Then by induction on the
measure they give the true values (Siegel, Combinatorial Game Theory, Section IV.1). An option outside the region does
no harm at a position that is in none of the levels: there only options that are found in a level count.

Conversely the values are the only solution on the whole space: where one formula is not local, it is wrong at a
position of least measure. So for which parameters a formula is true is decided by the same sentence.

Both premises are sentences (``game.py``), and automata decide them. This module alone makes theorems of the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, conjunction, conjuncts
from grundylab.logic.sentence import atom, implies
from grundylab.prove.core.core_theorem import (
    Claimed,
    CoreTheorem,
    Formulas,
    Refused,
    Solved,
    WellFounded,
)
from grundylab.prove.core.decide import CELLS, GameReader, GameReaders, Goal
from grundylab.prove.core.definedness import Definedness
from grundylab.prove.core.evidence_types import Decided, Solution
from grundylab.prove.core.game import MEANING, GameSentences, Obligation, agreement, rules_alone
from grundylab.prove.core.space import check_provable
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


@dataclass(frozen=True)
class CoreQuestion:
    """A statement with numbers in place of its fixed parameters, and its condition in two parts.

    assumed: the part of the condition on parameters alone. rest: the other part. earlier: the terms of the statement's
    condition up to the last one that fixes a parameter, as they were.
    """

    game: Ruleset
    claim: Claimed
    assumed: Expr
    rest: Expr
    whole_game: Ruleset
    earlier: Expr


def question_of(statement: Statement) -> CoreQuestion:
    """Return the statement with numbers in place of fixed parameters; raise Refused for one that looks values up."""
    if statement.lookups or statement.tables:
        raise Refused("automata cannot look values up")
    whole, where = rules_alone(statement.game), statement.where
    fixed = fixed_values(where, whole.parameter_names)
    terms = conjuncts(where)
    fixing = [number for number, term in enumerate(terms) if fixed_values(term, whole.parameter_names)]
    game = specialise(whole, fixed)
    assumed, rest = split_condition(put := substitute(where, fixed), game)
    variables = tuple(v.mapped(lambda end: substitute(end, fixed)) for v in statement.variables)
    claim = Claimed(statement.target, substitute(statement.formula, fixed), put, variables)
    earlier = conjunction(*terms[: fixing[-1] + 1]) if fixing else TRUE
    return CoreQuestion(game, claim, assumed, rest, whole, earlier)


def formulas_of(question: CoreQuestion, evidence: Solution, fixed: dict[str, int]) -> Formulas:
    """Return the evidence's formulas about the question's game; raise Refused for some that are not about it."""
    put: Callable[[Expr], Expr] = lambda expr: question.game.check_condition(substitute(expr, fixed))  # noqa: E731
    grundy = None if evidence.grundy is None else put(evidence.grundy)
    return Formulas(put(evidence.region), grundy, tuple(map(put, evidence.levels)))


class Core:
    """The maker of theorems. It keeps automata for further questions about the same games.

    cells: the largest number of cells of transition tables that one question may use.
    """

    def __init__(self, cells: int = CELLS) -> None:
        self.cells = cells
        self._readers = GameReaders()

    def check(self, statement: Statement, evidence: Solution | Decided) -> CoreTheorem:
        """Return the statement as a theorem; raise Refused, or another GrundylabError, if it is not."""
        statement.check()
        asked = question_of(statement)
        if isinstance(evidence, Decided):
            return self._decided(asked)
        if asked.claim.target.name not in ("p", "grundy", "level"):
            raise Refused("a solution is about outcomes or Grundy numbers")
        formulas = formulas_of(asked, evidence, fixed_values(statement.where, statement.game.parameter_names))
        solved = self.solution(asked.game, asked.assumed, formulas)
        reader = self._reader(asked, formulas)
        self._prove(reader, claim_goals(reader, asked.claim, asked.assumed, formulas))
        self._check_earlier(asked)
        return CoreTheorem(asked.game, asked.assumed, asked.claim, evidence, (solved,))

    def well_founded(self, game: Ruleset, assumed: Expr) -> CoreTheorem:
        """Return the theorem that the rules make a game for all parameters that fulfil ``assumed``."""
        check_provable(game)
        reader = self._readers.of(game, (assumed,))
        self._prove(reader, foundation_goals(reader, assumed))
        return CoreTheorem(game, assumed, WellFounded(), Decided())

    def solution(self, game: Ruleset, assumed: Expr, formulas: Formulas) -> CoreTheorem:
        """Return the theorem that the formulas give the game's values, for all parameters that fulfil ``assumed``."""
        if not assumed.free <= set(game.parameter_names):
            raise Refused("what is assumed is about parameters alone")
        founded = self.well_founded(game, assumed)
        reader = self._readers.of(game, (assumed, formulas.region, *formulas.values))
        self._prove(reader, local_goals(reader, assumed, formulas))
        evidence = Solution(region=formulas.region, grundy=formulas.grundy, levels=formulas.levels)
        return CoreTheorem(game, assumed, Solved(formulas), evidence, (founded,))

    def check_recurrences(self, game: Ruleset, said: Iterable[Expr]) -> None:
        """Raise Refused unless each recurrence that the expressions call has a value from its first argument on."""
        reader = self._readers.of(game)
        descents = reader.sentences.meant(reader.sentences.recurrences(said))
        self._prove(reader, [Goal(each, reader) for each in descents])

    def _decided(self, asked: CoreQuestion) -> CoreTheorem:
        if asked.claim.target != ALWAYS:
            raise Refused("a condition is claimed of every position")
        check_provable(asked.game)
        reader = self._reader(asked)
        self._prove(reader, claim_goals(reader, asked.claim, asked.assumed, None))
        self._check_earlier(asked)
        return CoreTheorem(asked.game, asked.assumed, asked.claim, Decided())

    def _check_earlier(self, asked: CoreQuestion) -> None:
        """Raise Refused unless the condition has a value also for other values of the parameters that it fixes.

        Then an equation of it is false, and nothing after the last of these equations is evaluated.
        """
        meant = Definedness(asked.whole_game.functions).of(asked.earlier)
        if meant != TRUE:
            reader = self._readers.of(asked.whole_game, (meant,))
            obligation = Obligation(
                MEANING, reader.sentences.coordinates, implies(reader.sentences.here, atom(meant))
            )
            self._prove(reader, [Goal(obligation, reader)])

    def _prove(self, reader: GameReader, goals: Iterable[Goal]) -> None:
        """Raise Refused, with an example, unless no goal fails anywhere."""
        reader.work.give(self.cells)
        for goal in goals:
            example = goal.failing.example()
            if example is not None:
                place = ", ".join(f"{name}={value}" for name, value in sorted(example.items()))
                raise Refused(f"it is not so that {goal.name}" + (f": at {place}" if place else ""))

    def _reader(self, asked: CoreQuestion, formulas: Formulas | None = None) -> GameReader:
        said = () if formulas is None else (formulas.region, *formulas.values)
        claim = asked.claim
        return self._readers.of(asked.game, (claim.formula, claim.where, *said), claim.variables)


def foundation_goals(reader: GameReader, assumed: Expr) -> list[Goal]:
    """Return the goals that make the rules a game for all parameters that fulfil ``assumed``."""
    return reader.goals(("game", assumed), lambda: reader.sentences.well_founded(assumed))


def local_goals(reader: GameReader, assumed: Expr, formulas: Formulas) -> list[Goal]:
    """Return the goals that make the formulas a solution for all parameters that fulfil ``assumed``."""
    return reader.goals(("local", assumed, formulas), lambda: reader.sentences.local(formulas, assumed))


def claim_goals(reader: GameReader, claim: Claimed, assumed: Expr, formulas: Formulas | None) -> list[Goal]:
    """Return the goals of a claim: what the formulas of a solution say, or, without these, a condition on positions.

    assumed: the part of the claim's condition that is about parameters alone.
    """
    return reader.goals(
        ("claim", claim, assumed, formulas),
        lambda: claim_obligations(reader.sentences, claim, assumed, formulas),
    )


def claim_obligations(
    game: GameSentences, claim: Claimed, assumed: Expr, formulas: Formulas | None
) -> Iterator[Obligation]:
    """Yield the obligations of the goals of a claim."""
    if formulas is None:  # otherwise the rules make a game, which is shown on its own
        yield from game.natural_coordinates(assumed)
        said = atom(claim.formula)
    else:
        said = agreement(claim.formula, formulas, claim.target.value if claim.target.name == "level" else 0)
    yield from game.claimed(claim, assumed, said)
