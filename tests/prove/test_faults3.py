"""False statements about several rulesets that were once proved, each with a true variant; and forged proof files.

The rulesets are in ``faults3/``. The first half calls Python, the second half the command line.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grundylab.cli.main import main
from grundylab.errors import GrundylabError
from grundylab.games.load import load_ruleset, parent_of
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim

FILES = Path(__file__).with_name("faults3")

# A ruleset, its claim, and where that is false or has no value. Below each fault its neighbours.
CAPTURED = [
    ("clasha", "c", "B(701) is 701"),
    ("imga", "c", "B(500) is 0"),
    ("capturer", "c", "B(900) is 0"),  # A's function by cases, B's claim of P-positions
    ("sire", "c", "B(502) is 501, and 502 has no option here"),  # one ruleset extends the other
]
LOST = [
    ("quotneg", "a", "k is -1 at x = 3660"),
    ("quotneg4", "a", "y begins below 0 at x = 6,100,000,000"),
    ("quotneg4", "b", "the same"),
    ("famneg2", "a", "h(-1) at x = 41"),
    ("quotdivisor", "a", "y begins below 0: a division by 0"),  # the divisor
    ("quotearlier", "a", "k is -1 at j = 8190"),  # an earlier variable
    ("famearlier", "a", "h(-1) at j = 38"),
]
UNCHECKED = [
    ("looka", "c", "B has no m = 700"),
    ("looka", "d", "B has no m = 500"),
    ("bada", "c", "B's measure rises from y = 300 on"),
    ("misa", "c", "a position under misere play has no Grundy number"),
    ("twoparameters", "c", "B has no m = 1, q = 603"),  # a hole that depends on another parameter
    ("leavesa", "c", "B's second coordinate falls below 0 from 700"),
    ("miserea", "c", "a position under misere play has no Grundy number"),
    ("miserea", "d", "the same, for values of a variable"),
]
NOTHING = [
    ("vac2", "a", "k is in x + 1000..x + 2"),
    ("vac2", "b", "the same, where values are looked up"),
    ("vac2", "c", "the same"),
    ("nothing", "a", "j has no value, whatever k is"),
    ("nothing", "b", "j has no value for any m"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working directory whose ``rulesets`` are those of ``faults3/``."""
    shutil.copytree(FILES, tmp_path / "rulesets", ignore=shutil.ignore_patterns("*.json"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("name", "claim", "why"), [*CAPTURED, *LOST, *UNCHECKED, *NOTHING])
def test_a_false_statement_is_not_proved(folder: Path, name: str, claim: str, why: str) -> None:
    ruleset = load_ruleset(name)
    try:
        proof = prove_claim(
            ruleset, ruleset.claim(claim), parent=parent_of(ruleset), limits=Limits(timeout=5)
        )
    except GrundylabError:
        return
    assert proof.status != "proved", why


# -- the command line -------------------------------------------------------------------------------------------------


class Commands:
    """A runner of command lines in the folder; a call returns the exit status, the output and the errors."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Run the command line."""
        status = main(list(arguments))
        return status, *self._capsys.readouterr()

    def kept(self, name: str, claim: str) -> Any:
        """Return the certificate that ``prove`` keeps of a claim, as JSON."""
        status, out, _ = self("prove", name, "--claim", claim, "--json")
        assert status == 0
        return json.loads(Path(json.loads(out)["proof"]).with_suffix(".json").read_text())

    def certify(self, name: str, text: str) -> tuple[int, str, str]:
        """Run ``certify`` on a file with this text."""
        (self.folder / "forged.json").write_text(text)
        return self("certify", name, "forged.json")


@pytest.fixture
def grundylab(folder: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    """Return a runner of command lines in the folder."""
    return Commands(folder, capsys)


# Of nothing, nothing holds.
@pytest.mark.parametrize(
    "line",
    [
        ("vac", "d", "--param", "m=1"),
        ("vac2", "c"),
        ("nothing", "a", "--param", "m=2"),
        ("nothing", "c", "--param", "m=1"),
    ],
)
def test_positions_without_a_value_of_a_variable_are_not_counted(
    grundylab: Commands, line: tuple[str, ...]
) -> None:
    _, out, _ = grundylab("verify", line[0], "--claim", line[1], "--bound", "N=6", *line[2:])
    assert not re.search(r"holds: [1-9]", out), out


# -- 5: a proof of one statement is none of another -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["corrid", "ranged"])
def test_a_correction_is_proved_by_its_own_statement_alone(grundylab: Commands, name: str) -> None:
    status, out, _ = grundylab("study", name, "--budget", "10", "--json")
    found = json.loads(out)["findings"]
    claims = {each["source"]["claim"]: each for each in found if "source" in each}
    assert status == 0
    correction = claims["c"].get("correction")
    assert correction is None or correction["status"] != "proved"
    assert claims["c-corrected"]["status"] == "proved"
    out = grundylab("study", name, "--budget", "10")[1]
    assert not any("instead: " in line and "proved" in line for line in out.splitlines()), out


@pytest.mark.long
def test_a_formula_found_has_the_proof_of_its_own_text(grundylab: Commands) -> None:
    _, out, _ = grundylab("study", "one-two-k", "--json")
    findings = json.loads(out)["findings"]
    found = [each for each in findings if "source" not in each and each["status"] == "proved"]
    assert found
    for each in found:
        for proof in each["proofs"]:
            where = f"({each.get('where', 'True')}) and ({proof.get('under', 'True')})"
            question = "--formula", each["formula"], "--target", each["target"], "--where", where
            answer = json.loads(grundylab("prove", "one-two-k", *question, "--json")[1])
            # the study may have proved it by the evidence of an equal formula
            assert answer["status"] in (proof["status"], "undecided")
            if proof["status"] == "proved":
                assert answer["status"] == "undecided" or answer["where"] == proof["where"]
                status, out, _ = grundylab("certify", "one-two-k", proof["proof"])
                assert status == 0
                assert each["formula"] in out


# -- 6: files of proofs -----------------------------------------------------------------------------------------------


def refused(answer: tuple[int, str, str]) -> bool:
    """Tell whether a file was refused; assert that a refusal is one line."""
    status, out, err = answer
    assert status in (0, 2), answer
    if status == 2:
        assert err.startswith("grundylab: ")
        assert len(err.splitlines()) == 1, err
        assert "proved" not in out
    return status == 2


def states(answer: tuple[int, str, str], *names: str) -> bool:
    """Tell whether the file was accepted, with a statement that contains all these names."""
    status, out, _ = answer
    return status == 0 and all(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", out) for name in names)


VARIABLES = """title: one pile
position: {x: 0..N}
moves:
  - {take: t, from: x}
claims:
  - {id: near, condition: "k <= 57", for: {k: 41..57}}
  - {id: where, where: "x >= 33", condition: "x >= k", for: {k: 21..x}}
  - {id: two, condition: "j + k >= 64", for: {j: 23..77, k: 41..j + 91}}
"""
RANGED = {"near": ("k <= 57", "41"), "where": ("33", "21", "x >= k"), "two": ("23", "77", "41", "91")}


@pytest.mark.parametrize("claim", RANGED)
def test_what_certify_prints_has_the_variables_ranges(grundylab: Commands, claim: str) -> None:
    (grundylab.folder / "rulesets" / "variables.yaml").write_text(VARIABLES)
    record = grundylab.kept("variables", claim)
    answer = grundylab.certify("variables", json.dumps(record))
    assert states(answer, *RANGED[claim]), answer


@pytest.mark.parametrize("file", ["forged-var", "forged-var2"])
def test_a_forged_range_is_refused_or_printed(grundylab: Commands, file: str) -> None:
    """The ranges are 0..0 for k == 0 and 3..x for x >= k; an accepted statement is printed with its range of k."""
    answer = grundylab.certify("nim", (FILES / f"{file}.json").read_text())
    assert refused(answer) or re.search(r"\bk in |<= k\b|\bk >= |\bk: ", answer[1]), answer


def values(record: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield each value in a record, as (container, key, value)."""
    for key, value in list(record.items() if isinstance(record, dict) else enumerate(record)):
        yield record, key, value
        if isinstance(value, dict | list):
            yield from values(value)


def changed(record: Any, wanted: Callable[[Any], bool], change: Callable[[Any], Any]) -> Iterator[Any]:
    """Yield copies of the record: one with each wanted value changed by itself, and one with all of them changed."""
    count = sum(wanted(value) for _, _, value in values(record))
    for chosen in (*range(count), None):
        copy, seen = json.loads(json.dumps(record)), 0
        for container, key, value in values(copy):
            if wanted(value):
                if chosen in (seen, None):
                    container[key] = change(value)
                seen += 1
        yield copy


@pytest.mark.parametrize("end", ["57", "41"])
def test_another_range_in_the_file_is_another_statement(grundylab: Commands, end: str) -> None:
    (grundylab.folder / "rulesets" / "variables.yaml").write_text(VARIABLES)
    record = grundylab.kept("variables", "near")
    for forged in changed(record, lambda value: value in (end, int(end)), lambda value: type(value)(50)):
        answer = grundylab.certify("variables", json.dumps(forged))
        assert refused(answer) or states(answer, "50"), answer


def test_the_values_of_another_game_in_the_file_are_another_statement(grundylab: Commands) -> None:
    """B is one game in the proof file, and another one in the claim of this name."""
    record = grundylab.kept("casa", "c1")
    for forged in changed(record, lambda value: value == "casb1", lambda _: "casb2"):
        assert refused(grundylab.certify("casa", json.dumps(forged)))


def test_what_certify_prints_has_the_games_that_are_looked_up(grundylab: Commands) -> None:
    answer = grundylab.certify("casa", json.dumps(grundylab.kept("casa", "c1")))
    assert states(answer, "B", "casb1"), answer


# -- nothing is read from outside the ruleset's folder ----------------------------------------------------------------

_opened: list[str] | None = None


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if _opened is not None and event == "open" and isinstance(arguments[0], str):
        _opened.append(arguments[0])


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """Yield the list of the files that are opened during a test."""
    global _opened
    if not getattr(sys, "_faults3", False):
        sys.addaudithook(_listen)  # for good: it is idle but for these tests
        sys._faults3 = True  # type: ignore[attr-defined]
    _opened = []
    yield _opened
    _opened = None


PATHS = {
    "absolute": "{outside}/casb1.yaml",
    "absolute without an ending": "{outside}/casb1",
    "relative": "../outside/casb1.yaml",
    "relative without an ending": "../outside/casb1",
    "up and down": "../rulesets/../../outside/casb1.yaml",
    "from here": "./rulesets/inner/casb1.yaml",
    "a folder": "inner/casb1",
    "a name with an ending": "hidden.yaml",
    "another name there": "other.yml",
}


@pytest.mark.parametrize("path", PATHS)
def test_no_ruleset_is_read_from_another_folder(grundylab: Commands, opened: list[str], path: str) -> None:
    """The proof file names a ruleset by a path, where a suitable ruleset exists."""
    record, folder = grundylab.kept("casa", "c1"), grundylab.folder
    outside = folder.parent / "outside"
    for place in (outside, folder / "rulesets" / "inner"):
        place.mkdir(exist_ok=True)
        shutil.copy(FILES / "casb1.yaml", place / "casb1.yaml")
    for name in ("hidden.yaml", "other.yml"):  # in the working directory, which is not the folder of rulesets
        shutil.copy(FILES / "casb1.yaml", folder / name)
    for forged in changed(
        record, lambda value: value == "casb1", lambda _: PATHS[path].format(outside=outside)
    ):
        del opened[:]
        assert refused(grundylab.certify("casa", json.dumps(forged)))
        read = [Path(file).resolve() for file in opened if file.endswith((".yaml", ".yml"))]
        assert all(file.parent == (folder / "rulesets").resolve() for file in read), read


def test_no_ruleset_is_read_by_the_absolute_path_of_a_forged_file(
    grundylab: Commands, opened: list[str]
) -> None:
    outside = grundylab.folder.parent / "elsewhere"
    outside.mkdir(exist_ok=True)
    shutil.copy(FILES / "tiny.yaml", outside / "tiny.yaml")
    text = (FILES / "forged-values.json").read_text().replace("/srv/elsewhere", str(outside))
    del opened[:]
    assert refused(grundylab.certify("nim-2", text))
    assert not any("elsewhere" in file for file in opened)


# -- damaged files ----------------------------------------------------------------------------------------------------

# A claim that is proved, and what is named where it is printed whole.
KEPT = {
    "casa": ("c1", "B(x) <= 2", "B", "casb1"),
    "clashb": ("g", "x if f(0) == 0 else min(x, f(0))"),
    "variables": ("two", "j + k >= 64", *RANGED["two"]),
}


@pytest.fixture(params=KEPT)
def kept(request: pytest.FixtureRequest, grundylab: Commands) -> tuple[str, Any]:
    """A ruleset and a certificate of it."""
    (grundylab.folder / "rulesets" / "variables.yaml").write_text(VARIABLES)
    return request.param, grundylab.kept(request.param, KEPT[request.param][0])


def refused_or_whole(answer: tuple[int, str, str], name: str) -> bool:
    """Tell whether the file was refused, or its whole statement is printed."""
    return refused(answer) or states(answer, *KEPT[name][1:])


def test_a_file_that_is_cut_off_is_refused(grundylab: Commands, kept: tuple[str, Any]) -> None:
    name, record = kept
    text = json.dumps(record, indent=1)
    for place in range(20):
        assert refused(grundylab.certify(name, text[: len(text) * place // 20]))


def test_numbers_and_words_of_another_type_make_no_other_statement(
    grundylab: Commands, kept: tuple[str, Any]
) -> None:
    """Put in a number as a string, a string as a number, and nothing at all."""
    name, record = kept
    for wanted, change in (
        (lambda value: type(value) is int, str),
        (lambda value: type(value) is bool, str),
        (lambda value: isinstance(value, str) and value.isdecimal(), int),
        (lambda value: isinstance(value, str) and not value.isdecimal(), lambda _: 7),
        (lambda value: isinstance(value, list), lambda _: None),
    ):
        for forged in changed(record, wanted, change):
            if forged != record:
                assert refused_or_whole(grundylab.certify(name, json.dumps(forged)), name), json.dumps(forged)


@pytest.mark.parametrize("deep", ["[", '{"a": ', '[{"and": ['])
def test_deep_nesting_is_refused(grundylab: Commands, kept: tuple[str, Any], deep: str) -> None:
    name, record = kept
    closing = {"[": "]", "{": "}"}
    end = "".join(closing[sign] for sign in reversed(deep) if sign in closing)
    text = deep * 20_000 + "0" + end * 20_000
    assert refused(grundylab.certify(name, text))
    for key in record:
        body = json.dumps({**record, key: "HERE"}).replace('"HERE"', deep * 900 + "0" + end * 900)
        assert refused_or_whole(grundylab.certify(name, body), name), key
