"""A name that replaces an invented one is a name that a user could write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grundylab.language import parse
from grundylab.language.names import fresh_bound_name, is_generated, user_name
from grundylab.language.parser import MAX_NAME
from grundylab.language.syntax import RESERVED, Bounded, Name

PARTS = st.sampled_from([*sorted(RESERVED), "x", "h", "2", "7b", "", "w" * MAX_NAME])
NAMES = st.lists(PARTS, min_size=1, max_size=3).map("_".join).map(lambda text: f"h_{text}"[:MAX_NAME])


@given(
    NAMES | NAMES.map(lambda name: fresh_bound_name(name, ())),
    st.sets(st.sampled_from(["x", "x1", "True1", "in1", "n"])),
)
def test_it_is_read_as_itself_free_and_bound(name, taken):
    found = user_name(name, taken)
    assert found not in taken
    assert not is_generated(found)
    assert parse(found) == Name(found)
    assert parse(f"any({found} == 1 for {found} in range(0, 2))").variable == found
    assert isinstance(parse(str(parse(f"any({found} == 1 for {found} in range(0, 2))"))), Bounded)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("h_True", "True1"),
        ("h_in", "in1"),
        ("g_max3", "max1"),
        ("f_2b", "b"),
        ("_bound_0_x", "x1"),
        ("_7", "n"),
    ],
)
def test_it_reminds_of_the_name(name, found):
    assert user_name(name, {"x"}) == found
