"""A listed mutant is found again after other edits, and the tests still kill what the list says that they kill."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.mutants.mutant import apply_mutant, draw, read_list, read_successors
from tests.mutants.run import ROOT, TESTS, Bench, again, is_killed, path_of, write_lists

SOURCE = """
def smaller(a: int | None, b: int) -> bool | None:
    if a is None:
        return None
    return (
        a
        < b
    )

class Row:
    def smaller(self, b):
        for _ in range(1):
            return b < 0
        return b < 0
"""


def test_mutants__are_drawn_by_the_seed_and_never_in_an_annotation():
    _, every = draw("m", SOURCE, 300, 0)
    assert draw("m", SOURCE, 5, 0)[1] == every[:5] != draw("m", SOURCE, 5, 1)[1]
    changes = {(mutant.function, mutant.before, mutant.after) for mutant in every}
    assert ("smaller", "if a is None:", "if a is not None:") in changes
    assert ("Row.smaller", "return b < 0", "return b <= 0") in changes
    assert not [mutant for mutant in every if "def" in mutant.before]


def test_mutant__is_found_by_its_function_and_text_wherever_they_have_moved():
    _, every = draw("m", SOURCE, 300, 0)
    moved = f"x = 0\n{SOURCE}".replace("class Row:\n    def", "class Row:\n    y = 1\n\n    def")
    for mutant in every:
        here, there = apply_mutant(SOURCE, mutant), apply_mutant(moved, mutant)
        assert here is not None
        assert here != SOURCE
        assert there == f"x = 0\n{here}".replace("class Row:\n    def", "class Row:\n    y = 1\n\n    def")
        assert apply_mutant(SOURCE.replace("smaller", "less"), mutant) is None


def test_lists_of_mutants__name_modules_and_test_files_of_the_tree():
    assert all(path_of(module, ROOT).exists() for module in TESTS)
    assert all(
        Path(ROOT, "tests", f"{name}.py").exists() for names in TESTS.values() for name in names.split()
    )
    for name in "killed", "survived":
        head, mutants = read_list(name)
        assert {line[2:].split(":")[0] for line in head} >= {mutant.module for mutant in mutants}
        assert all(is_killed(mutant) == (name == "killed") for mutant in mutants)


def test_mutants_whose_code_is_gone__have_successors_that_a_test_notices():
    gone, successors = read_list("gone")[1], read_successors()
    sources = {module: path_of(module, ROOT).read_text() for module in TESTS}
    assert not any(apply_mutant(sources[each.module], each) for each in gone if each.module in sources)
    assert all(apply_mutant(sources[each.module], each) and is_killed(each) for each in successors)
    assert len(gone) == len(successors)


def test_survivors__move_to_the_killed_mutants_if_a_test_notices_them_now(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.mutants.mutant.LISTS", tmp_path)
    module = "solve/codegen"
    _, drawn = draw(module, path_of(module, ROOT).read_text(), 3, 0)
    killed, noticed, equal = (
        replace(mutant, verdict=verdict)
        for mutant, verdict in zip(drawn, ("t.py::a", "", "why"), strict=True)
    )
    write_lists(["# head"], [killed, noticed, equal])

    class Tests:
        def test(self, mutant):
            return "t.py::b" if mutant == noticed else None

    assert again(Tests(), None, [module], 0, survivors=True) == [equal]
    assert read_list("survived") == (["# head"], [equal])
    assert set(read_list("killed")[1]) == {killed, replace(noticed, verdict="t.py::b")}


@pytest.mark.long
def test_mutants__of_the_list_still_die(tmp_path):
    """Twenty of them; ``python -m tests.mutants.run --again`` tests all."""
    assert again(Bench(tmp_path), 20, list(TESTS), 0) == []
