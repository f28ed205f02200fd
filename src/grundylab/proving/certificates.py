"""Certificates as files: what they state, checked again from the ruleset alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grundylab.formula import parse, parse_condition
from grundylab.formula.syntax import Expr
from grundylab.proving import heap_certificate, intervals, row_certificate
from grundylab.proving.heap_certificate import HeapCertificate, check_formula, check_heap
from grundylab.proving.polys import NoForm
from grundylab.proving.recurrence import CertificateError
from grundylab.proving.row_certificate import check_row, read_row
from grundylab.proving.second import opinion
from grundylab.rulesets.model import P_POSITIONS, Ruleset, parse_target
from grundylab.rulesets.specialise import fixed_by, specialise

MOST_PLACES = 5_000_000  # of all layers of a row's certificate; each takes microseconds
MOST_HEAPS = 100_000  # tokens of the largest heap; the work grows with the square


def check_certificate(record: Mapping[str, Any], ruleset: Ruleset) -> str:
    """What the certificate proves, in a line. Raises CertificateError, or another error, if it proves nothing."""
    if not isinstance(record, Mapping):
        raise CertificateError("this is no certificate")
    try:
        return _checked(record, ruleset)
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as problem:  # of an odd shape
        raise CertificateError(f"this is no certificate ({type(problem).__name__}: {problem})") from problem


def _checked(record: Mapping[str, Any], ruleset: Ruleset) -> str:
    if "natural" in record:
        return _check_runs(record, ruleset)
    kind = record.get("certificate")
    if kind == row_certificate.KIND:
        found = read_row(record, ruleset)
        places = sum(max(0, one.first) + max(0, one.period) for one in found.recurrences)
        if places > MOST_PLACES:
            raise CertificateError(
                f"it takes {places:,} places of rows; at most {MOST_PLACES:,} are gone through"
            )
        check_row(found)
        listed = f"; the {len(found.positions)} entries of its listing" if found.positions else ""
        listed += "; its formula" if found.formula is not None else ""
        return (
            f"the row {found.game.describe(found.layer)} along {' and '.join(found.game.axes)}: "
            f"period and saltus {found.period} from {found.preperiod} on{listed}"
        )
    if kind == heap_certificate.KIND:
        return _check_heap(record, ruleset)
    if kind == opinion.KIND:
        return _check_induction(record, ruleset)
    raise CertificateError("this is no certificate")


def _check_induction(record: Mapping[str, Any], ruleset: Ruleset) -> str:
    found = opinion.Opinions(ruleset, opinion.PATIENT).of(record)
    if found.status != "agrees":
        raise CertificateError(f"the second checker does not reach it: {found.reason}")
    return f"{record['target']}: {record['formula']} where {opinion.where_of(record)}, by induction; {opinion.BY}"


def _check_runs(record: Mapping[str, Any], ruleset: Ruleset) -> str:
    try:
        where = parse_condition(record["where"])
        game = specialise(ruleset, fixed_by(where, ruleset.parameter_names))
        if record["hash"] != game.hash:
            raise CertificateError("the certificate is of another game, or of another version of it")
        formula = game.check_formula(parse(record["statement"].removeprefix("p: ")), P_POSITIONS)
        intervals.check(game, formula, record)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise CertificateError(f"this is no certificate of runs: {problem}") from None
    except (intervals.NotIntervals, NoForm) as problem:
        raise CertificateError(str(problem)) from None
    return f"p: {formula} where {where}"


def _check_heap(record: Mapping[str, Any], ruleset: Ruleset) -> str:
    try:
        game = specialise(ruleset, record["parameters"])
        if record["hash"] != game.hash:
            raise CertificateError("the certificate is of another game, or of another version of it")
        found = HeapCertificate(game, *(int(record[key]) for key in ("first", "period", "until")))
        target, formula = parse_target(record["target"]), parse(record["formula"])
        where: Expr = game.check_condition(parse_condition(record["where"]))
    except (KeyError, TypeError, ValueError) as problem:
        raise CertificateError(f"this is no certificate of a heap: {problem}") from None
    if (largest := max(found.first, found.period, found.until + found.period)) > MOST_HEAPS:
        raise CertificateError(
            f"it takes heaps of {largest:,} tokens; at most {MOST_HEAPS:,} are gone through"
        )
    check_formula(check_heap(found), game, game.check_formula(formula, target), target, where)
    return (
        f"{target}: {formula} where {where}; Grundy numbers with period {found.period} from {found.first} on"
    )
