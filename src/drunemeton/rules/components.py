"""Components: read from a file, in full or in part, and changed by one entry.

An entry that is not named stays as it is printed. An entry with parts of its own (a deck, the tiles, a path) is replaced as a whole if it
is named as a whole; one part of it is changed by its path, `"sun.5<" = 4` or `"places.4.parts" = -1`. What comes out is always complete,
so that completing it again changes nothing.
"""

from __future__ import annotations

import copy
import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import BadComponents

Components = dict[str, Any]
_INDEX = re.compile("[0-9]{1,4}")


def completed(printed: Components, given: Mapping[str, Any] | None) -> Components:
    """All components of a game: what is given in place of what is printed."""
    found = copy.deepcopy(printed)
    for entry, value in (given or {}).items():
        if "." not in entry:
            found[entry] = copy.deepcopy(value)
    for entry, value in (given or {}).items():
        if "." in entry:
            put(found, entry, value)
    return found


def put(components: Components, path: str, value: Any) -> None:
    """Change the entry at a path; the last step may be new in a table of counts, never in a list."""
    head, *steps = path.split(".")
    place: Any = components
    key: Any = head
    for step in steps:
        place = _inside(place, key, path)
        key = step
    if isinstance(place, list):
        place[_index(place, key, path)] = value
    elif isinstance(place, dict) and (not steps or place is not components):
        place[key] = value
    else:
        raise BadComponents(path, "no_entry")


def at(components: Mapping[str, Any], path: str) -> Any:
    """The entry at a path; None where there is none."""
    place: Any = components
    for key in path.split("."):
        if isinstance(place, list) and _INDEX.fullmatch(key) and int(key) < len(place):
            place = place[int(key)]
        elif isinstance(place, Mapping) and key in place:
            place = place[key]
        else:
            return None
    return place


def _inside(place: Any, key: str, path: str) -> Any:
    if isinstance(place, list):
        return place[_index(place, key, path)]
    if not isinstance(place, dict) or key not in place:
        raise BadComponents(path, "no_entry")
    return place[key]


def _index(place: list[Any], key: str, path: str) -> int:
    if not _INDEX.fullmatch(key) or int(key) >= len(place):
        raise BadComponents(path, "no_entry")
    return int(key)


@functools.cache
def _printed(path: Path) -> Components:
    return read_components(path)


def printed_in(path: Path) -> Components:
    """The components that come with a game; whoever asks may change them."""
    return copy.deepcopy(_printed(path))


def read_components(path: Path) -> Components:
    """Components from a TOML file; its provenance flags are left out."""
    try:
        with path.open("rb") as file:
            components = tomllib.load(file)
    except OSError as problem:
        raise BadComponents(str(path), "file", problem=problem.strerror) from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadComponents(str(path), "not_toml", problem=str(problem)) from problem
    components.pop("provenance", None)
    return components
