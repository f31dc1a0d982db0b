"""The table of Celtica as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rules.celtica.story import KIND_NAMES
from ..rules.game import View
from .render import FAINT, INK, LEAF, PAPER, SEAT_COLOURS, SIZE, STONE, clock, write

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

DRUID_COLOURS = {
    "white": (250, 250, 246),
    "red": (180, 50, 44),
    "grey": (140, 140, 140),
    "brown": (120, 82, 50),
    "black": (40, 40, 44),
}


def paint(draw: ImageDraw, view: View) -> None:
    """The path in two lines with the druids on it, the display, and every player's parts."""
    clock(draw, view)
    path = view["places"]
    half = (len(path) + 1) // 2
    step = (SIZE[0] - 40) / half
    for n, place in enumerate(path):
        x, y = 20 + step * (n % half + 0.5), 70 if n < half else 150
        worth = place["parts"]
        colour = LEAF if worth > 0 else (190, 120, 100) if worth < 0 else FAINT
        draw.ellipse((x - 14, y - 14, x + 14, y + 14), fill=colour, outline=INK)
        write(draw, (x, y), place["kind"][0].upper() if worth == 0 else f"{worth:+d}", 12)
    for i, (name, at) in enumerate(view["druids"].items()):
        x, y = 20 + step * (at % half + 0.5), (70 if at < half else 150) - 24
        draw.polygon([(x - 9 + 3 * i, y + 8), (x - 3 + 3 * i, y - 10), (x + 3 + 3 * i, y + 8)], fill=DRUID_COLOURS[name], outline=INK)
    write(draw, (20, 205), "display", anchor="lm")
    _parts(draw, 120, 205, view["display"])
    for n, player in enumerate(view["players"]):
        y = 245 + 46 * n
        mark = "> " if player["seat"] == view["turn"] else ""
        write(draw, (20, y), mark + player["seat"], 14, SEAT_COLOURS[n], "lm")
        _parts(draw, 120, y, player["parts"])
        for i, card in enumerate([*player["hand"], *player["experience"]][:14]):
            left = 400 + 22 * i
            fill = DRUID_COLOURS.get(card, STONE)
            draw.rounded_rectangle((left, y - 14, left + 18, y + 14), 3, fill=fill, outline=INK)
            if i >= len(player["hand"]):
                draw.line((left, y - 14, left + 18, y - 14), fill=SEAT_COLOURS[n], width=4)


def _parts(draw: ImageDraw, x: float, y: float, parts: dict[str, int]) -> None:
    for n, name in enumerate(KIND_NAMES):
        count = parts.get(name, 0)
        draw.regular_polygon((x + 29 * n, y, 13), 9, fill=LEAF if count else PAPER, outline=INK)
        write(draw, (x + 29 * n, y), str(count) if count else name[:2], 11, PAPER if count else STONE)
