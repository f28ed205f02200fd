"""Formulas that are proved for several settings of the parameters, one by one, as one statement about all of these.

The joined statement is proposed, and not yet proved: the prover is asked about it like about any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from grundylab.check.shares import SplitCounts
from grundylab.findings.claim_layout import claim_latex
from grundylab.findings.study_questions import is_proved_at
from grundylab.findings.wording import is_partly_proved
from grundylab.games import Claim, Ruleset
from grundylab.games.specialise import fixed_values
from grundylab.language import Expr
from grundylab.language.syntax import Compare, Int, Name, conjunction, conjuncts, disjunction, equalities
from grundylab.records.finding import Finding, Numbers, SplitName, joint_tables
from grundylab.statement import statement_about

_Setting = tuple[tuple[str, int], ...]


def join_settings(ruleset: Ruleset, findings: Iterable[Finding]) -> list[tuple[Finding, list[Numbers]]]:
    """Return one statement, with its settings, for each formula that is proved for two settings of all parameters.

    Its condition lists the settings, and its numbers of positions are the sums of theirs. Formulas for which it is
    already among the findings are left out.
    """
    every, names = list(findings), ruleset.parameter_names
    alike: dict[tuple[object, Expr], dict[_Setting, Finding]] = {}
    for finding in every:
        setting = fixed_values(finding.where, names)
        if finding.status == "proved" and len(setting) == len(names) > 0 and not is_partly_proved(finding):
            fixed = conjuncts(equalities(setting.items()))
            rest = conjunction(*(term for term in conjuncts(finding.where) if term not in fixed))
            settings = alike.setdefault((replace(finding, where=rest).statement, rest), {})
            settings.setdefault(tuple((name, setting[name]) for name in names), finding)
    whole = [
        (
            _join(ruleset, rest, settings),
            list[Numbers](map(dict, settings)),
        )
        for (_, rest), settings in alike.items()
        if len(settings) > 1
    ]
    statements = {own.statement for own in every}
    return [(joined, settings) for joined, settings in whole if joined.statement not in statements]


def proved_whole(whole: Finding, settings: Iterable[Numbers]) -> Finding | None:
    """Return a joined statement with the proofs that cover all its settings; None if it has none.

    The prover may find more: the condition under which the formula is true. It is true at these settings.
    """
    proved, each_setting = [replace(whole, proofs=(proof,)) for proof in whole.proved], list(settings)
    proofs = tuple(
        replace(one.proofs[0], where=whole.where, exactly=False)
        for one in proved
        if all(is_proved_at(one, setting) for setting in each_setting)
    )
    return replace(whole, proofs=proofs) if proofs and whole.status == "proved" else None


def is_joined(finding: Finding, others: Iterable[Finding], parameters: tuple[str, ...]) -> bool:
    """Tell whether another finding joins this one, about a single setting, with those of other settings."""
    setting = fixed_values(finding.where, parameters)
    return bool(setting) and any(
        other.origin.derived
        and other.formula == finding.formula
        and (other.ruleset, other.target) == (finding.ruleset, finding.target)
        and fixed_values(other.where, parameters) == {}
        and is_proved_at(other, setting)
        for other in others
    )


def _join(ruleset: Ruleset, rest: Expr, by_setting: Mapping[_Setting, Finding]) -> Finding:
    """Return the joined statement. rest: the condition of all parts, but for the settings."""
    parts, settings = list(by_setting.values()), sorted(by_setting)
    first, lowest, highest = parts[0], settings[0], settings[-1]
    if len(lowest) == 1 and 2 < len(settings) == highest[0][1] - lowest[0][1] + 1:
        (name, low), (_, high) = lowest[0], highest[0]
        region: Expr = Compare(("<=", "<="), (Int(low), Name(name), Int(high)))
    else:
        region = disjunction(*map(equalities, settings))
    where = conjunction(rest, region)
    values = tuple(first.values.items())
    claim = Claim("", first.target, first.formula, where, values=values)
    learnt = joint_tables(part.origin.learnt for part in parts)
    tables = dict[SplitName, SplitCounts]()
    for split in first.tables:
        counts = [part.tables[split] for part in parts if split in part.tables]
        conditions = all(one.true_right is not None and one.true_total is not None for one in counts)
        tables[split] = SplitCounts(
            right=sum(one.right for one in counts),
            checked=sum(one.checked for one in counts),
            total=sum(one.total for one in counts),
            true_right=sum(one.true_right or 0 for one in counts) if conditions else None,
            true_total=sum(one.true_total or 0 for one in counts) if conditions else None,
            instances={label: count for one in counts for label, count in one.instances.items()},
        )
    return replace(
        first,
        where=where,
        key=statement_about(ruleset, claim).key,
        stated=claim_latex(replace(claim, values=()), ruleset),
        origin=replace(first.origin, learnt=learnt, equation="", derived=True),
        tables=tables,
        proofs=(),
        comparison=None,
        relation=None,
        open=None,
    )
