"""A file that was damaged is never read, and a file that cannot be written leaves nothing behind."""

import errno
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.sizes import night

from grundylab import files
from grundylab.errors import ConfigError, DatasetError, GrundylabError
from grundylab.files import read_record, write_json, write_text
from grundylab.games import make_instance, parse_ruleset
from grundylab.logic.mona import run_mona
from grundylab.pipeline import script_log as job
from grundylab.pipeline.run_folder import remove_leftovers
from grundylab.report.output_folder import write_folder
from grundylab.solve import solve
from grundylab.solve.dataset import read_dataset, write_dataset
from grundylab.solve.origin import toolchain

RECORD = {"made": {"seed": 3}, "formulas": ["x ≡ y", "x == y"], "empty": {}}
NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"


def test_a_record__is_read_as_it_was_written_and_refused_if_cut_anywhere_or_of_another_form(tmp_path):
    path = tmp_path / "record.json"
    write_json(path, RECORD)
    assert read_record(path, ConfigError) == RECORD
    whole = path.read_bytes()
    for data in [whole[:end] for end in range(len(whole) - 2)] + [b"[]", b"\x00" * 99, b"\xff" + whole]:
        path.write_bytes(data)
        with pytest.raises(ConfigError, match=r"record.json: not .*'make run'"):
            read_record(path, ConfigError)


def test_a_dataset_with_any_byte_changed_or_cut_anywhere_is_refused_or_gives_the_same_values(tmp_path):
    """Pages of values have checksums; the data around them must agree with what the reader expects."""
    path, instance = tmp_path / "nim.parquet", make_instance(parse_ruleset(NIM, "nim"), {}, {"N": 5})
    table = solve(instance, "grundy", "reference")
    write_dataset(table, path)
    whole, refused = path.read_bytes(), 0
    places = range(0, len(whole), 1 if night() else 7)
    damaged = [whole[:at] + bytes([whole[at] ^ 32]) + whole[at + 1 :] for at in places]
    for data in [*damaged, *(whole[:end] for end in places)]:
        path.write_bytes(data)
        try:
            assert (read_dataset(path, instance, "grundy").values == table.values).all()
        except DatasetError:
            refused += 1
    assert refused > len(places)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
def test_what_cannot_be_written_is_one_line_and_leaves_what_was_there(tmp_path, monkeypatch, number):
    path = tmp_path / "a.txt"
    write_text(path, "before")

    def refuse(_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(GrundylabError, match=rf"a\.txt: .*: {os.strerror(number)}$"):
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


JOB = """
from pathlib import Path
from types import SimpleNamespace
from grundylab.pipeline.script_log import logging_to_file
with logging_to_file(SimpleNamespace(log=[{log!r}], input=[])):
    {fault}
"""
FULL = ("Path('/dev/full').write_text('x')", 2, r"grundylab: No space left on device\n")
INTERRUPTED = ("raise KeyboardInterrupt", 130, r"grundylab: interrupted[^\n]*\n")  # its log used to be empty


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    ("fault", "log", "place"),
    [(FULL, "log", "log"), (FULL, "/dev/full", "terminal"), (INTERRUPTED, "log", "log")],
)
def test_a_job__on_a_full_disk_or_interrupted_says_so_in_one_line(tmp_path, fault, log, place):
    does, status, line = fault
    command = [sys.executable, "-c", JOB.format(log=log, fault=does)]
    with (tmp_path / "terminal").open("wb") as terminal:
        done = subprocess.run(command, cwd=tmp_path, stderr=terminal, check=False)
    assert done.returncode == status
    assert re.fullmatch(line, (tmp_path / place).read_text())


@pytest.mark.parametrize(
    ("script", "message"),
    [
        *((f"echo 'Formula is valid'\nkill -{signal} $$", "MONA was ended by a signal") for signal in ("KILL", "SEGV", "TERM")),
        ("ulimit -t", "MONA failed: 35"),  # it has an end even if what started it was killed
    ],
)  # fmt: skip
def test_mona__ended_by_a_signal_is_no_answer_and_always_has_an_end(tmp_path, monkeypatch, script, message):
    program = tmp_path / "mona"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("GRUNDYLAB_MONA", str(program))
    answer = run_mona("ws1s;\ntrue;\n", timeout=30)
    assert (answer.status, answer.message.partition(" (")[0]) == ("error", message)


def test_no_process_dates_or_places_are_in_what_a_result_says_it_was_made_by():
    code = "import json; from grundylab.solve.origin import toolchain; print(json.dumps(toolchain()))"
    command, elsewhere = [sys.executable, "-c", code], {**os.environ, "TZ": "Asia/Tokyo"}
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=elsewhere).stdout
    assert json.loads(told) == toolchain()
    assert set(toolchain()) == {"version", "packages"}


def test_a_cut_dataset_is_named_and_removed_by_the_job_that_reads_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    instance, path = make_instance(parse_ruleset(NIM, "nim"), {}, {"N": 9}), Path("data/t.parquet")
    write_dataset(solve(instance, "grundy"), path)
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(DatasetError) as told:
        read_dataset(path, instance, "grundy")
    said = job._removed(told.value, [str(path)])
    assert said.startswith("data/t.parquet: ")
    assert "it is removed" in said
    assert not path.exists()


def test_an_interrupted_write_leaves_nothing_and_keeps_what_was_there(tmp_path):
    (tmp_path / "a").write_text("before")

    def interrupted():
        with files.atomic_file(tmp_path / "a") as file:
            file.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "before")]


def test_remains_of_a_kill__are_removed_even_if_another_process_has_the_number_of_the_writer(tmp_path):
    writer, page = subprocess.Popen(["true"]), tmp_path / "page"
    writer.wait()
    page.mkdir()
    names = {"ended": writer.pid, "at work": os.getpid(), "abandoned": os.getpid()}
    files = {name: page / f".{name}.{process}.0f.tmp" for name, process in names.items()}
    for file in files.values():
        file.touch()
    os.utime(files["abandoned"], (1e9, 1e9))
    remove_leftovers(tmp_path, [page])
    assert [*page.iterdir()] == [files["at work"]]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o027, 0o002])
def test_what_is_written_has_the_mode_that_umask_says(tmp_path, mask):
    known = os.umask(mask)
    try:
        write_text(tmp_path / "new" / "a.txt", "text")
        write_folder(tmp_path / "page", {"b.txt": "text", "c/d.txt": "text"})
        write_folder(tmp_path / "page", {"b.txt": "again"})
    finally:
        os.umask(known)
    for path in tmp_path.rglob("*"):
        usual = 0o777 if path.is_dir() else 0o666
        assert stat.S_IMODE(path.stat().st_mode) == usual & ~mask, path
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.txt", "b.txt", "new", "page"]
