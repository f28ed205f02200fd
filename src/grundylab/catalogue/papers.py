"""papers/NAME.yaml: what each paper states, place by place, so that nothing in it is passed over unnoticed.

A statement is accounted for by claims that name its place, or if it sets a game by a ruleset that does; by the other
version of the paper, in which it is the same; or by the reason for which nothing can check it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, model_validator

from grundylab.errors import PaperError, Place
from grundylab.files import here_or_shipped
from grundylab.games.yamlfile import Document, Strict, read_document, span_of, validate

FOLDER = "papers"
# What makes "Lemma 21" of "Lemma 2", or "Definition 1.1" of "Definition 1": a number or word that goes on.
_GOES_ON = re.compile(r"[^\W_]|\.\d")
_FACT = re.compile(r"(Theorem|Lemma|Corollary|Conjecture|Remark|Example|Table)\b")

Kind = Literal["statement", "proof step", "example", "table", "figure", "definition", "text uncertain"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_PROOF = re.compile(r"\bproof\b")

Line = Annotated[str, Field(min_length=1)]


class Published(Strict):
    """Where a paper was published: what is known of it."""

    journal: Line
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
    """``0..30`` as both of its ends."""
    if not (span := span_of(text)):
        raise ValueError(f"'{text}' is not a range; write it as 0..30")
    return span[0], span[-1]


Ends = Annotated[tuple[int, int], BeforeValidator(_range)]
Axis = Annotated[dict[str, Ends], Field(min_length=1, max_length=1)]


class FigureSpec(Strict):
    """A figure, to be drawn again: of which game and what part of its table, and which coordinates are the axes.

    shows: P-positions in white, or Grundy numbers. assumed: what the paper's text does not tell of the figure.
    """

    ruleset: Line
    parameters: dict[str, int] = Field(default_factory=dict)
    bounds: dict[str, int] = Field(default_factory=dict)
    fix: dict[str, int] = Field(default_factory=dict)
    down: Axis | None = None
    across: Axis
    shows: Literal["p", "grundy"] = "p"
    assumed: Line | None = None


class Figure(FigureSpec):
    """A figure or table with its place: of the paper, and in its file."""

    paper: str
    at: str
    about: str
    place: Place

    @property
    def id(self) -> str:
        """A name for files and the command line, ``figure-7``."""
        return "-".join(re.findall(r"[a-z0-9.]+", self.at.lower()))


class PaperStatement(Strict):
    """A statement's place and what it is about; a reason only if no claim and no ruleset can check it.

    kind: if it is another than the place says, as "text uncertain", which is not checked. stands: of a line that is
    refuted, what of the paper is true all the same. arxiv: its place in the arXiv version, where that differs; same as:
    its place in the paper that this is a version of.
    """

    at: Line
    about: Line
    kind: Kind | None = None
    reason: Line | None = None
    stands: Line | None = None
    arxiv: Line | None = None
    same_as: Line | None = Field(default=None, alias="same as")
    figure: FigureSpec | None = None

    @model_validator(mode="after")
    def _one_account(self) -> PaperStatement:
        if self.reason is not None and self.same_as is not None:
            raise ValueError(
                "what is the 'same as' in the other version is accounted for there: no 'reason:'"
            )
        if self.kind == "text uncertain" and self.reason is None:
            raise ValueError("what is 'text uncertain' needs a 'reason:', what is uncertain in it")
        return self

    def kind_of(self, at: str) -> Kind:
        """Of what kind the statement is, or a part of it: what is said, or what the words of the place say."""
        if self.kind is not None:
            return self.kind
        if _PROOF.search(at):
            return "proof step"
        first = at.split()[0].lower()
        return next((kind for kind in KINDS if kind == first), "statement")

    @property
    def is_fact(self) -> bool:
        """Whether it states what may be false, so that a game that is set there does not account for it."""
        return _FACT.match(self.at) is not None


class PaperSpec(Strict):
    """A whole record: the statements in order of appearance."""

    title: Line
    authors: list[Line] = Field(min_length=1)
    published: Published | None = None
    key: Line
    version_of: Line | None = Field(default=None, alias="version of")
    statements: list[PaperStatement] = Field(min_length=1)


class Paper(PaperSpec):
    """A record with its name, which is the file's, and which rulesets and claims cite; and its figures, in order."""

    name: str
    figures: tuple[Figure, ...] = ()

    def statement_of(self, at: str) -> PaperStatement | None:
        """The statement that a place belongs to: of several the most particular one."""
        found = [statement for statement in self.statements if belongs(at, statement.at)]
        return max(found, key=lambda statement: len(statement.at), default=None)


def belongs(at: str, statement_at: str) -> bool:
    """Whether the place is the statement or a part of it: "Lemma 2 (iii)" is of "Lemma 2", "Lemma 21" is not."""
    return at.startswith(statement_at) and not _GOES_ON.match(at[len(statement_at) :])


def load_papers(folder: str | os.PathLike[str] | None = None) -> tuple[Paper, ...]:
    """The records of a folder, by name. Raises PaperError with file and line.

    folder: by default ``papers`` in the current folder or, where there is none, those that come with grundylab.
    """
    folder = here_or_shipped(FOLDER) if folder is None else folder
    paths = sorted(Path(folder).glob("*.yaml"), key=lambda path: path.stem)
    documents = {path.stem: read_document(path, PaperError) for path in paths}
    if not documents:
        raise PaperError("there is no record of a paper (NAME.yaml) in this folder", Place(str(folder)))
    papers = {name: _paper(name, document) for name, document in documents.items()}
    for name, document in documents.items():
        _check_key(papers[name], papers, document)
        _check_version(papers[name], papers, document)
    return tuple(papers.values())


def _paper(name: str, document: Document) -> Paper:
    spec = validate(PaperSpec, document, PaperError)
    places = [statement.at for statement in spec.statements]
    for number, at in enumerate(places):
        if at in places[:number]:
            raise PaperError(f"'{at}' is there twice", document.place(("statements", number, "at")))
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


def _check_key(paper: Paper, papers: Mapping[str, Paper], document: Document) -> None:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9:-]*", paper.key):
        message = f"'{paper.key}' cannot be a BibTeX key: use a letter, then letters, digits, ':' and '-'"
        raise PaperError(message, document.place(("key",)))
    for other in papers.values():
        if other.name < paper.name and other.key == paper.key:
            raise PaperError(f"the key '{paper.key}' is that of {other.name}", document.place(("key",)))


def _check_version(paper: Paper, papers: Mapping[str, Paper], document: Document) -> None:
    """'same as' must name a statement of the paper that this one is a version of."""
    original = papers.get(paper.version_of) if paper.version_of is not None else None
    if paper.version_of is not None and (original is None or original is paper):
        others = ", ".join(name for name in papers if name != paper.name)
        message = f"there is no other paper '{paper.version_of}'; papers: {others}"
        raise PaperError(message, document.place(("version of",)))
    for number, statement in enumerate(paper.statements):
        if statement.same_as is None:
            continue
        place = document.place(("statements", number, "same as"))
        if original is None:
            raise PaperError("'same as:' needs 'version of:', the paper that it speaks of", place)
        if original.statement_of(statement.same_as) is None:
            raise PaperError(f"{original.name} has no statement '{statement.same_as}'", place)
