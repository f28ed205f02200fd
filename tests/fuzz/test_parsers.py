"""Both parsers on meaningless texts: no traceback, no hang. ``make test-long`` tries more texts."""

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
from grundylab.language import NO_FUNCTIONS, parse
from grundylab.language.parser import MAX_TEXT
from grundylab.solve.instance_choice import trial_instance

SHORT = {"formula": 2_000, "ruleset": 40}
LONG = {"formula": 990_000, "ruleset": 10_000}


def refused(error: GrundylabError) -> bool:
    """Assert that the error is one line; return False, for a text that was not understood."""
    assert str(error)
    assert "\n" not in str(error), str(error)
    return False


def understood_formula(text: str) -> bool:
    """Tell whether the text is a formula; if it is, assert that its printed form is the same formula."""
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
    """Tell whether the text is a ruleset; if it is, compute its hash and a trial instance."""
    try:
        ruleset = parse_ruleset(text, "fuzzed.yaml")
        assert len(ruleset.hash) == 64
        trial_instance(ruleset)
    except GrundylabError as error:
        return refused(error)
    return True


@contextmanager
def told_what(text: str, seconds: int = 60) -> Iterator[None]:
    """Add the text to any error inside the block, and raise an error if the block takes far too long."""

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
    """Return how many of ``count`` random texts were understood."""
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


@pytest.mark.night
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
