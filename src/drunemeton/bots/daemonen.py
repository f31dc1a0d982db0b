"""What the search looks at in a position of Druiden und Dämonen, and the levels.

greedy@1 is frozen, and so is all that judges in `daemonen_greedy.py`. The weights here are thousandths of log odds, from a regression of
results on positions (docs/bots.md). What greedy does not see: people who are lost never return, and stones within reach of demons soon
fall.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rules.daemonen.land import Words, adjacent, set_size
from ..rules.daemonen.magic import count_own, reach, within_limit
from ..rules.daemonen.pieces import (
    allowance,
    chosen_set,
    is_anchor,
    people_of,
    stones_of,
)
from ..rules.daemonen.state import (
    ACTION_KINDS,
    CHOOSE_ACTIONS,
    DARK,
    FROM_POOL,
    FROM_RESERVE,
    HALF_MOVE,
    HALF_TEMPLE,
    LIGHT,
    MOVE,
    POPULATE,
    SITE_WORDS,
    WHOLE,
    WORDS,
    State,
)
from ..rules.kernel import WORD, bit_has, lowest_bit, rule
from .daemonen_greedy import ROOM, best_move, hurries, judge, room, site_hope, waiting_fields
from .levels import Strength

__all__ = ["BREADTH", "LEVELS", "SCALE", "SEEN", "judge", "outlook", "seen_as"]

# For the search
SCALE = 1000.0  # how far one outlook must be ahead of another for odds of e to 1
SEEN = 1 << 14  # how many different actions can be seen
BREADTH = 12  # nodes that a simulation adds at most, on average

# Events that are reasons for a move, the weightiest first.
MATTERS = (
    "ended",
    "temple_placed",
    "temple_lost",
    "converted",
    "captured",
    "stone_placed",
    "stone_lost",
    "population_lost",
    "settled",
    "demon_placed",
    "chosen",
)
PLAIN = ("demon_placed", "chosen")  # what these are worth shows in what comes of them
SILENT = ("chosen",)  # what a person is not told as a reason: it says nothing of what comes of it
PLACES = ("cell", "corner", "from")  # where it happens: elsewhere it is the same reason


def gain_and_loss(event: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The seat that gains by an event that matters, and the one that loses by it, where it says so."""
    if event["kind"] in ("stone_lost", "population_lost"):
        return None, event["seat"]
    if event["kind"] in PLAIN:
        return None, None
    return event.get("winner") or event.get("seat"), event.get("owner")


LEVELS = (
    Strength(4, overlook=800),
    Strength(8, overlook=650),
    Strength(14, overlook=490),
    Strength(24, overlook=350),
    Strength(50, overlook=210),
    Strength(100, overlook=100),
    Strength(150, overlook=40, explore=0.2, trust=1.0),
    Strength(300, explore=0.1, trust=1.0),
)

ONE, TWO, THREE = 65, 65, 100  # a free corner with so many own populations around it
CRAMPED = 210  # hardly a field for a new population
DOOMED, ENDANGERED = 300, 150  # a stone that falls with one more demon field, or with two
VISITED = 150  # a stone with others' people around it, which might convert it
DARKNESS = 300  # dark magic may be chosen next time
SPARE_STONE = 60  # a stone in reserve


@rule
def seen_as(s: State, action: int) -> int:
    """A field that is laid is seen as what was drawn, too: what follows from one card says little about another."""
    if s.hand:
        return (action + s.hand * 5261) % SEEN
    return action


@rule
def drawn(s: State) -> int:
    """How much of the pile is gone, in thousandths: the nearer the end, the more points count."""
    return 1000 * s.pile_at // max(1, s.pile_end)


@rule
def person_worth(s: State) -> int:
    """A population on the map."""
    return 250 + 200 * drawn(s) // 1000


@rule
def spare_worth(s: State) -> int:
    """A population in reserve: the regression says as much as on the map, but nobody wins with a reserve that he saves."""
    return 170 - 100 * drawn(s) // 1000


@rule
def stone_worth(s: State) -> int:
    """A stone that nobody threatens."""
    return 60 + 640 * drawn(s) // 1000


@rule
def temple_worth(s: State) -> int:
    """A temple; a field that only waits for one is worth half of it."""
    return 200 + 1080 * drawn(s) // 1000


@rule
def outlook(s: State, seat: int) -> int:
    """What a seat has, may soon have, and may soon lose."""
    people = people_of(s, seat)
    stones = stones_of(s, seat)
    temples = (s.points[seat] - people - 3 * stones) // 5
    worth = people * person_worth(s) + stones * stone_worth(s) + temples * temple_worth(s)
    worth += s.reserve[seat] * spare_worth(s) + s.stone_reserve[seat] * SPARE_STONE
    for site in range(s.sites):
        if s.stone[site] < 0:
            own = count_own(s, seat, site)
            if own > 0 and site_hope(s, seat, site, own) > 0:
                worth += THREE if own == 3 else (TWO if own == 2 else ONE)
    worth += waiting_fields(s, seat) * temple_worth(s) // 2
    if room(s, seat) < 3:
        worth -= CRAMPED
    worth -= danger(s, seat)
    if may_choose(s, seat, DARK):
        worth += DARKNESS
    if s.turn == seat:
        worth += ahead(s, seat)
    return worth


@rule
def may_choose(s: State, seat: int, action: int) -> bool:
    """Whether a seat may choose an action when it next can, as far as bans are known by now."""
    banned = s.last[seat]
    before = s.seats - 1 if seat == 0 else seat - 1
    if s.turn == seat:
        banned = s.banned if s.phase == CHOOSE_ACTIONS and s.chosen_count == 0 else chosen_set(s)
    elif s.turn == before:
        banned |= chosen_set(s)
    return (banned >> action) & 1 == 0


@rule
def doors(s: State, seat: int) -> Words:
    """The fields onto which a player's demons could step."""
    x, y, z = reach(s, seat)
    return adjacent(s, x, y, z, s.conduct)


@rule
def danger(s: State, seat: int) -> int:
    """What demons and conversions threaten."""
    own = s.stones[seat]
    if own[0] | own[1] | own[2] | own[3] == 0:
        return 0
    a = 0
    b = 0
    c = 0
    for other in range(s.seats):
        if other != seat:
            x, y, z = doors(s, other)
            a |= x
            b |= y
            c |= z
    worth = 0
    for w in range(SITE_WORDS):
        rest = s.stones[seat][w]
        while rest:
            site = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            needed = demons_needed(s, site, a, b, c)
            worth += DOOMED if needed == 1 else (ENDANGERED if needed == 2 else 0)
            for j in range(3):
                there = s.owner[s.site_slot[j][site]]
                if there >= 0 and there != seat:
                    worth += VISITED
                    break
    return worth


@rule
def demons_needed(s: State, site: int, x: int, y: int, z: int) -> int:
    """How many more demon fields would fell a stone, if the first may go onto a field of xyz; 0 if none can."""
    dark = 0
    free = 0
    door = 0
    for j in range(3):
        slot = s.site_slot[j][site]
        if bit_has(s.demons, slot):
            dark += 1
        elif not is_anchor(s, slot):
            free += 1
            door += ((x if slot < WORD else (y if slot < 2 * WORD else z)) >> (slot % WORD)) & 1
    return 2 - dark if door > 0 and dark + free >= 2 else 0


@rule
def ahead(s: State, seat: int) -> int:
    """What the own turn still promises."""
    if s.hand:
        return 30 if room(s, seat) < ROOM or hurries(s, seat) else -15
    if s.phase == CHOOSE_ACTIONS:
        return best_plan(s, seat)
    if s.phase > MOVE:
        return 0
    worth = 0
    left = s.left
    if s.half != WHOLE:
        worth = half_step(s, seat)
        left -= 1
    worth += prospect(s, seat, s.phase, left, 0)
    if s.doing == 0 and s.chosen[0] != s.chosen[1]:
        second = s.chosen[1]
        worth += prospect(s, seat, second, allowance(s, seat, second, 0), int(s.phase in (POPULATE, MOVE)))
    return worth


@rule
def best_plan(s: State, seat: int) -> int:
    """What the best choice of two actions promises, or of a second one."""
    chosen = s.chosen[0] if s.chosen_count else -1
    twice = 0
    best = 0  # of the actions chosen once, and the next to it
    beside = 0
    for action in range(ACTION_KINDS):
        if (s.banned >> action) & 1 == 0:
            if chosen < 0 or action == chosen:
                twice = max(twice, prospect(s, seat, action, allowance(s, seat, action, 1), 0))
            if action != chosen:
                once = prospect(s, seat, action, allowance(s, seat, action, 0), 1)
                if once > best:
                    beside = best
                    best = once
                else:
                    beside = max(beside, once)
    if chosen >= 0:
        beside = prospect(s, seat, chosen, allowance(s, seat, chosen, 0), 1)
    return max(twice, best + beside)


@rule
def prospect(s: State, seat: int, action: int, left: int, prepared: int) -> int:
    """What so many steps of an action promise; `prepared` if people can gather first."""
    if action == POPULATE:
        left = min(left + s.trophies[seat] // 2, s.reserve[seat])
        return max(0, person_worth(s) - spare_worth(s)) * left if room(s, seat) > 0 else 0
    if action == LIGHT:
        return light_prospect(s, seat, left, prepared)
    if action == DARK:
        return dark_prospect(s, seat, left)
    if action == MOVE:
        return 40 + 200 * min(2, captures(s, seat)) if left > 0 else 0
    return 60 if room(s, seat) < 3 or hurries(s, seat) else 15


@rule
def light_prospect(s: State, seat: int, left: int, prepared: int) -> int:
    """Temples, stones and conversions within reach."""
    worth = 0
    temples = min(left, waiting_fields(s, seat))
    worth += temples * temple_worth(s) // 2
    left -= temples
    stones = s.stone_reserve[seat]
    value = max(0, stone_worth(s) - THREE - SPARE_STONE)
    hoped = 0
    for site in range(s.sites):
        if left > 0 and stones > 0:
            own = count_own(s, seat, site)
            if own >= 2:
                if s.stone[site] < 0:
                    if own == 3 and within_limit(s, site):
                        worth += value
                        stones -= 1
                        left -= 1
                    elif own == 2:
                        hoped += 1
                elif s.stone[site] != seat:
                    worth += 2 * stone_worth(s)
                    stones -= 1
                    left -= 1
    if prepared:
        worth += min(hoped, left, stones) * (value // 2)
    return worth


@rule
def dark_prospect(s: State, seat: int, left: int) -> int:
    """Others' people and stones that demons can reach."""
    if left <= 0:
        return 0
    x, y, z = doors(s, seat)
    prey = 0
    felled = 0
    for other in range(s.seats):
        if other != seat:
            own = s.people[other]
            held = s.anchors[other]
            prey += set_size(x & own[0] & ~held[0], y & own[1] & ~held[1], z & own[2] & ~held[2])
            for w in range(SITE_WORDS):
                rest = s.stones[other][w]
                while rest:
                    needed = demons_needed(s, w * WORD + lowest_bit(rest), x, y, z)
                    rest &= rest - 1
                    if 0 < needed <= left:
                        felled += 1
    return (person_worth(s) * min(prey, left) + stone_worth(s) * min(felled, left)) * 3 // 4


@rule
def captures(s: State, seat: int) -> int:
    """How many of the others' people could be captured."""
    x, y, z = hunted(s, seat)
    return set_size(x, y, z)


@rule
def hunted(s: State, seat: int) -> Words:
    """The others' people that a player could capture."""
    own = s.people[seat]
    held = s.anchors[seat]
    gone = s.turn == seat and s.phase == MOVE
    a = own[0] & ~held[0] & ~(s.moved[0] if gone else 0)
    b = own[1] & ~held[1] & ~(s.moved[1] if gone else 0)
    c = own[2] & ~held[2] & ~(s.moved[2] if gone else 0)
    i = 0
    j = 0
    k = 0
    if set_size(a, b, c) < 3:
        return i, j, k
    x, y, z = adjacent(s, a, b, c, 1)
    for other in range(s.seats):
        if other != seat:
            for w in range(WORDS):
                rest = s.people[other][w] & ~s.anchors[other][w] & (x if w == 0 else (y if w == 1 else z))
                while rest:
                    slot = w * WORD + lowest_bit(rest)
                    bit = rest & -rest
                    rest &= rest - 1
                    p = s.near[0][slot]
                    q = s.near[1][slot]
                    r = s.near[2][slot]
                    if bit_has(s.gate, slot):
                        p |= s.gate[0]
                        q |= s.gate[1]
                        r |= s.gate[2]
                    if set_size(p & a, q & b, r & c) >= 3:
                        i |= bit if w == 0 else 0
                        j |= bit if w == 1 else 0
                        k |= bit if w == 2 else 0
    return i, j, k


@rule
def half_step(s: State, seat: int) -> int:
    """The best end of a half-made step."""
    if s.half == HALF_MOVE:
        return best_move(s, seat)
    if s.half == HALF_TEMPLE:
        return temple_worth(s) // 2 if (s.small >> FROM_POOL) & 1 else 0
    return max(0, stone_worth(s) - THREE - SPARE_STONE) if (s.small >> FROM_RESERVE) & 1 else 0
