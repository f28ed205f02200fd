"""Taking a mend out: one line of a function of grundylab's, replaced by what stood there, or by nothing."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import pytest


def without(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], line: str, instead: str = "pass"
) -> None:
    """Let the function have ``instead`` where it has ``line``, for everyone who calls it.

    The line must be there once: a mend that moves takes its row of the table with it.
    """
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(line) == 1, f"{function.__qualname__} does not have once: {line}"
    code = compile("from __future__ import annotations\n" + source.replace(line, instead), "<mend>", "exec")
    made: dict[str, Any] = {}
    exec(code, inspect.unwrap(function).__globals__, made)  # noqa: S102 - it is our own source
    put(monkeypatch, function, made[function.__name__])


def put(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], other: Any) -> None:
    """The other in place of the function, in its class or in every module that knows it."""
    owner, _, name = function.__qualname__.rpartition(".")
    if owner:
        monkeypatch.setattr(inspect.unwrap(function).__globals__[owner], name, other)
        return
    for module in [module for key, module in sys.modules.items() if key.startswith("grundylab")]:
        for key, value in list(vars(module).items()):
            if value is function:
                monkeypatch.setattr(module, key, other)
