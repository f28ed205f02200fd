"""Running a function in a process forked from the server of ``grundylab.pipeline.forkserver``, where one is running.

This is the client's side. It imports little: importing what most jobs need takes longer than the jobs.
"""

from __future__ import annotations

import importlib
import json
import os
import socket
import struct
from collections.abc import Callable
from typing import Any

SERVER = "GRUNDYLAB_SERVER"  # the environment's variable with the path of the server's socket
STARTED = b"+"  # what the server answers before the status
_LENGTH = struct.Struct("!Q")
_KILLED = 128 + 9  # the status of a job that ended without one, as a shell has it


def run(function: str, argument: Any) -> int:  # noqa: ANN401 - anything JSON can say
    """Call the function ``module:name`` with the argument, forked from the server if there is one, else here.

    The function takes one argument, which must be JSON, and returns an exit status, as the result does. A forked
    process has this one's directory, environment and standard streams, and ends when this one does.
    """
    answered = _ask(function, argument) if SERVER in os.environ else None
    return found(function)(argument) if answered is None else answered


def found(function: str) -> Callable[[Any], int]:
    """The function ``module:name``."""
    module, name = function.split(":")
    there: Callable[[Any], int] = getattr(importlib.import_module(module), name)
    return there


def _ask(function: str, argument: Any) -> int | None:  # noqa: ANN401 - anything JSON can say
    """The status of the forked process, or None if no server answers."""
    request = {
        "function": function,
        "argument": argument,
        "cwd": os.getcwd(),
        "environment": dict(os.environ),
    }
    text = json.dumps(request).encode()
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(os.environ[SERVER])
            socket.send_fds(server, [_LENGTH.pack(len(text))], [0, 1, 2])
            server.sendall(text)
            started = _told(server)
        except OSError:
            return None
        if started != STARTED:
            return None
        status = _told(server)
        return status[0] if status else _KILLED


def _told(server: socket.socket) -> bytes:
    """The next byte; b"" if there is none. Ctrl-C is passed on, once: the other process has its own way to end."""
    try:
        return server.recv(1)
    except KeyboardInterrupt:
        server.shutdown(socket.SHUT_WR)
        return server.recv(1)


def receive(client: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """What a client asks for, and its standard streams. Raises ConnectionError if it is gone."""
    header, streams, _, _ = socket.recv_fds(client, _LENGTH.size, 3)
    (length,) = _LENGTH.unpack(header + _exactly(client, _LENGTH.size - len(header)))
    return json.loads(_exactly(client, length)), streams


def _exactly(client: socket.socket, length: int) -> bytes:
    parts = []
    while length:
        part = client.recv(min(length, 1 << 20))
        if not part:
            raise ConnectionError("the client is gone")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
