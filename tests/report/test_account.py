"""The account of a game says each thing once, omits no theorem, and claims no more than was proved."""

from tests.findings import made

from grundylab.discover.base import EngineRun
from grundylab.games.model import P_POSITIONS
from grundylab.records.finding import LearntTables
from grundylab.report.account import account

ROW = {"engine": "rows", "formula": "y == 2 * x", "proofs": (made.proof(),)}


def lines(*formulas, failed=(), doing=""):
    known = made.catalogue(studies=[made.study()], formulas=formulas)
    return account(known, doing, failed).splitlines()


def test_a_proved_row_is_told_unless_more_is_proved():
    row = made.formula(where="m == 2 and x == 5", **ROW)

    def has_row(*others):
        return any("y == 2 * x" in line for line in lines(*others, row))

    assert has_row()
    assert has_row(made.formula())  # that holds, and is not proved
    assert not has_row(made.formula(proofs=(made.proof(),)))
    assert not has_row(made.formula(proofs=(made.proof("m == 2", "m == 2"),)))
    assert has_row(made.formula(proofs=(made.proof("m == 3", "m == 3"),)))
    assert has_row(made.formula(where="m == 3", proofs=(made.proof(),)))


def test_theorems_about_single_parameters_are_told_only_where_none_about_all_contains_them():
    parts = [
        made.formula(formula=f"x == y + {m}", where=f"m == {m}", proofs=(made.proof("True", f"m == {m}"),))
        for m in (3, 4)
    ]

    def heads(*formulas):
        told = lines(*formulas)
        return [line.strip() for line in told if line.startswith("  P-positions: ") and "==" in line]

    assert len(heads(*parts)) == 2
    assert heads(*parts, made.formula(proofs=(made.proof(),))) == ["P-positions: x == y"]
    assert len(heads(*parts, made.formula())) == 3  # which holds, and is not proved


def test_a_formula_is_told_whole_and_once():
    long = " + ".join(["x"] * 100) + " == y"
    told = lines(*(made.formula(formula=long, engine=engine) for engine in ("search", "tree")))
    assert told.count(f"  P-positions: {long}") == 1


def test_theorems_that_say_the_same_are_one_with_its_other_wordings():
    words = ("x == y", "x ^ y == 0", "abs(x - y) == 0", "x - y == 0")
    told = lines(*(made.formula(formula=text, engine=text, proofs=(made.proof(),)) for text in words))
    assert sum(line.startswith("  P-positions: ") for line in told) == 1
    for text in words:
        assert sum(line.endswith(f": {text}") for line in told) == 1


def test_no_instance_is_named_of_which_no_position_was_checked():
    known = made.formula(instances={"m=9": 1}, checked=1)
    asked = made.study(test=("m=9", "m=12"))
    told = account(made.catalogue(studies=[asked], formulas=[known]))
    assert "m=9" in told
    assert "m=12" not in told
    (row,) = made.catalogue(formulas=[known]).to_frame().to_dict("records")
    assert row["instances"] == "m=9"


def test_what_was_not_looked_for_to_the_end_is_not_said_to_be_not_found():
    """Interrupt the study before an engine has answered."""
    study = made.study(targets=("p", "grundy"))
    told = account(made.catalogue(studies=[study]), "solving").splitlines()
    assert told[-3:] == ["Search not completed:", "  P-positions", "  Grundy numbers"]
    assert not any(line.startswith(("Not found", "trained")) for line in told)
    learnt = (LearntTables(instances=("N=8",), positions=81),)
    engine = EngineRun(study="s", engine="search", target=P_POSITIONS, learnt=learnt)
    told = account(made.catalogue(studies=[study], runs=[engine]), "solving").splitlines()
    assert "trained on 81 positions (N=8)" in told
    assert told[-6] == "Not found:"
    assert told[-5].startswith("  P-positions: ")
    assert told[-2:] == ["Search not completed:", "  Grundy numbers"]


def test_a_refuted_formula_is_told_only_where_none_is_right():
    wrong = made.formula(formula="x == 9 * y", engine="tree", counterexample=made.WRONG)

    def is_told(*others):
        return any("x == 9 * y" in line for line in lines(*others, wrong))

    assert is_told()
    assert is_told(made.formula(where="x == 1"))  # it says nothing about other positions
    assert is_told(made.formula(target="grundy", formula="x ^ y"))
    assert not is_told(made.formula())
    assert not is_told(made.formula(proofs=(made.proof(),)))
