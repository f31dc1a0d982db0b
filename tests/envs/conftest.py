"""OpenSpiel's Python brings absl's log handler, which keeps the error stream of the moment of import and closes it with all handlers.

That stream is pytest's own while tests are collected; when a server then sets its logging up anew, nothing could be captured any more.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from absl import logging

logging.get_absl_handler().python_handler.stream = sys.__stderr__

HERE = Path(__file__).parent
LONGEST = "daemonen"  # to compile: as long as the other two together


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Two workers that take a file each would compile the same game at the same time: every other file begins with the longest one.

    Workers take large files first, so neighbours by size are the ones that run side by side.
    """
    own = [i for i, item in enumerate(items) if item.path.parent == HERE]
    tests = Counter(items[i].path for i in own)
    files = sorted(tests, key=lambda path: (-tests[path], path))

    def order(item: pytest.Item) -> tuple[Path, bool]:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        return item.path, (params.get("name") == LONGEST) == bool(files.index(item.path) % 2)

    for i, item in zip(own, sorted((items[i] for i in own), key=order), strict=True):
        items[i] = item
