"""Pieces on the map: the small changes of which every step and every consequence consists, and counting.

Play and knowledge both make their changes here, so an event means the same to everybody.
"""

from __future__ import annotations

from ..kernel import WORD, bit_add, bit_drop, bit_has, count_bits, lowest_bit, rule
from . import story
from .land import Words, site_at
from .state import (
    CHOOSE_ACTIONS,
    DARK,
    FRONTIER,
    LIGHT,
    OUT,
    POPULATE,
    SCOUT,
    SETUP,
    SITE_WORDS,
    SPELL_CONVERT,
    SPELL_STONE,
    SPELL_TEMPLE,
    STEP,
    WHOLE,
    WORDS,
    State,
)

# --- Demon fields and anchors --------------------------------------------------------------------------------------


@rule
def darken(s: State, slot: int) -> None:
    """A demon field from the pool covers a field."""
    s.demon_pool -= 1
    bit_add(s.demons, slot)
    for k in range(6):
        there = s.at[s.cell[slot] + STEP[k]]
        if there <= FRONTIER and there != OUT:
            s.front_dark[FRONTIER - there] |= 1 << ((k + 3) % 6)


@rule
def lighten(s: State, slot: int) -> None:
    """A demon field leaves the table (DD-5.8, option demons_return)."""
    return_demon(s)
    bit_drop(s.demons, slot)
    for k in range(6):
        there = s.at[s.cell[slot] + STEP[k]]
        if there <= FRONTIER and there != OUT:
            s.front_dark[FRONTIER - there] &= ~(1 << ((k + 3) % 6))


@rule
def return_demon(s: State) -> None:
    """A demon field goes to the pool, or out of the game."""
    if s.demons_return:
        s.demon_pool += 1
    else:
        s.demons_out += 1


@rule
def fasten(s: State, seat: int, slot: int) -> None:
    """A demon field from the pool goes under a population."""
    s.demon_pool -= 1
    bit_add(s.anchors[seat], slot)


@rule
def unfasten(s: State, seat: int, slot: int) -> None:
    """An anchor loses its demon field; the population stays."""
    return_demon(s)
    bit_drop(s.anchors[seat], slot)


@rule
def is_anchor(s: State, slot: int) -> bool:
    """Whether anybody's anchor lies there."""
    return bit_has(s.anchors[0], slot) or bit_has(s.anchors[1], slot) or bit_has(s.anchors[2], slot) or bit_has(s.anchors[3], slot)


# --- Populations ---------------------------------------------------------------------------------------------------


@rule
def put_population(s: State, seat: int, slot: int) -> None:
    """A population stands on a field."""
    s.owner[slot] = seat
    bit_add(s.people[seat], slot)


@rule
def take_population(s: State, slot: int) -> None:
    """A population leaves a field."""
    bit_drop(s.people[s.owner[slot]], slot)
    s.owner[slot] = -1


@rule
def lose_population(s: State, slot: int) -> None:
    """A population is out of its owner's game."""
    s.lost[s.owner[slot]] += 1
    take_population(s, slot)


@rule
def settle(s: State, seat: int, slot: int, paid: int) -> None:
    """DD-5.6: a population from the reserve, free or for trophies."""
    s.reserve[seat] -= 1
    put_population(s, seat, slot)
    if paid:
        s.trophies[seat] -= paid
        s.spent[seat] += paid
        s.exchanged += 1
    else:
        s.left -= 1


@rule
def capture(s: State, seat: int, slot: int) -> None:
    """DD-5.7: an enemy population becomes a trophy."""
    lose_population(s, slot)
    s.trophies[seat] += 1


@rule
def go(s: State, seat: int, here: int, there: int) -> None:
    """DD-5.7: a population goes to a free field."""
    take_population(s, here)
    put_population(s, seat, there)
    bit_add(s.moved, there)
    step_made(s)


# --- Stones and temples --------------------------------------------------------------------------------------------


@rule
def put_stone(s: State, seat: int, site: int) -> None:
    """A stone stands on a corner."""
    s.stone[site] = seat
    bit_add(s.stones[seat], site)
    for j in range(3):
        s.stones_at[s.site_slot[j][site]] += 1


@rule
def take_stone(s: State, site: int) -> None:
    """A stone leaves a corner."""
    bit_drop(s.stones[s.stone[site]], site)
    s.stone[site] = -1
    for j in range(3):
        s.stones_at[s.site_slot[j][site]] -= 1


@rule
def raise_stone(s: State, seat: int, site: int, source: int) -> None:
    """DD-5.4a: from the reserve (-1), or from another corner in one step."""
    if source < 0:
        s.stone_reserve[seat] -= 1
    else:
        take_stone(s, source)
    put_stone(s, seat, site)
    step_made(s)


@rule
def lose_stone(s: State, site: int) -> None:
    """DD-5.8: out of the game."""
    s.stones_lost[s.stone[site]] += 1
    take_stone(s, site)


@rule
def convert(s: State, seat: int, site: int) -> None:
    """DD-5.4c: an own stone takes the place of an enemy's, which goes back to his reserve."""
    s.stone_reserve[s.stone[site]] += 1
    take_stone(s, site)
    s.stone_reserve[seat] -= 1
    put_stone(s, seat, site)
    step_made(s)


@rule
def raise_temple(s: State, slot: int, source: int) -> None:
    """DD-5.4b: from the pool (-1), or from another field."""
    if source < 0:
        s.temple_pool -= 1
    else:
        bit_drop(s.temples, source)
    bit_add(s.temples, slot)
    step_made(s)


@rule
def lose_temple(s: State, slot: int) -> None:
    """DD-5.8: back to the pool, or out of the game (option temples_return)."""
    bit_drop(s.temples, slot)
    if s.temples_return:
        s.temple_pool += 1
    else:
        s.temples_out += 1


@rule
def holder(s: State, slot: int) -> int:
    """DD-5.4: who owns at least two of the stones around a field, -1 for nobody."""
    one = -1
    two = -1
    for k in range(6):
        site = s.site_of[k][slot]
        if site >= 0 and s.stone[site] >= 0:
            seat = s.stone[site]
            if seat in (one, two):
                return seat
            if one < 0:
                one = seat
            else:
                two = seat
    return -1


@rule
def temples_of(s: State, seat: int) -> int:
    """How many temples a player owns."""
    found = 0
    for w in range(WORDS):
        rest = s.temples[w]
        while rest:
            if holder(s, w * WORD + lowest_bit(rest)) == seat:
                found += 1
            rest &= rest - 1
    return found


@rule
def stones_of(s: State, seat: int) -> int:
    """How many stones a player has on the board."""
    found = 0
    for w in range(SITE_WORDS):
        found += count_bits(s.stones[seat][w])
    return found


@rule
def people_of(s: State, seat: int) -> int:
    """How many populations a player has on the board."""
    return count_bits(s.people[seat][0]) + count_bits(s.people[seat][1]) + count_bits(s.people[seat][2])


@rule
def score(s: State, seat: int) -> int:
    """DD-6.1."""
    return people_of(s, seat) + s.stone_points * stones_of(s, seat) + s.temple_points * temples_of(s, seat)


@rule
def stone_fields(s: State, seat: int) -> Words:
    """The fields at a player's stones."""
    a = 0
    b = 0
    c = 0
    for w in range(SITE_WORDS):
        rest = s.stones[seat][w]
        while rest:
            site = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            for j in range(3):
                slot = s.site_slot[j][site]
                bit = 1 << (slot % WORD)
                if slot < WORD:
                    a |= bit
                elif slot < 2 * WORD:
                    b |= bit
                else:
                    c |= bit
    return a, b, c


# --- The course of a turn ------------------------------------------------------------------------------------------


@rule
def step_made(s: State) -> None:
    """A step of an action is complete."""
    s.left -= 1
    s.half = WHOLE
    s.half_at = 0


@rule
def new_turn(s: State, seat: int) -> None:
    """DD-5.1: the turn before is noted, and what this seat may not choose."""
    if s.phase != SETUP:
        s.last[s.turn] = chosen_set(s)
        s.turns += 1
    s.phase = CHOOSE_ACTIONS
    s.turn = seat
    s.chosen_count = 0
    s.chosen[0] = 0
    s.chosen[1] = 0
    s.doing = 0
    clear_action(s, 0)
    before = s.seats - 1 if seat == 0 else seat - 1
    s.banned = s.last[before] | s.last[seat]


@rule
def chosen_set(s: State) -> int:
    """The actions chosen in this turn, as bits."""
    found = 0
    for i in range(s.chosen_count):
        found |= 1 << s.chosen[i]
    return found


@rule
def allowance(s: State, seat: int, action: int, twice: int) -> int:
    """DD-5.3 to 5.7: how much may be done in an action, once or twice chosen."""
    if action == DARK:
        return max(s.dark_spells + s.spells_twice * twice - int(s.seats == 4), 0)
    if action == LIGHT:
        return s.light_spells + s.spells_twice * twice
    if action == POPULATE:
        return (temples_of(s, seat) + s.new_people) * (1 + twice)
    return (s.scout_draws if action == SCOUT else s.move_steps) + s.steps_twice * twice


@rule
def clear_action(s: State, left: int) -> None:
    """Nothing is done yet in this action."""
    s.left = left
    s.half = WHOLE
    s.half_at = 0
    s.spells = 0
    s.exchanged = 0
    for w in range(WORDS):
        s.moved[w] = 0


# --- As whoever hears of it takes it in -----------------------------------------------------------------------------


@rule
def fold_dark(s: State, kind: int, seat: int, slot: int, cut: int) -> None:
    """Demon fields and anchors come and go."""
    if kind == story.DEMON_PLACED:
        darken(s, slot)
    elif kind == story.DEMON_REMOVED:
        lighten(s, slot)
    elif kind == story.ANCHORED:
        fasten(s, seat, slot)
    elif kind == story.ANCHOR_REMOVED:
        unfasten(s, seat, slot)
    elif kind == story.POPULATION_LOST:
        lose_population(s, slot)
        return
    if cut == 0:
        step_made(s)


@rule
def fold_light(s: State, kind: int, seat: int, b: int, c: int) -> None:
    """Stones and temples come and go."""
    if kind == story.STONE_PLACED:
        raise_stone(s, seat, site_at(s, b), site_at(s, c) if c >= 0 else -1)
        s.spells |= SPELL_STONE
    elif kind == story.STONE_LOST:
        lose_stone(s, site_at(s, b))
    elif kind == story.TEMPLE_PLACED:
        raise_temple(s, s.at[b], s.at[c] if c >= 0 else -1)
        s.spells |= SPELL_TEMPLE
    elif kind == story.TEMPLE_LOST:
        lose_temple(s, s.at[seat])
    elif kind == story.CONVERTED:
        convert(s, seat, site_at(s, b))
        s.spells |= SPELL_CONVERT
