"""Mutants of core modules: small faults, each put into a copy of the tree, which the module's own tests have to notice.

``python -m tests.mutants.run [MODULE …] [--most 300] [--seed 0]`` draws mutants anew, runs the tests, and renews the two
lists beside this file: ``killed.tsv`` names the first test that fails with each mutant, ``survived.tsv`` has those with
which all pass, with the reason (written by hand) if no test can tell. ``--again [N]`` puts all listed killed mutants, or
N of them, into the code of today, and names those that no longer die and those whose code is gone. ``--survivors``
does so with the others, and lists as killed what the tests have learnt to notice. What is gone is moved by hand to
``gone.tsv``, where each mutant stands beside its successor, which ``--again`` tests, too.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.mutants.mutant import Mutant, apply_mutant, draw, read_list, read_successors, write_list

ROOT = Path(__file__).parents[2]
INDUCTION = "prove/rules/test_conditions prove/rules/test_rules prove/test_inductions"
# The test files of each module, the fastest first.
TESTS = {
    "check/verification": "check/test_verification check/test_families discover/test_exceptions",
    "check/judging": "check/test_judging findings/test_verdicts games/test_looked_up check/test_mending check/test_linewise",
    "findings/answers": "findings/test_answers report/test_what_is_new",
    "discover/ranking": "discover/test_ranking discover/test_rewriting discover/test_exceptions discover/test_transfer discover/test_discover",
    "games/elaborate": "games/test_faults games/test_statements games/test_model bad_input/test_bad_input",
    "solve/codegen": "solve/test_narrowing solve/test_heaps solve/test_sweeps solve/test_agreement",
    "solve/dataset": "solve/test_dataset solve/test_sparse",
    "pipeline/study": "pipeline/test_config bad_input/test_bad_input",
    "language/plain": "language/test_shared_trees language/test_folding language/test_builtins language/test_readers",
    "language/operators": "language/test_shared_trees language/test_folding language/test_operators language/test_readers",
    "prove/core/definedness": "prove/core/test_definedness prove/core/test_conditions",
    "prove/core/decide": f"prove/core/test_conditions prove/core/test_solutions {INDUCTION}",
    "prove/core/game": f"prove/core/test_conditions prove/core/test_solutions {INDUCTION}",
    "prove/core/solution": f"prove/core/test_conditions prove/core/test_solutions {INDUCTION}",
}
# In place of a test's name: Python was ended for its use of time or by a crash; pytest could not begin.
TIME, IMPORT = "time", "import"
MEMORY = 8 << 30  # bytes of address space
ALONE = 300  # seconds of processor time for one test


def path_of(module: str, tree: Path) -> Path:
    """Return the file of a module in a tree."""
    return tree / "src" / "grundylab" / f"{module}.py"


def files(module: str) -> list[str]:
    """Return the test files of a module."""
    return [f"tests/{name}.py" for name in TESTS[module].split()]


def processor_seconds() -> float:
    """Return the processor time of all tests up to now."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def is_killed(mutant: Mutant) -> bool:
    """Tell whether the verdict names what kills the mutant."""
    return "::" in mutant.verdict or mutant.verdict in (TIME, IMPORT)


def read_lists() -> tuple[list[str], list[Mutant]]:
    """Return the head of both lists, and the mutants of both."""
    (heads, killed), (_, survived) = map(read_list, ("killed", "survived"))
    return heads, killed + survived


def write_lists(heads: list[str], mutants: list[Mutant]) -> None:
    """Write each mutant into the list where it belongs."""
    write_list("killed", heads, [mutant for mutant in mutants if is_killed(mutant)])
    write_list("survived", heads, [mutant for mutant in mutants if not is_killed(mutant)])


class Bench:
    """A copy of the tree, in which the tests run with one mutant after another."""

    def __init__(self, tree: Path) -> None:
        listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.check_output(listing, cwd=ROOT, text=True).splitlines():
            if (ROOT / name).exists():  # not removed since the last commit
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, tree / name, follow_symlinks=False)
        self.tree = tree
        self.environment = os.environ | {"PYTHONPATH": f"{tree}/src", "GRUNDYLAB_CACHE": f"{tree}/.cache"}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(self, tests: list[str], limit: float) -> tuple[str | None, float]:
        """Return the first test that fails, or None, and the processor time in seconds; one of more is ended."""

        def limits() -> None:
            # soft limits alone: what the tests start may have a higher limit of its own, as MONA has
            for kind, most in (resource.RLIMIT_CPU, int(limit)), (resource.RLIMIT_AS, MEMORY):
                resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))

        options = ["-x", "-vv", "--tb=no", "--hypothesis-profile=mutants"]
        start = processor_seconds()
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=self.tree,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            process_group=0,  # not a session of its own, which would have a share of the processors of its own, whatever 'nice' says
            preexec_fn=limits,
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            # far more than the limit: other work may leave it a twentieth of a processor
            process.communicate(timeout=600 + 20 * limit)
        with contextlib.suppress(ProcessLookupError):  # what the tests started, too
            os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        code = process.returncode
        failed = re.search(r"^(\S+::.*?) (?:FAILED|ERROR) +\[ *\d+%\]", output, re.MULTILINE)
        killer = failed[1] if failed else TIME if code < 0 else IMPORT if code else None
        return killer, processor_seconds() - start

    @cache  # noqa: B019
    def limit(self, module: str) -> float:
        """Return a limit for the tests of a module: some times the processor seconds that they take without a mutant."""
        failed, seconds = self.run(files(module), 3600)
        if failed:
            sys.exit(f"{failed} fails without any mutant")
        return 10 + 4 * seconds

    @cache  # noqa: B019
    def passes(self, test: str) -> bool:
        """Tell whether there is such a test, which passes without a mutant."""
        return self.run([test], ALONE)[0] is None

    def test(self, mutant: Mutant) -> str | None:
        """Return what kills the mutant; all tests of its module are run only if the listed one does not."""
        killer = None
        if "::" in mutant.verdict and self.passes(mutant.verdict):
            killer = self._run_with(mutant, [mutant.verdict], ALONE)
        return killer or self._run_with(mutant, files(mutant.module), self.limit(mutant.module))

    def _run_with(self, mutant: Mutant, tests: list[str], limit: float) -> str | None:
        path = path_of(mutant.module, self.tree)
        source = path.read_text()
        mutated = apply_mutant(source, mutant)
        assert mutated is not None
        _write_module(path, mutated)
        try:
            return self.run(tests, limit)[0]
        finally:
            _write_module(path, source)


def _write_module(path: Path, source: str) -> None:
    path.write_text(source)
    # Python takes a compiled file for up to date if the second and the size are the same.
    Path(importlib.util.cache_from_source(path)).unlink(missing_ok=True)


def renew(bench: Bench, modules: list[str], most: int, seed: int) -> None:
    """Draw and test the mutants of the modules, and write both lists after each module."""
    for module in modules:
        seconds, start = bench.limit(module), processor_seconds()
        count, drawn = draw(module, path_of(module, bench.tree).read_text(), most, seed)
        killers = [bench.test(mutant) for mutant in drawn]
        heads, listed = read_lists()
        reasons = {replace(mutant, verdict=""): mutant.verdict for mutant in listed if not is_killed(mutant)}
        tested = [
            replace(mutant, verdict=killer or reasons.get(mutant, ""))
            for mutant, killer in zip(drawn, killers, strict=True)
        ]
        head = (
            f"# {module}: drawn {len(drawn)} of {count} faults (--most {most} --seed {seed}); "
            f"{processor_seconds() - start:.0f} s of processor time, limit {seconds:.0f} s"
        )
        print(f"{head[2:]}; killed {sum(map(is_killed, tested))}", flush=True)
        write_lists(
            [line for line in heads if not line.startswith(f"# {module}:")] + [head],
            [mutant for mutant in listed if mutant.module != module] + tested,
        )


def again(
    bench: Bench, count: int | None, modules: list[str], seed: int, survivors: bool = False
) -> list[Mutant]:
    """Test all or some killed mutants of the lists again, or all survivors; return those that live. If all: renew the lists."""
    there, gone = [], []
    for mutant in dict.fromkeys([*read_lists()[1], *read_successors()]):
        if mutant.module in modules and is_killed(mutant) != survivors:
            path = path_of(mutant.module, ROOT)
            code_is_there = path.exists() and apply_mutant(path.read_text(), mutant)
            (there if code_is_there else gone).append(mutant)
    if count is not None:
        there = sorted(random.Random(seed).sample(there, min(count, len(there))), key=Mutant.row)
    for mutant in gone:
        print(f"gone: {mutant.row()}")
    killers = {mutant: bench.test(mutant) for mutant in there}
    lives = [mutant for mutant in there if killers[mutant] is None]
    for mutant in lives:
        print(f"lives: {mutant.row()}")
    print(
        f"{len(there)} mutants again: {len(there) - len(lives)} die, {len(lives)} live; the code of {len(gone)} is gone"
    )
    if count is None:
        heads, listed = read_lists()  # they may have been edited while the tests ran
        write_lists(heads, [replace(n, verdict=killers.get(n) or n.verdict) for n in listed])
    return lives


def main() -> int:
    """Renew the lists, or test what they list."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"{', '.join(TESTS)}; default: all")
    parser.add_argument("--most", type=int, default=300, help="mutants of a module (default: 300)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--again", type=int, nargs="?", const=-1, metavar="N", help="test listed killed mutants, or N of them"
    )
    parser.add_argument("--survivors", action="store_true", help="test the listed survivors again")
    options = parser.parse_args()
    modules = options.modules or list(TESTS)
    if unknown := set(modules) - set(TESTS):
        parser.error(f"{', '.join(unknown)}: no module of the table; the table has {', '.join(TESTS)}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        if options.survivors:
            again(bench, None, modules, options.seed, survivors=True)
            return 0
        if options.again is None:
            renew(bench, modules, options.most, options.seed)
            return 0
        return bool(again(bench, None if options.again < 0 else options.again, modules, options.seed))


if __name__ == "__main__":
    sys.exit(main())
