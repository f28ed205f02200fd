"""Both parsers on texts that nobody meant: no traceback, no hang. Longer by ``make test-long``."""

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz import mutations

from grundylab.errors import GrundylabError
from grundylab.games import parse_ruleset
from grundylab.games.settings import trial_instance
from grundylab.language import NO_FUNCTIONS, parse
from grundylab.language.parser import MAX_TEXT

SHORT = {"formula": 2_000, "ruleset": 40}
LONG = {"formula": 990_000, "ruleset": 10_000}


def refused(error: GrundylabError) -> bool:
    """That it is not understood, which is said in one line."""
    assert str(error)
    assert "\n" not in str(error), str(error)
    return False


def understood_formula(text: str) -> bool:
    """Whether it is a formula; then its own text must be the same formula."""
    try:
        formula = parse(text, ("x", "y", "z"))
    except GrundylabError as error:
        return refused(error)
    again = str(formula)
    if len(again) <= MAX_TEXT:
        assert parse(again) == formula, repr(text)
    try:
        NO_FUNCTIONS.check_growth(formula)
    except GrundylabError as error:
        return refused(error)
    return True


def understood_ruleset(text: str) -> bool:
    """Whether it is a ruleset; then what is shown and stored of it can be made."""
    try:
        ruleset = parse_ruleset(text, "fuzzed.yaml")
        assert len(ruleset.hash) == 64
        trial_instance(ruleset)
    except GrundylabError as error:
        return refused(error)
    return True


@contextmanager
def told_what(text: str, seconds: int = 60) -> Iterator[None]:
    """An error of any sort names the text; one that takes a hundred times too long is one, too."""

    def too_long(number: int, frame: object) -> None:
        raise AssertionError(f"{seconds} seconds have gone by")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    try:
        yield
    except BaseException as error:
        error.add_note(f"the text: {text!r}")
        raise
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run(parser: str, count: int, seed: int) -> int:
    """How many of so many texts were understood."""
    rng, understood = random.Random(seed), 0
    pool, texts, data = mutations.formulas(), mutations.ruleset_texts(), mutations.rulesets()
    for _ in range(count):
        if parser == "formula":
            text = mutations.mutated_text(rng, pool)
            check = understood_formula
        else:
            text = mutations.mutated_ruleset(rng, texts, data, pool)
            check = understood_ruleset
        with told_what(text):
            understood += check(text)
    return understood


@pytest.mark.parametrize("parser", SHORT)
def test_a_mutated_text_is_understood_or_refused(parser):
    understood = run(parser, SHORT[parser], 0)
    # were all refused at the first character, nothing would be tested
    assert SHORT[parser] // 20 < understood < SHORT[parser]


@pytest.mark.long
@pytest.mark.parametrize("parser", LONG)
def test_a_million_mutated_texts_are_understood_or_refused(parser):
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    understood = run(parser, LONG[parser], seed)
    print(f"{LONG[parser]:,} texts for the {parser} parser, {understood:,} understood")


@given(st.text(max_size=60))
def test_any_text_is_a_formula_or_refused(text):
    with told_what(text):
        understood_formula(text)


_SCALARS = st.text(max_size=12) | st.sampled_from(
    ["x", "0..N", "x - t", "1..x", "grundy", "9" * 50, "x ^ y == 0"]
)
_KEYS = _SCALARS | st.sampled_from(
    ["title", "position", "moves", "claims", "functions", "f(n)", "to", "for", "take"]
)


@given(
    st.dictionaries(
        _KEYS,
        st.recursive(
            _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3)
        ),
    )
)
def test_any_structure_is_a_ruleset_or_refused(data):
    text = yaml.dump(data, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), allow_unicode=True)
    with told_what(text):
        understood_ruleset(text)
