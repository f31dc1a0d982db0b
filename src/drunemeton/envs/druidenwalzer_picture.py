"""The table of Druidenwalzer as a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..rules.game import View
from .render import FAINT, INK, LEAF, PAPER, SEAT_COLOURS, SIZE, clock, write

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

DRUID_COLOURS = {"orange": (214, 120, 30), "purple": (128, 70, 150), "black": (40, 40, 44)}


def paint(draw: ImageDraw, view: View) -> None:
    """The oval with its trees, druids, tokens and the ring; hands above and below."""
    clock(draw, view)
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
            write(draw, (x, y - 8), name)
            write(draw, (x, y + 10), f"{len(cards)}", 16)
            continue
        _tree(draw, x, y, trees[name], view["ring"] == name, seat)
    for seat, y in ((1, 205), (0, 275)):
        own = ("sun", "moon")[seat]
        write(draw, (290, y), f"{own}, pile {view['pile'][own]}", 14, SEAT_COLOURS[seat], "rm")
        for n, card in enumerate(view["hand"][own]):
            _card(draw, 330 + 44 * n, y, card and card[-2:] if card != "?" else "?", SEAT_COLOURS[seat])


def _tree(draw: ImageDraw, x: float, y: float, tree: dict[str, Any], ring: bool, seat: int) -> None:
    draw.ellipse((x - 34, y - 34, x + 34, y + 34), fill=PAPER if tree["lost"] else LEAF, outline=SEAT_COLOURS[seat], width=6 if ring else 2)
    if tree["lost"]:
        write(draw, (x, y), "lost", 12)
        return
    top = tree["top"]
    _card(draw, x, y, top and (top[-2:] if top != "?" else "?"), SEAT_COLOURS[0 if (top or "s")[0] == "s" else 1])
    write(draw, (x + 30, y + 26), str(tree["cards"]), 12)
    for n in range(tree["tokens"]):
        draw.ellipse((x - 36 + 10 * n, y + 32, x - 28 + 10 * n, y + 40), fill=INK)
    if tree["druid"]:
        draw.polygon([(x - 36, y - 18), (x - 26, y - 42), (x - 16, y - 18)], fill=DRUID_COLOURS[tree["druid"]], outline=PAPER)


def _card(draw: ImageDraw, x: float, y: float, text: str | None, colour: tuple[int, int, int] = FAINT) -> None:
    draw.rounded_rectangle((x - 18, y - 25, x + 18, y + 25), 5, fill=colour if text else PAPER, outline=INK)
    if text:
        write(draw, (x, y), text, 16, PAPER if sum(colour) < 380 else INK)
