"""How far long work is, on standard error, for people at a terminal only.

What is shown is what is known: the share of the work's cells that are done, or the time that has passed.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from grundylab.games.instance import Instance

DELAY = 0.5  # seconds before anything is shown: what is over by then needs no bar


@contextmanager
def progress(
    options: argparse.Namespace, what: str, total: int | None = None
) -> Iterator[Callable[[int], None]]:
    """Show that ``what`` is being done; the function given says that so much more of ``total`` is done.

    total: None if nothing tells how far the work is: then only the time is shown.
    """
    if options.json or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        *([BarColumn(), TaskProgressColumn()] if total is not None else []),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = bar.add_task(what, total=total)
    waiting = threading.Timer(DELAY, bar.start)
    waiting.daemon = True
    waiting.start()
    try:
        yield lambda amount: bar.update(task, advance=amount, refresh=bar.live.is_started)
    finally:
        waiting.cancel()
        waiting.join()  # it may be starting the bar right now
        if bar.live.is_started:
            bar.stop()


def measured(instances: Sequence[Instance]) -> int | None:
    """The cells of all instances; None of one instance, within which nothing tells how far the work is."""
    return sum(instance.cells for instance in instances) if len(instances) > 1 else None
