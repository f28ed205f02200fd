"""Archives of the proofs that the pages offer, one for each study; similar files compress well together."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from grundylab.files import archive


class ArchivedProof(NamedTuple):
    """The place of a proof: an archive in the page's folder, and a name in the archive."""

    archive: str
    name: str


def pack_proofs(paths: Iterable[str], root: Path) -> tuple[dict[str, ArchivedProof], dict[str, bytes]]:
    """Return the place of each proof, by its path, and the archives' contents, by their paths in the page's folder.

    paths: the proofs' paths below ``root``; missing files are left out.
    """
    places, archives = dict[str, ArchivedProof](), dict[str, dict[str, bytes]]()
    for path in sorted(set(paths)):
        file = root / path
        if file.is_file():
            # a run writes into results/STUDY/proofs, rows and coq; single commands write into results/proofs/RULESET
            of_run = file.parent.name in ("proofs", "rows", "coq")
            study = (file.parent.parent if of_run else file.parent).name
            places[path] = ArchivedProof(f"proofs/{study}.zip", file.name)
            archives.setdefault(places[path].archive, {})[file.name] = file.read_bytes()
    return places, {name: archive(files) for name, files in archives.items()}
