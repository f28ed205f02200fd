"""papers/NAME.yaml: every statement of each paper, place by place, so that none is overlooked.

A statement is accounted for in one of four ways: claims name its place; a ruleset names its place, if it defines a
game; another version of the paper contains it, too; or the file gives a reason why nothing can check it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, model_validator

from grundylab.errors import PaperError, Place
from grundylab.files import find_folder
from grundylab.games.yamlfile import Document, Strict, parse_span, read_document, validate

FOLDER = "papers"
# What continues a number or word: "Lemma 21" is not a part of "Lemma 2", nor "Definition 1.1" of "Definition 1".
_GOES_ON = re.compile(r"[^\W_]|\.\d")
_FACT = re.compile(r"(Theorem|Lemma|Corollary|Conjecture|Remark|Example|Table)\b")

PaperStatementKind = Literal[
    "statement", "proof step", "example", "table", "figure", "definition", "text uncertain"
]
KINDS: tuple[PaperStatementKind, ...] = get_args(PaperStatementKind)
_PROOF = re.compile(r"\bproof\b")

NonEmptyText = Annotated[str, Field(min_length=1)]


class Publication(Strict):
    """The publication of a paper: journal, volume, year, number and DOI, as far as they are known."""

    journal: NonEmptyText
    volume: int | None = None
    year: int | None = None
    number: str | None = None
    doi: str | None = None

    def __str__(self) -> str:
        volume = f" {self.volume}" if self.volume is not None else ""
        year = f" ({self.year})" if self.year is not None else ""
        number = f", {self.number}" if self.number is not None else ""
        doi = f", doi:{self.doi}" if self.doi is not None else ""
        return f"{self.journal}{volume}{year}{number}{doi}"


def _range(text: Any) -> Any:  # noqa: ANN401 - raw YAML
    """Return the first and the last number of a range such as ``0..30``; raise ValueError for another text."""
    if not (span := parse_span(text)):
        raise ValueError(f"'{text}' is not a range; write it as 0..30")
    return span[0], span[-1]


FigureRange = Annotated[tuple[int, int], BeforeValidator(_range)]
FigureAxis = Annotated[dict[str, FigureRange], Field(min_length=1, max_length=1)]


class FigureSpec(Strict):
    """A figure to be redrawn: its game, the part of the table that it shows, and the coordinates on its axes.

    fix: the values of the coordinates that are on no axis. down, across: the coordinate of each axis, with its range.
    shows: "p" for P-positions in white, or "grundy" for Grundy numbers. assumed: what was assumed about the figure
    because the paper does not say it.
    """

    ruleset: NonEmptyText
    parameters: dict[str, int] = Field(default_factory=dict)
    bounds: dict[str, int] = Field(default_factory=dict)
    fix: dict[str, int] = Field(default_factory=dict)
    down: FigureAxis | None = None
    across: FigureAxis
    shows: Literal["p", "grundy"] = "p"
    assumed: NonEmptyText | None = None


class Figure(FigureSpec):
    """A figure or table of a paper; ``at`` is its place in the paper, ``place`` its line in the paper's file."""

    paper: str
    at: str
    about: str
    place: Place

    @property
    def id(self) -> str:
        """A name for files and the command line, such as ``figure-7``."""
        return "-".join(re.findall(r"[a-z0-9.]+", self.at.lower()))


class PaperStatement(Strict):
    """A statement of a paper: its place and its subject.

    kind: None unless the name of the place suggests a wrong kind; "text uncertain" means that the text is unclear, and
    is not checked. reason: why no claim and no ruleset can check the statement; None if one can. stands: what remains
    true of a refuted statement. arxiv: its place in the arXiv version, if that differs. same as: its place in the other
    version of the paper, which the key ``version of`` of the file names.
    """

    at: NonEmptyText
    about: NonEmptyText
    kind: PaperStatementKind | None = None
    reason: NonEmptyText | None = None
    stands: NonEmptyText | None = None
    arxiv: NonEmptyText | None = None
    same_as: NonEmptyText | None = Field(default=None, alias="same as")
    figure: FigureSpec | None = None

    @model_validator(mode="after")
    def _one_account(self) -> PaperStatement:
        if self.reason is not None and self.same_as is not None:
            raise ValueError(
                "a statement with 'same as:' is accounted for in the other version of the paper; remove 'reason:'"
            )
        if self.kind == "text uncertain" and self.reason is None:
            raise ValueError("'text uncertain' needs a 'reason:' that names what is uncertain")
        return self

    def kind_of(self, at: str) -> PaperStatementKind:
        """Return the kind of the statement, or of its part at ``at``: ``kind``, or what the place's name suggests."""
        if self.kind is not None:
            return self.kind
        if _PROOF.search(at):
            return "proof step"
        first = at.split()[0].lower()
        return next((kind for kind in KINDS if kind == first), "statement")

    @property
    def is_fact(self) -> bool:
        """True if the statement may be false: then a claim must check it, and a ruleset at its place is not enough."""
        return _FACT.match(self.at) is not None


class PaperSpec(Strict):
    """The content of the file of a paper, with the statements in the order of the paper."""

    title: NonEmptyText
    authors: list[NonEmptyText] = Field(min_length=1)
    published: Publication | None = None
    key: NonEmptyText
    version_of: NonEmptyText | None = Field(default=None, alias="version of")
    statements: list[PaperStatement] = Field(min_length=1)


class Paper(PaperSpec):
    """A paper with its name, by which rulesets and claims cite it (the file's stem), and its figures in order."""

    name: str
    figures: tuple[Figure, ...] = ()

    def statement_of(self, at: str) -> PaperStatement | None:
        """Return the statement to which a place belongs: of several, the one with the longest place; else None."""
        matching = [statement for statement in self.statements if belongs_to_statement(at, statement.at)]
        return max(matching, key=lambda statement: len(statement.at), default=None)


def belongs_to_statement(at: str, statement_at: str) -> bool:
    """Tell whether a place is a statement's or within it: "Lemma 2 (iii)" belongs to "Lemma 2", "Lemma 21" does not."""
    return at.startswith(statement_at) and not _GOES_ON.match(at[len(statement_at) :])


def load_papers(folder: str | os.PathLike[str] | None = None) -> tuple[Paper, ...]:
    """Return the papers whose files are in a folder, sorted by name. Raises PaperError with file and line.

    folder: by default ``papers`` in the current folder or, if there is none, the folder shipped with grundylab.
    """
    folder = find_folder(FOLDER) if folder is None else folder
    paths = sorted(Path(folder).glob("*.yaml"), key=lambda path: path.stem)
    documents = {path.stem: read_document(path, PaperError) for path in paths}
    if not documents:
        raise PaperError("there is no record of a paper (NAME.yaml) in this folder", Place(str(folder)))
    papers = {name: _paper(name, document) for name, document in documents.items()}
    for name, document in documents.items():
        key = papers[name].key
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9:-]*", key):
            message = f"'{key}' cannot be a BibTeX key: use a letter, then letters, digits, ':' and '-'"
            raise PaperError(message, document.place(("key",)))
        for other in papers.values():
            if other.name < name and other.key == key:
                raise PaperError(f"the key '{key}' is used by {other.name}", document.place(("key",)))
        version_of = papers[name].version_of
        original = None if version_of is None else papers.get(version_of)
        if version_of is not None and (original is None or version_of == name):
            others = ", ".join(other for other in papers if other != name)
            message = f"there is no other paper '{version_of}'; papers: {others}"
            raise PaperError(message, document.place(("version of",)))
        for number, statement in enumerate(papers[name].statements):
            if statement.same_as is None:
                continue
            place = document.place(("statements", number, "same as"))
            if original is None:
                raise PaperError("'same as:' needs 'version of:' with the name of the other paper", place)
            if original.statement_of(statement.same_as) is None:
                raise PaperError(f"{original.name} has no statement '{statement.same_as}'", place)
    return tuple(papers.values())


def _paper(name: str, document: Document) -> Paper:
    spec = validate(PaperSpec, document, PaperError)
    places = [statement.at for statement in spec.statements]
    for number, at in enumerate(places):
        if at in places[:number]:
            raise PaperError(f"'{at}' appears twice", document.place(("statements", number, "at")))
    figures = tuple(
        Figure.model_construct(
            **dict(statement.figure),
            paper=name,
            at=statement.at,
            about=statement.about,
            place=document.place(("statements", number, "figure")),
        )
        for number, statement in enumerate(spec.statements)
        if statement.figure
    )
    return Paper.model_construct(**dict(spec), name=name, figures=figures)
