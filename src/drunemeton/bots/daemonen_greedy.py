"""What a position of Druiden und Dämonen is worth to the greedy player, at a glance.

A turn is a walk through small decisions, and the greedy player looks one of them ahead. So the judgement also says what the actions
that were chosen can still bring, and what the best end of a half-made step is worth.
"""

from __future__ import annotations

from ..rules.daemonen.land import adjacent, free_fields, set_size
from ..rules.daemonen.magic import count_own, reach, within_limit
from ..rules.daemonen.pieces import (
    allowance,
    holder,
    people_of,
    put_stone,
    stone_fields,
    take_stone,
)
from ..rules.daemonen.play import place_of
from ..rules.daemonen.state import (
    CHOOSE_ACTIONS,
    DARK,
    FROM_POOL,
    FROM_RESERVE,
    HALF_MOVE,
    HALF_STONE,
    HALF_TEMPLE,
    LIGHT,
    MOVE,
    OVER,
    POPULATE,
    SCOUT,
    SITE_WORDS,
    WORDS,
    State,
)
from ..rules.kernel import WORD, bit_has, count_bits, lowest_bit, rule

WIN = 1_000_000
POINT = 100
OWN = 2  # an own point is worth so many of the others'
READY = 110  # a corner that only waits for its stone
TEMPLE_READY = 380  # a field that only waits for its temple
ROOM = 8  # fields for new populations that are enough for some turns


@rule
def judge(s: State, seat: int) -> int:
    """The own position against the others', and what the rest of the own turn promises."""
    own = OWN * position(s, seat)
    others = 0
    for other in range(s.seats):
        if other != seat:
            others += position(s, other)
    worth = own - others // (s.seats - 1)
    if s.phase == OVER:
        return (s.seats - place_of(s, seat)) * WIN + worth
    if s.turn == seat:
        worth += OWN * rest_of_turn(s, seat)
    return worth


# --- The position --------------------------------------------------------------------------------------------------


@rule
def position(s: State, seat: int) -> int:
    """Points, corners where a stone could soon stand, fields that wait for a temple, room to grow."""
    worth = POINT * s.points[seat] + hopes(s, seat)
    space = room(s, seat)
    worth += 4 * (space if space < ROOM else ROOM)
    for w in range(WORDS):
        worth -= 15 * count_bits(s.anchors[seat][w])
    return worth


@rule
def hopes(s: State, seat: int) -> int:
    """What the corners and fields around the own people promise."""
    worth = 0
    for site in range(s.sites):
        if s.stone[site] < 0:
            worth += site_hope(s, seat, site, count_own(s, seat, site))
    return worth + TEMPLE_READY * waiting_fields(s, seat)


@rule
def site_hope(s: State, seat: int, site: int, own: int) -> int:
    """What a free corner is worth with so many own populations around it: more where it would complete a temple's stones."""
    if s.stone_reserve[seat] <= 0:
        return 0
    best = 0
    for j in range(3):
        slot = s.site_slot[j][site]
        if not bit_has(s.stand, slot) or bit_has(s.demons, slot) or s.stones_at[slot] >= 3:
            return 0
        if s.owner[slot] >= 0 and s.owner[slot] != seat and own < 2:
            return 0
        best = max(best, s.stones_at[slot])
    if own >= 2 and not within_limit(s, site):
        return 0
    worth = READY if own == 3 else (32 if own == 2 else (8 if own == 1 else 1))
    return worth + worth * best // 2


@rule
def waiting_fields(s: State, seat: int) -> int:
    """How many fields have three stones, most of them own, and no temple yet."""
    if s.temple_pool <= 0:
        return 0
    found = 0
    x, y, z = stone_fields(s, seat)
    for w in range(WORDS):
        rest = (x if w == 0 else (y if w == 1 else z)) & ~s.temples[w]
        while rest:
            slot = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            if s.stones_at[slot] >= 3 and holder(s, slot) == seat:
                found += 1
    return found


@rule
def room(s: State, seat: int) -> int:
    """How many fields a new population could take."""
    if s.reserve[seat] <= 0:
        return ROOM
    own = s.people[seat]
    x, y, z = stone_fields(s, seat)
    a, b, c = adjacent(s, own[0], own[1], own[2], 1)
    p, q, r = free_fields(s)
    if own[0] | own[1] | own[2] | x | y | z == 0:
        return set_size(p, q, r)
    return set_size((a | x) & p, (b | y) & q, (c | z) & r)


# --- The rest of the turn ------------------------------------------------------------------------------------------


@rule
def rest_of_turn(s: State, seat: int) -> int:
    """What the chosen actions still promise."""
    if s.hand:
        return 12 if room(s, seat) < ROOM or hurries(s, seat) else -6
    if s.phase == CHOOSE_ACTIONS:
        if s.chosen_count == 0:
            return 0
        best = 0
        for action in range(MOVE + 1):
            if (s.banned >> action) & 1 == 0:
                both = plan(s, seat, s.chosen[0], action)
                best = max(best, both)
        return best
    if s.phase > MOVE:
        return 0
    worth = half_made(s, seat)
    if s.half == 0:
        worth = in_progress(s, seat)
    if s.doing == 0 and s.chosen[0] != s.chosen[1]:
        worth += promise(s, seat, s.chosen[1], 0, s.chosen[0])
    return worth


@rule
def hurries(s: State, seat: int) -> bool:
    """Whether the end of the pile would suit a player: he leads, and has hardly anybody left to place."""
    for other in range(s.seats):
        if other != seat and s.points[other] >= s.points[seat]:
            return False
    return s.reserve[seat] <= 4


@rule
def plan(s: State, seat: int, first: int, second: int) -> int:
    """What two actions promise together."""
    if first == second:
        return promise(s, seat, first, 1, -1)
    return promise(s, seat, first, 0, -1) + promise(s, seat, second, 0, first)


@rule
def promise(s: State, seat: int, action: int, twice: int, before: int) -> int:
    """What an action promises before it has begun; `before` is the one that comes first and may prepare it."""
    if action == POPULATE:
        return new_people(s, seat, allowance(s, seat, POPULATE, twice))
    if action == LIGHT:
        prepared = int(before in (POPULATE, MOVE))
        return light_promise(s, seat, allowance(s, seat, LIGHT, twice), prepared)
    if action == MOVE:
        people = people_of(s, seat)
        most = allowance(s, seat, MOVE, twice)
        return 12 * (people if people < most else most)
    if action == SCOUT:
        lacking = ROOM - room(s, seat)
        if hurries(s, seat):
            lacking = ROOM
        return 15 + (12 + 6 * twice) * (lacking if lacking > 0 else 0)
    return dark_promise(s, seat, allowance(s, seat, DARK, twice))


@rule
def new_people(s: State, seat: int, left: int) -> int:
    """What so many placements bring: a little less than the points themselves."""
    left = min(left, s.reserve[seat])
    if left <= 0 or room(s, seat) == 0:
        return 0
    return 90 * left + s.trophies[seat] // s.exchange_price * 40


@rule
def light_promise(s: State, seat: int, left: int, prepared: int) -> int:
    """Temples, stones and conversions that are within reach; corners with two own populations too if others can join first."""
    worth = 0
    temples = waiting_fields(s, seat)
    while temples > 0 and left > 0:
        worth += 5 * POINT - TEMPLE_READY - 20
        temples -= 1
        left -= 1
    stones = s.stone_reserve[seat]
    hoped = 0
    for site in range(s.sites):
        if left > 0 and stones > 0:
            own = count_own(s, seat, site)
            if own >= 2:
                if s.stone[site] < 0:
                    if own == 3 and within_limit(s, site):
                        worth += 3 * POINT - READY - 20
                        stones -= 1
                        left -= 1
                    elif prepared and site_hope(s, seat, site, 2) > 0:
                        hoped += 1
                elif s.stone[site] != seat:
                    worth += 4 * POINT
                    stones -= 1
                    left -= 1
    while hoped > 0 and left > 0 and stones > 0:
        worth += 80
        hoped -= 1
        left -= 1
        stones -= 1
    return worth


@rule
def dark_promise(s: State, seat: int, left: int) -> int:
    """Enemy populations that demons can reach."""
    x, y, z = reach(s, seat)
    x, y, z = adjacent(s, x, y, z, s.conduct)
    prey = 0
    for other in range(s.seats):
        if other != seat:
            own = s.people[other]
            held = s.anchors[other]
            prey += set_size(x & own[0] & ~held[0], y & own[1] & ~held[1], z & own[2] & ~held[2])
    left = min(left, s.demon_pool)
    return 10 + 45 * (prey if prey < left else left)


@rule
def in_progress(s: State, seat: int) -> int:
    """What is left of the action that is being carried out."""
    if s.phase == POPULATE:
        return new_people(s, seat, s.left)
    if s.phase == LIGHT:
        return light_promise(s, seat, s.left, 0)
    return 0


@rule
def half_made(s: State, seat: int) -> int:
    """The best end of a half-made step, and what is left after it."""
    if s.half == HALF_MOVE:
        return best_move(s, seat)
    if s.half == HALF_TEMPLE:
        gain = 5 * POINT - TEMPLE_READY if (s.small >> FROM_POOL) & 1 else 0
        return gain + light_promise(s, seat, s.left - 1, 0)
    if s.half == HALF_STONE:
        best = -WIN
        now = hopes(s, seat)
        if (s.small >> FROM_RESERVE) & 1:
            put_stone(s, seat, s.half_at)
            best = 3 * POINT + hopes(s, seat) - now + light_promise(s, seat, s.left - 1, 0)
            take_stone(s, s.half_at)
        for w in range(SITE_WORDS):
            rest = s.sets[0][w]
            while rest:
                source = w * WORD + lowest_bit(rest)
                rest &= rest - 1
                lost = 0
                take_stone(s, source)
                put_stone(s, seat, s.half_at)
                for j in range(3):
                    slot = s.site_slot[j][source]
                    if bit_has(s.temples, slot) and s.stones_at[slot] < 3:
                        lost = 5 * POINT
                gain = hopes(s, seat) - now - lost + light_promise(s, seat, s.left - 1, 0)
                take_stone(s, s.half_at)
                put_stone(s, seat, source)
                best = max(best, gain)
        return best
    return 0


@rule
def best_move(s: State, seat: int) -> int:
    """What the chosen population gains on the best field it can go to."""
    here = s.half_at
    s.owner[here] = -1
    leaving = stay(s, seat, here)
    best = -WIN
    for w in range(WORDS):
        rest = s.sets[0][w]
        while rest:
            slot = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            enemy = s.owner[slot]
            s.owner[slot] = -1
            gain = stay(s, seat, slot)
            s.owner[slot] = enemy
            if enemy >= 0:
                gain += 120
            best = max(best, gain)
    s.owner[here] = seat
    return best - leaving


@rule
def stay(s: State, seat: int, slot: int) -> int:
    """What a population on an empty field adds to the hopes of the corners around it."""
    worth = 0
    for k in range(6):
        site = s.site_of[k][slot]
        if site >= 0 and s.stone[site] < 0:
            own = count_own(s, seat, site)
            worth += site_hope(s, seat, site, own + 1) - site_hope(s, seat, site, own)
    return worth
