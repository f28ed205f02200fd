"""The display of progress: a bar at a terminal; elsewhere (a log, a notebook, a pipe) lines at growing intervals.

It shows the elapsed time, and the share of the work that is done, if that is known. It estimates nothing.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

DELAY = 0.5  # seconds before the bar is shown: shorter work needs none
LONG = 3.0  # seconds before the first line; each later one comes at GROWTH times the time of the last
GROWTH = 3.0
Advance = Callable[..., None]
BeginPart = Callable[[str], None]  # called with the name of each part of the work before the part begins


def silent(_name: str) -> None:
    """Show nothing: a BeginPart for callers that want no display."""


@contextmanager
def progress(what: str, total: int | None = None, *, bar: bool = True) -> Iterator[Advance]:
    """Show the progress of the work in the block.

    Yields a function ``done(amount, now)`` for the block to call: ``amount`` is the work done since the last call, in
    the units of ``total``, and ``now`` the name of the current part of the work. total: None for work of unknown size.
    bar: False for lines even at a terminal. Work that ends before the first delay shows nothing.
    """
    shown = _bar if bar and sys.stderr.isatty() else _lines
    with shown(what, total) as done:
        yield done


@contextmanager
def _lines(what: str, total: int | None) -> Iterator[Advance]:
    parts, now = 0, what
    ended = threading.Event()

    def write() -> None:
        started, pause = time.monotonic(), LONG
        while not ended.wait(pause):
            seconds = time.monotonic() - started
            share = f"{parts:,} of {total:,}, " if total is not None else ""
            print(f"grundylab: {now} ({share}{seconds:.0f} s)", file=sys.stderr, flush=True)
            pause = (GROWTH - 1) * seconds

    def done(amount: int, doing: str = what) -> None:
        nonlocal parts, now
        parts, now = parts + amount, doing

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        yield done
    finally:
        ended.set()
        writer.join()


@contextmanager
def _bar(what: str, total: int | None) -> Iterator[Advance]:
    from rich.console import Console  # slow to import, and only a terminal needs it
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    shown = Progress(
        TextColumn("{task.description}", markup=False),
        *([BarColumn(), TaskProgressColumn()] if total is not None else []),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = shown.add_task(what, total=total)
    timer = threading.Timer(DELAY, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda amount, now=what: shown.update(
            task, advance=amount, description=now, refresh=shown.live.is_started
        )
    finally:
        timer.cancel()
        timer.join()  # it may be starting the bar right now
        if shown.live.is_started:
            shown.stop()
