"""The table as text or as a picture, from what a seat is shown. Pictures are drawn with Pillow, plain and quick."""

from __future__ import annotations

import importlib
import math
from typing import TYPE_CHECKING, Any

from ..rules.game import Game, View
from . import need

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

MODES = ("ansi", "rgb_array")

SIZE = (720, 480)
PAPER, INK, FAINT, LEAF, STONE = (244, 238, 222), (44, 38, 30), (205, 196, 172), (104, 134, 84), (128, 124, 120)
PLAYER_COLOURS = {"red": (176, 52, 46), "blue": (60, 96, 160), "yellow": (214, 170, 40), "green": (84, 130, 70)}
SEAT_COLOURS = ((201, 138, 26), (70, 92, 150), (150, 60, 60), (60, 130, 110), (120, 80, 140))
DRUID_COLOURS = {
    "orange": (214, 120, 30),
    "purple": (128, 70, 150),
    "black": (40, 40, 44),
    "white": (250, 250, 246),
    "red": (180, 50, 44),
    "grey": (140, 140, 140),
    "brown": (120, 82, 50),
}
TERRAIN_COLOURS = {"F": (92, 132, 74), "W": (84, 134, 178), "M": (150, 140, 128)}


def render(game: type[Game], view: View, mode: str) -> Any:
    """A view as text (`ansi`) or as an array of height x width x 3 (`rgb_array`)."""
    if mode == "ansi":
        return importlib.import_module(f"{game.__module__}.view").draw(view)
    need("PIL", "Pillow")
    import numpy as np
    from PIL import Image, ImageDraw

    image = Image.new("RGB", SIZE, PAPER)
    {"druidenwalzer": _druidenwalzer, "celtica": _celtica, "daemonen": _daemonen}[game.name](ImageDraw.Draw(image), view)
    return np.asarray(image).copy()


def _write(
    draw: ImageDraw, at: tuple[float, float], text: str, size: int = 14, fill: tuple[int, int, int] = INK, anchor: str = "mm"
) -> None:
    from PIL import ImageFont

    draw.text(at, text, fill=fill, font=ImageFont.load_default(size), anchor=anchor)


def _card(draw: ImageDraw, x: float, y: float, text: str | None, colour: tuple[int, int, int] = FAINT) -> None:
    draw.rounded_rectangle((x - 18, y - 25, x + 18, y + 25), 5, fill=colour if text else PAPER, outline=INK)
    if text:
        _write(draw, (x, y), text, 16, PAPER if sum(colour) < 380 else INK)


def _clock(draw: ImageDraw, view: View) -> None:
    turn = view["end"] or view["turn"] or ""
    _write(draw, (SIZE[0] / 2, 14), f"{view['phase']}: {turn}", 14)


# --- Druidenwalzer -------------------------------------------------------------------------------------------------


def _druidenwalzer(draw: ImageDraw, view: View) -> None:
    """The oval with its trees, druids, tokens and the ring; hands above and below."""
    _clock(draw, view)
    trees = {tree["name"]: tree for tree in view["trees"]}
    places = view["oval"]
    for i, name in enumerate(places):
        # The oval runs clockwise from Sun's right-hand tree; Sun sits below.
        angle = 2 * math.pi * (i + 0.5) / len(places) + math.pi / 5
        x, y = SIZE[0] / 2 + 280 * math.cos(angle), 240 + 130 * math.sin(angle)
        seat = 0 if name[0] == "S" else 1
        if name not in trees:
            cards = view["cult"][("sun", "moon")[seat]]
            draw.rectangle((x - 30, y - 30, x + 30, y + 30), fill=FAINT, outline=SEAT_COLOURS[seat], width=3)
            _write(draw, (x, y - 8), name)
            _write(draw, (x, y + 10), f"{len(cards)}", 16)
            continue
        _tree(draw, x, y, trees[name], view["ring"] == name, seat)
    for seat, y in ((1, 205), (0, 275)):
        own = ("sun", "moon")[seat]
        _write(draw, (290, y), f"{own}, pile {view['pile'][own]}", 14, SEAT_COLOURS[seat], "rm")
        for n, card in enumerate(view["hand"][own]):
            _card(draw, 330 + 44 * n, y, card and card[-2:] if card != "?" else "?", SEAT_COLOURS[seat])


def _tree(draw: ImageDraw, x: float, y: float, tree: dict[str, Any], ring: bool, seat: int) -> None:
    draw.ellipse((x - 34, y - 34, x + 34, y + 34), fill=PAPER if tree["lost"] else LEAF, outline=SEAT_COLOURS[seat], width=6 if ring else 2)
    if tree["lost"]:
        _write(draw, (x, y), "lost", 12)
        return
    top = tree["top"]
    _card(draw, x, y, top and (top[-2:] if top != "?" else "?"), SEAT_COLOURS[0 if (top or "s")[0] == "s" else 1])
    _write(draw, (x + 30, y + 26), str(tree["cards"]), 12)
    for n in range(tree["tokens"]):
        draw.ellipse((x - 36 + 10 * n, y + 32, x - 28 + 10 * n, y + 40), fill=INK)
    if tree["druid"]:
        draw.polygon([(x - 36, y - 18), (x - 26, y - 42), (x - 16, y - 18)], fill=DRUID_COLOURS[tree["druid"]], outline=PAPER)


# --- Celtica -------------------------------------------------------------------------------------------------------


def _celtica(draw: ImageDraw, view: View) -> None:
    """The path in two lines with the druids on it, the display, and every player's parts."""
    _clock(draw, view)
    path = view["places"]
    half = (len(path) + 1) // 2
    step = (SIZE[0] - 40) / half
    for n, place in enumerate(path):
        x, y = 20 + step * (n % half + 0.5), 70 if n < half else 150
        worth = place["parts"]
        colour = LEAF if worth > 0 else (190, 120, 100) if worth < 0 else FAINT
        draw.ellipse((x - 14, y - 14, x + 14, y + 14), fill=colour, outline=INK)
        _write(draw, (x, y), place["kind"][0].upper() if worth == 0 else f"{worth:+d}", 12)
    for i, (name, at) in enumerate(view["druids"].items()):
        x, y = 20 + step * (at % half + 0.5), (70 if at < half else 150) - 24
        draw.polygon([(x - 9 + 3 * i, y + 8), (x - 3 + 3 * i, y - 10), (x + 3 + 3 * i, y + 8)], fill=DRUID_COLOURS[name], outline=INK)
    _write(draw, (20, 205), "display", anchor="lm")
    _parts(draw, 120, 205, view["display"])
    for n, player in enumerate(view["players"]):
        y = 245 + 46 * n
        mark = "> " if player["seat"] == view["turn"] else ""
        _write(draw, (20, y), mark + player["seat"], 14, SEAT_COLOURS[n], "lm")
        _parts(draw, 120, y, player["parts"])
        for i, card in enumerate([*player["hand"], *player["experience"]][:14]):
            left = 400 + 22 * i
            fill = DRUID_COLOURS.get(card, STONE)
            draw.rounded_rectangle((left, y - 14, left + 18, y + 14), 3, fill=fill, outline=INK)
            if i >= len(player["hand"]):
                draw.line((left, y - 14, left + 18, y - 14), fill=SEAT_COLOURS[n], width=4)


def _parts(draw: ImageDraw, x: float, y: float, parts: dict[str, int]) -> None:
    from ..rules.celtica.story import KIND_NAMES

    for n, name in enumerate(KIND_NAMES):
        count = parts.get(name, 0)
        draw.regular_polygon((x + 29 * n, y, 13), 9, fill=LEAF if count else PAPER, outline=INK)
        _write(draw, (x + 29 * n, y), str(count) if count else name[:2], 11, PAPER if count else STONE)


# --- Druiden und Dämonen -------------------------------------------------------------------------------------------


def _daemonen(draw: ImageDraw, view: View) -> None:
    """The map with everything on it; points below."""
    _clock(draw, view)
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
        _write(draw, (20 + 170 * n, 462), text, 14, PLAYER_COLOURS[player["seat"]], "lm")


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
