"""Advice that works: a text that a message recommends can be read, and makes a game."""

import re

import pytest

import grundylab as gl
from grundylab.cli.commands.new import study_line
from grundylab.cli.main import main
from grundylab.errors import GrundylabError
from grundylab.pipeline.config import studies_of

GAME = "title: t\nparameters: {{m: m >= 1}}\nposition: {{x: 0..N, y: 0..N}}\nmoves: [{{take: {take}, from: x}}]\n"
MISERE = "title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nplay: misere\n"


@pytest.mark.parametrize("take", ["x", "y", "2*x"])  # x was reported: its advice made a game without an end
def test_the_range_that_is_told_for_taking_just_so_many_makes_a_game(take):
    with pytest.raises(GrundylabError) as refused:
        gl.load(GAME.format(take=take))
    told = re.search(r'take: (".*")', str(refused.value))[1]
    table = gl.solve(gl.load(GAME.format(take=told)), m=1, N=6)
    assert table.positions == 49
    assert table[(0, 3)] == 0


@pytest.mark.parametrize("take", ["t", '"1..min(3, x)"', "2", "[1, 3, m]", "m", "m + 1"])
def test_what_is_told_may_be_taken(take):
    assert gl.solve(gl.load(GAME.format(take=take)), m=2, N=4).positions == 25


@pytest.mark.parametrize(
    ("command", "remedy"),
    [
        ("discover m.yaml --target grundy", "--target p"),  # reported: mis1.yaml
        ('discover m.yaml --target "grundy==2"', "--target p"),
        ("verify m.yaml --formula x --target grundy --bound N=4", "--target p"),
        ("prove m.yaml --formula x --target grundy", "--target p"),
        ("solve m.yaml --target grundy --bound N=4", "--target p"),
    ],
)
def test_under_misere_play_the_option_that_is_told_is_one(tmp_path, monkeypatch, capsys, command, remedy):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.yaml").write_text(MISERE)
    arguments = command.replace('"', "").split()
    assert main(arguments) == 2
    assert f"{'target p' if 'target' in remedy else remedy}" in capsys.readouterr().err
    option, value = remedy.split()
    arguments[arguments.index(option) + 1] = value
    if "--formula" in arguments:
        arguments[arguments.index("--formula") + 1] = "x == 1"
    assert main(arguments) == 0


# -- names that YAML takes for something else ----------------------------------------------------------------------

NAMES = ["no", "010", "on", "Y", "null", "1e3", "2020-01-01", "0x1F", "1_000", "my-game", "n0", "007-x", "12"]


@pytest.mark.parametrize("name", NAMES)
def test_a_study_keeps_its_name_as_new_prints_it_and_as_snakemake_reads_it(
    tmp_path, monkeypatch, capsys, name
):
    import yaml

    monkeypatch.chdir(tmp_path)
    assert main(["new", name]) == 0
    lines = study_line(name)
    assert lines in capsys.readouterr().out + "\n"
    text = f"engines: [tree]\nstudies:\n{lines}"
    assert list(yaml.safe_load(text)["studies"]) == [name]
    for written in (
        text,
        text.replace(f'"{name}"', name, 1),
    ):  # as somebody writes it who knows nothing of this
        (tmp_path / "config.yaml").write_text(written)
        config = yaml.safe_load(written)
        assert list(studies_of(config, ["config.yaml"])) == [name]


def test_texts_of_the_file_stay_texts_and_what_the_command_line_says_stands(tmp_path, monkeypatch):
    import yaml

    monkeypatch.chdir(tmp_path)
    text = "engines: [tree]\nbudget: 5\nstudies:\n  nim-2:\n    open: no\n    targets: [p]\n    where: True\n    train: {bounds: {N: 4}}\n    test: {bounds: {N: 9}}\n"
    (tmp_path / "config.yaml").write_text(text)
    study = studies_of({**yaml.safe_load(text), "budget": 7}, ["config.yaml"])["nim-2"]
    assert (study.open, study.budget) == ("no", 7)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"budget": "x"}, "--config: budget: "),
        ({"budgett": 1}, "--config: budgett: "),
        (
            {"studies": {"nim-2": {"budget": "x"}}},
            "--config: studies.nim-2.budget: ",
        ),
        ({"studies": {"nim-2": {"targets": ["q"]}}}, "--config: studies.nim-2.targets: "),
        ({"studies": {"nimm": {}}}, "--config: studies.nimm: "),
        ({"budget": 7}, "config.yaml:4: studies.nim-2.seeds: "),
    ],
)
def test_what_is_wrong_after_config_is_said_to_be_there_and_what_is_wrong_in_the_file_there(
    tmp_path, monkeypatch, given, line
):
    import yaml
    from snakemake.utils import update_config

    monkeypatch.chdir(tmp_path)
    text = (
        "engines: [tree]\nstudies:\n  nim-2:\n    seeds: many\n"
        if given == {"budget": 7}
        else "engines: [tree]\nstudies:\n  nim-2: {}\n"
    )
    (tmp_path / "config.yaml").write_text(text)
    config = yaml.safe_load(text)
    update_config(config, given)
    with pytest.raises(GrundylabError) as fault:
        studies_of(config, ["config.yaml"], given)
    assert str(fault.value).startswith(line)
