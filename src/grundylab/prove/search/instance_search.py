"""The search for evidence by instances: lemmas that may help, and a tree for each sequent that has to be proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from grundylab.errors import GrundylabError
from grundylab.games.load import parent_of
from grundylab.games.lookups import lookup_ruleset
from grundylab.games.model import ALWAYS, GRUNDY, P_POSITIONS, Claim, Ruleset
from grundylab.games.specialise import fixed_values
from grundylab.games.statements import THIS
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Call,
    Expr,
    Int,
    Name,
    called_functions,
    chain,
    compare,
    conjunction,
    conjuncts,
    distinct_parts,
)
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.claims import ProofRoot, root_of, values_name
from grundylab.prove.core.definedness import UnknownDomain
from grundylab.prove.core.evidence import Consequence
from grundylab.prove.core.facts import CoreFact, LemmaInstance
from grundylab.prove.core.foundation import foundation
from grundylab.prove.core.game import rules_alone
from grundylab.prove.core.instances import (
    BRANCHES,
    FoundedGame,
    Lemma,
    LemmaVariable,
    ProofTree,
    assumed_of,
    check_foundation,
    facts_of,
    games_used,
    lemma_of,
)
from grundylab.prove.core.sequent import Universal
from grundylab.prove.core.solution import Core, level_of
from grundylab.prove.hypothesis import claims_without_pass
from grundylab.prove.search.outcomes_of_options import options_tree
from grundylab.prove.search.relation_lemma import relation_lemmas, relation_tree, unit_lemmas
from grundylab.prove.search.residue_lemma import residue_lemmas
from grundylab.prove.search.simplification import simplify_condition
from grundylab.prove.search.tree_search import SearchWork, prove_by_instances
from grundylab.prove.search.value_by_values import image_tree
from grundylab.prove.search.value_of_sum import sum_tree
from grundylab.prove.search.window_lemma import Window, window_lemmas, window_tree
from grundylab.statement import Statement
from grundylab.statement.qualified_names import qualified_game, renamed

MEANING = 44  # decisions for the condition that a statement has a value
FIRST = 44  # decisions without other lemmas than formulas for values
OPTIONS = 2  # decisions for a tree about options, which names all facts
LITTLE = 20  # decisions with each choice of a few lemmas
TACTIC = 60  # decisions for a tree whose cases are known
TACTIC_TOTAL = 400_000_000  # cells of all of them
MOST = 44  # decisions with all lemmas


def instance_evidence(
    statement: Statement, core: Core, work: SearchWork, refused: Sequence[Lemma] = ()
) -> Consequence | None:
    """Return evidence by instances, without proofs of its lemmas; None if none is found with this work.

    refused: lemmas that are not to be used.
    """
    # the rulesets that claims look up in formulas for the Grundy numbers of the game
    claims = (claim for claim in statement.game.claims if claim.target == GRUNDY)
    others = tuple(dict.fromkeys(of for claim in claims for _, of in claim.values if of != THIS))
    for games in dict.fromkeys((others, ())):
        try:
            whole = statement.looking_up(games)
            root = root_of(whole)
            choices = _by_other_games(whole, root) if games else _choices(whole, root)
        except GrundylabError as error:
            work.why = str(error)
            continue
        if (evidence := _by_choices(whole, root, choices, core, work, refused)) is not None:
            return evidence.model_copy(update={"games": games})
    return None


def _by_choices(
    statement: Statement,
    root: ProofRoot,
    choices: Iterable[_Choice],
    core: Core,
    work: SearchWork,
    refused: Sequence[Lemma],
) -> Consequence | None:
    """Return evidence by the first of these choices that leads to a tree, without lemmas that are refused."""
    # a function that is left open may exceed no coordinate at which the rules call it
    bounds = list[_Candidate]()
    for function, game in root.theory.values.items():
        parts = dict.fromkeys(part for expr in rules_alone(game).expressions for part in distinct_parts(expr))
        for call in (part for part in parts if isinstance(part, Call) and part.name in root.theory.free):
            if len(call.arguments) == 1 and call.arguments[0] in [*map(Name, game.coordinate_names)]:
                exceeds_none = compare("<=", call, call.arguments[0])
                lemma = Lemma(values=function, target=ALWAYS, formula=exceeds_none)
                if lemma not in refused and _is_another(root, lemma):
                    bounds.append(_Candidate(lemma))
    key = statement, tuple(candidate.lemma for candidate in bounds)
    for candidates, decisions, given in choices:
        proposed = [candidate for candidate in candidates if candidate.lemma not in refused]
        lemmas, most = frozenset(candidate.lemma for candidate in proposed), min(work.decisions, decisions)
        if candidates and (not proposed or work.has_failed(statement, lemmas, most)):
            continue
        if key not in work.meanings:
            sequent = replace(root.meaning, lemmas=_claims_of(root, bounds))
            work.meanings[key] = prove_by_instances(sequent, replace(work, decisions=MEANING))
        if (meaning := work.meanings[key]) is None:
            return None
        values = frozenset(n for n, candidate in enumerate(proposed) if candidate in given)
        some = replace(work, decisions=most, values=values)
        if (evidence := _by_lemmas(statement, root, meaning, proposed, bounds, core, some)) is not None:
            return evidence
        work.failed.append((statement, lemmas, most))
        work.decisions -= most - some.decisions
        work.total, work.why = some.total, some.why
    return None


def _claims_of(root: ProofRoot, proposed: Sequence[_Candidate]) -> tuple[Universal, ...]:
    return tuple(root_of(lemma_of(root.theory, candidate.lemma)).claim for candidate in proposed)


@dataclass(frozen=True)
class _Candidate:
    """A lemma that may help. window: the pile that it is about, if it is one about a window."""

    lemma: Lemma
    window: Window | None = None


# Lemmas that may be used together, the most decisions, and those whose instances at all values are used at once.
_Choice = tuple[Sequence[_Candidate], int, Sequence[_Candidate]]


def _choices(statement: Statement, root: ProofRoot) -> Iterator[_Choice]:
    """Yield lemmas about the games of the theory, a few at first."""
    windows = [_Candidate(lemma, window) for window, lemma in window_lemmas(root) if _is_another(root, lemma)]
    relations = [_Candidate(lemma) for lemma in relation_lemmas(root) if _is_another(root, lemma)]
    units = [_Candidate(lemma) for lemma in unit_lemmas(root) if _is_another(root, lemma)]
    related = [*relations, *units]
    wider = [_Candidate(lemma) for lemma in _for_any_pass(statement, root)]
    claims = [_Candidate(lemma) for lemma in _lemmas(statement, root)]
    formulas = [claim for claim in claims if claim.lemma.target == GRUNDY]
    own = [c for c in formulas if not called_functions(c.lemma.formula) & root.theory.values.keys()]
    values = sorted(own, key=lambda claim: claim.lemma.where != TRUE)
    every = [*values, *windows, *related, *(claim for claim in claims if claim not in values)]
    residues = [_Candidate(lemma) for lemma in residue_lemmas(root) if _is_another(root, lemma)]
    about_functions = list[_Candidate]()  # that are left open, and about no values
    for claim in (claim for claim in claims if claim.lemma.target == ALWAYS):
        called = called_functions(claim.lemma.formula) | called_functions(claim.lemma.where)
        if called & root.theory.free.keys() and not called & root.theory.values.keys():
            about_functions.append(claim)
    is_plain = statement.target == ALWAYS and not statement.lookups
    few = [
        [claim for claim in claims if is_plain and claim.lemma.target == P_POSITIONS],
        residues,
        units if relations else [],
        related,
        windows,
        [*related, *windows] if related and windows else [],
        wider,
        about_functions,
    ]
    yield from ((some, LITTLE, ()) for some in few if some)
    of_all = [claim for claim in values if claim.lemma.where == TRUE]
    if every != values:
        yield values, FIRST, of_all
    yield every, MOST, of_all


def _by_other_games(statement: Statement, root: ProofRoot) -> Iterator[_Choice]:
    """Yield the formulas for the game's Grundy numbers, and where other games have the one that the statement is about.

    A formula may call Grundy numbers of the other games. There is no choice unless the statement is about one number.
    """
    if statement.target in (ALWAYS, GRUNDY):
        return
    known, level = dict[tuple[str, Expr], _Candidate](), level_of(statement.target)
    for lemma in (lemma for lemma in _lemmas(statement, root) if not lemma.variables):
        if lemma.values == root.own:
            wanted = lemma.target == GRUNDY
        else:
            wanted = lemma.target not in (ALWAYS, GRUNDY) and level_of(lemma.target) == level
        if wanted and lemma.formula not in (TRUE, FALSE):
            known.setdefault((lemma.values, lemma.where), _Candidate(lemma))
    lemmas = [*known.values()]
    yield lemmas, LITTLE, lemmas


def _is_another(root: ProofRoot, lemma: Lemma) -> bool:
    """Tell whether the lemma is a claim of the theory other than the one that is to be proved."""
    try:
        return root_of(lemma_of(root.theory, lemma)).claim != root.claim
    except GrundylabError:
        return False


def _by_lemmas(
    statement: Statement,
    root: ProofRoot,
    meaning: ProofTree,
    proposed: Sequence[_Candidate],
    bounds: Sequence[_Candidate],
    core: Core,
    work: SearchWork,
) -> Consequence | None:
    """Return evidence by these lemmas.

    meaning: a tree, whose lemmas are ``bounds``. These are for well-foundedness, too; the main tree may use them if
    they are needed for the meaning.
    """
    windows = [(number, candidate.window) for number, candidate in enumerate(proposed) if candidate.window]
    lemmas = [*proposed, *bounds]
    meaning = _renumbered(meaning, {n: n + len(proposed) for n in range(len(bounds))})
    claims = _claims_of(root, lemmas)
    measure = root.theory.measure(root.own, tuple(map(Name, statement.game.coordinate_names)))
    if statement.variables and not statement.formula.calls & root.theory.values.keys():
        last = Name(statement.variables[-1].name)
        mentioned = statement.formula.free & {*statement.game.coordinate_names}
        measure = chain("+", (measure, last)) if mentioned else last
    sequent = root.sequent(measure, claims if _lemmas_used(meaning) else claims[: len(proposed)])
    tactic = replace(work, decisions=TACTIC if work.decisions >= LITTLE else 0, total=TACTIC_TOTAL)
    tree = (
        options_tree(root, sequent, replace(work, decisions=min(work.decisions, OPTIONS)))
        or window_tree(root, sequent, replace(tactic))
        or relation_tree(sequent, windows, replace(tactic))
        or image_tree(sequent, replace(tactic))
        or sum_tree(sequent, replace(tactic))
        or prove_by_instances(sequent, work)
    )
    if tree is None:
        return None
    tree = _without_idle_lemmas(tree, len(conjuncts(root.claim.condition)))
    work.values = frozenset()  # the lemmas about values are not for other sequents
    founded = _founded(statement, root, tree, claims, core, work)
    if founded is None:
        return None
    used = sorted(_lemmas_used(tree, meaning, *(t for game in founded for t in game.trees)))
    numbers = {number: index for index, number in enumerate(used)}
    return Consequence(
        measure=measure,
        lemmas=tuple(lemmas[n].lemma for n in used),
        meaning=_renumbered(meaning, numbers),
        tree=_renumbered(tree, numbers),
        founded=tuple(
            FoundedGame(values=game.values, trees=tuple(_renumbered(t, numbers) for t in game.trees))
            for game in founded
        ),
    )


def _lemmas_used(*trees: ProofTree) -> set[int]:
    return {fact.number for tree in trees for fact in facts_of(tree) if isinstance(fact, LemmaInstance)}


def _founded(
    statement: Statement,
    root: ProofRoot,
    tree: ProofTree,
    claims: tuple[Universal, ...],
    core: Core,
    work: SearchWork,
) -> tuple[FoundedGame, ...] | None:
    """Return trees for the well-foundedness of games whose rules automata do not read; None if none are found."""
    founded = list[FoundedGame]()
    for values in games_used(root, tree):
        assumed = assumed_of(statement, root.theory.game(values))
        try:
            check_foundation(core, root, values, assumed, claims, None)
        except (OutsideFragment, UnknownDomain):  # such as a call of a free function
            sequents = foundation(root.theory, values, assumed, root.definedness)
            trees = [prove_by_instances(replace(sequent, lemmas=claims), work) for sequent in sequents]
            if None in trees:
                return None
            founded.append(FoundedGame(values=values, trees=tuple(t for t in trees if t)))
        except GrundylabError as error:
            work.why = str(error)
            return None
    return tuple(founded)


def _lemmas(statement: Statement, root: ProofRoot) -> Iterator[Lemma]:
    """Yield the claims about the games of the theory, without those that say the same in other words.

    A claim is left out if it looks up the values of a game that is not in the theory.
    """
    for values, game in root.theory.values.items():
        parent = parent_of(game)
        above = claims_without_pass(qualified_game(parent), game) if parent else ()
        for claim in (*game.claims, *above):
            alike = claim.target == statement.target != ALWAYS and claim.where == statement.where
            plain = statement.plain and not claim.values and not claim.tables
            if values == root.own and alike and plain:  # another formula for the target is no easier to prove
                continue
            try:
                lemma = _lemma(claim, values, game)
                other = root_of(lemma_of(root.theory, lemma)).claim
                same = simplify_condition(other.said) == simplify_condition(root.claim.said)
                if not same or other.condition != root.claim.condition:
                    yield lemma
            except GrundylabError:
                continue


def _lemma(claim: Claim, values: str, game: Ruleset) -> Lemma:
    """Return a claim about a game as a lemma. values: the function of the game's values."""
    sources = {name: lookup_ruleset(of, game) for name, of in claim.values if of != THIS}
    names = {name: values for name, _ in claim.values}
    names |= {name: values_name(qualified_game(other)) for name, other in sources.items()}
    return Lemma(
        values=values,
        target=claim.target,
        formula=renamed(claim.formula, names),
        where=renamed(claim.where, names),
        variables=tuple(
            LemmaVariable(name=variable.name, low=variable.range.low, high=variable.range.high)
            for variable in claim.variables
        ),
    )


def _for_any_pass(statement: Statement, root: ProofRoot) -> Iterator[Lemma]:
    """Yield the statement without its condition that the pass is used, or is not: an induction needs both."""
    game, flag = statement.game, statement.game.pass_flag
    fixed = fixed_values(statement.where, game.coordinate_names).get(flag or "")
    other = statement.target != ALWAYS or statement.variables or not statement.lookups
    if other or flag is None or fixed is None:
        return
    games = {values_name(statement.game_of(each)): statement.game_of(each) for each in statement.lookups}
    names = {each.name: values_name(statement.game_of(each)) for each in statement.lookups}

    def change(node: Expr) -> Expr:
        if not isinstance(node, Call) or node.name not in games:
            return node
        pairs = zip(games[node.name].coordinate_names, node.arguments, strict=True)
        place = (Name(flag) if name == flag and at == Int(fixed) else at for name, at in pairs)
        return Call(node.name, tuple(place))

    others = (term for term in conjuncts(statement.where) if flag not in term.free)
    formula, where = renamed(statement.formula, names), renamed(conjunction(*others), names)
    yield Lemma(values=root.own, target=ALWAYS, formula=rewrite(formula, change), where=where)


def _without_idle_lemmas(tree: ProofTree, begin: int, gone: tuple[int, ...] = ()) -> ProofTree:
    """Return the tree without instances of lemmas that no decision uses.

    begin: the number of hypotheses above the tree. gone: the numbers of those that were left out there.
    """
    needed, facts = _hypotheses_used(tree), list[CoreFact]()
    for number, fact in enumerate(tree.facts, begin):  # each fact is one hypothesis
        if isinstance(fact, LemmaInstance) and number not in needed:
            gone = (*gone, number)
        else:
            facts.append(fact)
    below = dict[str, ProofTree]()
    for name in BRANCHES:
        branch: ProofTree | None = getattr(tree, name)
        if branch is not None:
            more = name == "yes" or (name == "no" and tree.case is not None)
            below[name] = _without_idle_lemmas(branch, begin + len(tree.facts) + more, gone)
    using = tuple(number - sum(earlier < number for earlier in gone) for number in tree.using)
    return tree.model_copy(update={"facts": tuple(facts), "using": using, **below})


def _hypotheses_used(tree: ProofTree) -> set[int]:
    return {*tree.using}.union(*map(_hypotheses_used, tree.branches))


def _renumbered(tree: ProofTree, numbers: dict[int, int]) -> ProofTree:
    facts = tuple(
        fact.model_copy(update={"number": numbers[fact.number]}) if isinstance(fact, LemmaInstance) else fact
        for fact in tree.facts
    )
    below = {
        name: _renumbered(branch, numbers) for name in BRANCHES if (branch := getattr(tree, name)) is not None
    }
    return tree.model_copy(update={"facts": facts, **below})
