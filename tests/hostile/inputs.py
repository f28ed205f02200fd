"""Files, formulas and options that are meant to do harm, each with the message that refuses it; and the ways to read them."""

import json
from dataclasses import dataclass

NIM = "title: Nim\nparameters: {m: m >= 1}\nposition: {x: 0..N, y: 0..N}\nmoves:\n  - {take: t, from: x}\n"
DOUBLING = "functions:\n  f0(n): n + n\n" + "".join(
    f"  f{i}(n): f{i - 1}(n) + f{i - 1}(n)\n" for i in range(1, 45)
)

RULESETS = {
    "deep": ("a: " + "[" * 400_000, "nested more than 40 deep"),
    "aliases": ("a: &a [x, x]\nb: [*a, *a]\n", "anchors and aliases"),
    "tags": ("title: !!python/object/apply:os.system [x]\n", "YAML tags .* are not supported"),
    "values": ("a: [" + "1," * 400_000 + "]", "more than 20,000 keys and values"),
    "bytes": ("#" * 1_000_001, "the limit is 1,000,000"),
    "escapes": (NIM + 'description: "\\e[2J"\n', r"the character U\+001B is invisible"),
    "direction": (NIM + "description: \u202e\n", r"the character U\+202E is invisible"),
    "half a pair": (NIM + 'description: "\\ud800"\n', r"not YAML|U\+D800"),
    "code point": (NIM + 'description: "\\U99999999"\n', "not YAML"),
    "moves": (NIM + "  - {take: t, from: y}\n" * 300, "moves: at most 200 are allowed here, not 301"),
    "coordinates": (NIM.replace("y: 0..N", ", ".join(f"a{i}: 0..1" for i in range(99))), "position: at most 16"),
    "title": (NIM.replace("Nim", "N" * 90_000), "title: at most 300 characters are allowed here, not 90,000"),
    "lines": (NIM.replace("Nim", '"Nim\\nok"'), "title: expected one line of text"),
    "name": (NIM.replace("m: m >= 1", "m" * 200 + ": 1 >= 0"), "the name of a parameter has at most 60 characters"),
    "digits": (NIM + "where: x < " + "9" * 19_000 + "\n", "a number has at most 40 digits"),
    "initial": (NIM + "functions: {F(n): {recurrence: F(n-1), initial: {0: " + "9" * 4000 + "}}}\n", "at most 40 digits"),
    "piles": (NIM + "piles: 1000000000\n", "piles: must be at most 6"),
    "path": (NIM + "source: {paper: ../../etc/passwd, at: x}\n", "source.paper: .* cannot name a file"),
    "extends": ("extends: ../x\n" + NIM, "takes the name of a ruleset"),
    "doubling": (NIM + DOUBLING, "written out it has more than 50,000 operators"),
    "fractions": (NIM + "where: x < floor(" + "(x/" * 60 + "(x+1)" + ")" * 60 + ")\n", "more than 50,000 operators"),
    "cases": (NIM + "functions:\n  f(n):\n    cases:\n" + "      - {when: n > 0, value: 1}\n" * 900, "cases: at most 100"),
    "span": (
        NIM + f"claims: [{{id: a, target: p, table: {{rows: {{x: 0..{'9' * 30}}}, columns: {{y: 0..3}}, entries: P}}}}]\n",
        "is not a range of numbers",
    ),
    "sparse table": (
        NIM + "claims: [{id: a, target: grundy, table: {columns: [x, y], entries: \"0 0 0\\n20000 20000 0\"}}]\n",
        "at most 1,000,000 are allowed",
    ),
    "large entry": (
        NIM + f"claims: [{{id: a, target: grundy, table: {{columns: [x, y], entries: 0 0 {'9' * 5000}}}}}]\n",
        "write a number less than",
    ),
}  # fmt: skip

FORMULAS = {
    "deep": ("(" * 9_000 + "x" + ")" * 9_000, "too many nested parentheses"),
    "digits": ("x < " + "9" * 9_000, "a number has at most 40 digits"),
    "power": ("x ** 999999999 == 0", "powers are not in the language"),
    "escapes": ("x \x1b[31m == 0", r"\\x1b\[31m"),
}

CATALOGUES = {
    "deep": ("[" * 100_000, "not JSON of grundylab"),
    "digits": ('{"formulas": [' + "9" * 5_000 + "]}", "not JSON"),
    "escapes": ('{"formulas": [{"target": "\\u001b[31m"}]}', "control character"),
    "infinity": ('{"formulas": [{"size": 1e999}]}', "is not a number"),
    "list": ("[1, 2]", "not a record"),
    "shape": ('{"formulas": 7, "claims": "x", "studies": {"a": null}}', "not a catalogue"),
    "parts": ('{"formulas": [{"ruleset": []}], "claims": [[]], "studies": [{"each": 1}]}', "not a catalogue"),
}

PAPERS = {
    "aliases": ("title: &a x\nauthors: [*a]\n", "anchors and aliases"),
    "deep": ("title: " + "[" * 400_000, "nested more than 40 deep"),
    "digits": (
        f"title: x\nauthors: [y]\nkey: z\npublished: {{journal: j, year: {'9' * 9_000}}}\n",
        "published.year",
    ),
    "shape": ("title: [x]\nauthors: {a: b}\n", "title"),
    "list": ("- x\n", "must be a mapping"),
    "path": ("title: x\nauthors: [y]\nkey: ../z}\\input{/etc/passwd}\n", "key"),
}

_STATED = {"ruleset": "good", "target": "p", "formula": "x == y", "key": "0" * 64}


def _proof(**evidence):
    return json.dumps({"proof": 2, "statement": _STATED, "evidence": evidence})


CERTIFICATES = {
    "deep": ("[" * 100_000, "not JSON of grundylab"),
    "digits": ('{"proof": 2, "evidence": {"first": ' + "9" * 5_000 + "}}", "not JSON"),
    "text of digits": (
        _proof(rule="heap", first="9" * 5_000, period=1, until=1),
        "no proof: evidence.heap.first",
    ),
    "infinity": ('{"proof": 2, "evidence": {"first": 1e999}}', "is not a number"),
    "shape": ('[{"proof": 2}]', "no proof of this version"),
    "old": ('{"certificate": "rows"}', "no proof of this version"),
    "parts": (_proof(rule="induction", levels=7), "no proof: evidence.induction.levels"),
    "nested": ('{"proof": 2, "evidence": ' + '{"premises": [' * 30 + "]}" * 30 + "}", "no proof"),
    "numbers": (_proof(rule="heap", first=0, period=[None], until={}), "no proof: evidence.heap.period"),
    "runs": (_proof(rule="runs", natural=3), "no proof: evidence.runs.natural"),
    "key": (_proof(rule="computed"), "of another statement"),
    "escapes": ('{"proof": "\\u001b[2J"}', "control character"),
}

PILE = 'title: t\nposition: {x: 0..N}\nmoves: [{take: "1..min(x, f(x))", from: x}]\nclaims: [{id: c, target: p, formula: x == 0}]\n'
RECURRENCES = {
    "squares": (PILE + "functions: {f(n): {recurrence: 'f(n-1)*f(n-1) + f(n-2)', initial: {0: 2, 1: 3}}}\n",
                r"f\(17\) has more than 65,536"),
    "a division": (PILE + "functions: {f(n): {recurrence: 'f(n-1) + 1 // (n - 17)', initial: {0: 2}}}\n",
                   r"division by zero: 1 // 0"),
}  # fmt: skip

LARGE = {
    "options": (
        "explain piles.yaml --position x=2000000,y=2,z=1",
        "more than 200,000 options; choose a smaller x",
    ),
    "pile": ("rows piles.yaml --fix x=5000", "the row x=5000 needs more than .* moves .*; fix smaller"),
    "level": (
        "rows piles.yaml --fix x=1 --target grundy==9000",
        "the row x=1 needs more than .* moves .*; fix smaller",
    ),
}

ENDLESS = {
    "range": ("x + sum(n for n in range(0, 1000000000)) == 0", ""),
    "ranges": ("x == sum(sum(n for n in range(0, k)) for k in range(0, 1000000))", ""),
    "shifts": ("x == " + " << ".join(["1 << 4000"] * 20), ""),
    "products": ("x == " + " * ".join(["(1 << 4000)"] * 60), ""),
}


@dataclass(frozen=True)
class Sort:
    """Inputs of one sort, and the commands that read them.

    file: the file that an input is; None for a part of the command, or the whole of it, where ``{}`` stands. seconds:
    the most processor time. whole: whether every command is tried in ``make test``, too. refused: whether each command
    refuses the input; if not, it may as well answer.
    """

    file: str | None
    inputs: dict[str, tuple[str, str]]
    commands: list[str]
    seconds: int = 2
    whole: bool = False
    refused: bool = True


_INSTANCE = "--bound N=3 --param m=1"
_VERIFY = f"verify good.yaml {_INSTANCE} --formula"
SORTS = {
    "ruleset": Sort("game.yaml", RULESETS, [
        "check game.yaml", f"solve game.yaml {_INSTANCE}", f"show game.yaml {_INSTANCE} --fix p=0",
        "explain game.yaml --position x=1,y=1 --param m=1", f"discover game.yaml {_INSTANCE}",
        f"verify game.yaml --formula 'x == y' {_INSTANCE}", "prove game.yaml --formula 'x == y'",
        "rows game.yaml --fix x=1 --param m=1", "certify game.yaml there.json", "export latex game.yaml",
    ]),
    "formula": Sort(None, FORMULAS, [
        f"{_VERIFY} {{}}", "prove good.yaml --formula {}", f"{_VERIFY} 'x == y' --where {{}}", "export proof good.yaml --formula {}",
    ]),
    "catalogue": Sort("results/catalogue.json", CATALOGUES, ["formulas", "results", "papers", "export catalogue"]),
    "paper": Sort("papers/it.yaml", PAPERS, ["papers", "export bibtex"]),
    "certificate": Sort("it.json", CERTIFICATES, ["certify good.yaml it.json"]),
    "endless": Sort(None, ENDLESS, [f"{_VERIFY} {{}}"], seconds=10, refused=False),
    "recurrence": Sort("game.yaml", RECURRENCES, [
        "verify game.yaml --claim c --bound N=40", "prove game.yaml --claim c", "study game.yaml --budget 2",
    ], seconds=20, whole=True),  # each took a minute and more, or had no end
    "large": Sort(None, LARGE, ["{}"], seconds=20),
}  # fmt: skip
