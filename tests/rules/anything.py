"""Whatever somebody may write into a file of options or components."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

calmly = settings(max_examples=60, deadline=None, derandomize=True, database=None)
anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=3)
