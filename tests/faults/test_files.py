"""A file that is not as it was written is never read, and one that cannot be written leaves nothing behind."""

import errno
import json
import os
import platform
import stat
import subprocess
import sys
import tempfile

import pyarrow.parquet as pq
import pytest

from grundylab.cli.main import main
from grundylab.errors import ConfigError, DatasetError, GrundylabError
from grundylab.files import fault, read_record, write_record, write_text
from grundylab.games import make_instance, parse_ruleset
from grundylab.logic.mona import run_mona
from grundylab.pipeline import jobs
from grundylab.pipeline.upkeep import check_writable, mend_times, sole_run
from grundylab.solve import solve
from grundylab.solve.dataset import read_dataset, write_dataset
from grundylab.solve.made import check_made, made_by

RECORD = {"made": {"seed": 3}, "formulas": ["x ≡ y", "x == y"], "empty": {}}
NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"


def test_a_record_is_read_as_it_was_written_and_is_json(tmp_path):
    path = tmp_path / "record.json"
    write_record(path, RECORD)
    assert read_record(path, ConfigError) == RECORD
    assert {key: json.loads(path.read_text())[key] for key in RECORD} == RECORD


def test_a_record_with_any_bit_flipped_or_cut_anywhere_is_refused(tmp_path):
    path = tmp_path / "record.json"
    write_record(path, RECORD)
    whole = path.read_bytes()
    damaged = [whole[:end] for end in range(len(whole))]
    damaged += [
        whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
        for at in range(len(whole))
        for bit in range(8)
    ]
    damaged += [whole + b"\n", b"{}", b"\x00" * 99]
    for data in damaged:
        path.write_bytes(data)
        with pytest.raises(ConfigError, match=r"record.json: it is damaged.*; delete it and run 'make run'"):
            read_record(path, ConfigError)


def test_a_dataset_with_any_byte_changed_is_refused(tmp_path):
    path, instance = tmp_path / "nim.parquet", make_instance(parse_ruleset(NIM, "nim"), {}, {"N": 5})
    write_dataset(solve(instance, "grundy", "reference"), path)
    whole = path.read_bytes()
    assert fault(path) is None
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 32]) + whole[at + 1 :])
        assert fault(path) is not None
    with pytest.raises(DatasetError):
        read_dataset(path, instance, "grundy")


def test_a_dataset_without_a_seal_is_refused_though_its_data_are_right(tmp_path):
    path, instance = tmp_path / "nim.parquet", make_instance(parse_ruleset(NIM, "nim"), {}, {"N": 5})
    write_dataset(solve(instance, "grundy", "reference"), path)
    pq.write_table(pq.read_table(path), path)
    with pytest.raises(DatasetError, match="it is damaged, or not of this version of grundylab; delete it"):
        read_dataset(path, instance, "grundy")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
def test_what_cannot_be_written_is_one_line_and_leaves_what_was_there(tmp_path, monkeypatch, number):
    path = tmp_path / "a.txt"
    write_text(path, "before")

    def refuse(_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(GrundylabError, match=rf"a\.txt: cannot write the file: {os.strerror(number)}$"):
        write_text(path, "after")
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("a.txt", "before")]


def test_a_file_is_on_the_disk_before_it_has_its_name_and_its_name_after(tmp_path, monkeypatch):
    done, fsync, replace = [], os.fsync, os.replace

    def synced(handle):
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def named(*arguments):
        done.append("name")
        replace(*arguments)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", named)
    write_text(tmp_path / "a.txt", "text")
    assert done == ["file", "name", "folder"]


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(tmp_path, monkeypatch):
    check_writable(tmp_path / "state")

    def refuse(**_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(GrundylabError, match=r"state: cannot write here: Read-only file system$"):
        check_writable(tmp_path / "state")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_job_on_a_full_disk_says_so_in_one_line_and_ends_with_2(tmp_path, monkeypatch, capsys):
    def full(_):
        with open("/dev/full", "w") as file:
            file.write("x")

    monkeypatch.setitem(jobs.STAGES, "solve", full)
    described = {"rule": "solve", "params": {}, "wildcards": {}, "input": {}, "output": {}}
    assert jobs.run({**described, "log": str(tmp_path / "log")}) == 2
    assert (tmp_path / "log").read_text() == "grundylab: No space left on device\n"
    assert jobs.run({**described, "log": "/dev/full"}) == 2
    assert jobs.run({**described, "log": str(tmp_path / "none" / "log")}) == 2
    assert "No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["formulas", "papers", "results"])
@pytest.mark.parametrize(
    "catalogue",
    [{}, {"formulas": [{}], "claims": [{}], "studies": [{}]}, {"studies": 3, "formulas": 3, "claims": 3}],
)
def test_a_catalogue_of_another_version_is_one_line(tmp_path, monkeypatch, capsys, command, catalogue):
    monkeypatch.chdir(tmp_path)
    write_record(tmp_path / "results" / "catalogue.json", catalogue)
    assert main([command]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("grundylab: results/catalogue.json: not a catalogue of ")
    assert err.count("\n") == 1
    (tmp_path / "results" / "catalogue.json").write_text(
        json.dumps(catalogue)
    )  # from before there were seals
    assert main([command]) == 2
    assert "not of this version of grundylab" in capsys.readouterr().err


def test_a_record_made_by_another_ruleset_or_seed_stops_the_next_stage():
    wanted = made_by({"rulesets/nim.yaml": "a", "rulesets/wythoff.yaml": "b"}, 3)
    check_made({"made": wanted}, wanted, "verdicts.json")
    check_made({"made": made_by({"rulesets/nim.yaml": "a"}, 3)}, wanted, "verdicts.json")
    with pytest.raises(
        ConfigError, match=r"verdicts.json: it was made with another ruleset nim than .*; run again"
    ):
        check_made({"made": made_by({"rulesets/nim.yaml": "c"}, 3)}, wanted, "verdicts.json")
    with pytest.raises(ConfigError, match="another seed than there is now"):
        check_made({"made": made_by({"rulesets/nim.yaml": "a"}, 4)}, wanted, "verdicts.json")
    with pytest.raises(ConfigError, match="another version"):
        check_made({"made": {**wanted, "version": "0"}}, wanted, "verdicts.json")
    with pytest.raises(ConfigError, match="another version"):
        check_made({}, wanted, "verdicts.json")


@pytest.mark.parametrize("signal", ["KILL", "SEGV", "TERM"])
def test_mona_ended_by_a_signal_is_no_answer_whatever_it_had_printed(tmp_path, monkeypatch, signal):
    program = tmp_path / "mona"
    program.write_text(f"#!/bin/sh\necho 'Formula is valid'\nkill -{signal} $$\n")
    program.chmod(0o755)
    monkeypatch.setenv("GRUNDYLAB_MONA", str(program))
    answer = run_mona("ws1s;\ntrue;\n", timeout=60)
    assert (answer.status, answer.message.partition(" (")[0]) == ("error", "MONA was ended by a signal")


def test_mona_has_an_end_even_if_what_started_it_was_killed(tmp_path, monkeypatch):
    program = tmp_path / "mona"
    program.write_text("#!/bin/sh\nulimit -t\n")
    program.chmod(0o755)
    monkeypatch.setenv("GRUNDYLAB_MONA", str(program))
    assert run_mona("ws1s;\ntrue;\n", timeout=30).message == "MONA failed: 35"


def test_times_of_the_future_become_now_in_the_same_order_and_others_stay(tmp_path):
    files = {name: tmp_path / name for name in ("late", "later", "past")}
    for path, when in zip(files.values(), (4e9, 5e9, 1e9), strict=True):
        path.write_text("")
        os.utime(path, (when, when))
    said = []
    mend_times(reversed(list(files.values())), said.append)
    times = {name: path.stat().st_mtime for name, path in files.items()}
    assert times["past"] == 1e9 < times["late"] < times["later"] < 4e9
    assert len(said) == 1
    mend_times(files.values(), said.append)
    assert len(said) == 1


def test_no_process_dates_or_places_are_in_what_a_result_says_it_was_made_by():
    code = "import json; from grundylab.solve.made import toolchain; print(json.dumps(toolchain()))"
    told = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "TZ": zone}).stdout
        for zone in ("UTC", "Asia/Tokyo")
    ]  # fmt: skip
    assert told[0] == told[1]
    assert set(json.loads(told[0])) == {"version", "packages"}


def locked_by_a_run_on(folder, computer):
    (folder / "locks").mkdir(parents=True)
    (folder / "locks" / "0.input.lock").write_text("data\n")
    (folder / "grundylab.lock").write_text(f"77@{computer}")


def test_the_locks_of_a_run_that_was_killed_here_are_removed(tmp_path):
    locked_by_a_run_on(tmp_path, platform.node())
    lines = []
    with sole_run(tmp_path, lines.append) as lock:
        assert lines == ["a run was killed here; this one goes on with what is whole"]
        assert list((tmp_path / "locks").iterdir()) == []
        assert (tmp_path / "grundylab.lock").read_text() == f"{os.getpid()}@{platform.node()}"
        with pytest.raises(GrundylabError, match=rf"another run \(process {os.getpid()}\) is at work"):
            sole_run(tmp_path, lines.append)
    assert lock.closed


def test_those_of_a_run_that_did_not_begin_here_stay(tmp_path):
    """Of plain Snakemake, which may be at work; it says so itself."""
    locked_by_a_run_on(tmp_path, "")
    (tmp_path / "grundylab.lock").write_text("")
    with sole_run(tmp_path, print):
        assert len(list((tmp_path / "locks").iterdir())) == 1


def test_those_of_a_run_on_another_computer_stay(tmp_path):
    """Its lock may be one that is seen there only."""
    locked_by_a_run_on(tmp_path, "elsewhere")
    for _ in range(2):
        with pytest.raises(GrundylabError, match="a run on elsewhere may be at work in this folder"):
            sole_run(tmp_path, print)
    assert len(list((tmp_path / "locks").iterdir())) == 1
    assert (tmp_path / "grundylab.lock").read_text() == "77@elsewhere"
