"""``python -m grundylab.pipeline.upkeep COMMAND``: sees to the folder before a run, and runs the command.

Nobody else is at it, and what is there is whole. Snakemake goes by names, times and what it has noted of each job: a
file that was damaged, or is another one, has all of them right, so it is looked for here, said, and removed. Then the
run makes it anew.
"""

from __future__ import annotations

import fcntl
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from grundylab.errors import ConfigError, DatasetError, GrundylabError, Place
from grundylab.files import fault, read_record, said
from grundylab.games.yamlfile import read_document
from grundylab.pipeline.config import ConfigSpec, StudySpec, spec_of
from grundylab.pipeline.forkserver import BAD_INPUT, KILLED, run_command
from grundylab.solve.dataset import read_metadata
from grundylab.solve.made import misplaced

Say = Callable[[str], None]
_ROOM = 1 << 18  # bytes that must be free for Snakemake's own files
_SKEW = 2 * 10**9  # nanoseconds by which the clock of a file server may be ahead
_LEFT = re.compile(r"\..+\.(\d+)\.[^.]+\.(?:tmp|old)")  # what grundylab.files calls what is being written
CONFIG, STATE = Path("config.yaml"), Path(".snakemake")
DATA, RESULTS, DOCUMENTS = Path("data"), Path("results"), Path("docs")  # where the workflow writes
RECORDS = (
    "p.json",
    "grundy.json",
    "grundy-[0-9]*.json",
    "rows.json",
    "verdicts.json",
    "proofs.json",
    "large.json",
    "slabs/*-of-*.json",
)
READ = (Path("workflow"), Path("rulesets"), Path("papers"))  # what it is made from


def main(command: Sequence[str]) -> int:
    """Run the command in a folder that is fit for it and that no other run is at; the result is its exit status."""
    try:
        if not command:
            raise GrundylabError("give a command: python -m grundylab.pipeline.upkeep COMMAND")
        check_writable(STATE)
        with sole_run(STATE, say) as lock:
            written = [path for folder in (DATA, RESULTS, *READ) for path in folder.rglob("*")]
            mend_times([*written, *DOCUMENTS.glob("*.md")], say)
            remove_unfit(spec_of(read_document(CONFIG, ConfigError)), say)
            status = run_command(command, keep=[lock.fileno()])
            if status < KILLED:  # it has ended by itself: locks that come later are not its own
                with suppress(OSError):
                    lock.truncate(0)
            return status
    except GrundylabError as error:
        say(str(error))
        return BAD_INPUT


def say(text: str) -> None:
    """A line for whoever runs it."""
    print(f"grundylab: {text}", file=sys.stderr)


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
    """The lock of the folder's run: kept as long as the file is open, so that the system ends it with the processes.

    state: Snakemake's folder. Locks of Snakemake's own that a run has left which did not come to its end are removed,
    but for those of another computer, which may not see this one's locks. Of others Snakemake speaks itself.
    Raises GrundylabError if a run is at work.
    """
    lock = _locked(state / "grundylab.lock")
    lock.seek(0)
    last, here = lock.read().strip().rpartition("@")[2], platform.node()
    if last and (stale := list((state / "locks").glob("*.lock"))):
        if last != here:
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


def remove_unfit(config: ConfigSpec, say: Say) -> None:
    """Remove whatever the workflow has written that is not fit to go on with, and say each.

    Raises GrundylabError if a file cannot be removed.
    """
    for path, wrong in _unfit(config):
        try:
            path.unlink()
        except OSError as problem:
            raise GrundylabError(
                f"{wrong}, and cannot be removed: {said(problem)}", Place(str(path))
            ) from None
        say(f"{path}: {wrong}; it is made anew")
    for folder in (DATA, RESULTS, DOCUMENTS):
        _remove_left(folder)


def _unfit(config: ConfigSpec) -> Iterator[tuple[Path, str]]:
    """Each file that is not whole, or is not what it is called, with what is wrong."""
    datasets = {
        path for name, study in config.studies.items() for path in _datasets(study.ruleset or name, study)
    }
    yield from _found((path, dataset_fault(path)) for path in sorted(datasets))
    for name in config.studies:
        records = [path for form in RECORDS for path in sorted((RESULTS / name).glob(form))]
        records += sorted((RESULTS / "timings").glob(f"{name}.*.json"))
        yield from _found((path, record_fault(path, name)) for path in records)
    made = [RESULTS / "catalogue.json", RESULTS / "catalogue.parquet"]
    yield from _found((path, catalogue_fault(path)) for path in made if path.exists())


def _datasets(ruleset: str, study: StudySpec) -> Iterator[Path]:
    """Those that there are of the study: a ruleset's folder may have others, too."""
    sweeps = [study.train, *([study.test] if study.test else [])]
    sizes = [{**sweep.parameters, **sweep.bounds} for sweep in sweeps]
    asked = {f"{name}={value}" for named in sizes for name, values in named.items() for value in values}
    for path in (DATA / ruleset).glob("*.*.parquet"):
        label, _, kind = path.stem.rpartition(".")
        if kind in ("grundy", "outcome") and set(re.findall(r"\w+=-?\d+", label)) <= asked:
            yield path


def _found(looked: Iterable[tuple[Path, str | None]]) -> Iterator[tuple[Path, str]]:
    return ((path, wrong) for path, wrong in looked if wrong)


def dataset_fault(path: Path) -> str | None:
    """What is wrong with a dataset, or None: it is damaged, or of another instance than its name says."""
    try:
        described = read_metadata(path)
    except DatasetError as error:
        return error.message.partition(";")[0]
    sizes = {**described["parameters"], **described["bounds"]}
    label = "-".join(f"{name}={value}" for name, value in sizes.items()) or "all"
    own = (
        described["ruleset"],
        sorted(f"{label}.{described['values']}"),
    )  # the order of the sizes is not kept
    return None if own == (path.parent.name, sorted(path.stem)) else "it was made for another instance"


def record_fault(path: Path, study: str) -> str | None:
    """What is wrong with a record, or None: it is damaged, or another study's or stage's."""
    try:
        return misplaced(read_record(path, ConfigError), study, path)
    except ConfigError as error:
        return error.message.partition(";")[0]


def catalogue_fault(path: Path) -> str | None:
    """What is wrong with one of the catalogue's files, or None."""
    if path.suffix == ".parquet":
        with path.open("rb") as file:
            return fault(path) if file.read(4) == b"PAR1" else "it is no Parquet file"
    try:
        return None if "formulas" in read_record(path, ConfigError) else "it is no catalogue"
    except ConfigError as error:
        return error.message.partition(";")[0]


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
