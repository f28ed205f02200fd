"""The search for a proof of a statement: methods in order, then the gate, then a second opinion.

``gl.prove``, the command line and the workflow call this module. A method finds evidence, from which the kernel makes
a theorem; only theorems are reported as proved. Rows of positions are proved by the same kernel
(``pipeline/rows_and_heaps.py``).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from grundylab.check.judging import judge_table
from grundylab.errors import GrundylabError
from grundylab.games.load import parent_of
from grundylab.games.model import P_POSITIONS, Claim, OptionCondition, Ruleset
from grundylab.games.settings import possible_settings
from grundylab.games.specialise import fixed_values
from grundylab.language.names import with_plain_names
from grundylab.language.syntax import FALSE, TRUE, Expr, called_functions, conjunction, conjuncts, free_names
from grundylab.prove.core.claims import with_values_names
from grundylab.prove.core.computed import Wrong, positions
from grundylab.prove.core.evidence import Computed, Consequence, Evidence, Induction, Runs
from grundylab.prove.core.instances import Lemma, ProofTree
from grundylab.prove.core.kernel import SUMS_UNDER_MISERE, Kernel
from grundylab.prove.core.runs.run_ends import check_ends, game_and_formula
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.gate import gate_report
from grundylab.prove.ground_truth import confirm_counterexample
from grundylab.prove.inductions import InductionSearch, prove_by_induction, undecided_proof
from grundylab.prove.outcome import NEUTRAL, Disagreement, GateReport, Limits, Proof
from grundylab.prove.proof_files import check_proof_file
from grundylab.prove.rule_candidates import candidates
from grundylab.prove.search.instance_search import instance_evidence
from grundylab.prove.search.tree_search import SearchWork
from grundylab.prove.second_opinion import opinion_on_theorem
from grundylab.prove.witness_search import witness_of
from grundylab.records.proofs import Opinion
from grundylab.statement import Statement, statement_about
from grundylab.statement.qualified_names import qualified_game, renamed, renamed_claim
from grundylab.statement.statement import renaming_for

DECISIONS_A_SECOND = 8  # of a search for instances, for each second of a question's timeout
A_FEW = 12  # decisions of a search for instances before rules with premises
LEMMA_CHOICES = 2  # trees that are tried, each without the lemmas of earlier ones that are not proved


def prove_claim(
    ruleset: Ruleset,
    claim: Claim,
    where: Expr = TRUE,
    *,
    parent: Ruleset | None = None,
    helpers: Sequence[Claim] = (),
    question: bool = False,
    limits: Limits | None = None,
    context: ProofContext | None = None,
) -> Proof:
    """Prove or refute the claim at all positions, of every size, and all parameters, that also fulfil ``where``.

    parent: the ruleset that this one extends; its claims may help, like the ruleset's own. helpers: further claims that
    may help, such as formulas found. No helping claim is believed: an induction that uses one proves it as well.
    question: True to ask for which parameters the claim holds. The proof is then about these parameters, if there are
    any, and has the condition on them. False to assert the claim for all parameters; if that is refuted, the prover
    then looks for the parameters for which it holds. context: results shared by the claims of one ruleset.

    Raises FormulaError if the formula does not fit the target, InstanceError if ``where`` fixes a parameter outside its
    domain, RulesetError for a faulty move in a small table, EvaluationError if ``where`` has no value somewhere, and
    Disagreement if MONA finds a proof wrong.
    """
    started = time.perf_counter()
    statement, names = statement_about(ruleset, claim, where), renaming_for(ruleset, claim)
    more = tuple(renamed_claim(helper, names, ruleset) for helper in helpers)
    statement = replace(statement, game=replace(statement.game, claims=(*statement.game.claims, *more)))
    context = context or ProofContext(limits)
    prover = _Prover(context, limits or Limits(), more)
    fixed = fixed_values(statement.where, ruleset.parameter_names)
    question = question and len(fixed) < len(ruleset.parameters)
    options = isinstance(claim.printed, OptionCondition) and claim.plain
    above = parent and qualified_game(parent)
    proof = prover.prove(statement, question, above, options)
    if proof.theorem is not None:  # it may be a premise of what is asked next
        context.proofs[with_values_names(proof.theorem.statement).key] = proof
    key = statement_about(ruleset, claim).key
    return replace(_in_own_names(proof, claim, key), seconds=time.perf_counter() - started)


def for_which(ruleset: Ruleset, claim: Claim, where: Expr = TRUE) -> bool:
    """Tell whether to ask for which parameters the claim is true: yes unless a condition mentions parameters."""
    return not free_names(conjunction(claim.where, where)) & set(ruleset.parameter_names)


def proved_alike(
    ruleset: Ruleset, claim: Claim, where: Expr, theorem: Theorem, context: ProofContext, limits: Limits
) -> Proof | None:
    """Return the proof of a claim by the evidence of a theorem about the same positions, whose formula is another one.

    None if the conditions differ, or if the evidence does not prove the claim.
    """
    statement, evidence = statement_about(ruleset, claim, where), theorem.evidence
    if set(conjuncts(statement.where)) != set(conjuncts(theorem.statement.where)):
        return None
    if isinstance(evidence, Induction):  # for which parameters it is false is the theorem's
        evidence = evidence.model_copy(update={"exactly": False})
    try:
        proof = _proof_of(statement, context.kernel.check(statement, evidence))
    except GrundylabError:
        return None
    proof = _Prover(context, limits, ()).concluded(statement, proof)
    return _in_own_names(proof, claim, "") if proof.theorem else None


def certified_proof(record: Any, ruleset: Ruleset) -> Proof:  # noqa: ANN401 - what a JSON file has
    """Return the proof in a proof file, checked by the kernel and tested by the gate, without a second opinion.

    record: the data of the JSON file. Raises Refused, or another GrundylabError, if the file proves nothing.
    """
    limits = Limits()
    context = ProofContext(limits)
    theorem = check_proof_file(record, ruleset, context.kernel)
    statement = theorem.statement
    proof = _Prover(context, limits, ()).concluded(statement, _proof_of(statement, theorem), opinion=False)
    claim = Claim("", statement.target, in_own_names(statement.formula))
    return _in_own_names(proof, claim, statement.key)


class ProofContext:
    """Results shared by several statements about one ruleset: the kernel, and proofs of claims and premises by key.

    The keys are those of statements in which the values of each game have one name. meanings: as in ``SearchWork``.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.kernel = Kernel((limits or Limits()).cells)
        self.proofs: dict[str, Proof] = {}
        self.meanings = dict[tuple[Statement, tuple[Lemma, ...]], ProofTree | None]()


class _Prover:
    """A search for proofs. helpers: claims that may help, in addition to those of the rulesets."""

    def __init__(self, context: ProofContext, limits: Limits, helpers: tuple[Claim, ...]) -> None:
        self._context, self._kernel, self._limits = context, context.kernel, limits
        self._helpers = helpers

    def prove(
        self,
        statement: Statement,
        question: bool,
        parent: Ruleset | None,
        options: bool = False,
        premise: bool = False,
    ) -> Proof:
        """Return the outcome for the statement.

        question, parent: as in ``prove_claim``. options: whether the claim is printed as a condition on options.
        premise: True for a premise of another proof; it may be about no position.
        """
        if statement.game.misere_sums:  # no rule reads them
            return undecided_proof(statement, SUMS_UNDER_MISERE)
        if options:  # the moves need not lead to positions for the formula to be true
            seen = gate_report(statement.game, statement.claim(), rules_only=True)
            if seen.fault is not None:
                return undecided_proof(statement, seen.fault)
        search = InductionSearch(self._kernel, self._limits, parent)

        proof = self._by_methods(statement, question, search, options)
        proof = self.concluded(statement, proof, question, premise)
        if (
            proof.status == "refuted"
            and not question
            and proof.automaton is not None
            and proof.condition != FALSE
        ):
            rest = self.prove(statement, True, parent, options)
            proof = replace(proof, but=rest if rest.status == "proved" else None)
        return proof

    # -- methods --------------------------------------------------------------------------------------------------

    def _by_methods(
        self,
        statement: Statement,
        question: bool,
        search: InductionSearch,
        options: bool,
    ) -> Proof:
        """Return the result of the first method that decides the statement, before the gate; else an undecided one."""
        reason = unprovable(statement)
        proof = (
            prove_by_induction(statement, question, search)
            if reason is None
            else undecided_proof(statement, reason)
        )
        for method in (runs_evidence, _period_evidence) if proof.status == "undecided" else ():
            if (evidence := method(statement)) and (theorem := self._theorem(statement, evidence)):
                return _proof_of(statement, theorem)
        if proof.status != "undecided" or (question and reason is None and not options):
            return proof
        if computed := self._by_computing(statement):
            return computed
        seen = gate_report(statement.game, statement.claim())  # rules search long, and in vain if it is false
        if seen.wrong is not None:
            return replace(proof, status="refuted", reason=None, counterexample=seen.wrong)
        rules = list(candidates(statement))
        if rules and (few := self._by_instances(statement, A_FEW)):
            return few
        for candidate in rules:
            try:
                needed = self._kernel.checked_premises(statement, candidate)
            except GrundylabError:  # the rule does not fit, or its premises get too large
                continue
            proofs = self.premises(needed)
            if proofs is not None and (proved := self._with_premises(statement, candidate, proofs)):
                return proved
        return self._by_instances(statement) or proof

    def _theorem(self, statement: Statement, evidence: Evidence) -> Theorem | None:
        try:
            return self._kernel.check(statement, evidence)
        except GrundylabError:  # the kernel refuses the evidence
            return None

    def _by_computing(self, statement: Statement) -> Proof | None:
        """Return the outcome of computing all positions; None if they are infinitely many or too many."""
        try:
            theorem = self._kernel.check(statement, Computed())
            seen = positions(statement, self._kernel)
        except Wrong as wrong:
            example = judge_table(statement.claim(), wrong.table).counterexample
            if example is None:
                return None
            bare = undecided_proof(statement, "")
            return replace(bare, status="refuted", reason=None, counterexample=example)
        except GrundylabError:  # infinitely many, or not known to be finitely many
            return None
        return replace(_proof_of(statement, theorem), looked=GateReport(seen, 0, True))

    def _by_instances(self, statement: Statement, decisions: int | None = None) -> Proof | None:
        """Return the proof by instances of facts, lemmas among them; None if none is found.

        decisions: how many are left to automata; None for as many as the time limit allows.
        """
        refused, work = list[Lemma](), SearchWork(meanings=self._context.meanings)
        most = min(work.decisions, int(DECISIONS_A_SECOND * self._limits.timeout))
        work = replace(work, decisions=most if decisions is None else min(most, decisions))
        for _ in range(LEMMA_CHOICES):
            try:
                evidence = instance_evidence(statement, self._kernel, replace(work), refused)
                if evidence is None:
                    return None
                needed = self._kernel.checked_premises(statement, evidence)
            except GrundylabError:
                return None
            proofs = [self.premises([premise]) for premise in needed]
            if None in proofs:
                pairs = zip(evidence.lemmas, proofs, strict=True)
                refused += [lemma for lemma, proof in pairs if proof is None]
                continue
            if proof := self._with_premises(statement, evidence, [p for one in proofs if one for p in one]):
                return proof
        return None

    def _with_premises(self, statement: Statement, bare: Evidence, proofs: Sequence[Proof]) -> Proof | None:
        """Return the proof by evidence whose premises have these proofs; None if the kernel refuses it."""
        evidence = bare.model_copy(update={"premises": tuple(proof.evidence for proof in proofs)})
        if (theorem := self._theorem(statement, evidence)) is None:
            return None
        # no other procedure reads instances, whatever it says of their lemmas
        second = None if isinstance(evidence, Consequence) else joint_opinion(proofs)
        return replace(_proof_of(statement, theorem), premises=tuple(proofs), second=second)

    def premises(self, needed: Sequence[Statement]) -> list[Proof] | None:
        """Return a proof of each premise; None if one is not proved."""
        proofs = []
        for premise in needed:
            try:
                proof = self._premise(premise)
            except Disagreement:
                raise  # the run must stop
            except GrundylabError:  # the premises get too large
                return None
            if proof.theorem is None or proof.theorem.statement != premise:
                return None
            proofs.append(proof)
        return proofs

    def _premise(self, statement: Statement) -> Proof:
        proofs, key = self._context.proofs, with_values_names(statement).key
        earlier = proofs.get(key)
        if earlier and earlier.theorem and earlier.theorem.statement != statement:
            # its look-ups have other names
            theorem = self._theorem(statement, earlier.theorem.evidence)
            return undecided_proof(statement, "") if theorem is None else replace(earlier, theorem=theorem)
        if earlier is None:  # several statements may share a premise
            proofs[key] = undecided_proof(statement, "a premise cannot rest on itself")
            game, parent = statement.game, parent_of(statement.game)
            functions, claims = {function.name for function in game.functions}, list(game.claims)
            for helper in self._helpers:  # one about another game has other functions, or coordinates
                called = called_functions(helper.formula) | called_functions(helper.where)
                names = free_names(helper.formula) | free_names(helper.where)
                if helper.plain and called <= functions and names <= {*game.formula_names}:
                    claims.append(helper)
            helped = replace(statement, game=replace(game, claims=tuple(claims)))
            above = parent and qualified_game(parent)
            proofs[key] = self.prove(helped, False, above, premise=True)
        return proofs[key]

    # -- the gate, the second opinion and the witness -------------------------------------------------------------

    def concluded(
        self,
        statement: Statement,
        proof: Proof,
        question: bool = False,
        premise: bool = False,
        opinion: bool = True,
    ) -> Proof:
        """Return the outcome to report for a method's result: tested by the gate, with a second opinion and a witness.

        The gate may also refute an undecided statement, unless it is a premise, or the question is for which parameters
        it is true. opinion: False for no second opinion.
        """
        if proof.status == "undecided" and possible_settings(statement.game, statement.where) == frozenset():
            return replace(proof, reason="nothing is asked: no parameter value fulfils the conditions")
        asked = statement if proof.theorem is None else proof.theorem.statement
        if proof.status == "refuted" or (proof.theorem is None and (question or premise)):
            return proof
        if proof.evidence == Computed():  # every position has been looked at already
            return proof if premise else self._with_witness(asked, proof)
        seen = gate_report(asked.game, asked.claim(), TRUE, proof.holds_for)
        if proof.theorem is None:
            wrong = seen.wrong
            if wrong is None and seen.contradicted is not None and asked.plain:
                said = asked.formula, asked.target, asked.where
                with suppress(GrundylabError):  # a table has the position where the gate saw a contradiction
                    verdict = confirm_counterexample(asked.game, *said, *seen.contradicted)
                    wrong = None if verdict is None else verdict.counterexample
            if wrong is None:  # a contradiction may be the rules' fault: the reason tells
                return proof
            return replace(proof, status="refuted", reason=None, counterexample=wrong)
        if seen.bad:  # then the statement is refuted, or undecided if the rules are at fault
            bare = Proof(
                "undecided", proof.formula, proof.target, proof.where, fixed=proof.fixed, looked=seen
            )
            why = f"the kernel called it proved ({proof.by}), and the gate found it wrong; please report this"
            if seen.fault is not None:
                return replace(bare, reason=f"{seen.fault}: {why}")
            reason = f"{seen.contradiction}: {why}" if seen.wrong is None else why
            return replace(bare, status="refuted", counterexample=seen.wrong, reason=reason)
        if opinion and not proof.premises:
            second, script = opinion_on_theorem(proof.theorem, self._limits)
            proof = replace(proof, second=second, script=script)
        proof = replace(proof, looked=seen)
        return proof if premise else self._with_witness(asked, proof)

    def _with_witness(self, statement: Statement, proof: Proof) -> Proof:
        """Return the proof, or an undecided one if no witness is found (a position that the statement is about)."""
        if witness_of(statement, self._kernel, lambda needed: self.premises(needed) is not None) is not None:
            return proof
        if statement.game.free:
            names = " and ".join(f"{with_plain_names(free.name)}()" for free in statement.game.free)
            why = f"no function was found that can be {names}"
            why += "" if statement.where == TRUE else f" and fulfils {with_plain_names(str(statement.where))}"
        elif statement.variables:
            names = " and ".join(variable.name for variable in statement.variables)
            why = f"no value of {names} was found at any position"
        else:
            why = f"no position was found that fulfils {with_plain_names(str(statement.where))}"
        bare = Proof(
            "undecided", proof.formula, proof.target, proof.where, fixed=proof.fixed, looked=proof.looked
        )
        return replace(bare, reason=f"nothing is asked: {why}")


def unprovable(statement: Statement) -> str | None:
    """Return the reason why the statement cannot be written in the automata's logic; None if it can."""
    if statement.game.free:
        name = with_plain_names(statement.game.free[0].name)
        return f"it is about every function {name}(), and the logic has numbers only"
    if statement.tables:
        return "it has a printed table, and the logic has formulas only"
    for lookup in statement.lookups:
        name = with_plain_names(lookup.name)
        game = f"{lookup.source} ruleset"
        return f"{name}() is the Grundy number of a position of {game}, of which the logic knows no formula"
    return None


def runs_evidence(statement: Statement) -> Runs | None:
    """Return the evidence that the P-positions form the runs whose ends the formula gives; None if they may not."""
    if statement.target != P_POSITIONS or not statement.plain:
        return None
    try:
        check_ends(*game_and_formula(statement))
    except GrundylabError:  # a game or formula of another kind
        return None
    return Runs()


def _period_evidence(statement: Statement) -> Evidence | None:
    from grundylab.prove.period_search import period_evidence  # numba takes a second to import

    return period_evidence(statement)


def _proof_of(statement: Statement, theorem: Theorem) -> Proof:
    fixed = tuple(fixed_values(statement.where, statement.game.parameter_names).items())
    bare = Proof("proved", statement.formula, statement.target, statement.where, fixed=fixed)
    return replace(bare, condition=TRUE, theorem=theorem)


def joint_opinion(proofs: Sequence[Proof]) -> Opinion | None:
    """Return the second opinion that stands for all the proofs.

    If an opinion is missing (None) or does not agree, it is returned, the earliest one of several. If all agree, that
    of the first proof is returned. Proofs that need no second opinion (NEUTRAL) are ignored; None if no other is left.
    """
    opinions = [proof.second for proof in proofs if proof.by not in NEUTRAL]
    missing = [opinion for opinion in opinions if opinion is None or opinion.status != "agrees"]
    return missing[0] if missing else next(iter(opinions), None)


# -- from the unique names of statements to the names in a ruleset --------------------------------------------------


def _in_own_names(proof: Proof, claim: Claim, key: str) -> Proof:
    """Return the claim's proof, with functions under the names of their ruleset, and with the claim's key."""
    example = proof.counterexample
    if example is not None:
        functions = {with_plain_names(name): function for name, function in example.functions.items()}
        example = replace(example, functions=functions)
    return replace(
        proof,
        key=key,
        formula=claim.formula,
        where=in_own_names(proof.where),
        condition=proof.condition and in_own_names(proof.condition),
        playable=proof.playable and in_own_names(proof.playable),
        reason=proof.reason and with_plain_names(proof.reason),
        counterexample=example,
        but=proof.but and _in_own_names(proof.but, claim, key),
    )


def in_own_names(expr: Expr) -> Expr:
    """Return the expression with its functions under the names of their rulesets."""
    return renamed(expr, {name: with_plain_names(name) for name in called_functions(expr)})
