"""What a watcher of Druiden und Dämonen is shown: an allow-list, field by field. Only the order of the pile is hidden."""

from __future__ import annotations

import functools
from typing import Any, TypedDict

from ..kernel import WORD
from .knowledge import Knowledge
from .land import spread
from .magic import connected, count_own, reach, within_limit
from .notation import bans, move_text
from .people import able_word
from .pieces import holder, people_of, stones_of, temples_of
from .play import place_of
from .prospects import NextTurn, Prospect, members, next_turn, prospects
from .state import (
    CHOOSE_ACTIONS,
    HALF_STONE,
    LAND,
    LAY,
    LAY_PORTAL,
    MOVE,
    OVER,
    POPULATE,
    PORTAL,
    SETUP,
    WORDS,
)
from .story import ACTION_NAMES, END_NAMES, SEAT_NAMES, card_text, cell_text, corner_text, sides_text

PHASES = (*ACTION_NAMES, "setup", "choose", "over")
SAME_FOR_ALL = True  # whoever looks


class Cell(TypedDict):
    """One field: `centre`, `land` or `portal`, and what lies on it."""

    cell: str
    q: int
    r: int
    kind: str
    sides: str | None
    demon: bool
    anchor: bool
    population: str | None
    temple: bool
    temple_of: str | None
    stones: int
    habitable: bool
    at_portal: bool
    moved: bool


class Corner(TypedDict):
    """A corner of three land fields with forest enough for a stone."""

    corner: str
    cells: list[str]
    stone: str | None
    ready: bool  # for the seat on turn: its populations stand around, and the limits allow a stone


class Player(TypedDict):
    """One player's supplies, and where the points come from."""

    seat: str
    points: int
    points_from: dict[str, int]
    populations: int
    stones: int
    temples: int
    reserve: int
    lost: int
    stone_reserve: int
    stones_lost: int
    trophies: int
    trophies_spent: int
    last_chosen: list[str]
    reach: list[str]
    chains: list[list[str]]
    connected: list[str]
    next: NextTurn


class Ban(TypedDict):
    """A banned action, and whose choice bans it."""

    action: str
    by: list[str]


class Lay(TypedDict):
    """Where the card in hand may lie, and in which rotations."""

    cell: str
    rotations: list[int]


class DaemonenView(TypedDict):
    """The table as everybody sees it."""

    game: str
    phase: str
    turn: str | None
    turns: int
    cells: list[Cell]
    corners: list[Corner]
    players: list[Player]
    in_hand: str | None
    pile: int
    unseen: dict[str, int]
    discarded: list[str]
    demon_pool: int
    demons_out: int
    temple_pool: int
    temples_out: int
    chosen: list[str]
    banned: list[Ban]
    prospects: list[Prospect]
    left: int
    at_most: int
    price: int
    half: str | None
    frontier: list[str]
    lays: list[Lay]
    moves: list[str]
    win: int
    end: str | None
    winners: list[str]


def view_of(k: Knowledge, _watcher: int, _memory: bool) -> DaemonenView:
    """The view of any watcher: all see the same."""
    over = k.phase == OVER
    acting = k.phase not in (SETUP, CHOOSE_ACTIONS, OVER)
    half = None
    if k.half:
        half = corner_text(k.site_name[k.half_at]) if k.half == HALF_STONE else cell_text(k.cell[k.half_at])
    left = [card_text(card) or "" for card in k.pile[k.pile_at : k.pile_end]]
    return {
        "game": "daemonen",
        "phase": PHASES[k.phase],
        "turn": None if over else SEAT_NAMES[k.turn],
        "turns": k.turns,
        "cells": _cells(k),
        "corners": [_corner(k, site) for site in range(k.sites)],
        "players": [_player(k, seat) for seat in range(k.seats)],
        "in_hand": card_text(k.hand),
        "pile": len(left),
        "unseen": {card: left.count(card) for card in sorted(set(left))},
        "discarded": sorted(card_text(card) or "" for card in k.discarded[: k.discards]),
        "demon_pool": k.demon_pool,
        "demons_out": k.demons_out,
        "temple_pool": k.temple_pool,
        "temples_out": k.temples_out,
        "chosen": [ACTION_NAMES[action] for action in k.chosen[: k.chosen_count]],
        "banned": [{"action": name, "by": bans(k, n)} for n, name in enumerate(ACTION_NAMES) if k.banned >> n & 1],
        "prospects": prospects(k),
        "left": k.left if acting else 0,
        "at_most": _at_most(k) if acting else 0,
        "price": k.exchange_price if k.phase == POPULATE and k.left == 0 else 0,
        "half": half,
        "frontier": [cell_text(cell) for cell in k.front[: k.front_count]],
        "lays": [_lay(k, i) for i in range(k.front_count) if k.fit[i]],
        "moves": [move_text(k, action) for action in _actions(k)],
        "win": k.win,
        "end": END_NAMES[k.end] or None,
        "winners": [SEAT_NAMES[seat] for seat in range(k.seats) if over and place_of(k, seat) == 1],
    }


def _actions(k: Knowledge) -> list[int]:
    found = [action for action in range(16) if k.small >> action & 1]
    for i in range(k.front_count if k.hand else 0):
        first = LAY_PORTAL + k.front[i] if k.hand == PORTAL else LAY + k.front[i] * 6
        found += [first + n for n in range(6) if k.fit[i] >> n & 1]
    return found + [k.base[kind] + i for kind in range(3) for i in members(k.sets[kind])]


def _at_most(k: Knowledge) -> int:
    """How much of what is left could be done at most: every population moves once (DD-5.7)."""
    if k.phase != MOVE:
        return k.left
    return min(k.left, sum(able_word(k, k.turn, w).bit_count() for w in range(WORDS)))


def _lay(k: Knowledge, i: int) -> Lay:
    return {"cell": cell_text(k.front[i]), "rotations": [n for n in range(6) if k.fit[i] >> n & 1]}


def _cells(k: Knowledge) -> list[Cell]:
    """All fields that lie."""
    demons, anchors = _whole(k.demons), _whole([a | b | c | d for a, b, c, d in zip(*k.anchors, strict=True)])
    temples, stand, gate, moved = _whole(k.temples), _whole(k.stand), _whole(k.gate), _whole(k.moved) if k.phase != OVER else 0
    cells = []
    for slot in range(k.laid):
        bit = 1 << slot
        temple = temples & bit != 0
        on_it = demons & bit != 0, anchors & bit != 0, temple, holder(k, slot) if temple else -1, k.owner[slot], k.stones_at[slot]
        cells.append(_cell(k.cell[slot], k.sides[slot], on_it, (stand & ~demons & bit != 0, gate & bit != 0, moved & bit != 0)))
    return cells


def _whole(words: list[int]) -> int:
    """A set as one number."""
    return sum(word << w * WORD for w, word in enumerate(words))


@functools.lru_cache(8192)
def _cell(cell: int, sides: int, on_it: tuple[int, ...], state: tuple[bool, ...]) -> Cell:
    """One field: most stay as they were from move to move, and are not made anew; so nobody may change a view."""
    demon, anchor, temple, of, owner, stones = on_it
    habitable, at_portal, moved = state
    name = cell_text(cell)
    q, r = map(int, name.split(","))
    return {
        "cell": name,
        "q": q,
        "r": r,
        "kind": "land" if sides >= LAND else "portal" if sides == PORTAL else "centre",
        "sides": sides_text(sides) if sides >= LAND else None,
        "demon": bool(demon),
        "anchor": bool(anchor),
        "population": SEAT_NAMES[owner] if owner >= 0 else None,
        "temple": bool(temple),
        "temple_of": SEAT_NAMES[of] if of >= 0 else None,
        "stones": stones,
        "habitable": habitable,
        "at_portal": at_portal,
        "moved": moved,
    }


def _corner(k: Knowledge, site: int) -> Corner:
    stone = k.stone[site]
    return {
        "corner": corner_text(k.site_name[site]),
        "cells": [cell_text(k.cell[k.site_slot[j][site]]) for j in range(3)],
        "stone": SEAT_NAMES[stone] if stone >= 0 else None,
        "ready": stone < 0 and count_own(k, k.turn, site) == 3 and within_limit(k, site),
    }


def _player(k: Knowledge, seat: int) -> Player:
    return {
        "seat": SEAT_NAMES[seat],
        "points": k.points[seat],
        "points_from": {
            "populations": people_of(k, seat),
            "stones": k.stone_points * stones_of(k, seat),
            "temples": k.temple_points * temples_of(k, seat),
        },
        "populations": people_of(k, seat),
        "stones": stones_of(k, seat),
        "temples": temples_of(k, seat),
        "reserve": k.reserve[seat],
        "lost": k.lost[seat],
        "stone_reserve": k.stone_reserve[seat],
        "stones_lost": k.stones_lost[seat],
        "trophies": k.trophies[seat],
        "trophies_spent": k.spent[seat],
        "last_chosen": [name for n, name in enumerate(ACTION_NAMES) if k.last[seat] >> n & 1],
        "reach": [cell_text(k.cell[slot]) for slot in members(reach(k, seat))],
        "chains": _chains(k, seat),
        "connected": [cell_text(k.cell[slot]) for slot in members(connected(k, seat))],
        "next": next_turn(k, seat),
    }


def _chains(k: Knowledge, seat: int) -> list[list[str]]:
    """A player's populations, sorted into those that hang together (DD-5.7)."""
    own = k.people[seat]
    chains = []
    seen: set[int] = set()
    for slot in members(own):
        if slot not in seen:
            one = [1 << slot % WORD if w == slot // WORD else 0 for w in range(WORDS)]
            chain = members(spread(k, one[0], one[1], one[2], own[0], own[1], own[2], 1))
            seen.update(chain)
            chains.append([cell_text(k.cell[member]) for member in chain])
    return chains


# --- The table in text ---------------------------------------------------------------------------------------------

CELL_WIDTH = 8


def draw(view: DaemonenView) -> str:
    """The table in text: three lines a field (coordinates, sides, pieces), rows shifted by half a field."""
    cells = {(cell["q"], cell["r"]): cell for cell in view["cells"]}
    low = min(q * CELL_WIDTH + r * CELL_WIDTH // 2 for q, r in cells)
    lines = []
    for r in sorted({r for _, r in cells}):
        rows = ["", "", ""]
        for q in sorted(q for q, row in cells if row == r):
            x = q * CELL_WIDTH + r * CELL_WIDTH // 2 - low
            for i, text in enumerate(_drawn(cells[q, r])):
                rows[i] = rows[i].ljust(x) + text
        lines += [row.rstrip() for row in rows]
    stones = [f"{corner['stone']} {corner['corner']}" for corner in view["corners"] if corner["stone"]]
    if stones:
        lines.append("stones: " + ", ".join(stones))
    for player in view["players"]:
        mark = "*" if view["turn"] == player["seat"] else " "
        lines.append(
            f"{mark} {player['seat']:6} {player['points']:2} of {view['win']}: "
            f"{player['populations']} populations ({player['reserve']} in reserve), {player['stones']} stones "
            f"({player['stone_reserve']}), {player['temples']} temples, {player['trophies']} trophies"
        )
    hand = f"in hand {view['in_hand'] or '-'}"
    lines.append(f"  pile {view['pile']}, demon fields {view['demon_pool']}, temples {view['temple_pool']}, {hand}")
    banned = ", ".join(f"{ban['action']} ({' and '.join(ban['by'])})" for ban in view["banned"])
    lines.append(f"  {view['phase']}, chosen {', '.join(view['chosen']) or '-'}, banned {banned or '-'}, left {view['left']}")
    return "\n".join(lines)


def _drawn(cell: Cell) -> tuple[str, str, str]:
    if cell["kind"] != "land":
        return cell["cell"], "######" if cell["kind"] == "centre" else "(())", ""
    pieces = (cell["population"] or "")[:3]
    pieces += "+A" if cell["anchor"] else "DEMON" if cell["demon"] else ""
    pieces += "^T" if cell["temple"] else ""
    return cell["cell"], cell["sides"] or "", pieces or "."


def points_of(s: Any, seat: int) -> int:
    """DD-6.1: a seat's points."""
    return int(s.points[seat])
