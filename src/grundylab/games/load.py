"""From a name or path to a ruleset: find the file, read it, put what it extends underneath, elaborate."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path

from grundylab.errors import Place, RulesetError
from grundylab.files import shipped
from grundylab.games.elaborate import elaborate
from grundylab.games.model import Ruleset
from grundylab.games.schema import RulesetSpec
from grundylab.games.validation import validate
from grundylab.games.yamlfile import Document, KeyPath, parse_document, read_document

FOLDER = "rulesets"
_NAME = r"\w[\w.+-]{0,79}"
_FEW = 4  # names that a message lists
# Keys whose entries are merged one by one; every other key of the extending file replaces the inherited one.
_MERGED = ("parameters", "functions")
_INHERITED = "inherited"
MAX_EXTENDED = 20  # files in a chain of 'extends:'; each is read and merged into the next


def load_ruleset(name_or_path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Ruleset:
    """The ruleset of a file, or of a name (``find_ruleset``). Raises RulesetError with file and line."""
    path = find_ruleset(name_or_path, folder)
    if not re.fullmatch(_NAME, path.stem):  # it becomes part of file names, of pages and of scripts' comments
        raise RulesetError(
            "a ruleset's file is named by letters, digits, '-', '_', '+' and '.'", Place(str(path))
        )
    document, files = _read(path, ())
    spec = validate(RulesetSpec, document, RulesetError)
    return elaborate(spec, document, path.stem, tuple(str(file) for file in files))


def parse_ruleset(text: str, name: str = "ruleset", folder: str | os.PathLike[str] = FOLDER) -> Ruleset:
    """The ruleset of a YAML text; ``extends`` looks into ``folder``, then among those that come with grundylab."""
    document, files = _extended(parse_document(text, name, RulesetError), Path(folder) / name, ())
    spec = validate(RulesetSpec, document, RulesetError)
    return elaborate(spec, document, name, tuple(str(file) for file in files[1:]))


def parent_of(ruleset: Ruleset) -> Ruleset | None:
    """The ruleset that this one extends, if any."""
    return load_ruleset(ruleset.files[1]) if len(ruleset.files) > 1 else None


def find_ruleset(name_or_path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Path:
    """The file of a ruleset: the path given, ``folder/NAME.yaml``, or the one that comes with grundylab.

    A RulesetError names what may be meant.
    """
    given = Path(name_or_path)
    if given.suffix in (".yaml", ".yml") or len(given.parts) > 1:
        if given.is_file():
            return given
        raise RulesetError("there is no such file", Place(str(given)))
    if path := _named(str(given), Path(folder)):
        return path
    folders = (Path(folder), shipped(FOLDER))
    known = list(dict.fromkeys(file.stem for each in folders for file in sorted(each.glob("*.yaml"))))
    near = get_close_matches(str(given), known, _FEW, 0.5) or known[:_FEW]
    raise RulesetError(
        f"there is no ruleset '{given}' in {folder}/ or of grundylab itself, such as {', '.join(near)}",
        Place(f"{Path(folder) / given}.yaml"),
    )


def _named(name: str, folder: Path) -> Path | None:
    """The file of that name in the folder, or else among those that come with grundylab."""
    paths = (each / f"{name}.yaml" for each in (folder, shipped(FOLDER)))
    return next((path for path in paths if path.is_file()), None)


def _read(path: Path, above: tuple[Path, ...]) -> tuple[Document, tuple[Path, ...]]:
    return _extended(read_document(path, RulesetError), path, above)


def _extended(document: Document, path: Path, above: tuple[Path, ...]) -> tuple[Document, tuple[Path, ...]]:
    """The document over the one it extends, and the files they came from (this one first)."""
    name = document.data.get("extends")
    if name is None:
        return document, (path,)
    place = document.place(("extends",))
    if not isinstance(name, str) or not re.fullmatch(_NAME, name):
        raise RulesetError("'extends:' takes the name of a ruleset", place)
    if len(above) >= MAX_EXTENDED:
        raise RulesetError(
            f"a chain of more than {MAX_EXTENDED} rulesets, each of which extends the next", place
        )
    parent_path = _named(name, path.parent)
    if parent_path is None:
        looked = path.parent / f"{name}.yaml"
        raise RulesetError(f"there is no ruleset '{name}' to extend (looked for {looked})", place)
    if parent_path in (*above, path):
        raise RulesetError(f"'extends: {name}' comes back to where it began", place)
    parent, files = _read(parent_path, (*above, path))
    return _merged(parent, document), (path, *files)


def _merged(parent: Document, child: Document) -> Document:
    """The child's keys over the parent's; claims are about one game: inherited only if asked for."""
    data, places = dict(parent.data), dict(parent.places)
    claims, claim_places = data.pop("claims", []), _below(places, ("claims",))
    for path in claim_places:
        del places[path]
    for key, value in child.data.items():
        merge = key in _MERGED and isinstance(value, dict) and isinstance(data.get(key), dict)
        if merge:
            own = {_name_of(head): head for head in reversed(value)}
            for head in data[key]:
                if _name_of(head) in own:
                    for path in _below(places, (key, head)):
                        del places[path]
            heads = [own.get(_name_of(head), head) for head in data[key]]
            data[key] = {head: value.get(head, data[key].get(head)) for head in (*heads, *value)}
        else:
            for path in _below(places, (key,)):
                del places[path]
            data[key] = value
        places.update(_below(child.places, (key,)))
    if _INHERITED in (own := data.get("claims", [])) and isinstance(own, list):
        data["claims"] = [*claims, *(claim for claim in own if claim != _INHERITED)]
        for path in _below(places, ("claims",)):
            del places[path]
        places.update(claim_places)
        shift = len(claims)
        kept = [number for number, claim in enumerate(own) if claim != _INHERITED]
        for new, old in enumerate(kept):
            for path, place in _below(child.places, ("claims", old)).items():
                places[("claims", shift + new, *path[2:])] = place
    data.pop("extends", None)
    return Document(data, places)


def _name_of(head: str) -> str:
    """What is defined under the key: ``f`` for ``f(n)``, whatever its argument is called."""
    return head.partition("(")[0].strip()


def _below(places: object, prefix: KeyPath) -> dict[KeyPath, Place]:
    assert isinstance(places, dict)
    return {path: place for path, place in places.items() if path[: len(prefix)] == prefix}
