"""New populations and moving ones: where they may go, jumps and captures."""

from __future__ import annotations

from ..kernel import WORD, lowest_bit, rule
from .land import Words, adjacent, free_fields, set_size, slot_word, spread
from .pieces import stone_fields
from .state import ABLE, CHAIN, FROM, LINE, SETTLE, STEP, TO, WORDS, State

# --- 5.6 New populations -------------------------------------------------------------------------------------------


@rule
def may_settle(s: State) -> bool:
    """DD-5.6: a population in reserve, and a free placement or trophies for it."""
    seat = s.turn
    if s.reserve[seat] <= 0:
        return False
    return s.left > 0 or (s.trophies[seat] >= s.exchange_price and not (s.one_exchange and s.exchanged))


@rule
def find_settlements(s: State) -> None:
    """DD-5.6: free fields adjacent to an own population or at an own stone; anywhere with neither on the board."""
    seat = s.turn
    s.base[0] = SETTLE
    if not may_settle(s):
        return
    own = s.people[seat]
    a, b, c = free_fields(s)
    x, y, z = stone_fields(s, seat)
    if own[0] | own[1] | own[2] | x | y | z:
        p, q, r = adjacent(s, own[0], own[1], own[2], 1)
        a &= x | p
        b &= y | q
        c &= z | r
    s.sets[0][0] = a
    s.sets[0][1] = b
    s.sets[0][2] = c


# --- 5.7 Move ------------------------------------------------------------------------------------------------------


@rule
def able_word(s: State, seat: int, w: int) -> int:
    """One word of a player's populations that are neither anchored nor have moved."""
    return s.people[seat][w] & ~s.anchors[seat][w] & ~s.moved[w]


@rule
def supported(s: State, slot: int) -> Words:
    """DD-5.7: the able own populations that may capture what stands there: none if too few lend their support."""
    seat = s.turn
    x, y, z = adjacent(s, slot_word(slot, 0), slot_word(slot, 1), slot_word(slot, 2), 1)
    a = x & able_word(s, seat, 0)
    b = y & able_word(s, seat, 1)
    c = z & able_word(s, seat, 2)
    if s.support == ABLE:
        helpers = set_size(a, b, c)
    else:
        own = s.people[seat]
        helpers = set_size(x & own[0], y & own[1], z & own[2])
    if helpers < s.capture_needs:
        return 0, 0, 0
    return a, b, c


@rule
def enemy_word(s: State, w: int) -> int:
    """One word of the enemy populations that are not anchored."""
    found = 0
    for enemy in range(s.seats):
        if enemy != s.turn:
            found |= s.people[enemy][w] & ~s.anchors[enemy][w]
    return found


@rule
def find_movers(s: State) -> None:
    """DD-5.7: the populations that can go anywhere at all."""
    seat = s.turn
    s.base[0] = FROM
    if s.left <= 0:
        return
    able0 = able_word(s, seat, 0)
    able1 = able_word(s, seat, 1)
    able2 = able_word(s, seat, 2)
    if able0 | able1 | able2 == 0:
        return
    u, v, t = 0, 0, 0
    x, y, z = adjacent(s, able0, able1, able2, 1)
    for w in range(WORDS):
        rest = enemy_word(s, w) & (x if w == 0 else (y if w == 1 else z))
        while rest:
            a, b, c = supported(s, w * WORD + lowest_bit(rest))
            rest &= rest - 1
            u |= a
            v |= b
            t |= c
    seen0, seen1, seen2 = u, v, t  # those of which we know
    for w in range(WORDS):
        rest = able0 & ~seen0 if w == 0 else (able1 & ~seen1 if w == 1 else able2 & ~seen2)
        while rest:
            slot = w * WORD + lowest_bit(rest)
            # All that hang together can go to the same fields.
            i, j, k = goes_along(s, slot)
            a, b, c = steps_from(s, slot, i, j, k)
            if a | b | c:
                u |= i & able0
                v |= j & able1
                t |= k & able2
            seen0 |= i
            seen1 |= j
            seen2 |= k
            rest &= ~(i if w == 0 else (j if w == 1 else k))
    s.sets[0][0] = u
    s.sets[0][1] = v
    s.sets[0][2] = t


@rule
def steps(s: State, slot: int) -> Words:
    """DD-5.7: the free fields to which a population can step or jump."""
    i, j, k = goes_along(s, slot)
    return steps_from(s, slot, i, j, k)


@rule
def goes_along(s: State, slot: int) -> Words:
    """DD-5.7: from where a population can step: its own field and, with option jump = chain, those of all that hang together with it."""
    i, j, k = slot_word(slot, 0), slot_word(slot, 1), slot_word(slot, 2)
    if s.jump == CHAIN:
        own = s.people[s.turn]
        i, j, k = spread(s, i, j, k, own[0], own[1], own[2], 1)
    return i, j, k


@rule
def steps_from(s: State, slot: int, i: int, j: int, k: int) -> Words:
    """DD-5.7: the free fields beside the set ijk, from where the population of a slot can step, and those to which it jumps in a line."""
    a, b, c = adjacent(s, i, j, k, 1)
    if s.jump == LINE:
        for direction in range(6):
            there = straight_jump(s, slot, direction)
            if there >= 0:
                a |= slot_word(there, 0)
                b |= slot_word(there, 1)
                c |= slot_word(there, 2)
    p, q, r = free_fields(s)
    return a & p, b & q, c & r


@rule
def straight_jump(s: State, slot: int, direction: int) -> int:
    """DD-5.7, option jump = line: the field directly behind an unbroken row of own populations, -1 for none."""
    cell = s.cell[slot] + STEP[direction]
    there = s.at[cell]
    if there < 0 or s.owner[there] != s.turn:
        return -1
    while there >= 0 and s.owner[there] == s.turn:
        cell += STEP[direction]
        there = s.at[cell]
    return there if there >= 0 else -1


@rule
def find_targets(s: State) -> None:
    """DD-5.7: where the chosen population may go: steps, jumps, captures."""
    slot = s.half_at
    s.base[0] = TO
    x, y, z = steps(s, slot)
    a, b, c = adjacent(s, slot_word(slot, 0), slot_word(slot, 1), slot_word(slot, 2), 1)
    for w in range(WORDS):
        found = x if w == 0 else (y if w == 1 else z)
        rest = enemy_word(s, w) & (a if w == 0 else (b if w == 1 else c))
        while rest:
            target = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            p, q, r = supported(s, target)
            if p | q | r:
                found |= slot_word(target, w)
        s.sets[0][w] = found
