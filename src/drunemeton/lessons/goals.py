"""Goals: conditions over what a seat was told, what it is shown, and the move it made.

`{ event = "token", tree = "S3" }`: such a thing was told (`count = 2`: at least twice); `{ no_event = "token", tree = "M2" }`: none was;
`{ view = "trees[name=S3].tokens", at_least = 2 }` (or `is`, `at_most`, `has`): what the seat is shown now; `{ move = "J *" }`: its move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from ..rules.errors import GameError
from ..rules.story import Event

Condition = Mapping[str, Any]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "is": lambda value, wanted: value == wanted,
    "at_least": lambda value, wanted: value >= wanted,
    "at_most": lambda value, wanted: value <= wanted,
    "has": lambda value, wanted: wanted in value,
}
_CHOSEN = re.compile(r"(\w+)\[(\w+)=(\S+)\]")


def check_condition(label: str, condition: Condition) -> Condition:
    """The condition, if it is one."""
    heads = [head for head in ("event", "no_event", "view", "move") if head in condition]
    if len(heads) != 1:
        raise GameError(f"stage {label}: a condition has one of event, no_event, view and move, not {dict(condition)}")
    rest = set(condition) - {heads[0]}
    if (heads[0] == "view" and (len(rest) != 1 or not rest <= set(_COMPARE))) or (heads[0] == "move" and rest):
        raise GameError(f"stage {label}: {dict(condition)} has too much or too little")
    return condition


def holds(condition: Condition, told: Sequence[Event], view: Mapping[str, Any], move: str) -> bool:
    """Whether a condition holds."""
    if "move" in condition:
        return fnmatchcase(move, condition["move"])
    if "view" in condition:
        compare = next(name for name in _COMPARE if name in condition)
        return _COMPARE[compare](look_up(view, condition["view"]), condition[compare])
    found = fitting(condition, told)
    return not found if "no_event" in condition else len(found) >= condition.get("count", 1)


def fitting(condition: Condition, told: Sequence[Event]) -> list[Event]:
    """The events that a condition names."""
    kind = condition.get("event", condition.get("no_event"))
    fields = {name: value for name, value in condition.items() if name not in {"event", "no_event", "count"}}
    return [event for event in told if event["kind"] == kind and all(_fits(event.get(name), value) for name, value in fields.items())]


def _fits(value: Any, wanted: Any) -> bool:
    """Whether a field is as wanted; texts may be patterns such as `M*`."""
    return fnmatchcase(value, wanted) if isinstance(value, str) and isinstance(wanted, str) else bool(value == wanted)


def look_up(view: Any, path: str) -> Any:
    """A value of a view: `turn`, `hand.moon`, `trees[name=S3].tokens`."""
    for part in path.split("."):
        if chosen := _CHOSEN.fullmatch(part):
            view = next((entry for entry in view[chosen[1]] if str(entry[chosen[2]]) == chosen[3]), None)
        else:
            view = view[part] if isinstance(view, Mapping) else None
        if view is None:
            return 0  # what is not listed is not there: none of that kind
    return view
