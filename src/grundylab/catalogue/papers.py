"""papers/NAME.yaml: what each paper states, place by place, so that nothing in it is passed over unnoticed.

A statement is accounted for by claims that name its place, or if it sets a game by a ruleset that does; by the other
version of the paper, in which it is the same; or by the reason for which nothing can check it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from grundylab.errors import PaperError, Place
from grundylab.files import here_or_shipped
from grundylab.games.validation import Strict, validate
from grundylab.games.yamlfile import Document, read_document

FOLDER = "papers"
# What makes "Lemma 21" of "Lemma 2", or "Definition 1.1" of "Definition 1": a number or word that goes on.
_GOES_ON = re.compile(r"[^\W_]|\.\d")
_FACT = re.compile(r"(Theorem|Lemma|Corollary|Conjecture|Remark|Example|Table)\b")

Line = Annotated[str, Field(min_length=1)]


class PublishedSpec(Strict):
    """Where the paper was published, as far as it is printed."""

    journal: Line
    volume: int | None = None
    year: int | None = None
    number: str | None = None
    doi: str | None = None


def _range(text: Any) -> Any:  # noqa: ANN401 - raw YAML
    """``0..30`` as both of its ends."""
    ends = re.fullmatch(r"\s*(\d{1,9})\s*\.\.\s*(\d{1,9})\s*", text) if isinstance(text, str) else None
    if not ends or int(ends[2]) < int(ends[1]):
        raise ValueError(f"'{text}' is not a range; write it as 0..30")
    return int(ends[1]), int(ends[2])


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


class StatementSpec(Strict):
    """A statement's place and what it is about; a reason only if no claim and no ruleset can check it.

    arxiv: its place in the arXiv version, where that differs; same as: its place in the paper that this is a
    version of.
    """

    at: Line
    about: Line
    reason: Line | None = None
    arxiv: Line | None = None
    same_as: Line | None = Field(default=None, alias="same as")
    figure: FigureSpec | None = None

    @model_validator(mode="after")
    def _one_account(self) -> StatementSpec:
        if self.reason is not None and self.same_as is not None:
            raise ValueError(
                "what is the 'same as' in the other version is accounted for there: no 'reason:'"
            )
        return self


class PaperSpec(Strict):
    """A whole record."""

    title: Line
    authors: list[Line] = Field(min_length=1)
    published: PublishedSpec | None = None
    key: Line
    version_of: Line | None = Field(default=None, alias="version of")
    statements: list[StatementSpec] = Field(min_length=1)


@dataclass(frozen=True)
class Published:
    """Where a paper was published: what is known of it."""

    journal: str
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


@dataclass(frozen=True)
class Figure:
    """A figure or table of a paper that can be drawn from the table of a game; the fields of FigureSpec, and its place.

    down and across: a coordinate and the first and last of its values.
    """

    paper: str
    at: str
    about: str
    ruleset: str
    parameters: Mapping[str, int]
    bounds: Mapping[str, int]
    fixed: Mapping[str, int]
    down: tuple[str, tuple[int, int]] | None
    across: tuple[str, tuple[int, int]]
    shows: Literal["p", "grundy"]
    assumed: str | None
    place: Place

    @property
    def id(self) -> str:
        """A name for files and the command line, ``figure-7``."""
        return "-".join(re.findall(r"[a-z0-9.]+", self.at.lower()))


@dataclass(frozen=True)
class PaperStatement:
    """One statement of a paper: its place, what it is about, and how it is accounted for if not by claims."""

    at: str
    about: str
    reason: str | None = None
    arxiv: str | None = None
    same_as: str | None = None
    figure: Figure | None = None

    @property
    def is_fact(self) -> bool:
        """Whether it states what may be false, so that a game that is set there does not account for it."""
        return _FACT.match(self.at) is not None


@dataclass(frozen=True)
class Paper:
    """A paper's statements in order of appearance; the name is the file's, which rulesets and claims cite."""

    name: str
    title: str
    authors: tuple[str, ...]
    key: str
    statements: tuple[PaperStatement, ...]
    published: Published | None = None
    version_of: str | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Those that can be drawn again, in order of appearance."""
        return tuple(statement.figure for statement in self.statements if statement.figure)

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
    statements = tuple(
        PaperStatement(
            **statement.model_dump(exclude={"figure"}),
            figure=_figure(name, statement, document.place(("statements", number, "figure"))),
        )
        for number, statement in enumerate(spec.statements)
    )
    places = [statement.at for statement in statements]
    for number, at in enumerate(places):
        if at in places[:number]:
            raise PaperError(f"'{at}' is there twice", document.place(("statements", number, "at")))
    return Paper(
        name=name,
        title=spec.title,
        authors=tuple(spec.authors),
        key=spec.key,
        statements=statements,
        published=Published(**spec.published.model_dump()) if spec.published else None,
        version_of=spec.version_of,
    )


def _figure(paper: str, statement: StatementSpec, place: Place) -> Figure | None:
    spec = statement.figure
    if spec is None:
        return None
    return Figure(
        paper=paper,
        at=statement.at,
        about=statement.about,
        ruleset=spec.ruleset,
        parameters=spec.parameters,
        bounds=spec.bounds,
        fixed=spec.fix,
        down=next(iter(spec.down.items())) if spec.down else None,
        across=next(iter(spec.across.items())),
        shows=spec.shows,
        assumed=spec.assumed,
        place=place,
    )


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
