"""The account of a game says each thing once, omits no theorem, and claims no more than was proved."""

from dataclasses import replace

from tests.catalogue import made

from grundylab.catalogue.records import Engine, InstanceCheck, LearntTables
from grundylab.games.model import P_POSITIONS
from grundylab.report.account import account

AUTOMATON = 'accepts("+0,,,0", x, y)'
ROW = {"engine": "rows", "formula": "y == 2 * x", "proofs": (made.proof(),)}


def lines(*formulas, failed=(), doing=""):
    known = made.catalogue(studies=[made.study()], formulas=formulas)
    return account(known, doing, failed).splitlines()


def test_other_words_are_told_only_under_the_condition_under_which_they_are_equal():
    for m in (3, 4):
        proof = made.proof(f"m == {m}", f"m == {m}", reading="x == y" if m == 3 else None)
        told = lines(made.formula(formula=AUTOMATON, proofs=(proof,)))
        assert ("      the same in other words: x == y where m == 3" in told) == (m == 3)


def test_theorems_about_finitely_many_positions_say_how_many_and_stand_below_the_others():
    few = [made.proof("k == 1", "k == 1", positions=1), made.proof("k == 2", "k == 2", positions=2)]
    told = lines(
        made.formula(formula="x == 7", where="m == 5", proofs=(made.proof(positions=6),)),
        made.formula(formula="x == 8", target="grundy == 1", proofs=tuple(few)),
        made.formula(formula="x == 9", where="m >= 6", proofs=(made.proof(),)),
    )
    theorems = [line.strip() for line in told if line.startswith(("  P-positions: x", "  grundy"))]
    assert theorems[0] == "P-positions: x == 9 where m >= 6"
    assert len(theorems) == 3
    assert (
        "      proved for the only 6 positions that it is about, by two independent procedures (automata in two's complement; MONA)"
        in told
    )
    assert any(
        line.startswith("      proved for 3 positions only, those with k == 1, or k == 2, by")
        for line in told
    )


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


def test_what_is_proved_for_some_parameters_and_wrong_for_others_is_a_theorem_that_says_so():
    found = made.formula(proofs=(made.proof("m == 2", "m == 2"),), counterexample=made.WRONG)
    told = lines(found)
    assert told[told.index("Theorems:") + 1] == "  P-positions: x == y"
    assert any(line.strip().startswith("not for all: wrong at (x=5, y=7)") for line in told)
    assert "Right in small tables, and wrong in larger ones:" not in told


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
    tables = [InstanceCheck(instance=f"m={m}", checked=m % 2, holds=None) for m in (9, 12)]
    tables[0] = replace(tables[0], holds=True)
    known = made.formula(instances=tuple(tables), checked=1)
    asked = made.study(test=("m=9", "m=12"))
    told = account(made.catalogue(studies=[asked], formulas=[known]))
    assert "m=9" in told
    assert "m=12" not in told
    (row,) = made.catalogue(formulas=[known]).to_frame().to_dict("records")
    assert row["instances"] == "m=9"


def test_what_could_not_be_done_and_an_interruption_are_told():
    told = lines(failed=["proving: no"], doing="proving")
    assert told[1] == "interrupted while proving: what follows is what was known then"
    assert told[-2:] == ["Not done:", "  proving: no"]


def test_what_was_not_looked_for_to_the_end_is_not_said_to_be_not_found():
    """Interrupt the study before an engine has answered."""
    study = made.study(targets=("p", "grundy"))
    told = account(made.catalogue(studies=[study]), "solving").splitlines()
    assert told[-3:] == ["Search not completed:", "  P-positions", "  Grundy numbers"]
    assert not any(line.startswith(("Not found", "trained")) for line in told)
    learnt = (LearntTables(instances=("N=8",), positions=81),)
    engine = Engine(
        study="s", engine="search", target=P_POSITIONS, notes=(), exact=0, partial=0, learnt=learnt
    )
    told = account(made.catalogue(studies=[study], engines=[engine]), "solving").splitlines()
    assert "trained on 81 positions (N=8)" in told
    assert told[-6:-4] == ["Not found:", "  P-positions: no formula that is right everywhere"]
    assert told[-2:] == ["Search not completed:", "  Grundy numbers"]
