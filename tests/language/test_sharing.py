from hypothesis import given
from hypothesis import strategies as st
from tests.language.test_readers import value_or_none
from tests.strategies import PARAMETER, conditions, environments

from grundylab.language import parse
from grundylab.language.sharing import shared
from grundylab.language.syntax import Binary, Compare, Int, Logic, Name

REMAINDERS = st.builds(
    Binary, st.just("%"), st.builds(Name, st.sampled_from("xy")), st.sampled_from([Int(2), Int(3)])
)
ATOMS = st.builds(
    lambda a, c, op: Compare((op,), (a, Int(c))), REMAINDERS, st.integers(0, 2), st.sampled_from(["==", "<"])
)
TREES = st.recursive(
    ATOMS | conditions(depth=1),
    lambda inner: st.builds(
        Logic, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=4).map(tuple)
    ),
    max_leaves=12,
)


@given(TREES, environments(), st.integers(0, 9))
def test_it_is_true_false_and_undefined_at_the_same_values(expr, env, m):
    env = {**env, PARAMETER: m}
    assert value_or_none(shared(expr), env) == value_or_none(expr, env)


def test_a_remainder_is_named_where_it_is_repeated_and_never_outside_its_quantifier():
    text = "x == 0 and (y % 12 == 1 or y % 12 == 4 or y % 12 == 8)"
    name = "_remainder_0"
    named = f"any({name} == 1 or {name} == 4 or {name} == 8 for {name} in range(y % 12, y % 12 + 1))"
    assert str(shared(parse(text))) == f"x == 0 and {named}"
    inside = "any(n % 3 == 0 or n % 3 == x or n % 3 == y for n in range(0, x))"
    assert str(shared(parse(f"{inside} and x == 1"))).startswith("any(any(")
    assert str(shared(parse("x % 2 == 0 or x % 2 == y"))) == "x % 2 == 0 or x % 2 == y"
