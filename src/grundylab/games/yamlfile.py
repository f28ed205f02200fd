"""YAML files with the line of every value, read as plain text and validated against pydantic models.

Every scalar is a string, so that nothing becomes a date, a float or a boolean by surprise. Anchors, aliases, tags,
invisible characters, deep nesting and too many values are refused while events are read, before a small file could
become a large tree. Duplicate keys are refused afterwards, and so is a value in ``{…}`` that a comma has cut in two.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sized
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any, ClassVar, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from grundylab.errors import UNSEEN, GrundylabError, Place
from grundylab.files import read_limited

MAX_BYTES = 1_000_000  # of a file; the rulesets of the papers have some thousands
MAX_DEPTH = 40  # of nesting; a ruleset needs six
MAX_VALUES = (
    20_000  # keys and values of a file; each costs microseconds and some hundred bytes in every later step
)
_REPARSED = 50_000  # characters; a longer text is not parsed a second time, which is slow

KeyPath = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)


class TextValue(str):
    """A key or a plain value, with its place in the file."""

    place = Place()


class Items(list[Any]):
    """A list, with its place in the file."""

    place = Place()


class KeyMapping(dict[str, Any]):
    """A mapping, with its place in the file; the place of a value in it is the line of its key."""

    place = Place()


@dataclass(frozen=True)
class Document:
    """The contents of a file: ``data``, and the mapping ``file`` in which the places for messages are found.

    The two are the same unless the data were merged or changed after the file was read.
    """

    data: dict[str, Any]
    file: KeyMapping

    def place(self, path: KeyPath) -> Place:
        """Return the place of a key path, or of its longest beginning that is in the file."""
        at: Any
        node: Any
        node, place = self.file, self.file.place
        for depth, step in enumerate(path, start=1):
            if isinstance(node, KeyMapping) and step in node:
                at = next(key for key in node if key == step)
                node = node[at]
            elif isinstance(node, Items) and isinstance(step, int) and step < len(node):
                at = node = node[step]
            else:
                break
            place = replace(at.place, key=".".join(map(str, path[:depth])))
        return place


def read_document(path: FilePath, error: type[GrundylabError]) -> Document:
    """Return the file as a document whose values are all strings. Raises ``error`` with file and line for a fault."""
    name = str(path)
    raw = read_limited(path, MAX_BYTES, error)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = raw[: problem.start].count(b"\n") + 1
        raise error("the file is not UTF-8 text; save it as UTF-8", Place(name, line)) from None
    return parse_document(text, name, error)


def parse_document(text: str, name: str, error: type[GrundylabError]) -> Document:
    """Return a text as a document, as ``read_document`` does for a file. name: the file that messages name."""
    try:
        root = _compose(text, name, error)
    except yaml.MarkedYAMLError as problem:
        what = str(problem.problem or problem.context)
        words, at_start = next((fault for part, fault in _FAULTS.items() if part in what), (what, False))
        marks = problem.problem_mark, problem.context_mark
        mark = next(filter(None, reversed(marks) if at_start else marks), None)
        raise error(f"not YAML: {words}", Place(name, mark.line + 1 if mark else None)) from None
    except (
        yaml.YAMLError,
        ValueError,
        OverflowError,
    ) as problem:  # PyYAML lets \\U99999999 through to Python
        raise error(f"not YAML: {' '.join(str(problem).split())}", Place(name)) from None
    if root is None:
        raise error("the file is empty", Place(name))
    data = _Builder(name, error).build(root, ())
    if not isinstance(data, KeyMapping):
        raise error("the file must be a mapping of 'key: value' lines", data.place)
    return Document(data, data)


def _compose(text: str, name: str, error: type[GrundylabError]) -> yaml.Node | None:
    """Return the tree of the text, None if it is empty.

    libyaml parses the text if present. If it finds a fault, PyYAML's own parser reads a short text again, for its
    message.
    """
    fast = getattr(yaml, "CSafeLoader", None)
    if fast is not None:
        try:
            _refuse_events(text, name, error, fast)
            return yaml.compose(text, Loader=fast)
        except (yaml.YAMLError, UnicodeEncodeError):
            if len(text) > _REPARSED:
                raise
    _refuse_events(text, name, error, yaml.SafeLoader)
    return yaml.compose(text, Loader=yaml.SafeLoader)


def _refuse_events(text: str, name: str, error: type[GrundylabError], loader: type) -> None:
    """Raise ``error`` for the first event of the parser that is not supported here, before a tree is built."""
    depth = values = 0
    for event in yaml.parse(text, Loader=loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        values += isinstance(event, yaml.NodeEvent)
        fault = None
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            fault = "YAML anchors and aliases ('&', '*') are not supported here"
        elif getattr(event, "tag", None) is not None:
            fault = "YAML tags ('!') are not supported here: every value is read as text"
        elif depth > MAX_DEPTH:
            fault = f"nested more than {MAX_DEPTH} deep"
        elif values > MAX_VALUES:
            fault = f"more than {MAX_VALUES:,} keys and values; split the file"
        elif isinstance(event, yaml.ScalarEvent) and (unseen := UNSEEN.search(event.value)):
            fault = f"the character U+{ord(unseen[0]):04X} is invisible: remove it"
        if fault is not None:
            raise error(fault, Place(name, event.start_mark.line + 1 if event.start_mark else None))


_INDENTED = (
    "this line does not fit the lines above it: indent all keys of a mapping alike, and all '-' of a list; nothing "
    "follows a closing quote"
)
# For what PyYAML's message contains: words for the fault with its remedy, and whether to name the line where the faulty
# part begins.
_FAULTS = {
    "'\\t'": ("a tab at the beginning of a line: indent with spaces", False),
    "mapping values are not allowed": (
        "unexpected key or colon: indent the keys of a mapping alike, and quote a text that contains a colon, as in "
        'title: "Nim: three piles"',
        False,
    ),
    "expected <block end>": (_INDENTED, False),
    "expected '<document start>'": (_INDENTED, False),
    "expected ':'": ("expected a key and a colon, as in play: misere", True),
    "expected ',' or": ("the bracket that begins here lacks a comma or its end", True),
    "end of stream": ("the quote that begins here is not closed", True),
    "'<stream end>'": ("the file ends inside a bracket: close it", False),
    "another document": ("'---' would begin another document: remove it", False),
}


@dataclass(frozen=True)
class _Builder:
    """A builder of texts, lists and mappings, with their places, from a tree of YAML nodes."""

    _name: str
    _error: type[GrundylabError]

    def build(self, node: yaml.Node, path: KeyPath) -> TextValue | Items | KeyMapping:
        data: TextValue | Items | KeyMapping
        if isinstance(node, yaml.ScalarNode):
            if node.tag == "tag:yaml.org,2002:null" and not node.value:
                key = path[-1] if path else ""
                hint = (
                    "; write a list in brackets: [1, 2, 4]"
                    if isinstance(key, str) and key.isdecimal()
                    else ""
                )
                raise self._error(f"a value is missing after ':' or '-'{hint}", self._place(node, path))
            data = TextValue(node.value)
        elif isinstance(node, yaml.SequenceNode):
            data = Items(self.build(item, (*path, number)) for number, item in enumerate(node.value))
        else:
            assert isinstance(node, yaml.MappingNode)
            data = KeyMapping()
            for number, (key, value) in enumerate(node.value):
                if not isinstance(key, yaml.ScalarNode):
                    raise self._error("a key must be plain text", self._place(key, path))
                name = TextValue(key.value)
                name.place = self._place(key, path)
                self._refuse_cut(node, number, data, path)
                if name in data:
                    raise self._error(f"the key '{name}' appears twice", name.place)
                data[name] = self.build(value, (*path, name))
        data.place = self._place(node, path)
        return data

    def _refuse_cut(self, node: yaml.MappingNode, number: int, data: dict[str, Any], path: KeyPath) -> None:
        """Raise an error if the value before this key was cut in two at its comma.

        YAML reads ``{y: min(y, h(w))}`` as y: "min(y" and a key "h(w))" without a value.
        """
        previous = next(reversed(data.items()), None)
        if not (node.flow_style and previous and isinstance(previous[1], str)):
            return
        first, text = previous
        for key, value in node.value[number:]:
            if text.count("(") <= text.count(")") or not isinstance(value, yaml.ScalarNode) or value.value:
                break
            text += f", {key.value}"
        if text != previous[1]:
            message = f"the value '{text}' was cut at its comma; quote it: {first}: \"{text}\""
            raise self._error(message, self._place(node.value[number][0], (*path, first)))

    def _place(self, node: yaml.Node, path: KeyPath) -> Place:
        return Place(self._name, node.start_mark.line + 1, key=".".join(map(str, path)) or None)


class Strict(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)
    _instead: ClassVar[Mapping[str, str]] = {}  # by unknown key: the remedy that the message gives

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:  # noqa: ANN401 - raw YAML
        keys = sorted(info.alias or name for name, info in cls.model_fields.items())
        for key in data if isinstance(data, dict) else ():
            if key not in keys:
                close = difflib.get_close_matches(str(key), keys, n=1)
                hint = f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(keys)}"
                hint = cls._instead.get(str(key), hint)
                raise PydanticCustomError(
                    "unknown_key", "unknown key '{key}'; {hint}", {"key": key, "hint": hint}
                )
        return data


def parse_span(text: object) -> range | None:
    """Return the range of a text such as ``0..30``, both ends included; None for anything else."""
    ends = re.fullmatch(r"\s*([0-9]{1,9})\s*\.\.\s*([0-9]{1,9})\s*", text) if isinstance(text, str) else None
    return range(int(ends[1]), int(ends[2]) + 1) if ends else None


def validate(
    model: type[Model],
    document: Document,
    error: type[GrundylabError],
    path: KeyPath = (),
    context: object = None,
    defaults: Mapping[str, object] | None = None,
) -> Model:
    """Return the part of the document at ``path`` as an instance of the model.

    context: an argument for the model's own validators. defaults: the values of keys that the part does not have.
    Raises ``error`` at the place of the first fault.
    """
    data: Any = document.data
    for step in path:
        data = data[step]
    if defaults and isinstance(data, Mapping):
        data = {**defaults, **data}
    try:
        return model.model_validate(data, context=context)
    except ValidationError as problem:
        first = min(problem.errors(), key=lambda detail: detail["type"] != "unknown_key")
        own = (*first["loc"], *([first["ctx"]["key"]] if first["type"] == "unknown_key" else ()))
        at = (*path, *own)
        *_, key = first["loc"] or ("",)
        given = first["input"]
        words = {"length": len(given) if isinstance(given, Sized) else 0, **first.get("ctx", {})}
        message = first["msg"]
        if first["type"] in _WORDS:
            message = _WORDS[first["type"]].format(key=key, input=given, **words)
        raise error(message, document.place(at)).at(key=".".join(map(str, at))) from None


_WORDS = {
    "missing": "the key '{key}' is missing",
    "string_type": "expected a line of text",
    "int_parsing": "expected a whole number, not '{input}'",
    "int_type": "expected a whole number, not '{input}'",
    "int_parsing_size": "expected a whole number with fewer digits",
    "dict_type": "expected a mapping of 'key: value'",
    "model_type": "expected a mapping of 'key: value'",
    "model_attributes_type": "expected a mapping of 'key: value'",
    "list_type": "expected a list",
    "tuple_type": "expected a list",
    "literal_error": "'{input}' is not one of {expected}",
    "greater_than_equal": "must be at least {ge}, not {input}",
    "less_than_equal": "must be at most {le}, not {input}",
    "too_long": "at most {max_length:,} are allowed here, not {length:,}",
    "string_too_long": "at most {max_length:,} characters are allowed here, not {length:,}",
    "too_short": "at least {min_length} is required here, not {length:,}",
    "string_too_short": "must have at least {min_length} character(s), not {length:,}",
    "greater_than": "must be more than {gt}, not {input}",
    "less_than": "must be less than {lt}, not {input}",
    "float_parsing": "expected a number, not '{input}'",
    "float_type": "expected a number, not '{input}'",
    "finite_number": "expected a number, not '{input}'",
    "int_from_float": "expected a whole number, not '{input}'",
    "bool_parsing": "expected true or false, not '{input}'",
    "bool_type": "expected true or false, not '{input}'",
    "value_error": "{error}",
}
