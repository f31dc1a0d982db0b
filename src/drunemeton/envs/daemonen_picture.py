"""The table of Druiden und Dämonen as a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..rules.game import View
from .render import INK, PAPER, SIZE, clock, write

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

PLAYER_COLOURS = {"red": (176, 52, 46), "blue": (60, 96, 160), "yellow": (214, 170, 40), "green": (84, 130, 70)}
TERRAIN_COLOURS = {"F": (92, 132, 74), "W": (84, 134, 178), "M": (150, 140, 128)}


def paint(draw: ImageDraw, view: View) -> None:
    """The map with everything on it; points below."""
    clock(draw, view)
    centres = {cell["cell"]: (math.sqrt(3) * (cell["q"] + cell["r"] / 2), 1.5 * cell["r"]) for cell in view["cells"]}
    xs, ys = [x for x, _ in centres.values()], [y for _, y in centres.values()]
    size = min((SIZE[0] - 40) / (max(xs) - min(xs) + 2), (SIZE[1] - 90) / (max(ys) - min(ys) + 2), 34.0)
    left = SIZE[0] / 2 - size * (max(xs) + min(xs)) / 2
    top = 230 - size * (max(ys) + min(ys)) / 2
    at = {name: (left + size * x, top + size * y) for name, (x, y) in centres.items()}
    for cell in view["cells"]:
        _field(draw, at[cell["cell"]], size, cell)
    for corner in view["corners"]:
        if corner["stone"]:
            x, y = (sum(at[name][axis] for name in corner["cells"]) / 3 for axis in (0, 1))
            draw.rectangle((x - size / 5, y - size / 4, x + size / 5, y + size / 4), fill=PLAYER_COLOURS[corner["stone"]], outline=INK)
    for n, player in enumerate(view["players"]):
        text = f"{player['seat']} {player['points']} of {view['win']}"
        write(draw, (20 + 170 * n, 462), text, 14, PLAYER_COLOURS[player["seat"]], "lm")


def _field(draw: ImageDraw, centre: tuple[float, float], size: float, cell: dict[str, Any]) -> None:
    x, y = centre
    # Direction 0 is east and they run counter-clockwise, so side k lies between the corners at 60k - 30 and 60k + 30 degrees.
    corners = [(x + size * math.cos(math.radians(60 * k - 30)), y - size * math.sin(math.radians(60 * k - 30))) for k in range(7)]
    if cell["kind"] == "land":
        for k, letter in enumerate(cell["sides"]):
            draw.polygon([(x, y), corners[k], corners[k + 1]], fill=TERRAIN_COLOURS[letter])
    draw.polygon(corners[:6], fill=None if cell["kind"] == "land" else INK if cell["kind"] == "centre" else (150, 110, 170), outline=PAPER)
    if cell["demon"] or cell["anchor"]:
        draw.ellipse((x - size * 0.62, y - size * 0.62, x + size * 0.62, y + size * 0.62), outline=(120, 20, 20), width=3)
    if cell["temple"]:
        draw.polygon([(x - size / 2, y), (x, y - size / 2), (x + size / 2, y)], fill=PAPER, outline=INK)
    if cell["population"]:
        colour = PLAYER_COLOURS[cell["population"]]
        draw.ellipse((x - size / 3, y - size / 3, x + size / 3, y + size / 3), fill=colour, outline=PAPER)
