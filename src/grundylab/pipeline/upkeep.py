"""Before a run of the workflow: nobody else is at it, and what is there is whole and of the rulesets as they are.

Snakemake goes by times and names. A file that was damaged, edited, made by another version or from another ruleset (as
when the clock was set back) has both right, so it is looked for here, said, and removed: then the run makes it anew.
"""

from __future__ import annotations

import fcntl
import os
import platform
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from grundylab.errors import ConfigError, DatasetError, GrundylabError, Place
from grundylab.files import fault, read_record, said
from grundylab.games import Instance
from grundylab.pipeline.study import Study
from grundylab.solve.dataset import metadata, read_metadata
from grundylab.solve.made import differing, digests, made_from, misplaced
from grundylab.version import __version__

Say = Callable[[str], None]
_ROOM = 1 << 18  # bytes that must be free for Snakemake's own files
_SKEW = 2 * 10**9  # nanoseconds by which the clock of a file server may be ahead
_LEFT = re.compile(r"\..+\.(\d+)\.[^.]+\.(?:tmp|old)")  # what grundylab.files calls what is being written
DOCUMENTS = Path("docs")  # where the workflow writes, beside the datasets' folder and the results'


def check_writable(state: Path) -> None:
    """Raise GrundylabError if Snakemake could not keep its notes in the folder; it would not say so in one line."""
    try:
        state.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=state) as file:
            file.write(bytes(_ROOM))
            file.flush()
    except OSError as problem:
        raise GrundylabError(f"cannot write here: {said(problem)}", Place(str(state))) from None


def sole_run(state: Path, say: Say) -> IO[str]:
    """The lock of the folder's run: kept as long as the file is open, so that the system ends it with the process.

    state: Snakemake's folder. A lock of Snakemake's own that is still there is of a run that was killed: it is removed,
    but for one of another computer, which may not see this one's locks. Raises GrundylabError if a run is at work.
    """
    lock = _locked(state / "grundylab.lock")
    lock.seek(0)
    last, here = lock.read().strip().rpartition("@")[2], platform.node()
    if stale := list((state / "locks").glob("*.lock")):
        if last not in ("", here):
            lock.close()
            raise GrundylabError(
                f"a run on {last} may be at work in this folder; if it is not, delete these files and run again",
                Place(str(state / "locks")),
            )
        say("a run was killed here; this one goes on with what is whole")
        for path in stale:
            path.unlink(missing_ok=True)
    with suppress(OSError):  # who it is matters less than that it is
        lock.truncate(0)
        lock.write(f"{os.getpid()}@{here}")
        lock.flush()
    return lock


def _locked(path: Path) -> IO[str]:
    """The file, open and locked; a file system without locks has Snakemake's alone."""
    try:
        path.parent.mkdir(exist_ok=True)
        lock = path.open("a+", encoding="utf-8")
    except OSError as problem:
        raise GrundylabError(f"cannot write here: {said(problem)}", Place(str(path.parent))) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        process = lock.read().partition("@")[0].strip()
        lock.close()
        raise GrundylabError(
            f"another run{process and f' (process {process})'} is at work in this folder"
        ) from None
    except OSError:
        pass
    return lock


def remove_unfit(
    studies: Mapping[str, Study], datasets: Mapping[str, tuple[Study, Instance]], results: Path, say: Say
) -> None:
    """Remove whatever the workflow has written that is not fit to go on with, and say each.

    datasets: each dataset's file with the instance that it is of. Raises GrundylabError if a file cannot be removed.
    """
    for path, wrong in _unfit(studies, datasets, results):
        try:
            path.unlink()
        except OSError as problem:
            raise GrundylabError(
                f"{wrong}, and cannot be removed: {said(problem)}", Place(str(path))
            ) from None
        say(f"{path}: {wrong}; it is made anew")
    for folder in {results, *(Path(file).parents[1] for file in datasets), DOCUMENTS}:
        _remove_left(folder)


def _unfit(
    studies: Mapping[str, Study], datasets: Mapping[str, tuple[Study, Instance]], results: Path
) -> Iterator[tuple[Path, str]]:
    for file, (study, instance) in datasets.items():
        if wrong := _dataset_fault(Path(file), study, instance):
            yield Path(file), wrong
    for study in studies.values():
        own, all_sources = (made_from(digests(files), study.seed) for files in (study.files, study.sources))
        folder = results / study.name
        wanted = {folder / f"{target.slug}.json": own for target in study.targets}
        wanted |= {folder / "rows.json": own}
        later = [f"{stage}.json" for stage in ("verdicts", "proofs", "large")] + study.parts
        wanted |= {folder / name: all_sources for name in later}
        for path, made in wanted.items():
            if wrong := _record_fault(path, study.name, made):
                yield path, wrong
        for stage in ("verify", "prove", "rows"):
            path = results / "timings" / f"{study.name}.{stage}.json"
            if wrong := _record_fault(path, study.name):
                yield path, wrong
    path = results / "catalogue.json"
    if wrong := _record_fault(path) or _version_fault(path):
        yield path, wrong
    path = results / "catalogue.parquet"
    if path.exists() and (wrong := fault(path) or _format_fault(path)):
        yield path, wrong


def _dataset_fault(path: Path, study: Study, instance: Instance) -> str | None:
    """What is wrong with a dataset, or None; it is right also if it is not there."""
    if not path.exists():
        return None
    try:
        described = read_metadata(path)
    except DatasetError as error:
        return error.message.partition(";")[0]
    wanted = metadata(instance, study.values)
    names = [key for key, value in wanted.items() if described.get(key) != value]
    return f"it was made for another {names[0]}" if names else None


def _record_fault(path: Path, study: str | None = None, made: dict[str, Any] | None = None) -> str | None:
    """What is wrong with a record, or None. study: whose it must be; made: by what it must have been made."""
    if not path.exists():
        return None
    try:
        record = read_record(path, ConfigError)
    except ConfigError as error:
        return error.message.partition(";")[0]
    wrong = misplaced(record, study, path) if study is not None else None
    return wrong or (differing(record.get("made"), made) if made is not None else None)


def _format_fault(path: Path) -> str | None:
    with path.open("rb") as file:
        return None if file.read(4) == b"PAR1" else "it is no Parquet file"


def _version_fault(path: Path) -> str | None:
    if not path.exists() or read_record(path, ConfigError).get("version") == __version__:
        return None
    return "it was made by another version"


def _remove_left(folder: Path) -> None:
    """Remove files and folders, at any depth, that processes which are no more were writing or taking away."""
    for path in list(folder.rglob(".*.*")):
        found = _LEFT.fullmatch(path.name)
        if found and not _alive(int(found[1])):
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True


def mend_times(files: Iterable[str | Path], say: Say) -> None:
    """What is dated later than now, as the clock was set back, gets the time of now, in the same order as before.

    Otherwise what is made from now on would be older than what was made from its predecessor.
    """
    now = time.time_ns()
    dated = [(path.stat().st_mtime_ns, path) for path in map(Path, files) if path.is_file()]
    late = sorted((when, path) for when, path in dated if when > now + _SKEW)
    times = {when: now + step * 1000 for step, when in enumerate(sorted({when for when, _ in late}))}
    for when, path in late:
        with suppress(OSError):
            os.utime(path, ns=(times[when], times[when]))
    if late:
        others = f" and {len(late) - 1:,} other files" if len(late) > 1 else ""
        say(f"{late[0][1]}{others}: dated in the future, as the clock was set back; they are dated now")
