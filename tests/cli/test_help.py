"""The help texts: whole sentences, and examples that are valid command lines."""

import argparse
import re
import shlex

import pytest

from grundylab.cli.main import COMMANDS, GROUPS, main, parser_of


def help_of(words, capsys):
    with pytest.raises(SystemExit) as done:
        main([*words, "--help"])
    assert done.value.code == 0
    return capsys.readouterr().out


def parsers(name):
    """Return the command's parser and the parsers of its subcommands."""
    (commands,) = (action for action in parser_of([name])._actions if action.dest == "command")
    found = [commands.choices[name]]
    for action in found[0]._actions:
        if isinstance(action, argparse._SubParsersAction):
            found += action.choices.values()
    return found


def test_every_command_is_listed_in_one_group(capsys):
    listed = re.findall(r"(?m)^  ([a-z]+)  +[a-z]", help_of([], capsys))
    assert listed == [name for group in GROUPS.values() for name in group] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_described_in_whole_sentences(name):
    for parser in parsers(name):
        assert re.fullmatch(r"[A-Z].*\.", parser.description, re.DOTALL), parser.prog
        options = (action for action in parser._actions if not isinstance(action, argparse._SubParsersAction))
        assert all(option.help for option in options), parser.prog


@pytest.mark.parametrize("name", COMMANDS)
def test_its_examples_are_command_lines_that_it_takes(name):
    first, *examples = parsers(name)[0].epilog.splitlines()
    assert first == "for example:"
    assert examples
    for example in examples:
        program, *arguments = shlex.split(example.partition(" > ")[0])  # what goes into a file
        assert (program, arguments[0]) == ("grundylab", name)
        parser_of([name]).parse_args(arguments)


def test_a_line_of_help_fits_a_terminal(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    for name in COMMANDS:
        lines = help_of([name], capsys).split("for example:")[0].splitlines()
        assert max(map(len, lines)) <= 80
