"""Solving takes no more memory than is estimated before it starts, and respects a limit."""

from pathlib import Path

import pytest
from tests.hostile.children import run

from grundylab.cli.main import main
from grundylab.errors import InstanceError
from grundylab.games import load_ruleset, make_instance
from grundylab.solve import memory, solve
from grundylab.solve.memory import (
    PROGRAM,
    job_mebibytes,
    p_position_bytes,
    parse_size,
    size_text,
    table_bytes,
)

RULESETS = Path(__file__).parents[2] / "rulesets"
STATUS = Path("/proc/self/status")


def instance_of(name, bound, **parameters):
    ruleset = load_ruleset(name, RULESETS)
    return make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, bound))


def options_of(instance, kind, path):
    named = [f"--bound={name}={value}" for name, value in instance.bounds]
    named += [f"--param={name}={value}" for name, value in instance.parameters]
    ruleset = str(RULESETS / f"{instance.ruleset.name}.yaml")
    return ["solve", ruleset, *named, "--target", kind, "--out", str(path)]


def estimate(instance, kind):
    return PROGRAM + (p_position_bytes(instance) if kind == "p" else table_bytes(instance, kind))


@pytest.mark.skipif(not STATUS.exists(), reason="the system does not tell a program's peak memory")
@pytest.mark.parametrize(
    ("name", "bound", "parameters", "kind", "most"),
    [
        ("nim-with-a-pass-from-m", 255, {"m": 8}, "p", 0.45),
        pytest.param("nim-with-a-pass-from-m", 127, {"m": 8}, "outcome", 0.5, marks=pytest.mark.long),
        ("chocolate-half-pass", 95, {"k": 1}, "grundy", 0.75),
    ],
)
def test_a_dataset_takes_no_more_memory_than_estimated(name, bound, parameters, kind, most, tmp_path):
    """most: the estimate must be below so many GiB, so that the comparison is worth something."""
    instance = instance_of(name, bound, **parameters)
    assert estimate(instance, kind) < most * 2**30
    (ended,) = run((tmp_path, options_of(instance, kind, tmp_path / "out.parquet")), seconds=600)
    assert ended.status == 0
    assert 0 < ended.mib * 2**20 <= estimate(instance, kind)


@pytest.mark.skipif(not STATUS.exists(), reason="the system does not tell a program's peak memory")
def test_what_is_verified_line_by_line_takes_memory_for_its_lines(tmp_path):
    instance = instance_of("nim-with-a-pass-from-m", 2047, m=8)
    lines = PROGRAM + p_position_bytes(instance)
    assert lines < 0.8 * 2**30  # a table would take 200 GiB
    command = f"verify {RULESETS}/nim-with-a-pass-from-m.yaml --claim conjecture-1 --bound N=2047 --param m=8"
    (ended,) = run((tmp_path, command.split()), seconds=600)
    assert 0 < ended.mib * 2**20 <= lines


def test_a_job_of_a_cluster_asks_for_more_than_the_program_and_all_its_tables():
    instances = [make_instance(load_ruleset("heaps-1-2-3"), {}, {"N": bound}) for bound in (30, 100)]
    tables = [table_bytes(instance, "grundy") for instance in instances]
    assert job_mebibytes(instances, "grundy") * 2**20 > PROGRAM + sum(tables)
    assert job_mebibytes(instances, "grundy") - job_mebibytes([], "grundy") >= sum(tables) // 2**20 > 0


def test_solving_from_the_library_is_refused_by_the_same_estimate(monkeypatch):
    instance = instance_of("nim-with-a-pass-from-m", 40, m=8)
    needed = table_bytes(instance, "outcome")
    assert needed < instance.cells * memory.BYTES_A_CELL
    monkeypatch.setattr(memory, "free_memory", lambda: needed - 1)
    with pytest.raises(InstanceError, match="of memory, and"):
        solve(instance, "outcome")
    monkeypatch.setattr(memory, "free_memory", lambda: needed)
    assert solve(instance, "outcome").positions


def test_the_p_positions_of_two_thousand_million_positions_are_estimated_under_a_gibibyte():
    instance = instance_of("nim-with-a-pass-from-m", 1023, m=8)
    assert instance.cells > 2 * 10**9
    assert estimate(instance, "p") < 2**30


def test_more_than_the_limit_is_refused_in_one_line_that_says_what_would_do(tmp_path, capsys):
    path = tmp_path / "out.parquet"
    options = options_of(instance_of("nim-with-a-pass-from-m", 255, m=8), "grundy", path)
    assert main([*options, "--memory", "800MiB"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("grundylab: nim-with-a-pass-from-m (m=8,N=255): 33,554,432 cells ")
    assert all(part in error for part in ("1.2 GiB", "800.0 MiB", "--target outcome", "--target p\n"))
    options[options.index("grundy")] = "p"
    assert main([*options, "--memory", "300 MiB"]) == 2
    error = capsys.readouterr().err
    assert "300.0 MiB" in error
    assert "--target" not in error
    assert not list(tmp_path.iterdir())
    assert main([*options, "--memory", "800MiB"]) == 0
    assert path.exists()


@pytest.mark.parametrize("text", ["", "0GiB", "4 gallons", "-1GiB", "GiB"])
def test_what_is_no_amount_of_memory_is_refused(text, tmp_path, capsys):
    options = options_of(instance_of("nim-2", 3), "p", tmp_path / "o")
    assert main([*options, f"--memory={text}"]) == 2
    assert f"'{text}'" in capsys.readouterr().err


def test_an_amount_of_memory_is_printed_as_it_is_read():
    sizes = {"4GiB": 2**32, "1.5 MiB": 3 * 2**19, "2KiB": 2048, "7B": 7, "9": 9}
    assert {text: parse_size(text) for text in sizes} == sizes
    assert size_text(parse_size("1.5TiB")) == "1.5 TiB"


def test_free_memory_is_told_where_the_machine_tells_only_what_it_has(monkeypatch):
    monkeypatch.setattr(memory, "_text_of", lambda _: None)
    pages = {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(memory.os, "sysconf", pages.__getitem__)
    monkeypatch.setattr(memory.resource, "getrlimit", lambda _: (memory.resource.RLIM_INFINITY, 0))
    assert memory.free_memory() == 1000 * 4096 * 3 // 4
    limits = {"/sys/fs/cgroup/memory.max": "900000\n", "/sys/fs/cgroup/memory.current": "100000"}
    monkeypatch.setattr(memory, "_text_of", limits.get)
    assert memory.free_memory() == 800000
