"""The table as text or as a picture, from what a seat is shown. Pictures are drawn with Pillow, plain and quick.

A game's own picture is `paint(draw, view)` in its file `GAME_picture.py`; one that has none is drawn as text.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from ..rules.game import Game, View
from . import need

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

MODES = ("ansi", "rgb_array")
HUMAN = "human"  # the text, printed at every step: for environments with one game to look at

SIZE = (720, 480)
PAPER, INK, FAINT, LEAF, STONE = (244, 238, 222), (44, 38, 30), (205, 196, 172), (104, 134, 84), (128, 124, 120)
SEAT_COLOURS = ((201, 138, 26), (70, 92, 150), (150, 60, 60), (60, 130, 110), (120, 80, 140))


def render(game: type[Game], view: View, mode: str) -> Any:
    """A view as text (`ansi`) or as an array of height x width x 3 (`rgb_array`)."""
    if mode == "ansi":
        return game.showing.draw(view)
    need("PIL", "Pillow")
    import numpy as np
    from PIL import Image, ImageDraw

    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    if importlib.util.find_spec(f".{game.name}_picture", __package__):
        importlib.import_module(f".{game.name}_picture", __package__).paint(draw, view)
    else:
        write(draw, (20, 20), game.showing.draw(view), anchor="la")
    return np.asarray(image).copy()


def write(
    draw: ImageDraw, at: tuple[float, float], text: str, size: int = 14, fill: tuple[int, int, int] = INK, anchor: str = "mm"
) -> None:
    """A text at a point."""
    from PIL import ImageFont

    draw.text(at, text, fill=fill, font=ImageFont.load_default(size), anchor=anchor)


def clock(draw: ImageDraw, view: View) -> None:
    """What is asked of whom, above everything."""
    turn = view["end"] or view["turn"] or ""
    write(draw, (SIZE[0] / 2, 14), f"{view['phase']}: {turn}", 14)
