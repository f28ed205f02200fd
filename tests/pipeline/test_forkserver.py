"""Jobs forked from a server do what they do alone: status, streams, directory; and they end with their client."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grundylab.pipeline.forked import SERVER, run

CLIENT = "import sys; from grundylab.pipeline.forked import run; sys.exit(run({function!r}, {argument!r}))"
THREADS = """
import sys
from threadpoolctl import threadpool_info
sys.exit(max(library["num_threads"] for library in threadpool_info()))
"""
TEMPORARY = "import tempfile; print(tempfile.gettempdir()); raise SystemExit(0)"
HASTY = """
import json, os, socket
from grundylab.pipeline.forked import _LENGTH, SERVER, run
request = {"function": "operator:index", "argument": 0, "cwd": os.getcwd(), "environment": dict(os.environ)}
text = json.dumps(request).encode()
for _ in range(5):
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(os.environ[SERVER])
        socket.send_fds(server, [_LENGTH.pack(len(text))], [0, 1, 2])
        server.sendall(text)
run("operator:index", 0)
print(os.path.exists(os.environ[SERVER]))
"""
SERVED = [sys.executable, "-m", "grundylab.pipeline.forkserver"]


def client(function, argument):
    return [sys.executable, "-c", CLIENT.format(function=function, argument=argument)]


def done(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """What several commands did under one server, each as (status, standard output, standard error)."""
    folder = tmp_path_factory.mktemp("served")
    commands = {
        "status": client("operator:index", 7),
        "fault": client("operator:index", "seven"),
        "left": client("sys:exit", "no reason"),
        "dead": client("os:_exit", 3),
        "threads": client("builtins:exec", THREADS),
        "shell": client("os:system", 'pwd; echo "$SAID"; echo beside >&2'),
        "temporary": ["env", f"TMPDIR={folder}", *client("builtins:exec", TEMPORARY)],
        "hasty": [sys.executable, "-c", HASTY],
        "version": [sys.executable, "-c", "from grundylab.cli.main import entry; entry()", "--version"],
        "light": [
            sys.executable,
            "-c",
            "import sys; from grundylab.pipeline.forked import run; run('grundylab.cli.main:alone', ['check', 'nope'])\n"
            "print('numpy' in sys.modules, 'grundylab.cli.commands' in sys.modules)",
        ],
    }
    script = folder / "all.py"
    script.write_text(
        "import json, subprocess, sys\n"
        f"done = {{name: subprocess.run(command, capture_output=True, text=True) for name, command in {commands!r}.items()}}\n"
        "print(json.dumps({name: (d.returncode, d.stdout, d.stderr) for name, d in done.items()}))\n"
        "sys.exit(5)\n"
    )
    ended = done([*SERVED, sys.executable, str(script)], cwd=folder, env={**os.environ, "SAID": "here"})
    assert ended.returncode == 5, ended.stderr  # the command's own
    return folder, json.loads(ended.stdout)


def test_the_status_is_what_the_function_returned(served):
    assert served[1]["status"] == [7, "", ""]


def test_an_error_is_a_traceback_and_status_1(served):
    status, _, said = served[1]["fault"]
    assert status == 1
    assert said.endswith("TypeError: 'str' object cannot be interpreted as an integer\n")


def test_a_message_at_exit_is_printed(served):
    assert served[1]["left"] == [1, "", "no reason\n"]


def test_a_job_that_dies_without_a_status_has_failed(served):
    assert served[1]["dead"][0] == 137


def test_streams_directory_and_environment_are_the_clients(served):
    folder, commands = served
    assert commands["shell"] == [0, f"{folder}\nhere\n", "beside\n"]


def test_the_command_line_works_under_the_server(served):
    from grundylab import __version__

    assert served[1]["version"] == [0, f"{__version__}\n", ""]


def test_the_client_does_not_import_what_the_job_needs(served):
    status, printed, said = served[1]["light"]
    assert (status, printed) == (0, "False False\n")
    assert "nope" in said  # the job was done: its complaint is there


def test_the_status_of_a_killed_command_is_that_of_a_shell():
    assert done([*SERVED, "sh", "-c", "kill -9 $$"]).returncode == 137


def test_without_a_server_the_function_is_called_here(monkeypatch, tmp_path):
    monkeypatch.setenv(SERVER, str(tmp_path / "none"))
    assert run("operator:index", 7) == 7


def test_a_server_that_ends_before_it_begins_the_job_is_as_none(monkeypatch, tmp_path):
    path = str(tmp_path / "socket")
    code = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print(flush=True); s.accept()"
    with subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE) as server:
        server.stdout.readline()
        monkeypatch.setenv(SERVER, path)
        assert run("operator:index", 7) == 7


def test_a_job_ends_with_its_client(tmp_path):
    place = tmp_path / "pid"
    waiting = client("os:system", f"echo $$ > {place}.new; mv {place}.new {place}; exec sleep 1000")
    script = f"import subprocess, time; p = subprocess.Popen({waiting!r}); print(p.pid, flush=True); p.wait()"
    with subprocess.Popen(
        [*SERVED, sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as served:
        started = int(served.stdout.readline())
        pid = int(soon(lambda: place.exists() and place.read_text()))
        os.kill(started, signal.SIGKILL)
        assert soon(lambda: not running(pid))


def soon(condition):
    """What the condition says as soon as it is true; a minute is more than any machine needs."""
    for _ in range(1200):
        if found := condition():
            return found
        time.sleep(0.05)
    return condition()


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_nothing_of_the_server_is_left(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    code = f"import os; print(os.environ[{SERVER!r}])"
    path = done([*SERVED, sys.executable, "-c", code], env=environment).stdout.strip()
    assert path.startswith(str(tmp_path))
    assert not any(tmp_path.iterdir())
    with socket.socket(socket.AF_UNIX) as late, pytest.raises(OSError):
        late.connect(path)


def test_a_job_has_one_thread_for_linear_algebra(served):
    assert served[1]["threads"] == [1, "", ""]


def test_a_job_has_its_own_folder_for_temporary_files(served):
    folder, commands = served
    assert commands["temporary"] == [0, f"{folder}\n", ""]


def test_a_job_asked_for_by_a_client_that_is_gone_harms_no_other(served):
    assert served[1]["hasty"] == [0, "True\n", ""]


WAITS = """
import pathlib, time
try:
    pathlib.Path({place!r}, "started").touch()
    time.sleep(1000)
finally:
    pathlib.Path({place!r}, "cleared").touch()
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_job_whose_client_is_ended_clears_up(tmp_path, sent):
    waiting = client("builtins:exec", WAITS.format(place=str(tmp_path)))
    script = (  # who was started in the background, with SIGINT ignored, passes that on
        "import signal, subprocess; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"p = subprocess.Popen({waiting!r})\n"
        "print(p.pid, flush=True); print(p.wait(), flush=True)"
    )
    with subprocess.Popen(
        [*SERVED, sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as served:
        started = int(served.stdout.readline())
        assert soon((tmp_path / "started").exists)
        os.kill(started, sent)
        assert int(served.stdout.readline()) == {signal.SIGINT: 130, signal.SIGKILL: -9}[sent]
        assert soon((tmp_path / "cleared").exists)


@pytest.mark.parametrize("folder", ["t" * 120, "missing"])
def test_the_command_runs_where_no_socket_can_be_beside_temporary_files(tmp_path, folder):
    """A socket's name has room for 107 bytes."""
    if folder != "missing":
        (tmp_path / folder).mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / folder)}
    ended = done([*SERVED, *client("operator:index", 7)], env=environment)
    assert (ended.returncode, ended.stderr) == (7, "")
    assert not list(tmp_path.rglob("grundylab-*"))


def test_where_forking_is_not_safe_there_is_no_server():
    code = (
        "import sys; from grundylab.pipeline import forkserver\n"
        "sys.platform = 'darwin'; sys.exit(forkserver.main(sys.argv[1:]))"
    )
    asked = [sys.executable, "-c", f"import os, sys; sys.exit(7 if {SERVER!r} in os.environ else 5)"]
    assert done([sys.executable, "-c", code, *asked]).returncode == 5


@pytest.mark.parametrize(("command", "status"), [([], 2), (["no-such-program"], 127)])
def test_what_is_no_command_is_refused_in_one_line(command, status):
    ended = done([*SERVED, *command])
    assert ended.returncode == status
    assert len(ended.stderr.splitlines()) == 1
