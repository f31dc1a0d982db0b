"""One line that changes a game: the name of an option, or the path of an entry of the components, and its value.

`demons=6`, `jump=line`, `sun.5<=4`, `places.4.parts=-1`. Command line, experiments and the laboratory's page all mean the same by it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .components import Components
from .errors import BadOption, GameError
from .game import Game
from .options import Option, Options

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


def option_named(game: type[Game], name: str) -> Option | None:
    """The option of that name; None if there is none."""
    return next((option for option in game.described if option.name == name), None)


def check_name(game: type[Game], name: str) -> None:
    """Refuse a name that is neither an option nor leads into the components."""
    entries = game.default_components()
    if option_named(game, name) is None and name.partition(".")[0] not in entries:
        raise BadOption(name, "unknown", known=[*(option.name for option in game.described), *entries])


def with_change(
    game: type[Game], options: Mapping[str, Any] | None, components: Mapping[str, Any] | None, name: str, value: Any
) -> tuple[Options, Components]:
    """Options and components, both in part, with one more change."""
    check_name(game, name)
    if option_named(game, name) is not None:
        return {**(options or {}), name: value}, dict(components or {})
    head = f"{name}."
    kept = {entry: old for entry, old in (components or {}).items() if entry != name and not entry.startswith(head)}
    return dict(options or {}), {**kept, name: value}


def read_value(game: type[Game], name: str, text: str) -> Any:
    """A value as it is typed; cards are joined by +, as in 2<+3>."""
    option = option_named(game, name)
    kind = option.kind if option is not None else ""
    if kind == "cards":
        return [card for card in text.split("+") if card]
    if kind == "choice":
        return text
    if text in ("true", "false"):
        return text == "true"
    return int(text) if _WHOLE.fullmatch(text) else text


def read_change(game: type[Game], text: str) -> tuple[str, list[Any]]:
    """`NAME=VALUE` or `NAME=VALUE,VALUE,...`: the name, and its values. A card's sign may follow the name: `sun.5<=4`."""
    name, equals, values = text.rpartition("=")
    if not equals or not name or not values:
        raise GameError(f"{text!r} changes nothing: write NAME=VALUE, or NAME=VALUE,VALUE,... for several")
    check_name(game, name)
    return name, [read_value(game, name, value.strip()) for value in values.split(",")]
