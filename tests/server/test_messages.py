"""Messages on their way out."""

from __future__ import annotations

import json
from typing import Any

from drunemeton.server.messages import encode, joined


def test_parts_make_the_message_that_would_have_been_written_at_once() -> None:
    parts: list[dict[str, Any]] = [
        {"seats": [{"name": "Zoë"}], "result": None},
        {"events": [], "because": [{"at": 1}]},
        {"type": "events", "view": {"hand": ["?", "}"]}},
    ]
    for some in (parts[:2], parts, [*parts, {"can_undo": False}]):
        whole = {name: value for part in some for name, value in part.items()}
        assert json.loads(joined(*map(encode, some))) == whole
