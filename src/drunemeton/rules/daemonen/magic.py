"""Dark and light magic: where demons reach, what hangs on a stone, where stones and temples may stand."""

from __future__ import annotations

from ..kernel import WORD, bit_add, bit_has, lowest_bit, rule
from .land import Words, adjacent, spread
from .pieces import holder, put_stone, stone_fields, stones_of, take_stone
from .state import (
    ANCHOR,
    CONVERT,
    DEMON,
    FROM_POOL,
    FROM_RESERVE,
    REMOVE,
    SITE_WORDS,
    SPELL_CONVERT,
    SPELL_STONE,
    SPELL_TEMPLE,
    STONE,
    STONE_FROM,
    TEMPLE,
    TEMPLE_FROM,
    WORDS,
    State,
)

# --- 5.3 Dark magic ------------------------------------------------------------------------------------------------


@rule
def centre(s: State) -> int:
    """The hexagons of the centre: the first slots."""
    return 127 if s.radius else 1


@rule
def reach(s: State, seat: int) -> Words:
    """DD-5.3: the centre, a player's anchors, and the demon fields that hang on them."""
    own = s.anchors[seat]
    return spread(s, centre(s) | own[0], own[1], own[2], s.demons[0], s.demons[1], s.demons[2], s.conduct)


@rule
def connected(s: State, seat: int) -> Words:
    """DD-5.3b: a player's populations that stand at one of his stones, or hang on such a population through others of his."""
    own = s.people[seat]
    x, y, z = stone_fields(s, seat)
    return spread(s, x & own[0], y & own[1], z & own[2], own[0], own[1], own[2], 1)


@rule
def find_dark(s: State) -> None:
    """DD-5.3: the demon fields that may be placed and removed, the populations that may be anchored."""
    seat = s.turn
    s.base[0] = DEMON
    s.base[1] = REMOVE
    s.base[2] = ANCHOR
    if s.left <= 0:
        return
    for w in range(WORDS):
        s.sets[1][w] = s.demons[w] | s.anchors[seat][w]
    if s.demon_pool <= 0:
        return
    x, y, z = reach(s, seat)
    x, y, z = adjacent(s, x, y, z, s.conduct)
    p, q, r = connected(s, seat)
    for w in range(WORDS):
        dark = s.demons[w] | s.anchors[0][w] | s.anchors[1][w] | s.anchors[2][w] | s.anchors[3][w]
        s.sets[0][w] = (x if w == 0 else (y if w == 1 else z)) & s.land[w] & ~dark
        s.sets[2][w] = (p if w == 0 else (q if w == 1 else r)) & ~s.anchors[seat][w]


# --- 5.4 Light magic -----------------------------------------------------------------------------------------------


@rule
def find_light(s: State) -> None:
    """DD-5.4: corners for stones, fields for temples, stones to convert."""
    s.base[0] = STONE
    s.base[1] = TEMPLE
    s.base[2] = CONVERT
    if s.left <= 0:
        return
    done = 0 if s.light_repeat else s.spells
    if done & SPELL_STONE == 0:
        find_stones(s)
    if done & SPELL_TEMPLE == 0:
        find_temples(s)
    if done & SPELL_CONVERT == 0:
        find_converts(s)


@rule
def find_stones(s: State) -> None:
    """DD-5.4a: free corners between three own populations for which there is a source."""
    seat = s.turn
    supply = s.stone_reserve[seat] + stones_of(s, seat)
    if supply <= 0:
        return
    for site in range(s.sites):
        if s.stone[site] < 0 and s.owner[s.site_slot[0][site]] == seat and surrounded(s, seat, site):
            if within_limit(s, site) or some_source(s, seat, site):
                bit_add(s.sets[0], site)


@rule
def surrounded(s: State, seat: int, site: int) -> bool:
    """Whether a player's populations stand on all three fields of a corner."""
    return s.owner[s.site_slot[0][site]] == seat and s.owner[s.site_slot[1][site]] == seat and s.owner[s.site_slot[2][site]] == seat


@rule
def within_limit(s: State, site: int) -> bool:
    """DD-5.4a: with a stone there no field has more than three, and no stone belongs to two fields with three."""
    full = -1
    for j in range(3):
        slot = s.site_slot[j][site]
        if s.stones_at[slot] >= 3:
            return False
        if s.stones_at[slot] == 2:
            if full >= 0:
                return False
            full = slot
    if full < 0:
        return True
    for k in range(6):
        other = s.site_of[k][full]
        if other >= 0 and s.stone[other] >= 0:
            for j in range(3):
                if s.stones_at[s.site_slot[j][other]] >= 3:
                    return False
    return True


@rule
def fits_without(s: State, site: int, source: int) -> bool:
    """Whether the limit allows a stone there that is taken from `source`."""
    seat = s.stone[source]
    take_stone(s, source)
    fits = within_limit(s, site)
    put_stone(s, seat, source)
    return fits


@rule
def some_source(s: State, seat: int, site: int) -> bool:
    """Whether the limit allows to move any own stone there."""
    for w in range(SITE_WORDS):
        rest = s.stones[seat][w]
        while rest:
            if fits_without(s, site, w * WORD + lowest_bit(rest)):
                return True
            rest &= rest - 1
    return False


@rule
def find_stone_sources(s: State) -> None:
    """DD-5.4a: reserve and own stones from which the half-placed stone may come."""
    seat = s.turn
    s.base[0] = STONE_FROM
    if s.stone_reserve[seat] > 0 and within_limit(s, s.half_at):
        s.small |= 1 << FROM_RESERVE
    for w in range(SITE_WORDS):
        rest = s.stones[seat][w]
        while rest:
            source = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            if fits_without(s, s.half_at, source):
                bit_add(s.sets[0], source)


@rule
def find_temples(s: State) -> None:
    """DD-5.4b: fields with three stones of which two are own, if there is a temple to place."""
    seat = s.turn
    if s.temple_pool <= 0 and not owns_temple(s, seat):
        return
    x, y, z = stone_fields(s, seat)
    for w in range(WORDS):
        rest = (x if w == 0 else (y if w == 1 else z)) & ~s.temples[w]
        while rest:
            slot = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            if s.stones_at[slot] >= 3 and holder(s, slot) == seat:
                bit_add(s.sets[1], slot)


@rule
def owns_temple(s: State, seat: int) -> bool:
    """Whether any temple is the player's."""
    for w in range(WORDS):
        rest = s.temples[w]
        while rest:
            if holder(s, w * WORD + lowest_bit(rest)) == seat:
                return True
            rest &= rest - 1
    return False


@rule
def find_temple_sources(s: State) -> None:
    """DD-5.4b: the pool, and fields whose temple one owns."""
    s.base[0] = TEMPLE_FROM
    if s.temple_pool > 0:
        s.small |= 1 << FROM_POOL
    for w in range(WORDS):
        rest = s.temples[w]
        while rest:
            slot = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            if holder(s, slot) == s.turn:
                bit_add(s.sets[0], slot)


@rule
def find_converts(s: State) -> None:
    """DD-5.4c: enemy stones with own populations on two of their fields, if there is a stone in reserve."""
    seat = s.turn
    if s.stone_reserve[seat] <= 0:
        return
    for enemy in range(s.seats):
        if enemy != seat:
            for w in range(SITE_WORDS):
                rest = s.stones[enemy][w]
                while rest:
                    site = w * WORD + lowest_bit(rest)
                    rest &= rest - 1
                    if count_own(s, seat, site) >= 2:
                        bit_add(s.sets[2], site)


@rule
def count_own(s: State, seat: int, site: int) -> int:
    """On how many of a corner's fields a player's populations stand."""
    own = 0
    for j in range(3):
        own += int(s.owner[s.site_slot[j][site]] == seat)
    return own


@rule
def count_demons(s: State, site: int) -> int:
    """How many of a corner's fields are demon fields; anchors do not count (DD-5.3b)."""
    dark = 0
    for j in range(3):
        dark += int(bit_has(s.demons, s.site_slot[j][site]))
    return dark
