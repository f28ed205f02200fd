"""Loading of rulesets by name or path: find the file, read it, merge it over the file that it extends, elaborate."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

from grundylab.errors import Place, RulesetError
from grundylab.files import package_folder
from grundylab.games.elaborate import elaborate
from grundylab.games.model import Ruleset
from grundylab.games.schema import RulesetSpec
from grundylab.games.yamlfile import Document, Items, KeyMapping, parse_document, read_document, validate

FOLDER = "rulesets"
NAME = r"\w[\w.+-]{0,79}"
_FEW = 4  # the most names that a message lists
# Keys whose entries are merged one by one; every other key of the extending file replaces the inherited one.
_MERGED = ("parameters", "functions")
INHERITED = "inherited"
MAX_EXTENDED = 20  # files in a chain of 'extends:'; each is read and merged into the next


def load_ruleset(name_or_path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Ruleset:
    """Return the ruleset in a file, which ``find_ruleset`` finds by name or path.

    Raises RulesetError with file and line.
    """
    path = find_ruleset(name_or_path, folder)
    check_stem(path)
    document, files = _extend(read_document(path, RulesetError), path, ())
    spec = validate(RulesetSpec, document, RulesetError)
    return elaborate(spec, document, path.stem, tuple(map(str, files)), str(path.parent))


def check_stem(path: Path, what: str = "ruleset") -> None:
    """Raise RulesetError if the file's name contains characters that cannot be part of other files' names.

    what: the kind of file, for the message.
    """
    # the name becomes part of names of files and pages, and of comments in scripts
    if not re.fullmatch(NAME, path.stem):
        raise RulesetError(
            f"the name of a {what}'s file may have only letters, digits, '-', '_', '+' and '.'",
            Place(str(path)),
        )


def merge_extended(
    document: Document, folder: str | os.PathLike[str] = FOLDER
) -> tuple[Document, tuple[Path, ...]]:
    """Return a document merged over the ruleset that it extends, and the files of that ruleset.

    document: the contents of a file in no folder of rulesets, or of a text. folder: where the extended ruleset is
    looked up first, before the rulesets that come with grundylab.
    """
    merged, files = _extend(document, Path(folder) / "-", ())
    return merged, files[1:]


def parse_ruleset(text: str, name: str = "ruleset", folder: str | os.PathLike[str] = FOLDER) -> Ruleset:
    """Return the ruleset of a YAML text.

    The name after ``extends:`` is looked up in ``folder``, then among the rulesets that come with grundylab.
    """
    document, files = merge_extended(parse_document(text, name, RulesetError), folder)
    spec = validate(RulesetSpec, document, RulesetError)
    return elaborate(spec, document, name, tuple(map(str, files)), str(folder))


def reload_ruleset(name_or_path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Ruleset:
    """Return a ruleset as ``load_ruleset`` does, or as loaded before if the contents of its files have not changed.

    Contents are compared because an edit may leave the time and the length of a file as they were.
    """
    path = find_ruleset(name_or_path, folder)
    loaded = _cache.get(path.absolute())
    if loaded is not None and loaded[1] == _contents(loaded[0]):
        # a new file may have taken the place of an extended one that comes with grundylab
        below = pairwise(map(Path, loaded[0].files))
        if all(_file_named(above.stem, path.parent) == above for path, above in below):
            return loaded[0]
    ruleset = load_ruleset(path)
    _cache[path.absolute()] = ruleset, _contents(ruleset)
    return ruleset


_cache: dict[
    Path, tuple[Ruleset, tuple[bytes | None, ...]]
] = {}  # by path: the ruleset and the contents of its files


def _contents(ruleset: Ruleset) -> tuple[bytes | None, ...]:
    """Return the contents of the ruleset's files, with None for a file that no longer exists."""
    return tuple(path.read_bytes() if path.is_file() else None for path in map(Path, ruleset.files))


def parent_of(ruleset: Ruleset) -> Ruleset | None:
    """Return the ruleset that this one extends, or None."""
    above = ruleset.files[1:]
    return reload_ruleset(above[0]) if above else None


def find_ruleset(name_or_path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Path:
    """Return the file of a ruleset: the path given, ``folder/NAME.yaml``, or the file that comes with grundylab.

    Raises RulesetError if there is none; the message lists similar names.
    """
    return find_file(name_or_path, Path(folder), FOLDER, "ruleset")


def find_file(name_or_path: str | os.PathLike[str], folder: Path, own: str, what: str) -> Path:
    """Return the file with this name or path, as ``find_ruleset`` does for a ruleset.

    own: the folder of such files in the package. what: the kind of file, for messages.
    """
    given = Path(name_or_path)
    named = given.suffix not in (".yaml", ".yml") and len(given.parts) == 1
    if not named:
        if given.is_file():
            return given
    elif path := _file_named(str(given), folder, own):
        return path
    if given.is_dir():
        raise RulesetError("it is a folder; name a file in it", Place(str(given)))
    if not named:
        raise RulesetError("there is no such file", Place(str(given)))
    if (file := Path(f"{given}.yaml")).is_file():
        raise RulesetError(
            f"there is no {what} '{given}' in {folder}/; for the file here, write {file}", Place(str(given))
        )
    folders = (folder, package_folder(own))
    names = list(dict.fromkeys(file.stem for place in folders for file in sorted(place.glob("*.yaml"))))
    in_small = {name.lower(): name for name in names}
    near = [in_small[name] for name in get_close_matches(str(given).lower(), in_small, _FEW, 0.5)]
    advice = (
        f"the nearest are {', '.join(near)}"
        if len(near) > 1
        else f"did you mean {near[0]}?"
        if near
        else "name your own file with its ending, .yaml"
    )
    raise RulesetError(
        f"there is no {what} '{given}' in {folder}/ or in grundylab; {advice}",
        Place(f"{folder / given}.yaml"),
    )


def _file_named(name: str, folder: Path, own: str = FOLDER) -> Path | None:
    """Return the file with this name in the folder, or else the one that comes with grundylab, or else None."""
    paths = (place / f"{name}.yaml" for place in (folder, package_folder(own)))
    return next((path for path in paths if path.is_file()), None)


def _extend(document: Document, path: Path, above: tuple[Path, ...]) -> tuple[Document, tuple[Path, ...]]:
    """Return the document merged over the ruleset that it extends, and the files of both, its own first.

    path: the document's file. above: the files that extend this document, directly or through other files.
    """
    name = document.data.get("extends")
    if name is None:
        return document, (path,)
    place = document.place(("extends",))
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise RulesetError("'extends:' takes the name of a ruleset", place)
    if len(above) >= MAX_EXTENDED:
        raise RulesetError(
            f"a chain of more than {MAX_EXTENDED} rulesets, each of which extends the next", place
        )
    parent_path = _file_named(name, path.parent)
    if parent_path is None:
        expected = path.parent / f"{name}.yaml"
        raise RulesetError(f"there is no ruleset '{name}' to extend (looked for {expected})", place)
    if parent_path in (*above, path):
        raise RulesetError(f"'extends: {name}' leads back to this file", place)
    parent, files = _extend(read_document(parent_path, RulesetError), parent_path, (*above, path))
    merged = _merge(parent.file, document.file)
    return Document(merged, merged), (path, *files)


def _merge(parent: KeyMapping, child: KeyMapping) -> KeyMapping:
    """Return the keys of the child merged over those of the parent.

    Parameters and functions are merged one by one. The parent's claims concern its own game, so the child inherits them
    only where its own claims include the word ``inherited``.
    """
    data = KeyMapping({key: value for key, value in parent.items() if key != "claims"})
    data.place = parent.place
    for key, value in child.items():
        inherited = data.pop(key, None)
        if key in _MERGED and isinstance(value, KeyMapping) and isinstance(inherited, KeyMapping):
            own = {_name_of(head): head for head in reversed(value)}
            heads = [own.get(_name_of(head), head) for head in inherited]
            value = KeyMapping({head: value.get(head, inherited.get(head)) for head in (*heads, *value)})
        data[key] = value
    claims = data.get("claims")
    if isinstance(claims, Items) and INHERITED in claims:
        own_claims = [claim for claim in claims if claim != INHERITED]
        data["claims"] = Items([*parent.get("claims", []), *own_claims])
    data.pop("extends", None)
    return data


def _name_of(head: str) -> str:
    """Return the name that a key of ``functions:`` or ``parameters:`` defines, such as ``f`` for ``f(n)``."""
    return head.partition("(")[0].strip()
