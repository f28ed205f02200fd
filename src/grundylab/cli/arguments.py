"""Arguments that several commands share, with their completion in a shell."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable

from grundylab.solve.memory import parse_size

Completion = dict[str, str]  # for each shell, the function of its script that completes the argument


def _shell_functions(function: str) -> Completion:
    return {"bash": function, "zsh": function, "fish": f"({function})"}


_WIDTH = 78  # characters of a line of help: argparse wraps at this width, too


RULESETS, CLAIMS = _shell_functions("_grundylab_rulesets"), _shell_functions("_grundylab_claims")


def describe(parser: argparse.ArgumentParser, text: str, *examples: str) -> None:
    """Set the command's description and the example command lines below its help."""
    parser.description = textwrap.fill(text, _WIDTH)
    parser.epilog = "\n".join(["for example:", *(f"  {example}" for example in examples)])


def flag(parser: argparse.ArgumentParser, option: str, text: str) -> None:
    """Add an option without a value, such as ``--json``. text: its help."""
    parser.add_argument(option, action="store_true", help=text)


def repeated(parser: argparse.ArgumentParser, option: str, metavar: str, text: str) -> argparse.Action:
    """Add an option that may be given several times, such as ``--param``, and return it. text: its help."""
    return parser.add_argument(option, action="append", default=[], metavar=metavar, help=text)


def as_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    flag(parser, "--json", "print one JSON object, for programs")


def ruleset(parser: argparse.ArgumentParser, or_else: str = "") -> None:
    """Add ``RULESET`` and ``--json``. or_else: text for the help about alternatives to a ruleset."""
    set_completion(
        parser.add_argument(
            "ruleset",
            metavar="RULESET",
            help=f"the game: a file, or the name of a ruleset in the folder rulesets or in grundylab{or_else}",
        ),
        RULESETS,
    )
    as_json(parser)


def parameters(parser: argparse.ArgumentParser) -> None:
    """Add ``--param``."""
    repeated(parser, "--param", "m=4,8", "parameter values; each combination of values is a game")


TARGET = "the formula's target: p, the P-positions (default); grundy, the Grundy numbers; or 'grundy == 2'"
CHOSEN = "the size of the tables (by default chosen automatically, unless tables are written or verified)"


def sweep(parser: argparse.ArgumentParser, text: str = CHOSEN) -> None:
    """Add ``--bound`` and ``--param``. text: the help of ``--bound``."""
    repeated(parser, "--bound", "N=24", text)
    parameters(parser)


def target(parser: argparse.ArgumentParser) -> None:
    """Add ``--target``, whose default is p."""
    parser.add_argument("--target", default="p", help=TARGET)


def formula(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add ``--claim``, ``--formula``, ``--target`` and ``--where``. more: text for the help of ``--claim``."""
    which = parser.add_mutually_exclusive_group(required=True)
    claim = which.add_argument("--claim", metavar="ID", help=f"a claim of the ruleset{more}")
    set_completion(claim, CLAIMS)
    which.add_argument("--formula", metavar="F", help="a formula, in quotes")
    parser.add_argument("--target", help=TARGET)
    parser.add_argument("--where", metavar="COND", help="consider only positions that satisfy this condition")


def out(parser: argparse.ArgumentParser, text: str, metavar: str = "FILE") -> None:
    """Add ``--out``, with ``text`` as its help, and ``--force``, which lets existing files be replaced."""
    parser.add_argument("--out", type=path, metavar=metavar, help=text)
    flag(parser, "--force", "replace an existing file")


def results(parser: argparse.ArgumentParser) -> None:
    """Add ``--results``."""
    parser.add_argument(
        "--results",
        default="results",
        metavar="FOLDER",
        help="the folder of the run's results (default: results)",
    )


def set_completion(action: argparse.Action, how: Completion) -> None:
    """Set, for each shell, the function of its completion script that completes the argument."""
    action.complete = how  # type: ignore[attr-defined]


def path(text: str) -> str:
    """Return the text, which names a file or folder and must not be empty (an argument type)."""
    if not text:
        raise argparse.ArgumentTypeError("'' is not the name of a file")
    return text


def positive(text: str) -> float:
    """Return the positive number that the text says, such as seconds or MiB (an argument type)."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number greater than 0 and less than 10^9")
    return value


def memory(text: str) -> int:
    """Return the bytes of an amount of memory such as ``4GiB`` (an argument type)."""
    try:
        return parse_size(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not an amount of memory such as 4GiB or 500MiB"
        ) from None


def integer_between(low: int, high: int, words: str | None = None) -> Callable[[str], int]:
    """Return an argument type for integers from ``low`` to ``high``. words: the range in words, for its error."""

    def read(text: str) -> int:
        # the length is checked first, as Python refuses to read very long numbers
        if not (text.isdecimal() and len(text) < 20 and low <= int(text) <= high):
            range_text = words or f"from {low} to {high}"
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number {range_text}")
        return int(text)

    return read


seed = integer_between(0, 2**32 - 1, "from 0 to 2^32 - 1")
count = integer_between(1, 2**30 - 1, "from 1 to 2^30 - 1")
