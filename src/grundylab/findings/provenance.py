"""Provenance checks: whether results were made from the rulesets' files as they are now."""

from __future__ import annotations

from collections.abc import Iterable

from grundylab.errors import ConfigError, Place
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.rows import Row
from grundylab.games import Ruleset
from grundylab.games.lookups import ruleset_files
from grundylab.records.finding import Finding
from grundylab.solve.origin import file_digests, ruleset_names

CatalogueResult = Finding | Row


def changed_file(catalogue: Catalogue, results: Iterable[CatalogueResult], ruleset: Ruleset) -> str | None:
    """Return the first of the ruleset's files that has changed since some result was made; None if none has.

    The files are those that verdicts depend on; see ``ruleset_files``. Every file counts as changed if the study of a
    result is not in the catalogue.
    """
    made = {study.study: study.rulesets for study in catalogue.studies}
    names = ruleset_names(now := file_digests(ruleset_files(ruleset)))
    for study in dict.fromkeys(result.study for result in results):
        for file, digest in now.items():
            if made.get(study, {}).get(names[file]) != digest:
                return file
    return None


def check_unchanged(
    catalogue: Catalogue, results: Iterable[CatalogueResult], ruleset: Ruleset, where: str
) -> None:
    """Raise ConfigError, at the file that has changed, unless all results were made from the ruleset as it is now.

    where: the folder or file of the results, named in the message.
    """
    file = changed_file(catalogue, results, ruleset)
    if file is not None:
        raise ConfigError(
            f"it was edited since the results of {ruleset.name} in {where} were made, or is another file of that "
            "name; run 'make run'",
            Place(file),
        )
