"""The configuration: reads the studies of config.yaml, or of another file, and checks their keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, Field

from grundylab.discover import ENGINES
from grundylab.errors import ConfigError, GrundylabError, InstanceError, Place
from grundylab.games import load_ruleset
from grundylab.games.lookups import ruleset_files
from grundylab.games.model import Values
from grundylab.games.yamlfile import Document, Items, TextValue, read_document, validate
from grundylab.games.yamlfile import KeyMapping as Mapped
from grundylab.language.syntax import TRUE
from grundylab.pipeline.default_tables import USUAL_ENGINES, usual_keys, usual_targets
from grundylab.pipeline.outside_tables import columns_of, overlaps, positions_of, read_tables, without_seen
from grundylab.pipeline.study import (
    ENGINE,
    SPLITS,
    Context,
    Keys,
    Settings,
    SplitSpec,
    Study,
    known_engines,
    values_of,
)
from grundylab.solve.instance_choice import Instances, validation_instances
from grundylab.solve.origin import file_digests
from grundylab.solve.table import Table
from grundylab.version import __version__

CELLS = 1 << 36  # the most of a table; their values alone take 256 GiB
# folders of results/ that belong to no study; no study may have these names
_FOLDERS = (
    "benchmarks",
    "figures",
    "logs",
    "open",
    "papers",
    "proofs",
    "report",
    "surveys",
    "timings",
)


class ConfigSpec(Settings):
    """The keys of a configuration file."""

    engines: Annotated[tuple[str, ...], AfterValidator(known_engines)] = Field(
        default_factory=lambda: tuple(ENGINES),
        min_length=1,
        description="The engines of studies that have no `engines` key.",
    )
    papers: bool = Field(
        default=False,
        description="Whether papers.md is written, with the verdict on every statement of the papers in papers/.",
    )
    pathvars: dict[Literal["results", "data"], str] = Field(
        default_factory=dict,
        description="The folders for results and datasets, as in {results: results/mine, data: data/mine}. Two files "
        "with the same folders overwrite each other's results.",
    )
    studies: dict[str, dict[str, Any]] = Field(
        min_length=1,
        description="The studies by name. The name is that of the ruleset, unless the key `ruleset` names another.",
    )


def read_studies(path: Path, folder: str = "rulesets") -> dict[str, Study]:
    """Return the studies of a configuration file, by name. Raises ConfigError at the line of the first mistake.

    folder: where rulesets are looked up by name.
    """
    return make_studies(read_document(path, ConfigError), folder)


def studies_of(
    config: Mapping[str, Any], files: Sequence[str], given: Mapping[str, Any] | None = None
) -> dict[str, Study]:
    """Return the studies, by name, of a configuration that Snakemake has read and merged from ``files``.

    Where Snakemake has turned a text into a number, a date or a truth value, the text of the file is used again. given:
    what the command line says after ``--config``. Raises ConfigError for the first mistake, at a line of the last file,
    or at ``--config``.
    """
    read = [read_document(Path(file), ConfigError).file for file in files]
    data: Any = dict(config)
    for file in reversed(read):
        data = _as_written(data, file)
    return make_studies(Document(data, _with_given(read[-1] if read else Mapped(), given or {})))


def _with_given(file: Mapped, given: Mapping[str, Any]) -> Mapped:
    """Return the file's keys, with those that ``--config`` gives in place of them; a key's place is where it stands."""
    merged_file = Mapped({key: value for key, value in file.items() if key not in given})
    merged_file.place = file.place
    for name, value in given.items():
        key, below = TextValue(name), file.get(name)
        key.place = Place("--config")
        inner = below if isinstance(below, Mapped) else Mapped()
        merged = _with_given(inner, value) if isinstance(value, Mapping) else value
        own = next(written for written in file if written == name) if inner and merged is not value else key
        merged_file[own] = merged
    return merged_file


def _as_written(value: Any, text: Any) -> Any:  # noqa: ANN401 - YAML
    """Return a part of the configuration as it is written in the file.

    value: the part as Snakemake has read it, where YAML may have turned texts into numbers, dates or truth values.
    text: the same part of the file, with all values as texts.
    """
    if isinstance(value, Mapping) and isinstance(text, Mapped):
        keys = {key: next((written for written in text if _stands_for(written, key)), key) for key in value}
        return {keys[key]: _as_written(part, text.get(keys[key])) for key, part in value.items()}
    if isinstance(value, list) and isinstance(text, Items) and len(value) == len(text):
        return [_as_written(*pair) for pair in zip(value, text, strict=True)]
    return text if isinstance(text, TextValue) and _stands_for(text, value) else value


def _stands_for(text: str, value: object) -> bool:
    """Tell whether the value may come from the text: read by YAML, or by Snakemake after ``--config``."""
    if isinstance(value, str):
        return text == value
    for read in (yaml.safe_load, int, float):
        with suppress(yaml.YAMLError, ValueError):
            read_value = read(text)
            if type(read_value) is type(value) and read_value == value:
                return True
    return False


def make_studies(document: Document, folder: str = "rulesets") -> dict[str, Study]:
    """Return the studies of a configuration, by name. Raises ConfigError at the line of the first mistake."""
    spec = validate(ConfigSpec, document, ConfigError)
    files: dict[str, str] = {}
    judged: set[str] = set()
    studies = {}
    for name in spec.studies:
        reader = _Reader(name, spec, document, folder)
        study = reader.study()
        if study.given is None:
            game, file = study.ruleset.name, str(Path(study.ruleset.files[0]).resolve())
            if (other := files.setdefault(game, file)) != file:
                raise ConfigError(
                    f"{other} and {file} are two rulesets of one name, so their results would clash; rename one",
                    reader.place("ruleset"),
                )
            if study.every and game in judged:
                raise ConfigError(
                    f"another study judges the claims of {game}, and this one would do nothing else; remove one",
                    reader.place("every"),
                )
            study = study.model_copy(update={"judges_claims": bool(study.test) and game not in judged})
            judged |= {game} if study.test else set()
        studies[name] = study
    return studies


class _Reader:
    """The reader of one study of the file; it raises ConfigError at the key with a mistake."""

    def __init__(self, name: str, spec: ConfigSpec, document: Document, folder: str) -> None:
        self._name, self._raw, self._spec, self._document = name, spec.studies[name], spec, document
        if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name) or name in _FOLDERS:
            taken = f"; {', '.join(_FOLDERS)} are folders of the results" if name in _FOLDERS else ""
            message = f"'{name}' cannot name a study: use letters, digits, '-' and '_'{taken}"
            raise ConfigError(message, self.place())
        if set(self._raw) - {info.alias or key for key, info in Keys.model_fields.items()}:
            validate(Keys, document, ConfigError, ("studies", name))  # its error suggests the right key
        self._given = self._files()
        if self._given is not None:  # a ruleset without moves that has the columns of tables made elsewhere
            fixed = dict.fromkeys(column for key in SPLITS for column in self._split(key).parameter_columns)
            with self._at("train"):
                files = [file for files in self._given.values() for file in files]
                self._ruleset = positions_of(name, columns_of(files, list(fixed)))
            return
        try:
            self._ruleset = load_ruleset(str(self._raw.get("ruleset", name)), folder)
        except GrundylabError as error:
            if error.place.line is None:  # no such ruleset: the fault is in this file
                raise ConfigError(error.message, self.place("ruleset")) from None
            raise

    def place(self, *path: str) -> Place:
        """Return the place of a key of the study."""
        return self._document.place(("studies", self._name, *path))

    @contextmanager
    def _at(self, key: str) -> Iterator[None]:
        """Turn a GrundylabError in the block into a ConfigError at the key; the message keeps the file's name."""
        try:
            yield
        except GrundylabError as error:
            raise ConfigError(str(error), self.place(key)) from None

    def _split(self, key: str) -> SplitSpec:
        if key not in self._raw:
            return SplitSpec()
        return validate(SplitSpec, self._document, ConfigError, ("studies", self._name, key))

    def _files(self) -> dict[str, list[str]] | None:
        """Return, by split, the files of tables made elsewhere; None for a study without such files.

        Raises ConfigError if the study names files as well as instances, or has a key that needs rules.
        """
        splits = {key: self._split(key) for key in SPLITS}
        files = {key: split.files for key, split in splits.items()}
        for key, split in splits.items():
            if split.parameter_columns and not split.files:
                raise ConfigError("parameter_columns needs files: [...]", self.place(key))
        if not any(files.values()):
            return None
        for key, split in splits.items():
            if not split.files and (key != "validate" or key in self._raw):
                raise ConfigError("another split has files, so this one needs files: [...]", self.place(key))
            if split.bounds or split.parameters or split.where != "True":
                raise ConfigError(
                    "all rows of the files are used; remove bounds, parameters and where", self.place(key)
                )
        for key in ("ruleset", "rows", "every", "prove"):
            if key in self._raw:
                raise ConfigError(f"tables from other programs have no rules; remove {key}", self.place(key))
        every = [name for names in files.values() for name in names]
        if again := [name for place, name in enumerate(every) if name in every[:place]]:
            raise ConfigError(f"{again[0]} is named twice; a table belongs to one split", self.place())
        return files

    def study(self) -> Study:
        """Return the study, with defaults for the keys that it does not have."""
        raw, ruleset, given = self._raw, self._ruleset, self._given
        self._check_keys()
        defaults = {name: getattr(self._spec, name) for name in Settings.model_fields}
        chosen = not {"train", "test", "rows", "every"} & set(raw)
        if not ruleset.free and (chosen or "test" in raw):
            defaults["targets"] = [str(target) for target in usual_targets(ruleset)]
        if chosen and "proof_timeout" not in self._spec.model_fields_set:
            defaults["proof_timeout"] = raw.get("budget", self._spec.budget)
        until_found = raw.get("ask", self._spec.ask) != "all"
        usual = chosen and until_found and "engines" not in self._spec.model_fields_set
        context = Context(ruleset, USUAL_ENGINES if usual else self._spec.engines)
        path = ("studies", self._name)
        keys = dict(validate(Keys, self._document, ConfigError, path, context, defaults))
        values = values_of(ruleset, keys["targets"])
        if given:
            keys |= self._tables_elsewhere(given, values)
        if chosen:
            with self._at("ruleset"):
                chosen_keys = usual_keys(ruleset, keys["budget"] / ENGINE, keys["targets"])
            keys |= chosen_keys if keys["where"] == TRUE else {**chosen_keys, "rows": None}
        elif not given:
            self._check_tables(keys)
            if "validate" not in raw and keys["train"]:
                keys["validation"] = validation_instances(keys["train"], keys["test"], values)
        if not keys["test"]:
            keys["targets"], keys["engines"] = (), {}
        named = [file for names in given.values() for file in names] if given else []
        return Study.model_construct(
            **keys,
            name=self._name,
            version=__version__,
            files=file_digests(named or ruleset.files),
            sources=file_digests(named or ruleset_files(ruleset)),
            given=given,
            values=values,
        )

    def _tables_elsewhere(self, given: Mapping[str, Sequence[str]], values: Values) -> dict[str, Any]:
        """Return the instances of each split of tables made elsewhere, and notes on the test rows that engines see.

        Raises ConfigError at a split whose files cannot be read, and if no other test rows are left.
        """
        read = dict[str, tuple[Table, ...]]()
        for key, files in given.items():
            with self._at(key):
                read[key] = read_tables(self._ruleset, files, values) if files else ()
        with self._at("test"):
            notes = overlaps(self._ruleset, given["test"], [*given["train"], *given["validate"]], values)
        read["test"] = without_seen(read["test"], [*read["train"], *read["validate"]])
        if not read["test"]:
            raise ConfigError(f"{notes[0]}; no other rows are left", self.place("test"))
        splits = {SPLITS[key]: tuple(table.instance for table in tables) for key, tables in read.items()}
        return {**splits, "notes": notes, "prove": ()}  # there are no rules to prove anything from

    def _check_keys(self) -> None:
        """Raise ConfigError if keys that belong together are missing, or a key does not fit a family of games."""
        raw = self._raw
        if self._ruleset.free:
            if odd := [key for key in ("targets", "train", "validate", "where") if key in raw]:
                raise ConfigError(
                    f"only the claims of a family of games are judged; remove '{odd[0]}:'", self.place(odd[0])
                )
            if not {"test", "every"} <= set(raw):
                raise ConfigError(
                    f"{self._ruleset.name} is a family of games: give the sizes of the tables in test: and of the "
                    "functions in every:",
                    self.place(),
                )
            return
        tables = set(SPLITS) & set(raw)
        if tables or ("rows" in raw and {"targets", "engines"} & set(raw)):
            for key in ("train", "test"):
                if key not in raw:
                    raise ConfigError(f"the key '{key}' is missing", self.place())

    def _check_tables(self, keys: Mapping[str, Instances]) -> None:
        """Raise ConfigError for a table of more than CELLS cells, or with coordinates that cannot be stored.

        Raises it as well if a test instance is, or is contained in, an instance that engines see.
        """
        for key in () if self._ruleset.free else ("train", "test", "validate"):
            for instance in keys[SPLITS[key]]:
                with self._at(key):
                    if instance.cells > CELLS:
                        raise InstanceError(
                            f"{instance} has {instance.cells:,} cells; at most {CELLS:,} are allowed: choose smaller "
                            "bounds"
                        )
        for key in ("train", "validate"):
            seen = keys[SPLITS[key]]
            for hidden in keys["test"]:
                if hidden in seen:
                    raise ConfigError(
                        f"{hidden.label} is among the test instances, which no engine may see",
                        self.place(key),
                    )
                # by its parameters and bounds, an instance contains every position of one with smaller bounds
                alike = [dict(other.bounds) for other in seen if other.parameters == hidden.parameters]
                if any(all(value <= bounds[name] for name, value in hidden.bounds) for bounds in alike):
                    raise ConfigError(
                        f"the test instance {hidden.label} is a part of an instance that engines see; choose smaller "
                        "bounds here, or larger ones in test:",
                        self.place(key),
                    )
