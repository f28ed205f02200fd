"""One game by itself, in one process: from its rules to all that can be said of it, with nothing to choose.

Bounds and parameter values are chosen by the work that they cost: small tables to learn from, and the largest that the
budget has room for to check on, with two further values of each parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from grundylab.catalogue.files import Catalogue, catalogue_of, typed
from grundylab.catalogue.proofs import with_proofs
from grundylab.catalogue.records import Proofs, Proposed, RowFound, StudyRecord, Verdicts
from grundylab.discover import ENGINES, uses_seed
from grundylab.discover.engines import READERS
from grundylab.errors import GrundylabError, InstanceError
from grundylab.games import Instance, Ruleset, Target
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.games.settings import FEW_VALUES, Room, chosen
from grundylab.language.syntax import TRUE, equalities
from grundylab.pipeline import steps
from grundylab.pipeline.study import RowsAsked, Study, looked_up, values_of
from grundylab.report.account import account
from grundylab.solve import solve
from grundylab.solve.made import digests
from grundylab.solve.memory import check_memory
from grundylab.solve.table import Table
from grundylab.version import __version__

BUDGET = 60.0  # seconds, about
HELD_BACK = 2  # values of a parameter that nothing is learnt from
CELLS, MOVES = 50_000, 10_000_000  # of the tables to check on, for each second of the budget
FARTHEST = 1 << 18
ENGINE, PROOF = 1 / 12, 1 / 6  # of the budget: for one engine and target, and for one proof
ROW = 100_000  # places
PROOFS = Path("results") / "proofs"
NOTHING, NO_PROOFS = Verdicts(), Proofs(proofs=(), comparisons=())
ALONE = 16  # settings of the parameters, at most, that are learnt from one by one


@dataclass(frozen=True)
class Known:
    """What is known so far, and what is being done.

    verdicts: at the tables to check on, or, as long as these are not solved, at those learnt from.
    """

    study: Study
    doing: str
    proposed: tuple[Proposed, ...] = ()
    verdicts: Verdicts = NOTHING
    proofs: Proofs = NO_PROOFS
    rows: tuple[RowFound, ...] = ()

    @cached_property
    def catalogue(self) -> Catalogue:
        """The same as the catalogue of a run of the workflow."""
        study = self.study
        about = {**study.about, "study": study.name, "open": None, "made": study.made}
        verdicts = with_proofs(self.verdicts, self.proofs.proofs, self.proofs.comparisons)
        return catalogue_of([(typed(StudyRecord, about, study.name), verdicts)], self.rows)

    @property
    def open(self) -> Verdicts:
        """What holds and is not proved."""
        return Verdicts(
            formulas=tuple(formula for formula in self.catalogue.formulas if formula.status == "holds"),
            claims=tuple(claim for claim in self.catalogue.claims if claim.status == "holds"),
        )

    @property
    def unproved(self) -> list[Target]:
        """The targets of which a formula holds and none is proved."""
        told = {(formula.target, formula.status) for formula in self.catalogue.formulas}
        return [
            target
            for target in self.study.targets
            if (str(target), "holds") in told and (str(target), "proved") not in told
        ]


@dataclass(frozen=True)
class Account:
    """What is known of a game: ``text`` in words, and as the catalogue of a run has it."""

    text: str
    catalogue: Catalogue

    def __repr__(self) -> str:
        """The words: what a notebook shows."""
        return self.text


def study(game: Ruleset | str, budget: float = BUDGET, folder: str | Path = PROOFS) -> Account:
    """All that can be said of a game, with nothing to choose; see ``studied``.

    game: a ruleset, or the name of one, its file, or its YAML text. budget: seconds, about. folder: below which proofs
    are written. Raises GrundylabError for a family of games.
    """
    from grundylab.api import load  # which a command that gives a ruleset need not import

    asked = study_of(game if isinstance(game, Ruleset) else load(game), budget)
    *_, known = studied(asked, Path(folder) / asked.name)
    return Account(account(known.catalogue), known.catalogue)


def study_of(ruleset: Ruleset, budget: float = BUDGET) -> Study:
    """The study of a game, with all that it asks chosen. Raises GrundylabError for a family of games."""
    if ruleset.free:
        free = ", ".join(each.name for each in ruleset.free)
        raise InstanceError(
            f"{ruleset.name} is a family of games, one for every {free}: give {free} in a ruleset that extends it"
        )
    train = tuple(chosen(ruleset, {}, {}))
    test = _to_check(ruleset, train, budget)
    targets = (P_POSITIONS,) if ruleset.play == "misere" else (P_POSITIONS, GRUNDY)
    files = digests(ruleset.files)
    rows = _rows(ruleset, train)
    values = values_of(ruleset, targets)
    return Study(
        name=ruleset.name,
        version=__version__,
        ruleset=ruleset,
        files=files,
        sources={**files, **digests(looked_up(ruleset))},
        open=None,
        targets=targets,
        values=values,
        engines=dict.fromkeys(targets, tuple(e for e in ENGINES if not uses_seed(e))),
        kept={},
        train=train,
        test=test,
        large=(),
        slabs=1,
        where=TRUE,
        each=False,
        every={},
        prove=(TRUE,),
        rows=rows,
        datasets=(),
        drawn=(values, []),
        seed=0,
        budget=budget * ENGINE,
        proof_timeout=budget * PROOF,
        judges_claims=True,
    )


def _to_check(ruleset: Ruleset, train: tuple[Instance, ...], budget: float) -> tuple[Instance, ...]:
    """The largest tables that there is room for; those learnt from if none are larger."""
    room = Room(int(CELLS * budget), int(MOVES * budget), FARTHEST)
    test = tuple(chosen(ruleset, {}, {}, room, FEW_VALUES + HELD_BACK))
    return max(train, test, key=lambda instances: sum(instance.cells for instance in instances))


def _rows(ruleset: Ruleset, train: tuple[Instance, ...]) -> RowsAsked | None:
    """The Grundy numbers of a single pile, of which the period is looked for; None of another game."""
    if len(ruleset.coordinates) != 1 or ruleset.play == "misere":
        return None
    values = {name: sorted({dict(i.parameters)[name] for i in train}) for name in ruleset.parameter_names}
    rows = RowsAsked(parameters=values, length=ROW, target=str(GRUNDY))
    try:
        rows.check(ruleset)
    except GrundylabError:
        return None
    return rows


def studied(study: Study, folder: Path) -> Iterator[Known]:
    """What is known before each step, which it says it is doing, and at last all. Proofs are written to the folder.

    Who takes no more has what was known then.
    """
    known = Known(study, f"solving {_labels(study.train)}")
    yield known
    for instance in (*study.train, *study.test):
        check_memory(instance)
    tables = [solve(instance, study.values) for instance in study.train]
    for target in study.targets:
        known = replace(known, doing=f"looking for formulas: {target}")
        yield known
        known = _with(known, _proposed(study, target, tables), tables)
    if study.rows is not None:
        from grundylab.pipeline.rows import row_records  # numba takes long to import

        known = replace(known, doing="looking for periods")
        yield known
        folder.mkdir(parents=True, exist_ok=True)
        known = replace(known, rows=tuple(row_records(study.ruleset, study.rows, folder, study.seed)))
    known = replace(known, doing=f"checking at {_labels(study.test)}")
    yield known
    larger = [solve(instance, study.values) for instance in study.test]
    verdicts = steps.judge(study, known.proposed, larger, {})
    known = replace(known, verdicts=verdicts, doing="proving")
    yield known
    known = replace(known, proofs=steps.prove(study, verdicts, folder, {}))
    if len(study.train) > 1 and known.open != NOTHING:
        known = replace(known, doing="proving for each setting of the parameters")
        yield known
        settings = tuple(equalities(instance.parameters) for instance in study.train[:ALONE])
        about = study.model_copy(update={"prove": settings})
        known = _also(known, proofs=steps.prove(about, known.open, folder, {}))
    for target in known.unproved:
        known = replace(known, doing=f"looking for a formula that can be proved: {target}")
        yield known
        known = _with_readers(known, target, tables, larger, folder)
    yield replace(known, doing="")


def _proposed(study: Study, target: Target, tables: Sequence[Table]) -> tuple[Proposed, ...]:
    """What is found for all settings of the parameters together; if that is nothing, for each alone as well."""
    together = steps.propose(study, target, tables)
    found = any(candidate.exact for proposed in together for candidate in proposed.candidates)
    if found or not 1 < len(tables) <= ALONE or study.rows is not None:
        return together
    each = study.model_copy(update={"each": True, "budget": study.budget / len(tables)})
    return (*together, *steps.propose(each, target, tables))


def _with(known: Known, proposed: Iterable[Proposed], tables: Sequence[Table]) -> Known:
    """With what was proposed, judged on the tables that it was learnt from, as long as no larger ones are solved."""
    every = (*known.proposed, *proposed)
    about = known.study.model_copy(update={"judges_claims": False})
    return replace(known, proposed=every, verdicts=steps.judge(about, every, tables, {}))


def _with_readers(
    known: Known, target: Target, tables: Sequence[Table], larger: Sequence[Table], folder: Path
) -> Known:
    """With what the engines find whose answers the prover can read, and the proofs of that."""
    asked = {proposed.engine for proposed in known.proposed if proposed.target == str(target)}
    engines = {target: tuple(engine for engine in READERS if engine not in asked)}
    about = known.study.model_copy(update={"judges_claims": False, "engines": engines})
    proposed = steps.propose(about, target, tables)
    found = steps.judge(about, proposed, larger, {})
    return _also(known, proposed, found, steps.prove(about, found, folder, {}))


def _also(
    known: Known,
    proposed: tuple[Proposed, ...] = (),
    found: Verdicts | None = None,
    proofs: Proofs | None = None,
) -> Known:
    """With these besides."""
    found, proofs = found or NOTHING, proofs or NO_PROOFS
    return replace(
        known,
        proposed=(*known.proposed, *proposed),
        verdicts=Verdicts(
            engines=(*known.verdicts.engines, *found.engines),
            formulas=(*known.verdicts.formulas, *found.formulas),
            claims=known.verdicts.claims,
        ),
        proofs=Proofs(
            proofs=(*known.proofs.proofs, *proofs.proofs),
            comparisons=(*known.proofs.comparisons, *proofs.comparisons),
        ),
    )


def _labels(instances: tuple[Instance, ...]) -> str:
    labels = [instance.label for instance in instances]
    return labels[0] if len(labels) == 1 else f"{labels[0]} to {labels[-1]}"
