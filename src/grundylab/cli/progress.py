"""How far long work is, on standard error, for people at a terminal only.

What is shown is what is known: the share of the work's cells that are done, or the time that has passed.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from grundylab.games.instance import Instance

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Advance = Callable[[int], None]
DELAY = 0.5  # seconds before anything is shown: what is over by then needs no bar


@contextmanager
def progress(options: argparse.Namespace, what: str, total: int | None = None) -> Iterator[Advance]:
    """Show that ``what`` is being done; the function given says that so much more of ``total`` is done.

    total: None if nothing tells how far the work is: then only the time is shown.
    """
    if options.json or not sys.stderr.isatty():
        yield _nothing
        return
    bar = Bar(what, total, sys.stderr)
    waiting = threading.Timer(DELAY, bar.show)
    waiting.daemon = True
    waiting.start()
    try:
        yield bar.advance
    finally:
        waiting.cancel()
        bar.close()


def measured(instances: Sequence[Instance]) -> int | None:
    """The cells of all instances; None of one instance, within which nothing tells how far the work is."""
    return sum(instance.cells for instance in instances) if len(instances) > 1 else None


def _nothing(_: int) -> None:
    """Nobody looks."""


class Bar:
    """A line of a terminal, hidden until ``show``, which another thread may call, and gone after ``close``."""

    def __init__(self, what: str, total: int | None, file: TextIO) -> None:
        self._what, self._total, self._file = what, total, file
        self._done = 0
        self._closed = False
        self._shown: tuple[Progress, TaskID] | None = None
        self._lock = threading.Lock()

    def show(self) -> None:
        """Begin to draw, unless it is too late."""
        with self._lock:
            if not self._closed:
                self._shown = self._drawn()

    def advance(self, amount: int) -> None:
        """So much more is done."""
        with self._lock:
            self._done += amount
            if self._shown is not None:
                drawn, task = self._shown
                drawn.update(task, completed=self._done, refresh=True)

    def close(self) -> None:
        """Take the line away."""
        with self._lock:
            self._closed = True
            if self._shown is not None:
                self._shown[0].stop()

    def _drawn(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

        measured = [BarColumn(), TaskProgressColumn()] if self._total is not None else []
        drawn = Progress(
            TextColumn("{task.description}", markup=False),
            *measured,
            TimeElapsedColumn(),
            console=Console(file=self._file),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        task = drawn.add_task(self._what, total=self._total, completed=self._done)
        drawn.start()
        return drawn, task
