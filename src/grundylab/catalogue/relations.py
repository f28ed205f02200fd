"""What a formula is to the published claims, as records: at the tables, by proof, and the last word on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grundylab.catalogue.proved import beyond, region_of, united
from grundylab.errors import GrundylabError
from grundylab.games import Ruleset, Target, parse_target
from grundylab.games.instance import Instance
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.syntax import FALSE, Int, Name, compare, conjunction, disjunction
from grundylab.prove.comparing import Said, asking, at_positions_of, claims_on, compared, spoken_of, terminal
from grundylab.prove.everywhere import true_everywhere
from grundylab.prove.outcome import Limits
from grundylab.solve.table import Table

Record = dict[str, Any]

RELATIONS = ("rediscovers", "corrects", "extends", "uncompared", "new")
_TEXTS = {"differs": "differs from", "uncompared": "could not be compared with"}


def at_tables(
    ruleset: Ruleset, parent: Ruleset | None, formula: Expr, target: Target, where: Expr, tables: Sequence[Table]
) -> Record:  # fmt: skip
    """The formula beside the claims at the tables' positions; ``bound`` names the instances.

    ``plain``: the positions of which no claim speaks, if no move is possible at any.
    """
    ask, claims = asking(at_positions_of(tables), "tables"), claims_on(ruleset, parent, target)
    found = compared(ruleset, formula, where, claims, ask)
    plain: Expr = FALSE
    if found["covered"] is False:
        same = {row["claim"] for row in found["with"] if row["same"]}
        spoken, _ = spoken_of(ruleset, formula, where, (c for c in claims if c.claim in same), ask)
        plain = terminal(spoken, where, tables)
        if plain != FALSE:
            found = compared(ruleset, formula, where, claims, ask, plain=plain)
    return {**found, "bound": [table.instance.label for table in tables], "plain": str(plain)}


def agreeing(comparison: Mapping[str, Any]) -> list[str]:
    """The claims about this game that say the same as the formula, of nothing that it does not speak of."""
    return [row["claim"] for row in comparison["with"] if row["own"] and row["same"] and row["within"]]


def by_proof(
    ruleset: Ruleset,
    parent: Ruleset | None,
    judged: Mapping[str, Any],
    proofs: Sequence[Record],
    tested: Sequence[Instance],
    limits: Limits,
) -> list[Record]:
    """The comparisons of what holds, by MONA and by what is proved.

    judged: the study's verdicts; tested: its test instances, whose parameters a formula is about that is not proved. A
    record has the formula, its target, where it is true, and its comparison; each formula once. A comparison is by
    proof for the parameters and positions in its ``where`` only: where the formula is proved, or was tested.
    """

    def decide(condition: Expr, where: Expr) -> bool | None:
        return true_everywhere(ruleset, condition, where, limits)

    found, seen = [], set[tuple[str, str, str]]()
    for record in judged["formulas"]:
        key = (record["formula"], record["target"], record["where"])
        if record["status"] != "holds" or record.get("values") or key in seen:
            continue
        seen.add(key)
        try:
            formula, target = parse(record["formula"]), parse_target(record["target"])
            where = parse_condition(record["where"])
            ruleset.check_formula(formula, target)
        except GrundylabError:
            continue
        mine = [p for p in proofs if (p["formula"], p["target"], p["about"]) == key]
        regions = [region for proof in mine if (region := region_of(proof)) is not None]
        about = united(regions) if regions else where_tested(ruleset, where, tested)
        further = united(beyond(where, region) for region in regions) if regions else beyond(where, about)
        same = _both_proved(proofs, record["target"]) if regions else {}
        plain = parse_condition(record["comparison"]["plain"])
        claims, ask = claims_on(ruleset, parent, target), asking(decide, "proof")
        comparison = compared(ruleset, formula, about, claims, ask, same, plain)
        comparison["where"] = str(further)
        found.append(
            {**dict(zip(("formula", "target", "where"), key, strict=True)), "comparison": comparison}
        )
    return found


def beside_proved(ruleset: Ruleset, where: Expr, claims: Sequence[Said], limits: Limits) -> Record:
    """The comparison of a formula that is proved where this is true with claims that follow from its proof."""

    def decide(condition: Expr, about: Expr) -> bool | None:
        return true_everywhere(ruleset, condition, about, limits)

    ask = asking(decide, "proof")
    rows = [
        {
            "claim": said.claim, "own": said.own, "fact": said.fact, "meet": True, "same": True,
            "within": ask(where, said.where).truth, "by": "proof",
        }
        for said in claims
    ]  # fmt: skip
    covered = ask(disjunction(*dict.fromkeys(said.where for said in claims)), where)
    return {"with": rows, "covered": covered.truth, "by": "proof", "bound": None}


def where_tested(ruleset: Ruleset, where: Expr, tested: Sequence[Instance]) -> Expr:
    """The condition, for the parameter values of the instances only."""
    settings = {instance.parameters for instance in tested}
    each = [
        conjunction(*(compare("==", Name(name), Int(value)) for name, value in setting))
        for setting in sorted(settings)
    ]
    return conjunction(where, disjunction(*each)) if ruleset.parameter_names else where


def _both_proved(proofs: Iterable[Mapping[str, Any]], target: str) -> dict[str, bool]:
    """The claims proved as they stand: a formula proved of the same target agrees with them where both speak."""
    return {
        proof["claim"]: True
        for proof in proofs
        if proof["claim"]
        and (proof["status"], proof["under"], proof["target"]) == ("proved", "True", target)
        and proof["where"] == "True"
    }


def merged(tables: Mapping[str, Any] | None, proof: Mapping[str, Any] | None) -> Record | None:
    """One comparison of two: what is proved counts before what was seen at positions."""
    if tables is None or proof is None:
        return dict(tables) if tables is not None else None
    proved = {row["claim"]: row for row in proof["with"]}
    rows = []
    for seen in tables["with"]:
        row = {**seen, "same_at_tables": seen["same"]}
        if better := proved.get(seen["claim"]):
            known = {key: better[key] for key in ("meet", "same", "within") if better[key] is not None}
            whole = len(known) == 3 or known.get("meet") is False
            row |= {**known, "by": "proof" if whole else seen["by"]}
        rows.append(row)
    decided = tables if proof["covered"] is None else proof
    known = {"covered": decided["covered"], "by": decided["by"], "bound": tables["bound"]}
    return {"with": rows, **known, "where": proof.get("where", "True")}


def relation_of(record: Mapping[str, Any]) -> Record | None:
    """What the formula of a catalogue's record is to the published claims; None unless it holds or is proved.

    ``relation``: ``rediscovers`` (the claims say it all), ``corrects`` (a claim is false where the formula is true),
    ``extends`` (a claim's formula says the same, and of less), ``uncompared`` (nothing is known of some claim) or
    ``new``. ``to``: a list with an entry for each claim that it rediscovers, corrects, extends, or ``differs`` from
    beyond what was checked: ``relation``, ``claim``, ``by`` (proof or tables), ``bound``, the tables' instances, and
    ``where``, the condition of a proof beyond the formula's own.
    ``compared``: how many claims about this game there were to compare it with.
    """
    comparison = record.get("comparison")
    if record["status"] not in ("holds", "proved") or comparison is None:
        return None
    to = []
    for row in comparison["with"]:
        relation = _to_one(row, comparison["covered"], record["status"] == "proved")
        if relation is not None:
            by = comparison["by"] if relation == "rediscovers" and row["by"] == "proof" else row["by"]
            bound = None if by == "proof" else comparison["bound"]
            where = comparison.get("where", "True") if by == "proof" else "True"
            to.append({"relation": relation, "claim": row["claim"], "by": by, "bound": bound, "where": where})
    relations = {each["relation"] for each in to}
    headline = next((name for name in RELATIONS if name in relations), "new")
    return {"relation": headline, "to": to, "compared": sum(row["own"] for row in comparison["with"])}


def _to_one(row: Mapping[str, Any], covered: bool | None, proved: bool) -> str | None:
    if not row["own"] or row["meet"] is False:
        return None
    if row["meet"] is None or row["same"] is None or (row["same"] and covered is None):
        return "uncompared"
    if row["same"]:
        if covered:
            return "rediscovers"
        return "extends" if row["within"] and not row["fact"] else None
    if row["same"] is False:
        seen = row.get("same_at_tables", row["same"]) is False
        return "corrects" if row["within"] and (proved or seen) else "differs"
    return None


def how(entry: Mapping[str, Any]) -> str:
    """By what a relation to one claim is known, and for which parameters: ``by proof, with k == 1``."""
    further = entry.get("where", "True")
    return f"by {entry['by']}" + (f", with {further}" if further != "True" else "")


def relation_text(relation: Mapping[str, Any] | None) -> str:
    """``rediscovers theorem-1, bouton (by proof)``, or ``new``."""
    if relation is None:
        return ""
    parts = []
    for name in (*RELATIONS, "differs"):
        verb = _TEXTS.get(name, name)
        by_what: dict[str, list[str]] = {}
        for entry in sorted(relation["to"], key=lambda entry: entry["by"] != "proof"):
            if entry["relation"] == name:
                by_what.setdefault(how(entry), []).append(entry["claim"])
        parts += [f"{verb} {', '.join(claims)} ({by})" for by, claims in by_what.items()]
    new = "new" if relation.get("compared", 1) else "new (there is no claim to compare it with)"
    return "; ".join([new, *parts] if relation["relation"] == "new" else parts)


__all__ = ["RELATIONS", "agreeing", "at_tables", "by_proof", "how", "merged", "relation_of", "relation_text"]
