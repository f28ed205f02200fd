"""Coq files of proofs: the game and the claim, which a reader compares with the paper; then the proof and the theorem.

The theorem is about the game as its moves define it: ``coq/Rules.v`` defines the meaning of a ruleset, ``coq/Games.v``
P-positions and Grundy numbers. Coq itself builds the automata and checks the induction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from grundylab.games.model import ALWAYS, Move, Ruleset
from grundylab.language.names import with_plain_names
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.logic.coq_terms import CoqPrinter, coq_string
from grundylab.prove.core.evidence import Evidence, Induction
from grundylab.prove.core.solution import Question, level_of, question_of
from grundylab.prove.core.space import (
    NotProvable,
    check_provable,
    plainly_natural,
    position_space,
    signed_choices,
)
from grundylab.prove.outcome import PROCEDURES
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition
from grundylab.version import __version__

HEAD = """\
From Coq Require Import String List NArith ZArith.
From Grundylab Require Import Games Language Rules Check.
Import ListNotations.
Local Open Scope string_scope. Local Open Scope list_scope. Local Open Scope Z_scope. Local Open Scope rules_scope."""
LAST = "Print Assumptions proved."
ONE_WAY = "that it is false for all other parameters is not in the file"

# the theorem's property of a position, by the kind of claim
_SAID = {
    "p": "Ppos _ (options game par) a <-> at_ game par a claim",
    "misere": "Pmis _ (options game par) a <-> at_ game par a claim",
    "level": "grundy _ (options game par) a {level} <-> at_ game par a claim",
    "grundy": "forall v, grundy _ (options game par) a v <-> number_at game par a claim = Z.of_N v",
    "true": "at_ game par a claim",
}
_BY = ("(check game only_for region whole)", "(ordinary game only_for region whole)")
_SUMS_BY = ("(check_sums game only_for region whole)", "(of_sums game only_for region whole)")
_CHECKS = {  # the check and the theorem that uses it, by the kind of claim; _BY or _SUMS_BY are put in
    "p": ("level_by {by} game only_for region whole 0 about claim", "P_from {right} _"),
    "misere": ("misere_check game only_for region whole about claim", "misere_proved _ _ _ _ _ _"),
    "level": ("level_by {by} game only_for region whole {level} about claim", "level_from {right} _ _"),
    "grundy": ("number_by {by} game only_for region whole about claim", "number_from {right} _"),
    "true": ("follows game only_for true about (is_said game claim)", "always_proved _ _ _ _"),
}
_EXACT = {
    "p": ("exact_level_check game only_for claim", "P_exactly _ _ _"),
}
_THROUGHOUT = """\
Theorem proved : forall par a, parameter_values game par -> given game par only_for ->
  position game par a -> at_ game par a about ->
  ({said})."""
_EXACTLY = """\
Theorem proved : forall par, parameter_values game par ->
  (given game par only_for <-> forall a, position game par a -> ({said}))."""


def coq_path(file: Path, folder: Path) -> Path:
    """Return the path in ``folder`` of a proof's Coq file: the proof's file name, made an identifier of Coq."""
    name = re.sub(r"\W", "_", file.stem, flags=re.ASCII)
    return folder / f"{'_' * (not name[:1].isalpha())}{name}.v"


def no_coq_file(kind: str) -> NotProvable:
    """Return the error for a proof of a kind that cannot be written for Coq. kind: the kind, in words."""
    return NotProvable(
        f"its proof is another one ({kind}), and only single inductions and periods are written for Coq"
    )


def coq_file_of(statement: Statement, evidence: Evidence, name: str, by: str = "") -> str:
    """Return the text of the Coq file of a statement that is proved by a single induction.

    name: the statement's name, for the title. by: the procedures that the proof rests on, for the error. Raises
    OutsideFragment or NotProvable, with the reason, if the proof cannot be written for Coq.
    """
    if not isinstance(evidence, Induction) or evidence.by_premises:
        raise no_coq_file(by or PROCEDURES.get(evidence.kind, evidence.kind))
    game, question = question_of(statement, evidence)
    return induction_coq_text(game, question, f"{name} of {game.name}: {game.title}")


def induction_coq_text(game: Ruleset, question: Question, title: str) -> str:
    """Return the text of an induction's Coq file; raise OutsideFragment or NotProvable if Coq cannot express it."""
    return "\n".join([*_File(game, question).lines(title), ""])


def coq_definition(game: Ruleset, assumed: Expr = TRUE, name: str = "game") -> str:
    """Return the Coq definition of the ruleset, for parameters that fulfil ``assumed``.

    Raises OutsideFragment or NotProvable if it cannot be written for Coq.
    """
    check_provable(game)
    if signed := signed_choices(game.moves):
        raise NotProvable(f"the choice {min(signed)} may be negative, which is not written for Coq")
    for coordinate in game.coordinates:
        if not plainly_natural(coordinate.range.low):
            raise NotProvable(f"{coordinate.name} may begin below 0, which is not written for Coq")
    terms = CoqPrinter(game.functions)
    domain, space = conjunction(game.domain, assumed), position_space(game)
    moves = [_move(move, game.coordinate_names, terms) for move in game.moves]
    named = game.coordinate_names, game.parameter_names
    coordinates, parameters = ("; ".join(map(coq_string, names)) for names in named)
    return f"""\
Definition {name} : rules := {{|
  coordinates := [{coordinates}];
  parameters := [{parameters}];
  domain := {terms.term(domain)}; {coq_comment(f"the parameters: {domain}")}
  space := {terms.term(space)}; {coq_comment(f"the positions: natural numbers, {space}")}
  measure := {terms.term(game.measure)};
  moves := {_list_text(moves)} |}}."""


def coq_comment(text: str) -> str:
    """Return the text as a comment of Coq, without characters that would end the comment or nest another."""
    plain = re.sub(r"(?<=\()(?=\*)|(?<=\*)(?=\))", " ", " ".join(with_plain_names(text).split()))
    return f"(* {plain.replace(chr(34), chr(39))} *)"


def _list_text(terms: Iterable[str]) -> str:
    """Return the terms as a list of Coq, with one term in each line."""
    lines = ";\n".join(f"    {term}" for term in terms)
    return f"[\n{lines}]" if lines else "[]"


def _move(move: Move, names: tuple[str, ...], terms: CoqPrinter) -> str:
    parts = [move.changes(names, number) for number in range(len(move.parts))]
    choices = (
        " ".join(["Choose", coq_string(c.name), *(f"({terms.term(end)})" for end in c.ends)])
        for c in move.choices
    )
    new = (
        "; ".join(f"Becomes {coq_string(name)} ({terms.term(value)})" for name, value in part.items())
        for part in parts
    )
    given = ", ".join(f"{choice.name} in {choice.range}" for choice in move.choices)
    becomes = "; and, in a sum with it, ".join(
        ", ".join(f"{name} becomes {value}" for name, value in part.items()) or "the same" for part in parts
    )
    says = f"{move.name}: {given} when {move.when}: {becomes}"
    if move.a_pass:
        says += "; a pass, which is there where there is another move"
    a_pass = "true" if move.a_pass else "false"
    written = f"[{'; '.join(f'[{part}]' for part in new)}]"
    return (
        f"{coq_comment(says)}\n    Move [{'; '.join(choices)}] ({terms.term(move.when)}) {written} {a_pass}"
    )


class _File:
    def __init__(self, game: Ruleset, question: Question) -> None:
        self._game, self._question = game, question
        self._terms = CoqPrinter(game.functions)
        self._assumed, self._about = split_condition(question.where, game)

    def lines(self, title: str) -> Iterator[str]:
        """Yield the lines of the file."""
        yield coq_comment(f"grundylab {__version__}. {title}.")
        yield "(* To check it: 'make coq' in grundylab's folder, then 'coqc -Q .cache/coq Grundylab THIS-FILE'. *)"
        yield HEAD
        yield "\n(** * What is claimed: compare it with the paper. Rules.v, Language.v, Games.v define the words *)\n"
        yield coq_definition(self._game, self._assumed)
        question, target = self._question, self._question.target
        which = "for exactly which parameters" if self._exactly else "for which parameters"
        if question.exactly and not self._exactly:
            yield coq_comment(ONE_WAY)
        yield from self._defined("only_for : bexp", question.condition, which)
        yield from self._defined("about : bexp", self._about, "of which positions")
        what = {"p": "the P-positions", "grundy": "the Grundy number", "true": "what is true of them"}
        says = what.get(target.name, f"the positions of Grundy number {target.value}")
        kind = "expr" if target.name == "grundy" else "bexp"
        yield from self._defined(f"claim : {kind}", question.formula, says)
        yield "\n(** * The proof, which needs no reading *)\n"
        yield from self._proof()
        yield LAST

    def _defined(self, name: str, expr: Expr, says: str) -> Iterator[str]:
        yield coq_comment(f"{says}: {'all' if expr == TRUE else expr}")
        yield f"Definition {name} := {self._terms.term(expr)}."

    @property
    def _exactly(self) -> bool:
        """True if the file also proves that the claim is false for all other parameters."""
        question, hypothesis = self._question, self._question.formulas
        alone = hypothesis.region == TRUE and question.formula in (hypothesis.grundy, *hypothesis.levels)
        plain = self._about == TRUE and not self._game.splits
        return question.exactly and alone and plain and self._kind in _EXACT

    # -- the proof ------------------------------------------------------------------------------------------

    @property
    def _kind(self) -> str:
        """The kind of the claim: a key of _SAID and _CHECKS."""
        target = self._question.target.name
        return "misere" if target == "p" and self._game.play == "misere" else target

    def _proof(self) -> Iterator[str]:
        kind, exactly = self._kind, self._exactly
        check, theorem = (_EXACT if exactly else _CHECKS)[kind]
        by, right = _SUMS_BY if self._game.splits else _BY
        hypothesis = self._question.formulas
        if not exactly and self._question.target != ALWAYS:
            yield f"Definition region : bexp := {self._terms.term(hypothesis.region)}."
            levels = [*map(self._terms.term, hypothesis.levels)]
            if hypothesis.grundy is not None:
                whole = f"Number ({self._terms.term(hypothesis.grundy)})"
            else:
                whole = f"({levels[0]})" if kind == "misere" else f"Levels {_list_text(levels)}"
            yield f"Definition whole := {whole}."
        level = level_of(self._question.target)
        yield f"Lemma checked : {check.format(by=by, level=level)} = true."
        yield "Proof. vm_cast_no_check (eq_refl true). Qed."
        said = _SAID[kind].format(level=level)
        if self._game.splits:
            said = said.replace("(options game par) a", "(of_sum _ (sums game par)) [a]")
        yield (_EXACTLY if exactly else _THROUGHOUT).format(said=said)
        yield f"Proof. exact ({theorem.format(right=right)} checked). Qed."
