"""Small pictures of figures, as SVG: dots with their intervals. Colours follow the page (`currentColor`), and print."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, ROW, LABEL, RIGHT, TOP = 640, 26, 190, 90, 26


class Dot(NamedTuple):
    """A figure with its interval, under a label; what is told beside it."""

    label: str
    mean: float
    low: float
    high: float
    told: str
    sure: bool = False


def dots(title: str, rows: Sequence[Dot], *, zero: bool = False, line: float | None = None) -> str:
    """One row for each figure; `zero` draws where there is no difference, `line` any other mark."""
    marks = [0.0] if zero else [] if line is None else [line]
    least = min([row.low for row in rows] + marks)
    most = max([row.high for row in rows] + marks)
    room = (most - least) or 1.0
    least, most = least - 0.06 * room, most + 0.06 * room
    across = WIDTH - LABEL - RIGHT

    def x(value: float) -> float:
        return LABEL + across * (value - least) / (most - least)

    height = TOP + ROW * len(rows) + 8
    told = "; ".join(f"{row.label} {row.told}" for row in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="currentColor">',
        f"<title>{escape(title)}</title><desc>{escape(told)}</desc>",
        f'<text x="0" y="14" font-weight="600">{escape(title)}</text>',
    ]
    for mark in marks:
        parts.append(
            f'<line x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{TOP - 4}" y2="{height - 4}" '
            'stroke="currentColor" stroke-dasharray="3 3" opacity=".6"/>'
        )
    for n, row in enumerate(rows):
        y = TOP + ROW * n + ROW / 2
        label = row.label if len(row.label) < 32 else row.label[:30] + "…"
        parts.append(f'<text x="0" y="{y + 4:.1f}">{escape(label)}</text>')
        parts.append(
            f'<line x1="{x(row.low):.1f}" x2="{x(row.high):.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" stroke-width="2"/>'
        )
        fill = "currentColor" if row.sure else "none"
        parts.append(f'<circle cx="{x(row.mean):.1f}" cy="{y:.1f}" r="5" fill="{fill}" stroke="currentColor" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH}" y="{y + 4:.1f}" text-anchor="end">{escape(row.told)}</text>')
    parts.append("</svg>")
    return "".join(parts)
