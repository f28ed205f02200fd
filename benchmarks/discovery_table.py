"""Outcomes of the benchmark ``discovery`` as a table, a summary, and a Markdown document of both."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from statistics import median
from typing import Any

from benchmarks.discovery_problems import Excluded
from benchmarks.discovery_runs import Attempt, Outcome

HEAD = ("ruleset", "claim", "target", "found by", "exact", "s", "size", "printed", "unseen", "equal")  # fmt: skip
PACKAGES = ("grundylab", "numpy", "scikit-learn", "gplearn", "pysr")
LONGEST_LIMIT = 60  # seconds of all engines on one problem; the summary counts the problems within them


@dataclass(frozen=True)
class Setting:
    """The engines, seeds and budget of a run of the benchmark.

    budget: seconds for one engine and one seed. baseline: the engine to compare with; None if it was not run. seconds:
    time of the whole run, by the clock.
    """

    engines: tuple[str, ...]
    seeds: tuple[int, ...]
    budget: float
    baseline: str | None
    processes: int
    seconds: float

    def record(self) -> dict[str, Any]:
        """Return the setting, with date, machine and versions, as a record for a JSON file."""
        return {
            **asdict(self),
            "date": datetime.now(UTC).date().isoformat(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "versions": {name: version(name) for name in PACKAGES},
        }

    def __str__(self) -> str:
        told = self.record()
        versions = ", ".join(f"{name} {number}" for name, number in told["versions"].items())
        return (
            f"{told['date']}, {told['cores']} cores, {self.processes} processes, Python {told['python']}, {versions}; "
            f"budget {self.budget:g} s for one engine and one seed; seeds {', '.join(map(str, self.seeds))}; "
            f"{self.seconds / 60:.0f} minutes in all"
        )


@dataclass(frozen=True)
class Row:
    """A problem's line in the table.

    It shows the engine that recovers the problem's formula with the most seeds, and among such engines by the smallest
    formula.
    """

    outcome: Outcome
    setting: Setting

    @property
    def own(self) -> dict[str, list[Attempt]]:
        """The attempts by engine, without the baseline's."""
        return {
            engine: [a for a in self.outcome.attempts if a.engine == engine]
            for engine in self.setting.engines
        }

    @property
    def best(self) -> str | None:
        """The engine that is exact with the most seeds, among equals the one with the smallest formula; else None."""
        ranked = [
            (
                -sum(a.exact for a in attempts),
                min(_smallest(a) for a in attempts if a.exact)[0],
                number,
                engine,
            )
            for number, (engine, attempts) in enumerate(self.own.items())
            if any(a.exact for a in attempts)
        ]
        return min(ranked)[-1] if ranked else None

    @property
    def found(self) -> Attempt | None:
        """The attempt of the best engine with the smallest formula that holds; None if no engine has one."""
        attempts = self.own[self.best] if self.best else []
        return min((a for a in attempts if a.exact), key=_smallest, default=None)

    @property
    def exact(self) -> int:
        """The number of seeds with which some engine is exact."""
        return sum(self._best_with(seed) is not None for seed in self.setting.seeds)

    @property
    def same(self) -> bool:
        """True if the smallest formula that holds is the same with every seed."""
        return len({self._best_with(seed) for seed in self.setting.seeds}) == 1

    @property
    def longest(self) -> float:
        """The seconds of all engines together, also on smaller tables, with the seed that takes longest."""
        return self.outcome.before + max(
            sum(a.seconds for attempts in self.own.values() for a in attempts if a.seed == seed)
            for seed in self.setting.seeds
        )

    def _best_with(self, seed: int) -> str | None:
        found = [a for attempts in self.own.values() for a in attempts if a.seed == seed and a.exact]
        return min(map(_smallest, found), default=(0, None))[1]

    def cells(self) -> tuple[str, ...]:
        """Return the cells of the line in the order of HEAD, and then those of the baseline if it was run."""
        problem = self.outcome.problem
        claims = problem.claims[0].id + (f" +{len(problem.claims) - 1}" if len(problem.claims) > 1 else "")
        engine, found = self.best, self.found
        attempts = self.own[engine] if engine else []
        seeds = len(self.setting.seeds)
        cells = [
            problem.ruleset.name,
            claims + ("*" if problem.corrected else ""),
            str(problem.target),
            engine or "none",
            f"{sum(a.exact for a in attempts)}/{seeds}",
            f"{median(a.seconds for a in attempts):.2f}" if attempts else "",
            str(found.size) if found else "",
            str(problem.printed.size),
            f"holds at {self.outcome.unseen:,}" if engine else _nearest(self.own.values()),
            self.outcome.equal if engine else "",
        ]
        return (*cells, *self._baseline())

    def _baseline(self) -> tuple[str, ...]:
        if self.setting.baseline is None:
            return ()
        attempts = [a for a in self.outcome.attempts if a.engine == self.setting.baseline]
        if not attempts:
            return ("", "", "", "")
        exact = [a.size or 0 for a in attempts if a.exact]
        return (
            f"{len(exact)}/{len(self.setting.seeds)}",
            f"{median(a.seconds for a in attempts):.1f}",
            str(min(exact)) if exact else "",
            f"{100 * median(a.share for a in attempts):.4g} %",
        )


def table(outcomes: Sequence[Outcome], setting: Setting) -> list[str]:
    """Return the table as lines of fixed-width columns: first formulas, then claims of one value for a region."""
    lines = [str(setting), ""]
    for title, constant in (("Formulas", False), ("One value for a whole region", True)):
        rows = [Row(o, setting) for o in outcomes if o.problem.constant == constant]
        if rows:
            cells = [_head(setting), *(row.cells() for row in rows)]
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            lines += [title, *(_line(line, widths) for line in cells), ""]
    return [*lines, *_explained(setting)]


def summary(outcomes: Sequence[Outcome], setting: Setting) -> list[str]:
    """Return lines that sum up which problems were recovered, by which engines, in what time, and by the baseline."""
    rows = [Row(o, setting) for o in outcomes if not o.problem.constant]
    constants = [Row(o, setting) for o in outcomes if o.problem.constant]
    seeds = len(setting.seeds)
    lines = []
    for what, some in (("formulas", rows), ("claims of one value for a region", constants)):
        if some:
            always = sum(row.exact == seeds for row in some)
            claims = sum(len(row.outcome.problem.claims) for row in some)
            lines.append(f"{always} of {len(some)} {what} ({claims} claims) recovered with every seed")
    if not rows:
        return lines
    lines.append(f"the same smallest formula with every seed: {sum(row.same for row in rows)} of {len(rows)}")
    for engine in setting.engines:
        all_seeds = sum(all(a.exact for a in row.own[engine]) for row in rows)
        first = sum(row.best == engine for row in rows)
        lines.append(
            f"  {engine}: recovers {all_seeds} with every seed; its formula is the one shown for {first}"
        )
    longer = [(row.found.size or 0) - row.outcome.problem.printed.size for row in rows if row.found]
    smaller, equal = sum(by < 0 for by in longer), longer.count(0)
    lines.append(
        f"size: smaller than printed {smaller}, the same {equal}, larger {len(longer) - smaller - equal}"
    )
    slowest = max(rows, key=lambda row: row.longest)
    within = sum(row.longest <= LONGEST_LIMIT for row in rows)
    lines.append(
        f"all engines together with one seed: at most {slowest.longest:.1f} s ({slowest.outcome.problem.name}); "
        f"within {LONGEST_LIMIT} s: {within} of {len(rows)}"
    )
    for row in rows:
        if row.exact < seeds:
            lines.append(f"not with every seed: {row.outcome.problem.name} ({row.exact} of {seeds})")
    return lines + _baseline_summary(rows, setting)


def _baseline_summary(rows: Sequence[Row], setting: Setting) -> list[str]:
    if setting.baseline is None:
        return []
    counts = [
        sum(a.exact for a in row.outcome.attempts if a.engine == setting.baseline)
        for row in rows
        if any(a.engine == setting.baseline for a in row.outcome.attempts)
    ]
    seeds = len(setting.seeds)
    return [
        f"{setting.baseline}: recovers {sum(count == seeds for count in counts)} of {len(counts)} with every seed, "
        f"{sum(0 < count < seeds for count in counts)} with some, "
        f"{sum(count == 0 for count in counts)} with none"
    ]


def markdown(outcomes: Sequence[Outcome], excluded: Sequence[Excluded], setting: Setting) -> str:
    """Return a Markdown document: the summary, the table, the formula found for each problem, and excluded claims."""
    lines = ["# What discovery recovers", "", "Generated by `make bench-discovery`; do not edit it.", ""]
    lines += [f"- {line.strip()}" for line in summary(outcomes, setting)]
    lines += ["", "```text", *table(outcomes, setting), "```", "", "## The formulas found", ""]
    for outcome in outcomes:
        problem, best = outcome.problem, Row(outcome, setting).found
        found = f"`{best.formula}`" if best else "nothing that holds"
        lines.append(
            f"- `{problem.name}`: {_labels(problem.train)} → {_labels(problem.test)}; "
            f"printed `{problem.printed}`; found {_short(found)}"
        )
    counts = Counter(one.reason for one in excluded)
    lines += ["", "## Claims that are no problems", ""]
    for reason, count in counts.most_common():
        names = ", ".join(f"{one.ruleset} {one.claim}" for one in excluded if one.reason == reason)
        lines.append(f"- {count}: {reason} ({names})")
    return "\n".join(lines) + "\n"


def _labels(instances: Iterable[Any]) -> str:
    return "; ".join(instance.label for instance in instances)


def _short(text: str, most: int = 600) -> str:
    return text if len(text) <= most else f"{text[:most]}…`"


def _smallest(attempt: Attempt) -> tuple[int, str]:
    return attempt.size or 0, attempt.formula or ""


def _nearest(engines: Iterable[Sequence[Attempt]]) -> str:
    """Return the verdict on the attempt that is right at the most training positions, and its share of these."""
    attempt = max((a for attempts in engines for a in attempts), key=lambda a: a.share)
    return f"{attempt.verdict}, {100 * attempt.share:.4g} %" if attempt.formula else attempt.verdict


def _head(setting: Setting) -> tuple[str, ...]:
    baseline = (f"{setting.baseline} exact", "s", "size", "share") if setting.baseline else ()
    return (*HEAD, *baseline)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    left = (0, 1, 2, 3, 8, 9)
    return "  ".join(
        cell.ljust(width) if number in left else cell.rjust(width)
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ).rstrip()


def _explained(setting: Setting) -> list[str]:
    lines = [
        "exact: seeds with which the formula found is right at every unseen position of the claim's region. s: median",
        "processor seconds of that engine. size, printed: nodes of the formula found, and of the one in print.",
        "equal: proved equal to the one in print, by MONA. +n: as many more claims say the same. *: corrected, since",
        "refuted as printed. An engine that uses no seed (a test holds it to that) runs once,",
        "and counts for every seed.",
    ]
    if setting.baseline:
        lines.append(
            f"{setting.baseline}: the same operators, as much time as the engines together; share: median share of the "
            f"training positions that it describes exactly."
        )
    return lines
