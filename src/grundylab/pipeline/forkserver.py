"""``python -m grundylab.pipeline.forkserver COMMAND``: runs the command with a server beside it that jobs fork from.

Importing NumPy, numba, pyarrow and scikit-learn takes a second, and most jobs of a workflow less. So here they are
imported once: ``grundylab`` and the workflow's scripts, if they run under the command, hand their work to a fork of
this process (``grundylab.pipeline.forked``). Without the server they do it themselves, with the same results.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NoReturn

import grundylab
from grundylab.pipeline.forked import SERVER, STARTED, found, receive

BAD_INPUT, NOT_FOUND = 2, 127
KILLED = 128  # the status of what a signal has ended, without the signal's number
PATIENCE = 10  # seconds that a job has to end when its client is gone
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main(command: Sequence[str]) -> int:
    """Run the command; the result is its exit status, as a shell has it.

    There is no server where forking is not safe after so many imports (macOS), or where no socket can be made.
    """
    if not command:
        print("grundylab: give a command: python -m grundylab.pipeline.forkserver COMMAND", file=sys.stderr)
        return BAD_INPUT
    if sys.platform != "linux":
        return run_command(command)
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        try:
            path = _bound(listener, stack)
        except OSError as problem:
            print(f"grundylab: jobs are not forked: {problem}", file=sys.stderr)
            return run_command(command)
        watched, ours = os.pipe()
        server = os.fork()
        if server == 0:
            os.close(ours)
            _ending(_serve, listener, watched)
        listener.close()  # so that nobody waits for a server that is gone
        os.close(watched)
        try:
            return run_command(command, {**os.environ, SERVER: path})
        finally:
            os.close(ours)  # which ends the server, as the end of this process would
            os.waitpid(server, 0)


def _bound(listener: socket.socket, stack: ExitStack) -> str:
    """Make the server's socket, in a folder of its own that goes with the stack. Raises OSError."""
    problem = OSError("there is no place for a socket")
    for place in dict.fromkeys((tempfile.gettempdir(), "/tmp")):  # a socket's name must be short
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="grundylab-", dir=place))
            path = str(Path(folder) / "socket")
            listener.bind(path)
            listener.listen()
        except OSError as error:
            problem = error
        else:
            return path
    raise problem


def run_command(
    command: Sequence[str], environment: Mapping[str, str] | None = None, keep: Sequence[int] = ()
) -> int:
    """The command's exit status, as a shell has it. keep: open files that it has, too."""
    try:
        process = subprocess.Popen(command, env=environment, pass_fds=keep)
    except OSError as problem:
        print(f"grundylab: {command[0]}: {problem.strerror}", file=sys.stderr)
        return NOT_FOUND
    signal.signal(signal.SIGINT, lambda *_: None)  # the command gets it, too, and decides when it is over
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    status = process.wait()
    return status if status >= 0 else KILLED - status


def _ending(work: Callable[..., object], *arguments: object) -> NoReturn:
    """Do the work of a forked process and end it, whatever happens: what its parent has to clear up is not its own."""
    try:
        work(*arguments)
    except BaseException:  # noqa: BLE001 - as the interpreter does at its end
        traceback.print_exc()
    finally:
        os._exit(1)


def _serve(listener: socket.socket, watched: int) -> NoReturn:
    """Fork a process for each client, until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _reap)
    _import_all()
    gc.collect()
    gc.freeze()  # so that a collection in a fork does not touch, and copy, what all share
    while watched not in select.select([listener.fileno(), watched], [], [])[0]:
        client, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            os.close(watched)
            _ending(_work, client)
        client.close()
    os._exit(0)


def _import_all() -> None:
    """Whatever jobs import, and what numba imports when it first compiles something.

    Libraries read the number of their threads when they are imported. It is 1, as Snakemake asks for in a job's own
    environment: the jobs share the cores.
    """
    os.environ.update(dict.fromkeys(THREADS, "1"))
    for module in pkgutil.walk_packages(grundylab.__path__, "grundylab."):
        importlib.import_module(module.name)
    import numba
    import numpy as np

    numba.njit(lambda array: array.sum())(np.zeros(1, dtype=np.int64))


def _reap(*_: object) -> None:
    """Take note of all forked processes that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _work(client: socket.socket) -> NoReturn:
    """Do what the client asks for, with its streams, and tell it the status."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        request, streams = receive(client)
        client.sendall(STARTED)
    except ConnectionError:  # it is gone
        os._exit(1)
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    gone = threading.Event()
    threading.Thread(target=_end_with, args=(client, gone), daemon=True).start()
    status = _status(request)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # when it has the status the client ends
    unwanted = gone.is_set()
    sys.stdout.flush()
    sys.stderr.flush()
    with suppress(OSError):  # the client may be gone
        client.sendall(bytes([status & 255]))
    if unwanted:
        os.killpg(0, signal.SIGKILL)  # with what it started and did not end
    os._exit(status & 255)


def _end_with(client: socket.socket, gone: threading.Event) -> None:
    """When the client ends, or is interrupted, interrupt this process and those that it started; later, end them."""
    with suppress(OSError):
        client.recv(1)
    gone.set()
    os.killpg(0, signal.SIGINT)  # so that nothing half-written is left
    time.sleep(PATIENCE)
    os.killpg(0, signal.SIGKILL)


def _status(request: dict[str, Any]) -> int:
    try:
        os.chdir(request["cwd"])
        os.environ.clear()
        os.environ.update(request["environment"])
        tempfile.tempdir = None  # it was found in the server's environment
        return found(request["function"])(request["argument"])
    except SystemExit as left:
        if left.code is None or isinstance(left.code, int):
            return left.code or 0
        print(left.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BaseException:  # noqa: BLE001 - as the interpreter does at its end
        traceback.print_exc()
        return 1


if __name__ == "__main__":
    # under its own name, not that of the main module
    from grundylab.pipeline import forkserver

    sys.exit(forkserver.main(sys.argv[1:]))
