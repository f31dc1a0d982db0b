"""The figures of "How to play": the game's own board at a position of the lesson, with a move laid ready and numbers at what is spoken of.

```toml
[waltz]
stage = "way"                          # the position of this stage
moves = ["W 4>@3"]                     # played from there
show = "W 5<@2"                        # laid ready, with what it would bring
part = "board hand"                    # which parts of the table are drawn, one below the other; the game's page knows which there are
width = 980                            # of the window for which it is drawn, in pixels
marks = ["card:m4>", "board:M3"]       # numbered in this order, by what the board explains itself with
```

`options`, `components` and `orders` replace those of the stage. The captions are the page's own, in each language.
"""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from typing import Any

from ..rules.chance import Chance
from .arrangement import begin
from .stage import FOLDER, BadStage, Stage, find_stage

_FIELDS = {"stage", "moves", "show", "part", "width", "marks", "options", "components", "orders"}


@functools.cache
def figures(game: str) -> tuple[dict[str, Any], ...]:
    """The figures of a game as its page draws them, in the order of their file; none where a game has no file."""
    path = FOLDER / game / "figures.toml"
    if not path.is_file():
        return ()
    return tuple(_drawn(game, name, data) for name, data in tomllib.loads(path.read_text(encoding="utf-8")).items())


def _drawn(game: str, name: str, data: dict[str, Any]) -> dict[str, Any]:
    if unknown := set(data) - _FIELDS:
        raise BadStage(f"{game}/figures/{name}", f"unknown: {', '.join(sorted(unknown))}")
    stage = _posed(find_stage(game, data["stage"]), data)
    played = begin(stage, Chance.from_seed(0))
    show = data.get("show")
    legal = played.legal() if played.to_move == stage.seat else []
    if show is not None and show not in legal:
        raise BadStage(f"{game}/figures/{name}", f"{show} is not legal there")
    return {
        "name": name,
        "game": game,
        "seat": stage.seat,
        "seats": stage.seats,
        "options": dict(played.options),
        "components": dict(played.components),
        "provenance": {},
        "view": played.view(stage.seat),
        "legal": legal,
        "show": show,
        "foreseen": [] if show is None else [one.describe() for one in played.preview(show)],
        "part": data.get("part", "board"),
        "width": data.get("width", 640),
        "marks": list(data.get("marks", ())),
    }


def _posed(stage: Stage, data: dict[str, Any]) -> Stage:
    """The stage with what a figure changes of it, and the moves that lead on."""
    changed = {name: data[name] for name in ("options", "components", "orders") if name in data}
    begun = () if changed else stage.moves
    return dataclasses.replace(stage, bot=None, moves=(*begun, *data.get("moves", ())), **changed)
