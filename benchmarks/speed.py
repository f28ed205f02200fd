"""Benchmark of the solvers: how fast positions are solved (``make bench``).

One run, on one machine, solves the same instances by several methods and compares their results:

- recursion: memoised recursion in Python, as in the programs printed in the papers (``recursion.py``). If there are too
  many positions, its time is measured at positions drawn at random from the whole instance, whose options already have
  their values; the ratio to the time of the whole recursion is printed for a smaller N.
- reference: grundylab's definition of the values.
- kernel: a program compiled from the ruleset that visits option by option.
- sweep: a program that computes whole lines of positions at once.
- C: ``sweeps.c``, a plain loop of the same sweep for one game, compiled by cc -O3 -march=native.

Times are CPU seconds of one thread: medians of several runs, but of one run for recursion and reference. Compiling is
not included, and is printed separately.

    python benchmarks/speed.py [--runs 5] [--recursion SECONDS] [--drawn 1000] [--largest N]
                               [--only sweeps|heaps|kernels|growth] [--rulesets 'heaps-*.yaml']
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from recursion import sampled, seconds_a_position

from grundylab.cli.commands.check import trial_instance
from grundylab.errors import NoSweep
from grundylab.games import Instance, load_ruleset, make_instance
from grundylab.language.intervals import cached_recurrence_values
from grundylab.solve import solve
from grundylab.solve.sweeps.piles import piles_for, sweep_layers
from grundylab.solve.table import Table

ROOT = Path(__file__).parents[1]
RULESETS = ROOT / "rulesets"
PASS, M = "nim-with-a-pass-from-m", 8


def instance_of(name: str, bound: int, **parameters: int) -> Instance:
    """Return the instance of the ruleset with this name in which all bounds are ``bound``."""
    ruleset = load_ruleset(name, RULESETS)
    return make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, bound))


def timed(work: Callable[[], Any], runs: int) -> tuple[float, float, Any]:
    """Return the seconds for compiling (or loading compiled code), the median seconds of the runs, and the result.

    Compiling is what the first call takes longer than the median of the others.
    """
    start = process_time()
    result = work()
    first, times = process_time() - start, []
    for _ in range(runs):
        start = process_time()
        result = work()
        times.append(process_time() - start)
    return max(0.0, first - median(times)), median(times), result


def line(what: str, positions: int, seconds: float, note: str = "") -> None:
    """Print one line of the table: what was measured, positions, seconds, positions a second, and a note."""
    print(
        f"  {what:<12}{positions:>18,}{seconds:>12.3f} s{positions / seconds:>14,.0f}/s   {note}", flush=True
    )


def c_loop(kind: str, bound: int, runs: int) -> tuple[float, np.ndarray]:
    """Compile and run the plain C loop; return its median seconds, and its values, int32."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "sweeps"
        subprocess.run(
            ["cc", "-O3", "-march=native", "-o", str(program), str(ROOT / "benchmarks" / "sweeps.c")],
            check=True,
        )
        seconds = []
        for _ in range(runs):
            done = subprocess.run([str(program), kind, str(bound), str(M)], capture_output=True, check=True)
            seconds.append(float(done.stderr))
    return median(seconds), np.frombuffer(done.stdout, dtype=np.int32)


def outcomes_by_lines(bound: int, runs: int) -> None:
    """Measure the sweep of outcomes, one number for each line, of three piles with a pass; compare it with C."""
    instance = instance_of(PASS, bound, m=M)
    piles = piles_for(instance, "outcome")
    print(f"\nOutcomes, {instance}")
    compiled, seconds, found = timed(lambda: [places for _, places in sweep_layers(piles)], runs)
    theirs, values = c_loop("outcomes", bound, runs)
    assert np.array_equal(np.concatenate([places.reshape(-1) for places in found]), values)
    line("C", instance.cells, theirs)
    line(
        "sweep",
        instance.cells,
        seconds,
        f"{seconds / theirs:.2f} times C; compiling or loading {compiled:.1f} s",
    )


def grundy_numbers(bound: int, runs: int, drawn: int) -> None:
    """Measure the sweep of Grundy numbers of three piles with a pass; compare it with C and recursion."""
    instance = instance_of(PASS, bound, m=M)
    print(f"\nGrundy numbers, {instance}")
    each = recursion(instance, drawn, partial(instance_of, PASS, m=M))
    theirs, values = c_loop("grundy", bound, runs)
    line("C", instance.cells, theirs)
    piles = piles_for(instance, "grundy")
    compiled, seconds, found = timed(lambda: [table for _, table in sweep_layers(piles)], runs)
    assert np.array_equal(np.concatenate([table.reshape(-1) for table in found]), values)
    ratio = each * instance.cells / seconds
    line(
        "sweep", instance.cells, seconds,
        f"{seconds / theirs:.2f} times C, {ratio:,.0f} times recursion's speed; compiling or loading {compiled:.1f} s",
    )  # fmt: skip


def recursion(instance: Instance, drawn: int, smaller: Callable[[int], Instance]) -> float:
    """Return the seconds that recursion takes for a position, measured at so many positions drawn from the instance.

    Print it, and how such a measurement compares with the whole recursion for N = 31, the instance ``smaller(31)``.
    """
    small = smaller(31)
    whole, solved, _ = seconds_a_position(small, 1e9)
    part = sampled(solve(small, "grundy"), drawn)
    line(
        "recursion",
        solved,
        whole * solved,
        f"all of {small}; {drawn:,} drawn positions take {part / whole:.2f} times as long each",
    )
    each = sampled(solve(instance, "grundy"), drawn)
    line("recursion", drawn, each * drawn, f"positions drawn from {instance}")
    return each


def against_recursion(name: str, bound: int, runs: int, drawn: int, **parameters: int) -> None:
    """Measure one instance by recursion (Grundy numbers only), kernel and sweep (Grundy numbers and outcomes)."""
    instance = instance_of(name, bound, **parameters)
    print(f"\nGrundy numbers and outcomes, {instance}")
    each = recursion(instance, drawn, partial(instance_of, name, **parameters))
    for kind in ("grundy", "outcome"):
        tables: dict[str, Table] = {}
        for method in ("kernel", "sweep"):
            try:
                compiled, seconds, table = timed(partial(solve, instance, kind, method), runs)
            except NoSweep:
                continue
            tables[method] = table
            ratio = each * table.positions / seconds
            note = f"{kind}: {ratio:,.0f} times as fast; compiling or loading {compiled:.1f} s"
            line(method, table.positions, seconds, note)
        assert all(np.array_equal(tables["kernel"].values, table.values) for table in tables.values())


def heaps(runs: int) -> None:
    """Measure Grundy numbers of one heap that moves may split in two, by kernel and sweep; larger heaps by sweep only.

    In Kayles all but a few heaps have common values, so the sweep can skip most pairs of heaps. In the octal game 0.06
    values do not separate like this, and the sweep visits all pairs.
    """
    print("\nGrundy numbers of one heap, moves to two heaps")
    codes = (
        ("kayles", {}, 10**6),
        ("octal", {"a": 1, "b": 6, "c": 1}, 10**5),
        ("octal", {"a": 0, "b": 6, "c": 0}, 50_000),
    )
    for name, parameters, large in codes:
        print(f"  {instance_of(name, 20_000, **parameters)}, and N={large}")
        instance = instance_of(name, 20_000, **parameters)
        _, theirs, expected = timed(lambda one=instance: solve(one, "grundy", "kernel"), runs)
        compiled, seconds, found = timed(lambda one=instance: solve(one, "grundy", "sweep"), runs)
        assert np.array_equal(found.values, expected.values)
        line("kernel", instance.cells, theirs)
        note = f"{theirs / seconds:,.0f} times as fast; compiling or loading {compiled:.1f} s"
        line("sweep", instance.cells, seconds, note)
        instance = instance_of(name, large, **parameters)
        _, seconds, found = timed(lambda one=instance: solve(one, "grundy", "sweep"), 1)
        line("sweep", instance.cells, seconds, f"greatest Grundy number {found.values.max()}")


def compare(table: Table, grundy: Callable[..., int], count: int) -> None:
    """Compare about ``count`` of the table's values, at its smallest positions, with those of recursion."""
    slab = next(table.slabs(1 << 12))
    for row in range(0, len(slab), max(1, len(slab) // count)):
        value = grundy(tuple(int(column[row]) for column in slab.coordinates))
        assert slab.values[row] == (value if table.kind == "grundy" else min(value, 1))


def kernels(runs: int, most: float, only: str) -> None:
    """Measure the generic kernel on every ruleset with normal play, and compare it with recursion and reference.

    Recursion and kernel solve all positions of the same instance. most: seconds for recursion. only: a pattern of the
    rulesets' file names.
    """
    print("\nThe kernel on every ruleset (Grundy numbers; recursion and kernel: all of the same instance)")
    print(
        f"  {'':<26}{'positions':>12}{'recursion':>12}{'reference':>12}{'kernel':>10}   kernel against recursion"
    )
    ratios = {}
    for path in sorted(RULESETS.glob(only)):
        ruleset = load_ruleset(path.stem, RULESETS)
        if ruleset.free or ruleset.play != "normal":
            continue
        trial = trial_instance(ruleset)
        assert trial is not None
        start = process_time()
        small = solve(trial, "grundy", "reference")
        reference = (process_time() - start) / small.positions
        instance, each, grundy = solved_by_recursion(trial, most)
        seconds, table = kernel_time(instance, runs)
        compare(table, grundy, 200)
        kernel = seconds / table.positions
        ratios[ruleset.name] = each / kernel
        print(
            f"  {ruleset.name:<26}{table.positions:>12,}{each * 1e6:>9.2f} us{reference * 1e6:>9.2f} us"
            f"{kernel * 1e9:>7.1f} ns   {each / kernel:,.0f}   ({instance.label})",
            flush=True,
        )
    least = min(ratios, key=lambda name: ratios[name])
    print(f"  least of {len(ratios)} rulesets: {least}, {ratios[least]:,.0f} times")


def solved_by_recursion(instance: Instance, most: float) -> tuple[Instance, float, Callable[..., int]]:
    """Return a larger instance, the seconds that recursion takes for a position of it, and the recursion's function.

    Its bounds are raised by a half until recursion takes more than a third of ``most`` seconds.
    """
    while True:
        each, solved, grundy = seconds_a_position(instance, float("inf"))
        if each * solved > most / 3:
            return instance, each, grundy
        bounds = {name: value + (value + 1) // 2 for name, value in instance.bounds}
        instance = make_instance(instance.ruleset, dict(instance.parameters), bounds)


def kernel_time(instance: Instance, runs: int) -> tuple[float, Table]:
    """Return the kernel's seconds for the instance, measured over at least 20 milliseconds of solving, and its table.

    Each time the instance and the tables of recurrences are made anew, as recursion makes its own; the kernel's source
    and machine code are kept.
    """

    def work() -> Table:
        cached_recurrence_values.cache_clear()
        return solve(replace(instance), "grundy", "kernel")

    _, seconds, table = timed(work, 1)
    times = max(1, ceil(0.02 / max(seconds, 1e-5)))
    _, seconds, _ = timed(lambda: [work() for _ in range(times)][:0], runs)
    return seconds / times, table


def growth(largest: int) -> None:
    """Print how time and memory of the sweep of outcomes grow with N; each N is solved in a process of its own."""
    print(f"\nOutcomes of {PASS} (m={M}) as N grows, one run each")
    bound = 255
    while bound <= largest:
        code = (
            f"import sys; sys.path.insert(0, {str(ROOT / 'benchmarks')!r}); import speed, time, resource; "
            f"p = speed.piles_for(speed.instance_of({PASS!r}, {bound}, m={M}), 'outcome'); s = time.process_time(); "
            "n = sum(1 for _ in speed.sweep_layers(p)); print(time.process_time() - s, "
            "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        seconds, memory = map(float, done.stdout.split())
        print(
            f"  N={bound:<6}{2 * (bound + 1) ** 3:>18,} positions{seconds:>10.3f} s{memory / 1024:>8.0f} MiB",
            flush=True,
        )
        bound = 2 * bound + 1


def main() -> None:
    """Run the benchmarks that the arguments name, all by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--recursion", type=float, default=10.0, help="seconds for recursion on each ruleset, about (kernels)"
    )
    parser.add_argument(
        "--drawn", type=int, default=1000, help="number of positions at which recursion is timed"
    )
    parser.add_argument("--largest", type=int, default=4095)
    parser.add_argument("--only", choices=("sweeps", "heaps", "kernels", "growth"))
    parser.add_argument("--rulesets", default="*.yaml", help="pattern of files in rulesets/, for the kernels")
    asked = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; medians of {asked.runs}"
    )
    if asked.only in (None, "sweeps"):
        outcomes_by_lines(asked.largest, asked.runs)
        grundy_numbers(min(255, asked.largest), asked.runs, asked.drawn)
        for name, parameters in (
            ("max-nim-ceil-3-pass", {}),
            ("nim-with-a-pass", {}),
            ("chocolate-half-pass", {"k": 1}),
        ):
            against_recursion(name, min(127, asked.largest), asked.runs, asked.drawn, **parameters)
    if asked.only in (None, "heaps"):
        heaps(asked.runs)
    if asked.only in (None, "kernels"):
        kernels(asked.runs, asked.recursion / 2, asked.rulesets)
    if asked.only in (None, "growth"):
        growth(asked.largest)
    print(
        f"\npeak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"
    )


if __name__ == "__main__":
    main()
