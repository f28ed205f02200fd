"""Archives of the proofs that the pages offer, one for each study; similar files compress well together."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grundylab.files import archive
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.rows import Row
from grundylab.records.proofs import ProofRecord


class ArchivedProof(NamedTuple):
    """The place of a proof: an archive in the page's folder, and a name in the archive."""

    archive: str
    name: str


def pack_proofs(data: Catalogue, root: Path) -> tuple[dict[str, ArchivedProof], dict[str, bytes]]:
    """Return the place of each proof, by its path, and the archives' contents, by their paths in the page's folder.

    They are the proofs that the catalogue names, and those checked by machine, below ``root``; missing files are left
    out.
    """
    corrections = [claim.correction for claim in data.claims if claim.correction]
    proofs = [proof for record in (*data.statements, *corrections) for proof in record.proved]
    results: list[ProofRecord | Row] = [*proofs, *data.rows]
    paths = {result.proof for result in results if result.proof}
    paths |= {checked.file for result in results if (checked := result.machine_checked) and checked.file}
    places, archives = dict[str, ArchivedProof](), dict[str, dict[str, bytes]]()
    for path in sorted(paths):
        file = root / path
        if file.is_file():
            # a run writes into results/STUDY/proofs, rows and coq; single commands write into results/proofs/RULESET
            of_run = file.parent.name in ("proofs", "rows", "coq")
            study = (file.parent.parent if of_run else file.parent).name
            places[path] = ArchivedProof(f"proofs/{study}.zip", file.name)
            archives.setdefault(places[path].archive, {})[file.name] = file.read_bytes()
    return places, {name: archive(files) for name, files in archives.items()}
