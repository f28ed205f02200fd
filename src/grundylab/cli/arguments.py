"""Arguments that several commands take, with how a shell completes them."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from grundylab.check.slabs import Slab
from grundylab.errors import InstanceError
from grundylab.solve.memory import parse_size

Completion = dict[str, str]  # for each shell by which function of its script


def _by(function: str) -> Completion:
    return {"bash": function, "zsh": function, "fish": f"({function})"}


RULESETS, CLAIMS = _by("_grundylab_rulesets"), _by("_grundylab_claims")


def as_json(parser: argparse.ArgumentParser) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def ruleset(parser: argparse.ArgumentParser, or_else: str = "") -> None:
    """``RULESET``, and ``--json``, which goes with it."""
    completed(
        parser.add_argument(
            "ruleset",
            metavar="RULESET",
            help=f"a path, or a name: in rulesets/, or of those that come with grundylab{or_else}",
        ),
        RULESETS,
    )
    as_json(parser)


def parameters(parser: argparse.ArgumentParser) -> None:
    """``--param``."""
    parser.add_argument(
        "--param", action="append", default=[], metavar="m=4,8", help="parameters; a list is a sweep"
    )


CHOSEN = "the table's bounds (chosen if none are given, where nothing is written or verified)"


def sweep(parser: argparse.ArgumentParser, text: str = CHOSEN) -> None:
    """``--bound`` and ``--param``; the text is the first one's help."""
    parser.add_argument(
        "--bound",
        action="append",
        default=[],
        metavar="N=24",
        help=text,
    )
    parameters(parser)


def target(parser: argparse.ArgumentParser) -> None:
    """``--target``, which is p unless given."""
    parser.add_argument("--target", default="p", help="p (default), grundy, or 'grundy == v'")


def formula(parser: argparse.ArgumentParser) -> None:
    """A claim of the ruleset, or a formula with its target; and where."""
    which = parser.add_mutually_exclusive_group(required=True)
    completed(which.add_argument("--claim", metavar="ID", help="a claim of the ruleset"), CLAIMS)
    which.add_argument("--formula", metavar="F", help="a formula")
    parser.add_argument("--target", help="p (default), grundy, or 'grundy == v'")
    parser.add_argument("--where", metavar="COND", help="only positions and parameters that fulfil this")


def out(parser: argparse.ArgumentParser, text: str, metavar: str = "FILE") -> None:
    """``--out``, and ``--force``, without which only grundylab's own files are replaced there."""
    parser.add_argument("--out", metavar=metavar, help=text)
    parser.add_argument(
        "--force", action="store_true", help="replace a file, also one that is not of this sort by grundylab"
    )


def results(parser: argparse.ArgumentParser) -> None:
    """``--results``."""
    parser.add_argument("--results", default="results", metavar="FOLDER", help="default: results")


def completed(action: argparse.Action, how: Completion) -> None:
    """Tell the shells' scripts how the argument is completed."""
    action.complete = how  # type: ignore[attr-defined]


def positive(text: str) -> float:
    """A type of argument: seconds, or MiB."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number greater than 0 and less than 10^9")
    return value


def memory(text: str) -> int:
    """A type of argument: an amount of memory, in bytes."""
    try:
        return parse_size(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not an amount of memory such as 4GiB or 500MiB"
        ) from None


def slab(text: str) -> Slab:
    """A type of argument: ``3/16``."""
    number, stroke, count = text.partition("/")
    if not (stroke and number.isdecimal() and count.isdecimal() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"'{text}' is not one of so many slabs; write it as 3/16")
    try:
        return Slab(int(number), int(count))
    except InstanceError as error:
        raise argparse.ArgumentTypeError(error.message) from None


def between(low: int, high: int, words: str | None = None) -> Callable[[str], int]:
    """A type of argument: a whole number from low to high."""

    def read(text: str) -> int:
        # how many digits it has is asked first, since Python reads no very long ones
        if not (text.isdecimal() and len(text) < 20 and low <= int(text) <= high):
            said = words or f"from {low} to {high}"
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number {said}")
        return int(text)

    return read


seed = between(0, 2**32 - 1, "from 0 to 2^32 - 1")
count = between(1, 2**30 - 1, "from 1 to 2^30 - 1")
