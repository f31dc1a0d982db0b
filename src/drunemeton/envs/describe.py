"""The documentation of the spaces, from their description: `python -m drunemeton.envs.describe docs/envs` writes a page per game."""

from __future__ import annotations

import sys
from pathlib import Path

from ..observations.layout import layout_of
from ..rules.game import find_game, playable


def page(name: str) -> str:
    """Observation and actions of a game, field by field."""
    game = find_game(name)
    low, high = game.players
    layout = layout_of(name, low)
    lines = [
        f"# {game.title}: observation and actions",
        "",
        f"Version {layout.version}. Written by `python -m drunemeton.envs.describe docs/envs` "
        f"from `src/drunemeton/observations/{name}.py`.",
        "",
        "An observation is a row of whole numbers (`int16`). It is written from what a seat *knows*, never from the state."
        + (f" Offsets and shapes are for {low} players; with more, fields that count players are longer." if high > low else ""),
        "`layout_of(name, seats)` in `drunemeton.observations.layout` has this description as data; "
        "`layout.read(row, field)` cuts a field out.",
        "",
        f"## Observation: {layout.size} entries",
        "| from | field | shape | by | least | most | meaning |",
        "|---|---|---|---|---|---|---|",
    ]
    for field in layout.fields.values():
        shape, by = " x ".join(map(str, field.shape)), " x ".join(field.by)
        lines.append(f"| {layout.at[field.name].start} | `{field.name}` | {shape} | {by} | {field.low} | {field.high} | {field.about} |")
    lines += ["", "The column *by* says what each axis of a shape counts, the slowest first (as NumPy lays it out), in this order:", ""]
    lines += [f"- **{axis}**: {order}" for axis, order in layout.axes.items()]
    lines += [
        "",
        f"## Actions: {game.action_count}",
        "The numbers are the game's own: records, bots, the server and the environments all use them.",
        "",
        "| from | actions | by | meaning |",
        "|---|---|---|---|",
    ]
    for kind in layout.actions:
        lines.append(f"| {kind.first} | `{kind.name}` | {' x '.join(map(str, kind.shape))} | {kind.about} |")
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write all pages."""
    for name in playable():
        (folder / f"{name}.md").write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
