"""Why something happened: told beside the events, never inside them, since a record's events are compared exactly.

A game's `reasons` work from the rows as one watcher was told them, and from options and components, which lie open to all. So nobody can
be given a reason that he could not have found himself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from .kernel import EV_KIND
from .story import EventRow


class Because(NamedTuple):
    """Why the event at this place of a list happened. The catalogues say it under `because.CODE`."""

    at: int
    code: str
    params: dict[str, Any]
    forced: bool  # it was a decision that nobody was asked for: nothing else was possible

    def describe(self) -> dict[str, Any]:
        """As data, for whoever is told."""
        at, code, params, forced = self
        return {"at": at, "code": code, "params": params, "forced": forced}


@dataclass
class ToldStep:
    """One step as a watcher was told it, and the reasons found so far."""

    prefix: str
    rows: Sequence[EventRow]
    decided: bool  # the step began with somebody's decision; false for set-up
    options: Mapping[str, Any]
    components: Mapping[str, Any]
    found: list[Because] = field(default_factory=list)

    def say(self, at: int, code: str, *, forced: bool = False, **params: Any) -> None:
        """One more reason."""
        self.found.append(Because(at, f"{self.prefix}.{code}", params, forced))

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for at, row in enumerate(self.rows):
            found.setdefault(row[EV_KIND], []).append(at)
        return found

    def places(self, *kinds: int) -> list[int]:
        """Where events of these kinds stand."""
        if len(kinds) == 1:
            return self._places.get(kinds[0], [])
        return sorted([at for kind in kinds for at in self._places.get(kind, ())])
