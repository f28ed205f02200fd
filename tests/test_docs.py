"""The documents show what really happens: games, console blocks, Python sessions, links; and they build as a site.

A block of YAML that begins with ``# rulesets/NAME.yaml`` is a game, and one with ``# surveys/NAME.yaml`` a survey; the
sessions of its document may use it.
"""

import doctest
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from tests.hostile.inputs import SORTS

import grundylab as gl
from grundylab.check.judging import judge
from grundylab.check.shares import percent
from grundylab.cli.main import main, parser_of
from grundylab.errors import GrundylabError
from grundylab.logic.mona import find_mona
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.study import SPLITS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
OUTSIDE = {
    "a command of Slurm": "sacct",
    "systems, files and questions of Walnut": "msd_fib msd_trib msd_u2_1_addition.txt game_sums",
    "columns, named after a split": "train_right train_total train_recall train_specificity train_balanced",
    "stands for any": "INSTANCE.p.parquet discover/engines/NAME.py",
    "what the reader writes": "guesses.py",
    "refused today": "f_0123456789abcdef_g fg",
}  # names in backticks that no source has


def blocks(text, language):
    """Return the fenced blocks of a language."""
    return re.findall(rf"(?m)^```{language}\n(.*?)^```$", text, re.S)


def games(text):
    """Return the rulesets and surveys that a document shows, by file."""
    return {
        re.match(r"# ((?:rulesets|surveys)/\S+\.yaml)\n", block)[1]: block
        for block in blocks(text, "yaml")
        if "title:" in block
    }


def sections(path):
    """Return the parts of a document, each from one heading to the next; a session continues within one part."""
    return re.split(r"(?m)^## ", path.read_text())


def sessions(text):
    """Yield (command, the lines shown after it) of the console blocks."""
    for block in blocks(text, "console"):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            yield command, lines


def agree(shown, printed):
    """Tell whether the shown lines are the printed ones; ``...`` stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()) + "\n" for line in shown)
    text = "".join(f"{line.rstrip()}\n" for line in printed.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, text) is not None


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    for folder in ("rulesets", "surveys", "papers"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


SLOW = ("numeration.md",)  # automata of systems of numeration are learnt there; by make test-long
SESSIONS = [
    pytest.param(
        path,
        number,
        id=f"{path.name}: {text.splitlines()[0]}",
        marks=pytest.mark.long if path.name in SLOW else (),
    )
    for path in DOCUMENTS
    for number, text in enumerate(sections(path))
    if blocks(text, "console")
]


@pytest.mark.skipif(find_mona() is None, reason="the sessions have proofs, which need MONA")
@pytest.mark.parametrize(("path", "number"), SESSIONS)
def test_a_console_session_is_what_happens(path, number, checkout, capsys):
    for file, game in games(path.read_text()).items():
        assert not Path(file).exists(), "a game that comes with grundylab would be hidden by it"
        Path(file).write_text(game)
    for command, shown in sessions(sections(path)[number]):
        program, *arguments = shlex.split(command)
        assert program == "grundylab"
        with suppress(SystemExit):  # --help ends so
            main(arguments)
        assert agree(shown, capsys.readouterr().out), command


@pytest.mark.parametrize(
    ("file", "game"),
    [
        pytest.param(*each, id=f"{path.name}: {each[0]}")
        for path in DOCUMENTS
        for each in games(path.read_text()).items()
        if each[0].startswith("rulesets/")
    ],
)
def test_a_game_that_is_shown_is_one(file, game, checkout, capsys):
    Path(file).write_text(game)
    assert main(["check", file]) == 0
    said = capsys.readouterr().out
    assert "  ok: " in said
    assert "  note " not in said


def test_the_tables_and_the_picture_are_those_of_the_source():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.PICTURE.read_text() == generate.picture()
    for name in generate.TABLES:
        text = (ROOT / "docs" / name).read_text()
        assert text == generate.filled(text), f"{name}: python docs/generate.py writes it anew"


@pytest.mark.skipif(find_mona() is None, reason="the example ends with a proof, which needs MONA")
@pytest.mark.parametrize(
    "path", [path for path in DOCUMENTS if ">>>" in path.read_text()], ids=lambda path: path.name
)
def test_a_python_session_is_what_happens(path, checkout):
    text = "\n".join(blocks(path.read_text(), "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_the_numbers_of_the_readme_s_example_are_those_of_the_configuration():
    """Count the positions of each split, and the shares of the formulas that the table of engines shows in full."""
    study = read_studies(ROOT / "config.yaml", str(ROOT / "rulesets"))["nim-with-a-pass-from-m"]
    text = README.split("**An example.**")[1].split("So the conjecture is")[0]
    tables = {
        split: [gl.solve(each, "outcome") for each in study.instances(split)] for split in ("train", "test")
    }
    positions = [sum(instance.cells for instance in study.instances(split)) for split in SPLITS]
    assert re.findall(r"([\d,]{5,}) positions", text) == [f"{number:,}" for number in positions]
    for split in tables:
        assert f"m = {', '.join(str(dict(each.parameters)['m']) for each in study.instances(split))}" in text
    rows = [[cell.strip() for cell in line.split("|")[2:-2]] for line in re.findall(r"(?m)^\| `.*", text)]
    shown = [(formula, *shares) for formula, *shares in rows if re.match("`.*`", formula)]
    assert len(shown) > 2
    for formula, *shares in shown:
        claim = gl.Claim("", gl.parse_target("p"), gl.parse_condition(re.match("`(.*)`", formula)[1]))
        train, test = (judge(claim, each) for each in tables.values())
        missed, true = (sum(getattr(each, name) for each in test.checks) for name in ("true_wrong", "true"))
        right = [(each.checked - each.wrong) / each.checked for each in (train, test)]
        assert shares == [percent(share) for share in (*right, (true - missed) / true)], formula


def commands_of(path):
    """Yield every grundylab command line in the document's blocks that are not run, fenced or indented."""
    text = path.read_text()
    for block in [*blocks(text, "sh"), *re.findall(r"(?m)(?:^    .*\n)+", text)]:
        for line in block.splitlines():
            if found := re.match(r"\s*(?:\$ )?grundylab (.*)", line):
                yield shlex.split(re.sub(r"\s+# .*|\s> \S+.*", "", found[1]))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_in_a_document_is_one_that_there_is(path):
    for arguments in commands_of(path):
        if "--help" not in arguments:
            try:
                parser_of(arguments[:1]).parse_args(arguments)
            except GrundylabError as error:
                pytest.fail(f"grundylab {' '.join(arguments)}: {error}")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file_that_is_there(path):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text()):
        assert "://" in target or (path.parent / target).exists(), target


NAME = r"[A-Za-z_]\w*(?:\.\w+)*…?"
ITEM = rf"`({NAME})(?:\(\))?`"
PLACE = r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|v|smk|j2)|tests/\w+)`"
AFTER = rf"{PLACE}: ((?:`{NAME}`(?!:)(?:, )?)+)"  # a module, and names in it
ENDINGS = {".c", ".css", ".j2", ".js", ".json", ".py", ".sh", ".smk", ".toml", ".tsv", ".v", ".yaml"}


@cache
def texts():
    """Return the text of every file in which documents may find their names, by its path below the root."""
    folders = ("src", "coq", "workflow", "rulesets", "surveys", "papers", "benchmarks", "tests")
    files = [*ROOT.glob("*.*"), *(path for folder in folders for path in (ROOT / folder).rglob("*.*"))]
    return {f"/{path.relative_to(ROOT)}": path.read_text() for path in files if path.suffix in ENDINGS}


@cache
def words_of(place):
    """Return the words of the modules whose path ends so, or of those in this folder."""
    found = [
        text for path, text in texts().items() if path.endswith(f"/{place}") or path.startswith(f"/{place}/")
    ]
    return {*re.findall(r"\w+", " ".join(found))}


@cache
def known_words():
    """Return the words of all files that are no tests, and the names of all tests and files."""
    others = " ".join(text for path, text in texts().items() if not path.startswith("/tests/"))
    tests = re.findall(r"def (test_\w+)", " ".join(texts().values()))
    return {*re.findall(r"\w+", others), *tests, *(Path(path).name for path in texts())}


def is_among(words, name):
    """Tell whether the words have a name, or one that begins so if it ends with an ellipsis."""
    if name.endswith("…"):
        return any(word.startswith(name[:-1]) for word in words)
    return name in words or {*name.split(".")} <= words


@pytest.mark.parametrize("path", [*DOCUMENTS, ROOT / "CONTRIBUTING.md"], ids=lambda path: path.name)
def test_every_name_in_a_document_is_there_and_in_the_module_with_which_it_stands(path):
    outside = " ".join(OUTSIDE.values()).split()
    text = re.sub(r"(?ms)^ *```.*?^ *```", "", path.read_text())
    for place in re.findall(PLACE, text):
        assert place in outside or words_of(place), place
    pairs = [(place, name) for place, names in re.findall(AFTER, text) for name in re.findall(ITEM, names)]
    pairs += [(place, name) for name, place in re.findall(rf"{ITEM}(?:,| in| \() {PLACE}", text)]
    for place, name in pairs:
        assert is_among(words_of(place), name) or words_of(name), f"{place}: {name}"
    for name in re.findall(ITEM, re.sub(AFTER, "", text)):
        assert name in outside or is_among(known_words(), name), name
    for sort, case in re.findall(r"R\[([a-z]+)-([a-z ]+)\]", text):
        assert case in SORTS[sort].inputs, case


def test_the_site_builds_without_a_warning_and_loads_nothing_from_a_network(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, ROOT / "docs", tmp_path / "html"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    pages = [*(tmp_path / "html").glob("*.html")]
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} <= {page.stem for page in pages}
    for page in pages:
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*(?:src|href)=\"([^\"]+)", page.read_text())
        assert not [source for source in loaded if "//" in source], page.name


def test_every_public_name_has_an_example_that_is_run():
    _, *parts = re.split(r"(?m)^### `(\w+)`$", (ROOT / "docs" / "python.md").read_text())
    described = dict(zip(parts[::2], parts[1::2], strict=True))
    assert sorted(described) == sorted(gl.__all__)
    for name, text in described.items():
        assert re.search(rf"(?m)^(?:>>>|\.\.\.) .*\bgl\.{name}\b", text), name
