"""``grundylab study``: a game's rules are enough, and the report says nothing untrue."""

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.findings import made

import grundylab as gl
from grundylab.cli.main import main
from grundylab.discover.base import EngineRun
from grundylab.discover.engine_turns import Rung
from grundylab.errors import InstanceError
from grundylab.findings.results import Results
from grundylab.pipeline import steps
from grundylab.pipeline.default_tables import usual_parts
from grundylab.pipeline.single_game import default_study, steps_of
from grundylab.pipeline.steps import StudyState
from grundylab.records.finding import LearntTables
from grundylab.report.account import account
from grundylab.solve import instance_choice, solve
from grundylab.solve.solving import is_slow

SCRIPT = Path(sys.executable).with_name("grundylab")
PROGRESS = r"(grundylab: [^\n]* \(\d+ s\)\n)*"  # lines of long work
BOUNDED = "title: Take 1 to m\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(m, x)', from: x}]\n"
TWO = "title: {title}\npiles: 2\nposition: {{x: 0..N}}\nmoves: [{{take: t, from: x}}]\n{more}"
MOORE = (
    "title: Misère Moore's Nim, from one or two of three piles\npiles: 3\nposition: {x: 0..N}\nplay: misere\nmoves:\n"
    "  - {take: t, from: x}\n  - {for: {s: 1..x, t: 1..y}, to: {x: x - s, y: y - t}}\n"
    "  - {for: {s: 1..x, t: 1..z}, to: {x: x - s, z: z - t}}\n  - {for: {s: 1..y, t: 1..z}, to: {y: y - s, z: z - t}}\n"
)
# By m another game: nothing simple is true of both.
MIXED = (
    "title: By m one of two games\nparameters: {m: 1 <= m <= 2}\npiles: 2\nposition: {x: 0..N}\n"
    "moves: [{take: t, from: x, when: m == 1}, {take: [1, 3, 4], from: x, when: m == 2}]\n"
)


def told(text):
    """Return the lines of a report below each heading."""
    found, head = {}, ""
    for line in text.splitlines()[2:]:
        if line.startswith(" "):
            found[head].append(line.strip())
        elif line:
            head = line.rstrip(":")
            found[head] = []
    return found


def studied(study, folder):
    """Return the state after all steps of the study."""
    return steps_of(study, folder).after(StudyState(study))


def work_on(study, folder):
    """Return the steps of the study, whose single steps may use the whole budget."""
    work = steps_of(study, folder)
    for stage in steps.SHARES:
        work.clock.begin(stage)
    return work


def test_a_game_by_name_ends_in_its_theorems_and_their_proofs(grundylab, folder):
    status, text, _ = grundylab("study nim-2 --budget 20")
    lines = told(text)["Theorems"]
    assert status == 0
    assert "P-positions: x == y" in lines
    assert "Grundy numbers: x ^ y" in lines
    proofs = [line.removeprefix("proof: ") for line in lines if line.startswith("proof: ")]
    assert len(proofs) == 2
    assert all((folder / proof).is_file() for proof in proofs)


def test_no_proof_is_begun_after_the_time_for_all_and_that_is_said(grundylab):
    # each proof has its own limit: a file with many claims would take that many times as long
    text = grundylab("study nim-2 --budget 0.001")[1]
    (late,) = told(text)["Not done"]
    assert "proofs not started" in late


def test_the_shares_of_the_stages_are_the_whole_budget_and_what_one_leaves_over_is_for_the_next(monkeypatch):
    assert sum(steps.SHARES.values()) == pytest.approx(1)
    assert max(steps.FIRST, steps.ENGINES) < steps.SHARES["fit"]
    now = [7.0]
    monkeypatch.setattr(steps, "_cpu_seconds", lambda: now[0])
    clock, granted = steps.Clock(100), 0.0
    for stage in steps.STAGES:
        clock.begin(stage)
        granted += 100 * steps.SHARES.get(stage, 0)
        assert clock.left() == pytest.approx(granted - (now[0] - 7))
        now[0] += 3
    assert granted == pytest.approx(100)
    assert clock.left(0.01) == pytest.approx(1)
    now[0] = 7 + 101
    assert clock.left() < 0


# For an even m it is Nim with two piles; for an odd one, it has another move.
BY_PARITY = (
    "title: t\nparameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves:\n  - {take: t, from: x}\n"
    "  - {name: both, when: m % 2 == 1 and x >= 1 and y >= 1, to: {x: x - 1, y: y - 1}}\n"
    "claims: [{id: equal, target: p, where: m % 2 == 0, formula: x == y, unpublished: true}]\n"
)


@pytest.mark.parametrize(
    ("rules", "is_open"), [(BY_PARITY, True), (BY_PARITY.replace("m % 2 == 1 and", "x > y and"), False)]
)
def test_a_proved_claim_is_the_answer_where_no_engine_has_one(rules, is_open, tmp_path, monkeypatch):
    def nothing(self, study, target, *_):
        return Results(runs=(EngineRun(target=target, engine="search"),), findings=())

    monkeypatch.setattr(steps.Steps, "propose", nothing)
    if not is_open:
        rules = rules.replace("where: m % 2 == 0, ", "")
    study = default_study(gl.parse_ruleset(rules), 5)
    known = studied(study, tmp_path)
    found = told(account(known.catalogue))
    where = " where m % 2 == 0" if is_open else ""
    assert f"P-positions: x == y{where}" in found["Theorems"]
    assert any(line.startswith("P-positions: ") for line in found["Not found"]) == is_open
    (winning,) = known.catalogue.winning
    assert (winning.status, str(winning.where)) == ("proved", "m % 2 == 0" if is_open else "True")


def test_what_is_seldom_meant_is_said_before_the_theorems(grundylab, folder):
    # a slip of the pen: its theorems are those of another game than was meant
    moves = "moves: [{take: t, from: x}, {name: delete, take: t, from: x}]"
    (folder / "game.yaml").write_text(f"title: Copied\nposition: {{x: 0..N, y: 0..N}}\n{moves}\n")
    text = grundylab("study game.yaml --budget 2")[1]
    notes = ["note: no move changes y", "note: the moves 'take from x' and 'delete' are the same"]
    assert text.splitlines()[1:3] == notes


def test_a_game_of_ones_own_is_proved_for_parameters_that_nothing_was_learnt_from(grundylab, folder):
    (folder / "game.yaml").write_text(BOUNDED)
    known = grundylab("study game.yaml --budget 20 --json")[1]
    found = {(f["target"], f["formula"]): f for f in known["findings"] if f["status"] == "proved"}
    assert ("p", "x % (m + 1) == 0") in found
    assert {study["training"][0] for study in known["studies"]} < {f"m=1,N={n}" for n in range(257)}
    assert max(len(study["test"]) for study in known["studies"]) == 12
    assert known["interrupted"] is None


def test_a_ruleset_is_read_from_standard_input_and_its_page_is_written(folder):
    asked = [SCRIPT, "study", "-", "--budget", "10", "--page", "page"]
    done = subprocess.run(
        asked, input=TWO.format(title="Nim", more=""), text=True, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert re.fullmatch(PROGRESS, done.stderr)
    assert "P-positions: x == y" in told(done.stdout)["Theorems"]
    assert "for all sizes" in (folder / "page" / "rulesets" / "game.html").read_text()
    assert list((folder / "page" / "proofs").glob("*.zip"))


def test_a_page_is_not_written_of_a_ruleset_that_was_edited_meanwhile_but_the_account_is_told(
    folder, monkeypatch, capsys
):
    path = folder / "rulesets" / "mine.yaml"
    path.write_text(TWO.format(title="Nim", more=""))

    def edited(*arguments):
        path.write_text(TWO.format(title="Another", more=""))
        return account(*arguments)

    monkeypatch.setattr("grundylab.cli.commands.study.account", edited)
    assert main(["study", "mine", "--budget", "1", "--page", "page"]) == 2
    out, error = capsys.readouterr()
    assert "P-positions: x == y" in told(out)["Theorems"]
    assert error.startswith("grundylab: rulesets/mine.yaml: ")
    assert not (folder / "page").exists()


def test_interrupted_it_tells_what_is_known_then(folder):
    asked = [SCRIPT, "study", "nim-with-a-pass", "--budget", "60"]
    terminal, its_end = pty.openpty()  # progress is shown on one, and says when it has come so far
    # where tests run in the background the shell has it ignore that signal
    started = subprocess.Popen(
        asked, stdout=subprocess.PIPE, stderr=its_end, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    os.close(its_end)
    shown = b""
    while b"looking for formulas" not in shown:
        shown += os.read(terminal, 4096)
    os.kill(started.pid, signal.SIGINT)
    out, _ = started.communicate(timeout=600)
    assert started.returncode == 0
    assert "interrupted while looking for formulas" in out
    assert "checked on" not in out


def test_the_table_that_is_checked_is_larger_and_has_parameters_that_nothing_was_learnt_from():
    study = default_study(gl.parse_ruleset(BOUNDED), 10)
    train, test = ({dict(i.parameters)["m"] for i in each} for each in (study.train, study.test))
    assert train < test
    assert min(i.cells for i in study.test) > max(i.cells for i in study.train)


def test_a_larger_budget_checks_larger_tables():
    sizes = [sum(i.cells for i in default_study(gl.load("nim"), budget).test) for budget in (1, 10, 60)]
    assert sizes == sorted(set(sizes))


@pytest.mark.long
def test_where_settings_have_nothing_in_common_each_is_learnt_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(
        steps, "_cpu_seconds", lambda: 0.0
    )  # two seconds leave a slow machine no time for proofs
    known = studied(default_study(gl.parse_ruleset(MIXED), 2), tmp_path)
    proved = {(str(f.where), f.status) for f in known.catalogue.formulas if str(f.target) == "grundy"}
    assert ("m == 1", "proved") in proved
    alone_again = [line for line in told(account(known.catalogue))["Not found"] if "alone" in line]
    assert alone_again
    assert all("m=2" in line for line in alone_again)


@pytest.mark.parametrize("game", ["nim-2", gl.load("nim-2")])
def test_a_notebook_has_the_same(game, tmp_path):
    account = gl.study(game, 10, tmp_path)
    assert "P-positions: x == y" in told(repr(account))["Theorems"]
    assert account.catalogue.to_frame()["status"].tolist().count("proved") >= 2


def test_of_a_game_without_a_formula_the_first_rows_are_theorems(tmp_path):
    game = gl.parse_ruleset("title: Nim with a pass\nextends: nim\npass: {}\n")
    lines = told(repr(gl.study(game, 1, tmp_path)))
    row = "P-positions: y == 0 and z == 0 or y >= 1 and z == y + 1 and y % 2 == 1 where p == 1 and x == 0 and x <= y <= z"
    assert any(row in told for head, told in lines.items() if head.startswith("Theorems "))
    assert any(line.startswith("P-positions: ") for line in lines["Not found"])


LASKER = (
    "title: Lasker's Nim\nposition: {x: 0..N}\n"
    "moves: [{take: t, from: x}, {for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}]\n"
)
ODD = "title: Take an odd number\nposition: {x: 0..N}\nmoves: [{for: {t: 1..x}, when: t % 2 == 1, to: {x: x - t}}]\n"


@pytest.mark.parametrize("game", [LASKER, ODD])
def test_a_game_that_has_no_rows_has_its_theorems_all_the_same(grundylab, folder, game):
    (folder / "game.yaml").write_text(game)
    status, text, err = grundylab("study game.yaml --budget 20")
    assert status == 0
    assert re.fullmatch(PROGRESS, err)
    assert {line.partition(":")[0] for line in told(text)["Theorems"]} >= {"P-positions", "Grundy numbers"}


def test_a_step_that_cannot_be_done_is_told_and_the_others_go_on(grundylab, monkeypatch):
    def refuse(*_):
        raise InstanceError("no")

    monkeypatch.setattr("grundylab.pipeline.rows_and_heaps.row_records", refuse)
    lines = told(grundylab("study subtraction-1-3-4 --budget 20")[1])
    assert [line.endswith(": no") for line in lines["Not done"]] == [True]
    assert any(line.startswith("Grundy numbers: ") for line in lines["Theorems"])


@pytest.mark.long
def test_an_automaton_is_put_in_other_words(grundylab, folder):
    (folder / "game.yaml").write_text(MOORE)
    words, automaton, *_ = (
        line
        for line in told(grundylab("study game.yaml --budget 20")[1])["Theorems"]
        if not line.startswith("proved")
    )
    assert ': accepts("' in automaton
    formula = words.removeprefix("P-positions: ")
    assert "accepts" not in formula
    table = gl.solve(gl.load("game.yaml"), N=20)
    assert gl.verify(formula, "p", table).status == "holds"


def test_what_is_found_for_one_value_of_a_coordinate_does_not_end_the_search_for_each_setting(
    tmp_path, monkeypatch
):
    asked = []

    def propose(self, study, target, *_):
        asked.append(study.each)
        part = made.candidate(where="x == 0")
        return Results(runs=(EngineRun(target=target, engine="search"),), findings=(part,))

    monkeypatch.setattr(steps.Steps, "propose", propose)
    study = default_study(gl.parse_ruleset(MIXED), 5)
    work_on(study, tmp_path).formulas(StudyState(study), study.targets[0])
    assert asked == [False, True]


# From an odd heap two or four tokens are taken; to which even heap an even one leads has no pattern.
ODD = (
    "title: t\nposition: {n: 0..N}\nmoves:\n  - {take: [2, 4], from: n, when: n % 2 == 1}\n"
    "  - {when: n % 2 == 0 and n >= 4, to: {n: '2 * (n * n // 12 % (n // 2))'}}\n"
)


def test_a_part_of_the_positions_may_have_a_formula_where_all_together_have_none(tmp_path):
    study = default_study(gl.parse_ruleset(ODD), 3)
    work = work_on(study, tmp_path)
    known = work.parts(StudyState(study), gl.parse_target("p"))
    (found,) = known.catalogue.formulas
    assert (str(found.formula), str(found.where)) == ("n % 3 == 1", "n % 2 == 1")
    assert found.status == "holds"


HALVES = (
    "title: t\nposition: {n: 0..N}\nmoves:\n  - {take: 1, from: n}\n"
    "  - {when: n > 0 and n % 2 == 0, to: [{n: n // 2}, {n: n // 2}]}\n"
)


def test_outcomes_follow_from_grundy_numbers_that_are_proved_after_them(grundylab, folder):
    (folder / "game.yaml").write_text(HALVES)
    theorems = told(grundylab("study game.yaml")[1])["Theorems"]
    for target in ("Grundy numbers: ", "P-positions: "):
        assert any(line.startswith(target) for line in theorems), theorems


def test_where_no_formula_for_p_positions_is_found_they_are_those_with_the_value_0(tmp_path):
    nim = gl.parse_ruleset("title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")
    study = default_study(nim, 6)
    work = work_on(study, tmp_path)
    known = work.verdicts(work.formulas(StudyState(study), gl.parse_target("grundy")))
    assert work.asks_for_values(known)
    (found,) = (each for each in work.from_values(known).formulas if each.target == gl.parse_target("p"))
    assert (str(found.formula), found.status) == ("x == y", "proved")


ENDED = "title: t\nparameters: {k: k >= 0}\nposition: {%s}\nmeasure: %s\nmoves: %s\n"
RACE = ENDED % ("n: 0..k", "k - n", "[{for: {d: 1..3}, when: n + d <= k, to: {n: n + d}}]")
ROOK = ENDED % (
    "x: 0..k, y: 0..k", "2 * k - x - y", "[{for: {t: 1..k-x}, to: {x: x + t}}, {for: {t: 1..k-y}, to: {y: y + t}}]"
)  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        (RACE, {"p": "(k - n) % 4 == 0", "grundy": "(k - n) % 4"}),
        (ROOK, {"p": "x == y", "grundy": "(k - x) ^ (k - y)"}),
    ],
)
def test_a_game_that_ends_at_a_parameter_is_checked_at_values_that_nothing_was_learnt_from(
    rules, answers, tmp_path
):
    known = studied(default_study(gl.parse_ruleset(rules), 10), tmp_path)
    best = {str(formula.target): formula for formula in reversed(known.catalogue.formulas)}
    assert {target: str(formula.formula) for target, formula in best.items()} == answers
    assert {formula.status for formula in best.values()} <= {"proved", "holds"}
    assert all(formula.finite is None for formula in best.values())
    (study,) = known.catalogue.studies
    assert len(study.training) > 16
    assert not {*study.test} & {*study.training}


# The whole answer is not simple: for an even k it has many cases.
DIVISORS = (
    ENDED % ("n: 1..k", "k - n", "[{for: {d: 1..n}, when: n % d == 0 and n + d <= k, to: {n: n + d}}]")
).replace("k >= 0", "k >= 1")


def test_a_game_that_ends_at_a_parameter_may_have_a_formula_for_some_of_its_values(tmp_path, monkeypatch):
    target = gl.parse_target("p")
    study = default_study(gl.parse_ruleset(DIVISORS), 8)  # seconds: enough on a busy machine, too
    assert list(map(str, usual_parts(study.ruleset)[0])) == ["k % 2 == 0", "k % 2 == 1"]
    monkeypatch.setattr(steps, "usual_parts", lambda ruleset: usual_parts(ruleset)[:1])
    work = work_on(study, tmp_path)
    known = work.parts(StudyState(study), target)
    (found,) = known.catalogue.formulas
    assert (str(found.formula), str(found.where), found.status) == ("n % 2 == 1", "k % 2 == 1", "proved")
    assert found.test.checked > sum(table.positions for table in work.train)


def test_what_is_right_only_where_it_was_learnt_is_left_out_and_that_is_said(tmp_path):
    target = gl.parse_target("p")
    study = default_study(gl.parse_ruleset(DIVISORS), 2)
    work = work_on(study, tmp_path)
    small = [made.candidate(formula="(n ^ k) % 2 == 0", where=where) for where in ("k <= 3", "k % 2 == 1")]
    proposed = Results(runs=(EngineRun(target=target, engine="search"),), findings=tuple(small))
    known = work.proofs(work.verdicts(StudyState(study, results=proposed)))
    assert [str(formula.where) for formula in known.catalogue.formulas] == ["k % 2 == 1"]
    assert f"left out: 1 formula, {steps.UNCHECKED}" in known.catalogue.runs[0].notes


@pytest.mark.parametrize(
    ("learnt", "validation", "tested", "is_checked"),
    [
        (["N=8"], [], "N=16", True),
        (["N=8"], [], "N=8", False),
        (["N=8", "N=16"], [], "N=16", False),  # it was learnt again from the table that it is tested on
        (["N=8", "N=16"], ["N=32"], "N=16", True),
    ],
)
def test_what_an_engine_learnt_again_from_is_no_test(learnt, validation, tested, is_checked):
    tables = tuple(LearntTables(instances=(label,), positions=9) for label in learnt)
    formula = made.formula(
        learnt=tables, validate=made.counts(99 * len(validation), instances=dict.fromkeys(validation, 99)), checked=20,
        instances={tested: 20},
    )  # fmt: skip
    assert steps._is_checked(formula, 9) == is_checked
    assert not steps._is_checked(
        formula, 99
    )  # larger tables of a game that ends without a bound have no more


def test_a_theorem_about_a_game_of_finitely_many_positions_says_so(tmp_path):
    rules = "title: t\nposition: {n: 0..20}\nmoves: [{take: '1..min(n, 3)', from: n}]\n"
    lines = told(repr(gl.study(gl.parse_ruleset(rules), 3, tmp_path)))["Theorems"]
    assert "P-positions: n % 4 == 0" in lines
    assert sum("only 21 positions" in line for line in lines) == 2


FAR = "title: t\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x, when: x <= 300}]\n"


def refutation(engine, target):
    """Return the proposals of an engine that has run, and whose formulas were refuted."""
    return Results(runs=(EngineRun(target=target, engine=engine),), findings=())


def test_an_answer_that_larger_tables_refute_is_looked_for_again_in_them(tmp_path, monkeypatch):
    target = gl.parse_target("p")
    study = default_study(gl.parse_ruleset(FAR), 60).model_copy(update={"engines": {target: ("search",)}})
    small, large = ([solve(gl.make_instance(study.ruleset, {}, {"N": n}), study.values)] for n in (256, 1024))
    work = work_on(study, tmp_path)
    work.__dict__.update(train=small, test=large)
    monkeypatch.setattr(
        steps, "instances_beyond", lambda *_: [gl.make_instance(study.ruleset, {}, {"N": 4096})]
    )
    known = work.again(StudyState(study, results=refutation("search", target)), target)
    (best, *_) = (each for each in known.catalogue.formulas if each.status == "holds")
    assert gl.verify(str(best.formula), "p", gl.solve(study.ruleset, N=5000)).status == "holds"
    assert best.test.instances == {"N=4096": 4097}


HALVE = (
    "title: t\nposition: {n: 1..N}\nmoves: [{when: n > 1, to: {n: n - 1}}, {when: n > 1, to: {n: n // 2}}]\n"
)


def test_after_a_refutation_the_other_engines_learn_first_from_the_same_tables(tmp_path, monkeypatch):
    target, engines = gl.parse_target("p"), ("search", "automata")
    study = default_study(gl.parse_ruleset(HALVE), 60).model_copy(update={"engines": {target: engines}})
    work = work_on(study, tmp_path)
    work.__dict__["test"] = [solve(gl.make_instance(study.ruleset, {}, {"N": 512}), study.values)]
    monkeypatch.setattr(steps, "instances_beyond", lambda *_: ())
    known = work.again(StudyState(study, results=refutation("search", target)), target)
    assert {(each.origin.engine, each.status) for each in known.catalogue.formulas} == {("automata", "holds")}


def test_what_is_learnt_again_from_the_largest_tables_is_no_finding_unless_it_is_proved(
    tmp_path, monkeypatch
):
    target = gl.parse_target("p")
    study = default_study(gl.parse_ruleset(FAR), 60).model_copy(update={"engines": {target: ("search",)}})
    work = work_on(study, tmp_path)
    work.__dict__["test"] = [solve(gl.make_instance(study.ruleset, {}, {"N": 512}), study.values)]
    monkeypatch.setattr(steps, "instances_beyond", lambda *_: ())
    monkeypatch.setattr(Rung, "next", None)  # nor has the engine larger ones
    known = work.again(StudyState(study, results=refutation("search", target)), target)
    assert "undecided" in {each.status for each in known.results.formulas} <= {"undecided", "partial"}
    assert {each.status for each in known.catalogue.formulas} <= {"partial"}
    (note, *_), *_ = (engine.notes for engine in known.catalogue.runs)
    assert note.startswith("left out: ")
    assert note.endswith(steps.UNCHECKED)
    assert "proved" in {each.status for each in work.proofs(known).catalogue.formulas}


def test_a_table_that_only_the_reference_can_solve_is_small():
    rules = (
        "title: t\nposition: {n: 1..N}\nmoves: [{for: {y: 1..n-1}, when: 'n <= y*y*y*y*y*y*y', to: {n: y}}]\n"
    )
    study = default_study(gl.parse_ruleset(rules), 60)
    (test,) = study.test
    assert test.moves <= 60 * instance_choice.SLOW_MOVES_A_SECOND < 60 * instance_choice.MOVES_A_SECOND
    assert not any(
        is_slow(each, study.values) for each in instance_choice.instances_beyond(study.test, 60, study.values)
    )


ONE_OF_EACH = (
    "title: t\npiles: 2\nposition: {x: 0..N}\nmoves:\n  - {take: 1, from: x}\n"
    "  - {when: 'min(x, y) > 0', to: {x: x - 1, y: y - 1}}\n"
)


def test_formulas_of_parts_that_make_up_all_positions_are_one_by_cases(tmp_path):
    study = default_study(gl.parse_ruleset(ONE_OF_EACH), 12)
    work = work_on(study, tmp_path)
    known = work.parts(StudyState(study), gl.parse_target("p"))
    (found,) = known.catalogue.formulas
    assert (str(found.where), found.status) == ("True", "proved")
    assert gl.verify(str(found.formula), "p", gl.solve(study.ruleset, N=40)).status == "holds"


def test_the_parts_of_a_game_of_piles_are_those_where_none_is_small_and_by_the_parity_of_the_sum():
    game = gl.parse_ruleset("title: t\nposition: {x: 0..N, y: 0..N, p: 0..1}\nmoves: [{take: 1, from: x}]\n")
    assert [list(map(str, parts)) for parts in usual_parts(game)] == [
        ["min(x, y) >= 1"],
        ["min(x, y) >= 2"],
        ["(x + y) % 2 == 0", "(x + y) % 2 == 1"],
    ]


MANY = "title: t\nparameters: {%s}\nposition: {%s}\nmoves: [{take: t, from: x}, {take: t, from: y}]\n"
PARAMETERS = ", ".join(f"a{i}: a{i} >= 0" for i in range(16))
SWITCHES = ", ".join(f"s{i}: 0..3" for i in range(8)) + ", z: 0..1"


@pytest.mark.parametrize(
    ("parameters", "position"), [(PARAMETERS, "x: 0..N, y: 0..N"), ("a: a >= 0", SWITCHES)]
)
def test_of_many_parameters_or_coordinates_few_tables_and_rows_are_asked_for(parameters, position):
    position = position if "x: " in position else f"{position}, x: 0..N, y: 0..N"
    study = default_study(gl.parse_ruleset(MANY % (parameters, position)), 5)
    assert 1 < len(study.train) <= 64
    assert len(study.test) <= 256
    assert 1 < len(list(study.rows.rows)) <= 320
