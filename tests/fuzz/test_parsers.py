"""Both parsers on texts that nobody meant: no traceback, no hang. Longer by ``make test-long``."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz import mutations
from tests.fuzz.targets import told_what, understood_formula, understood_ruleset

SHORT = {"formula": 2_000, "ruleset": 100}
LONG = {"formula": 990_000, "ruleset": 10_000}


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
    import yaml

    text = yaml.dump(data, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), allow_unicode=True)
    with told_what(text):
        understood_ruleset(text)
