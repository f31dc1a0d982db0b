"""Messages as they are sent and stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

try:
    import orjson

    encode: Callable[[Any], bytes] = orjson.dumps
except ImportError:  # slower, and the same bytes

    def encode(message: Any) -> bytes:
        """A message as it is sent and stored."""
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def joined(first: bytes, *others: bytes) -> bytes:
    """One message of several, none of them empty, that have different fields."""
    *between, last = others
    return b",".join([first[:-1], *[one[1:-1] for one in between], last[1:]])
