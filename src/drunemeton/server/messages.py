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
