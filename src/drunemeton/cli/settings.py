"""What a game is played with, from the command line: files of options, and single changes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import words

CHANGE = (
    "NAME=VALUE changes one option or one entry of the components (demons=6, jump=line, sun.5<=4, places.4.parts=-1); "
    "with several values, NAME=6,12,24, each is a setting of its own"
)


class Setting(NamedTuple):
    """Options and components, both in part, under a name."""

    name: str
    options: dict[str, Any] | None
    components: dict[str, Any] | None


def options_from(path: Path | None) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Options and components from a file."""
    if path is None:
        return None, None
    from ..rules.components import read_components
    from ..rules.errors import BadComponents, GameError

    try:
        options = read_components(path)
    except BadComponents as problem:
        raise GameError(f"the file of options {str(problem).removeprefix(BadComponents.said).strip()}") from problem
    components = options.pop("components", None)
    if components is not None and not isinstance(components, dict):
        raise GameError(f"the file of options {path}: components are a table, [components], with entries of their own")
    return options, components


def settings(game: Any, files: Sequence[Path | None], changes: Sequence[str]) -> list[Setting]:
    """Every file with every combination of the changes; a name with one value is changed everywhere, and says nothing of it."""
    from ..rules.changes import read_change, with_change

    read = [read_change(game, text) for text in changes]
    found = []
    for path in files:
        for chosen in itertools.product(*([(name, value) for value in values] for name, values in read)):
            options, components = options_from(path)
            for name, value in chosen:
                options, components = with_change(game, options, components, name, value)
            varied = [f"{name}={shown(value)}" for (name, value), (_, values) in zip(chosen, read, strict=True) if len(values) > 1]
            label = [str(path)] if path else []
            found.append(Setting(" ".join(label + varied) or "default", options, components))
    return found


def shown(value: Any) -> str:
    """A value as it was typed."""
    if isinstance(value, bool):
        return str(value).lower()
    return "+".join(value) if isinstance(value, list) else str(value)


def add_components(commands: Any, games: Sequence[str]) -> None:
    """The command that writes a game's components."""
    command = commands.add_parser(
        "components",
        help="write the components of a game as a file to change",
        description="Write the file with the components that come with a game: decks, tiles, path, counts, each with where it is from. "
        "A file of your own needs only the entries that it changes.",
    )
    command.add_argument("game", choices=games)
    command.add_argument("--out", type=words.path, metavar="FILE", help="where to (default: to the terminal)")
    command.set_defaults(run=_components)


def _components(args: Any) -> int:
    from ..rules.game import find_game

    words.give_out(find_game(args.game).data.read_text(encoding="utf-8"), args.out)
    return 0
