"""What the documents show is what happens: console blocks, Python sessions, and the links between them."""

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

from grundylab.cli.main import COMMANDS, main, parser_of
from grundylab.errors import GrundylabError
from grundylab.logic.mona import find_mona

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def blocks(path, language):
    """The fenced blocks of a language."""
    return re.findall(rf"(?m)^```{language}\n(.*?)^```$", path.read_text(), re.S)


def sessions(path):
    """(command, the lines shown after it) of the console blocks."""
    for block in blocks(path, "console"):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            yield command, lines


def agree(shown, printed):
    """Whether the lines are those printed, where ``...`` stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()) + "\n" for line in shown)
    text = "".join(f"{line.rstrip()}\n" for line in printed.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, text) is not None


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    for folder in ("rulesets", "papers"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


WITH_SESSIONS = [path for path in DOCUMENTS if blocks(path, "console")]


@pytest.mark.skipif(find_mona() is None, reason="the sessions have proofs, which need MONA")
@pytest.mark.parametrize("path", WITH_SESSIONS, ids=lambda path: path.name)
def test_a_console_session_is_what_happens(path, checkout, capsys):
    for command, shown in sessions(path):
        program, *arguments = shlex.split(command)
        assert program == "grundylab"
        main(arguments)
        assert agree(shown, capsys.readouterr().out), command


@pytest.mark.skipif(find_mona() is None, reason="the example ends with a proof, which needs MONA")
@pytest.mark.parametrize(
    "path", [path for path in DOCUMENTS if ">>>" in path.read_text()], ids=lambda path: path.name
)
def test_a_python_session_is_what_happens(path, checkout):
    text = "\n".join(blocks(path, "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def commands_of(path):
    """Every command line of grundylab that a document has in a block: fenced, or indented after ``$``."""
    text = path.read_text()
    for block in [*blocks(path, "sh"), *blocks(path, "console"), *re.findall(r"(?m)(?:^    .*\n)+", text)]:
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


def test_every_command_is_in_the_readme():
    text = (ROOT / "README.md").read_text()
    assert [name for name in COMMANDS if f"`grundylab {name}" not in text] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file_that_is_there(path):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text()):
        assert "://" in target or (path.parent / target).exists(), target
