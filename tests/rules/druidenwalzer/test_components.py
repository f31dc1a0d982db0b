"""Components and options of Druidenwalzer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.errors import BadComponents, BadOption
from tests.rules.test_numbers import numbered

calmly = settings(max_examples=60, deadline=None, derandomize=True, database=None)
anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=3)
option_names = st.sampled_from([option.name for option in Druidenwalzer.described])


@calmly
@given(st.dictionaries(option_names | st.text(max_size=8), anything, max_size=3))
def test_options_that_cannot_be_used_are_named(options: dict[str, Any]) -> None:
    """DW-8.3: any option, any value; the error names one of those given."""
    try:
        game = Druidenwalzer.new(seed=1, options=options)
    except BadOption as error:
        named, words = error.entry, str(error)
    else:
        assert options.items() <= game.options.items()
        return
    assert named in options
    assert named in words


@calmly
@given(
    st.dictionaries(
        st.sampled_from(["sun", "moon"]) | st.text(max_size=4),
        st.none()
        | st.dictionaries(
            st.sampled_from([f"{v}{a}" for v in range(11) for a in "<>"]) | st.text(max_size=3), st.integers(-1, 20) | anything, max_size=8
        ),
        max_size=3,
    )
)
def test_components_that_cannot_be_used_are_named(components: dict[str, Any]) -> None:
    """DW-1.3: any data; the error names a deck or an entry of one."""
    try:
        game = Druidenwalzer.new(seed=1, components=components)
    except BadComponents as error:
        named, words = error.entry, str(error)
    else:
        assert sum(game.components["sun"].values()) >= 24
        return
    assert named in words
    seat, _, card = named.partition(".")
    if named not in components:
        assert seat in {"sun", "moon"}
        assert not card or card in components[seat]


@pytest.mark.parametrize("option", Druidenwalzer.described, ids=lambda option: str(option.name))
def test_options_are_described(option: Any) -> None:
    """DW-8.3: every option has words, a rule, and a default that it accepts."""
    assert option.help
    assert option.rule in numbered("druidenwalzer")
    assert option.check(option.default) == option.default
    assert option.describe()["name"] == option.name
