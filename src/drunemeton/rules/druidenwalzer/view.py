"""What a watcher of Druidenwalzer is shown: an allow-list, field by field, from what that watcher knows (DW-9.1, 9.2)."""

from __future__ import annotations

import functools
from typing import Any, TypedDict

from ..kernel import OPEN
from .knowledge import POOLS, Knowledge
from .state import CONTEST, HIDDEN, OVER, TREES
from .story import COLOUR_NAMES, END_NAMES, SEAT_NAMES, board_text, card_text

PHASES = ("arrow", "druids", "turn", "contest", "over")


class Tree(TypedDict):
    """One tree: its top card, how many cards lie there, and how many of them face down."""

    name: str | None
    seat: str
    number: int
    top: str | None
    cards: int
    down: int
    tokens: int
    lost: bool
    druid: str | None
    must_fill: bool
    covered: list[str | None]


class DruidenwalzerView(TypedDict):
    """The table as one watcher sees it. `?` is a card that he may not see, None an empty place."""

    game: str
    phase: str
    turn: str | None
    oval: list[str | None]
    trees: list[Tree]
    ring: str | None
    resting: str | None
    jump_to: dict[str, int | None]
    meeting: list[str]
    cult: dict[str, list[str]]
    pile: dict[str, int]
    hand: dict[str, list[str | None]]
    quiet: int
    draw_after: int
    to_conquer: int
    to_lose: int
    end: str | None
    winner: str | None


_TREES = tuple(tuple(seat * TREES + number for seat in (0, 1) for number in range(count)) for count in range(TREES + 1))
_NAMES = tuple(card_text(card) or "" for card in range(HIDDEN))
_SHOWN = (*(card_text(card) for card in range(HIDDEN)), *("?" for _ in range(POOLS)))


def view_of(k: Knowledge, watcher: int, memory: bool) -> DruidenwalzerView:
    """The view of a watcher. `memory`: also the covered face-up cards that he has seen (DW-9.2)."""
    tops = tuple([stack[height - 1] if height else 0 for stack, height in zip(k.stack, k.height, strict=True)])
    covered: tuple[tuple[int, ...], ...] = ()
    if memory or watcher == OPEN:
        covered = tuple([tuple(stack[: max(height - 1, 0)]) for stack, height in zip(k.stack, k.height, strict=True)])
    sun, moon = k.cult
    sun_cult, moon_cult = k.cult_size
    seen = _seen(
        (k.trees, k.draw_after, k.to_conquer, k.to_lose),
        (k.phase, k.turn, k.ring, k.meeting, k.must_fill, k.quiet, k.end, k.winner),
        tuple(k.at),
        (tops, tuple(k.height), tuple(k.down), tuple(k.tokens), tuple(k.lost), tuple(k.druid_on)),
        (tuple(sun[:sun_cult]), tuple(moon[:moon_cult])),
        (*k.pile_at, *k.pile_end),
        covered,
    )
    sun, moon = k.hand
    size = k.hand_size
    return {**seen, "hand": {"sun": [_SHOWN[card] for card in sun[:size]], "moon": [_SHOWN[card] for card in moon[:size]]}}


# What two watchers see alike, or stays as it was from move to move, is not made anew; so nobody may change a view.


@functools.lru_cache(64)
def _seen(
    options: tuple[int, ...],
    now: tuple[int, ...],
    at: tuple[int, ...],
    facts: tuple[tuple[int, ...], ...],
    cult: tuple[tuple[int, ...], ...],
    piles: tuple[int, ...],
    covered: tuple[tuple[int, ...], ...],
) -> DruidenwalzerView:
    """All but the hands, which stay empty. `facts`: of each tree its top card, height, cards face down, tokens, whether lost, druid."""
    count, draw_after, to_conquer, to_lose = options
    phase, turn, ring, meeting, must_fill, quiet, end, winner = now
    over = phase == OVER
    filling = 0 if over else must_fill << turn * TREES
    *_, lost, druid = facts
    trees = list(zip(*facts, strict=True))
    return {
        "game": "druidenwalzer",
        "phase": PHASES[phase],
        "turn": None if over else SEAT_NAMES[turn],
        "oval": _oval(at[: 2 * count + 2]),
        "trees": [_tree(trees[t], t, filling >> t & 1, covered[t] if covered else ()) for t in _TREES[count]],
        "ring": board_text(ring),
        "resting": COLOUR_NAMES[druid[ring]] if ring >= 0 and druid[ring] >= 0 else None,
        "jump_to": _free_trees(count, lost, druid),
        "meeting": [name for n, name in enumerate(COLOUR_NAMES) if meeting >> n & 1] if phase == CONTEST else [],
        # In the order of their names: how they lie says nothing.
        "cult": {name: sorted([_NAMES[card] for card in cards]) for name, cards in zip(SEAT_NAMES, cult, strict=True)},
        "pile": {name: piles[2 + seat] - piles[seat] for seat, name in enumerate(SEAT_NAMES)},
        "hand": {},
        "quiet": quiet,
        "draw_after": draw_after,
        "to_conquer": to_conquer,
        "to_lose": to_lose,
        "end": END_NAMES[end] or None,
        "winner": SEAT_NAMES[winner] if over and winner >= 0 else None,
    }


@functools.lru_cache(64)
def _oval(boards: tuple[int, ...]) -> list[str | None]:
    """The oval clockwise."""
    return [board_text(board) for board in boards]


@functools.lru_cache(512)
def _free_trees(count: int, lost: tuple[int, ...], druid: tuple[int, ...]) -> dict[str, int | None]:
    """DW-3.2: the number of the standing tree to which a druid of each side could go."""
    return {
        name: next((n + 1 for n in range(count) if not lost[seat * TREES + n] and druid[seat * TREES + n] < 0), None)
        for seat, name in enumerate(SEAT_NAMES)
    }


@functools.lru_cache(4096)
def _tree(facts: tuple[int, ...], tree: int, must_fill: int, covered: tuple[int, ...]) -> Tree:
    """One tree as it is shown."""
    top, height, down, tokens, lost, druid = facts
    seat, number = divmod(tree, TREES)
    return {
        "name": board_text(tree),
        "seat": SEAT_NAMES[seat],
        "number": number + 1,
        "top": _SHOWN[top] if height else None,
        "cards": height,
        "down": down,
        "tokens": tokens,
        "lost": lost == 1,
        "druid": COLOUR_NAMES[druid] if druid >= 0 else None,
        "must_fill": must_fill == 1,
        "covered": [_SHOWN[card] for card in covered],
    }


def draw(view: DruidenwalzerView) -> str:
    """The table in text: Moon's row as he sits opposite, the oval between, Sun's row below."""
    trees = {tree["name"]: tree for tree in view["trees"]}
    count = len(view["trees"]) // 2
    places = view["oval"]
    sun_row = [places[2 * count + 1], *places[:count]][::-1]
    moon_row = places[count : 2 * count + 1]
    lines = [_hand_line(view, "moon"), *_row(view, trees, list(moon_row))]
    ring = f"ring on {view['ring']}" if view["ring"] else "ring in the middle"
    lines.append(f"   clockwise < along one's own row to the left    {ring}")
    lines += [*_row(view, trees, sun_row), _hand_line(view, "sun")]
    return "\n".join(lines)


def _hand_line(view: DruidenwalzerView, seat: str) -> str:
    cards = " ".join(card or "--" for card in view["hand"][seat])
    mark = "*" if view["turn"] == seat else " "
    return f"{mark} {seat.capitalize():5} hand {cards}   pile {view['pile'][seat]}"


def _row(view: DruidenwalzerView, trees: dict[str | None, Tree], names: list[str | None]) -> list[str]:
    cells: list[list[str]] = []
    for name in names:
        if name in trees:
            cells.append(_tree_cell(view, trees[name]))
        else:
            seat = "sun" if name == "SC" else "moon"
            cards = view["cult"][seat]
            cells.append([f"{name} cult", f"{len(cards)} cards", "", ""])
    return ["  " + " ".join(f"{cell[line]:<13}" for cell in cells).rstrip() for line in range(4)]


def _tree_cell(view: DruidenwalzerView, tree: Tree) -> list[str]:
    if tree["lost"]:
        return [f"{tree['name']} lost", "", "", ""]
    head = f"{tree['name']}{' (ring)' if view['ring'] == tree['name'] else ''}"
    top = tree["top"] or ("EMPTY!" if tree["must_fill"] else "empty")
    stack = f"{top} of {tree['cards']}" if tree["top"] else top
    tokens = f"{tree['tokens']}/{view['to_conquer']} tokens"
    return [head, stack, tree["druid"] or "-", tokens]


def points_of(s: Any, seat: int) -> int:
    """DW-6.1: how many trees a seat still has."""
    return int(s.standing[seat].bit_count())
