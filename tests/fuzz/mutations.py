"""Random texts close to valid formulas and ruleset files. The same random numbers give the same texts."""

import copy
import random
from pathlib import Path

import yaml

from grundylab.language.builtins import BUILTINS

RULESETS = Path("rulesets")
_TOKENS = (
    *["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "/", "==", "!=", "<", "<=", ">", ">=", "=", "(", ")", ",", "...", "..", ":", "[", "]", "{", "}", "and", "or", "not", "if", "else", "for", "in", "range"],
    *[*BUILTINS, "accepts", "any", "all", "sum", "nim_sum", "True", "False", "None", "lambda"],
    *["x", "y", "z", "p", "m", "n", "k", "f", "h", "G", "N", "0", "1", "2", "3", "4", "10", "-1", "007", "0x1f", "1e9", "1j", "1_000", "''", '"+0,,,0"', '"-1,', '+1,"', "#", "\\", "~", "@", ":=", "**", ".", ";"],
    "9" * 40, "9" * 41, "1 << 4096", "any(n == x for n in range(0, x))", "sum(n for n in range(a, b))",
    "x if x > 0 else y", "floor(1/x)", "é", "ｘ", "\u202e", "\ud800", "\0", "\x1b[31m", "\n", "\t", "²", "٣", "🂡",
)  # fmt: skip
_VALUES = (
    "", "0", "-1", "9" * 40, "9" * 5000, "1e9", "x", "m", "True", "0..N", "0..x", "x..0", "0..9999999999", "1..m..2",
    "x ^ ... == 0", "a" * 400, "../../etc/passwd", "nim", "this", "p", "grundy", "grundy == 2", "\x1b[31m", "\u202e",
    "any(any(a == b for a in range(0, 999999)) for b in range(0, 999999))", "f(x)", "f(f(f(x)))", "accepts(\"+0,\", x)",
    "k*k, k for 0 <= k <= x", "2*k + 1, k", "1 << k", "\n", "- a", "{", "&a", "*a", "!!int 1", "misere", "inherited",
    [], {}, [[]], [{}], {"a": "b"}, ["x", "y"], {"when": "x > 0"}, {"for": {"t": "1..x"}, "to": {"x": "x - t"}},
    {"recurrence": "f(n-1) + f(n-2)", "initial": {"0": "1", "1": "1"}}, {"any": "f(n) >= 0"}, {"positions": ["1", "k"]},
    {"cases": [{"when": "n > 0", "value": "1"}, {"otherwise": "0"}]},
)  # fmt: skip


def formulas() -> list[str]:
    """Return all texts in the shipped rulesets: their formulas, and others that are no formulas."""
    found: set[str] = set()

    def gather(value: object) -> None:
        if isinstance(value, str):
            found.add(value)
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            gather(part)

    for data in rulesets():
        gather(data)
    return sorted(text for text in found if len(text) < 300)


def rulesets() -> list[dict]:
    """Return the shipped rulesets as data, with every value a string."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    return [yaml.load(text, Loader=loader) for text in ruleset_texts()]


def ruleset_texts() -> list[str]:
    return [path.read_text() for path in sorted(RULESETS.glob("*.yaml"))]


def mutated_text(rng: random.Random, seeds: list[str]) -> str:
    """Return one of the texts with parts cut out, inserted, doubled, nested, or taken from another text."""
    text = rng.choice(seeds)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5))):
        a, b = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        match rng.randrange(9):
            case 0:
                text = text[:a] + text[b:]
            case 1 | 2 | 3:
                text = f"{text[:a]} {rng.choice(_TOKENS)} {text[a:]}"
            case 4:
                text = text[:a] + text[a:b] * rng.choice((2, 2, 2, 3, 50)) + text[b:]
            case 5:
                text = f"{text[:a]}({text[a:b]}){text[b:]}"
            case 6:
                other = rng.choice(seeds)
                text = text[:a] + other[rng.randint(0, len(other)) :]
            case 7:
                text = text[:a] + chr(rng.choice((rng.randrange(128), rng.randrange(0x3000)))) + text[a + 1 :]
            case 8:
                opening, closing = rng.choice(
                    (("(", ")"), ("-", ""), ("not ", ""), ("floor(1/", ")"), ("abs(", ")"))
                )
                times = rng.choice((1, 1, 2, 7, 60, 160))
                text = f"{text[:a]}{opening * times}{text[a:b]}{closing * times}{text[b:]}"
    return text


def mutated_ruleset(rng: random.Random, texts: list[str], data: list[dict], pool: list[str]) -> str:
    """Return the text of a ruleset file with mistakes in its characters, or in its keys and values."""
    if rng.random() < 0.3:
        return mutated_text(rng, texts)
    found = copy.deepcopy(rng.choice(data))
    for _ in range(rng.choice((1, 1, 2, 3))):
        _mutate(rng, found, data, pool)
    fast = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    try:
        return yaml.dump(found, Dumper=fast, allow_unicode=True, sort_keys=False)
    except UnicodeEncodeError:  # half a surrogate pair, which the other one writes as an escape
        return yaml.safe_dump(found, sort_keys=False)


def _mutate(rng: random.Random, found: dict, data: list[dict], pool: list[str]) -> None:
    """Change one value somewhere in the data."""
    there: list[tuple[dict | list, object]] = []

    def gather(value: object) -> None:
        if isinstance(value, dict | list):
            for key in value if isinstance(value, dict) else range(len(value)):
                there.append((value, key))
                gather(value[key])

    gather(found)
    if not there:
        found["title"] = "x"
        return
    inside, key = rng.choice(there)
    match rng.randrange(6):
        case 0:
            del inside[key]
        case 1:
            inside[key] = copy.deepcopy(rng.choice(_VALUES))
        case 2:
            inside[key] = mutated_text(rng, pool)
        case 3 if isinstance(inside, dict):
            inside[rng.choice((*pool, "f(n)", "g(x, y)", "x", "extends", "pass", "piles"))] = inside[key]
        case 4 if isinstance(inside, list):
            inside.extend([copy.deepcopy(inside[key])] * rng.choice((1, 2, 200)))
        case _:
            other = rng.choice(data)
            name = rng.choice(sorted(other))
            found[name] = copy.deepcopy(other[name])
