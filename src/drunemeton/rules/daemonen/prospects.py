"""What could be done next in Druiden und Dämonen: what each action would give now, and what every player could reach in a turn.

Everything here lies open: it is found by the rules themselves, from what anybody knows.
"""

from __future__ import annotations

import functools
from typing import TypedDict

from ..kernel import WORD, Desk, lowest_bit
from .knowledge import Knowledge
from .land import Words, adjacent, set_size, spread
from .magic import reach
from .people import enemy_word, find_settlements, may_settle, steps, supported
from .pieces import allowance
from .play import begin_action, find_options
from .state import CHAIN, CHOOSE_ACTIONS, DARK, LIGHT, MOVE, OVER, POPULATE, SCOUT, SETUP, WORDS
from .story import ACTION_NAMES, cell_text

PLACES = {DARK: ("demon", "remove", "anchor"), LIGHT: ("stone", "temple", "convert"), POPULATE: ("settle",), MOVE: ("from",)}


class Prospect(TypedDict):
    """An action that may be chosen now: up to how many steps (twice: if both choices are it), how many of them could be made as things
    stand, and at how many places each kind of step could begin. Idle: nothing could be done, and no other action comes before it."""

    action: str
    up_to: int
    twice: int
    possible: int
    places: dict[str, int]
    idle: bool


class Threat(TypedDict):
    """A field, and how many demon fields must be placed until one lies there."""

    cell: str
    steps: int


class NextTurn(TypedDict):
    """What one player could reach in his next turn (the one on turn: in this one), with one action, chosen twice, as things stand."""

    demons: list[Threat]
    moves: list[str]
    captures: list[str]
    settles: list[str]


def members(words: list[int] | tuple[int, ...]) -> list[int]:
    """The slots of a set."""
    found: list[int] = []
    for w in range(WORDS):
        left = words[w]
        while left:
            found.append(w * WORD + lowest_bit(left))
            left &= left - 1
    return found


def prospects(k: Knowledge) -> list[Prospect]:
    """DD-5.1: for each action that may be chosen, what it would give; nothing unless actions are being chosen."""
    if k.phase != CHOOSE_ACTIONS:
        return []
    return [_prospect(k, action) for action in range(len(ACTION_NAMES)) if not k.banned >> action & 1]


def _prospect(k: Knowledge, action: int) -> Prospect:
    twice = k.chosen_count == 1 and k.chosen[0] == action
    begun = _begun(k, action, twice)
    places: dict[str, int] = {}
    if action == SCOUT:
        places["draw"] = k.pile_end - k.pile_at
    else:
        find_options(begun)
        for n, name in enumerate(PLACES[action]):
            places[name] = len(members(begun.sets[n]))
    possible = sum(places.values())
    if action == LIGHT and not k.light_repeat:
        possible = sum(1 for count in places.values() if count)
    elif action == POPULATE:
        possible = min(possible, k.reserve[k.turn])
    both = begun.left if twice else _begun(k, action, True).left
    return {
        "action": ACTION_NAMES[action],
        "up_to": begun.left,
        "twice": both,
        "possible": min(begun.left, possible),
        "places": places,
        "idle": min(begun.left, possible) == 0 and (k.chosen_count == 0 or twice),
    }


def _begun(k: Knowledge, action: int, twice: bool) -> Knowledge:
    """The same position with this action begun."""
    twin = k.copy()
    twin.chosen = [action, action if twice else (action + 1) % len(ACTION_NAMES)]
    begin_action(twin, _desk(), action)
    return twin


@functools.cache
def _desk() -> Desk:
    """A desk at which nobody listens, so nothing is ever written to it."""
    return Desk()


def next_turn(k: Knowledge, seat: int) -> NextTurn:
    """DD-5.3, 5.6, 5.7: demon fields, moves, captures and new populations that a player could make; none of what is surely banned."""
    empty: NextTurn = {"demons": [], "moves": [], "captures": [], "settles": []}
    if k.phase in (SETUP, OVER):
        return empty
    twin = k.copy()
    twin.turn, twin.moved, twin.exchanged = seat, [0] * WORDS, 0
    banned = _surely_banned(k, seat)
    if not banned >> DARK & 1:
        empty["demons"] = _demons(twin, seat)
    if not banned >> MOVE & 1:
        empty["moves"], empty["captures"] = _moves(twin, seat)
    if not banned >> POPULATE & 1:
        twin.left = allowance(twin, seat, POPULATE, 1)
        if may_settle(twin):
            find_settlements(twin)
            empty["settles"] = _cells(k, twin.sets[0])
    return empty


def _surely_banned(k: Knowledge, seat: int) -> int:
    """DD-5.1: bans by the own last turn, and by the player before as far as he has chosen; for the seat on turn, those that hold now."""
    if seat == k.turn:
        return k.banned
    before = k.seats - 1 if seat == 0 else seat - 1
    chosen = 0
    for action in k.chosen[: k.chosen_count] if before == k.turn else []:
        chosen |= 1 << action
    return k.last[seat] | chosen


def _cells(k: Knowledge, words: list[int] | tuple[int, ...]) -> list[str]:
    return [cell_text(k.cell[slot]) for slot in members(words)]


def _demons(k: Knowledge, seat: int) -> list[Threat]:
    """DD-5.3a: every further demon field reaches on."""
    dark = [k.demons[w] | k.anchors[0][w] | k.anchors[1][w] | k.anchors[2][w] | k.anchors[3][w] for w in range(WORDS)]
    found: list[Threat] = []
    reached = reach(k, seat)
    seen = [0] * WORDS
    for step in range(1, min(3 - int(k.seats == 4), k.demon_pool) + 1):
        near = adjacent(k, *reached, k.conduct)
        fresh = [near[w] & k.land[w] & ~dark[w] & ~seen[w] for w in range(WORDS)]
        found += [{"cell": cell, "steps": step} for cell in _cells(k, fresh)]
        seen = [seen[w] | fresh[w] for w in range(WORDS)]
        x, y, z = (reached[w] | fresh[w] for w in range(WORDS))
        reached = spread(k, x, y, z, k.demons[0], k.demons[1], k.demons[2], k.conduct)
    return found


def _moves(k: Knowledge, seat: int) -> tuple[list[str], list[str]]:
    """DD-5.7: the fields to which any population could go with its first step or jump, and those where one could be captured."""
    able: list[int] = [k.people[seat][w] & ~k.anchors[seat][w] for w in range(WORDS)]
    goes = [0] * WORDS
    seen = [0] * WORDS
    for slot in members(able):
        if seen[slot // WORD] >> slot % WORD & 1:
            continue
        if k.jump == CHAIN:  # all that hang together can go to the same fields
            chain = _chain(k, seat, slot)
            seen = [seen[w] | chain[w] for w in range(WORDS)]
        there = steps(k, slot)
        goes = [goes[w] | there[w] for w in range(WORDS)]
    taken = [0] * WORDS
    near = adjacent(k, able[0], able[1], able[2], 1)
    for w in range(WORDS):
        rest = enemy_word(k, w) & near[w]
        while rest:
            bit = lowest_bit(rest)
            rest &= rest - 1
            if set_size(*supported(k, w * WORD + bit)):
                taken[w] |= 1 << bit
    return _cells(k, goes), _cells(k, taken)


def _chain(k: Knowledge, seat: int, slot: int) -> Words:
    own = k.people[seat]
    x, y, z = (1 << slot % WORD if w == slot // WORD else 0 for w in range(WORDS))
    return spread(k, x, y, z, own[0], own[1], own[2], 1)
