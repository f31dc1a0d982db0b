"""What can be counted of a position of Druiden und Dämonen: a row of whole numbers for each seat, from which a judgement is learnt.

What is true of the whole table (how late it is, how many play) stands in every row: on its own it favours nobody, but a network may weigh
the rest by it. `late` runs from 0 to 16 over the second half of the pile.
"""

from __future__ import annotations

from ..rules.daemonen.land import adjacent, set_size
from ..rules.daemonen.magic import count_own
from ..rules.daemonen.pieces import people_of, stones_of
from ..rules.daemonen.state import (
    ACTION_KINDS,
    CHOOSE_ACTIONS,
    DARK,
    LIGHT,
    MOVE,
    POPULATE,
    SETUP,
    SITE_WORDS,
    WHOLE,
    State,
)
from ..rules.kernel import WORD, Grid, Row, bit_has, lowest_bit, rule
from .daemonen import ahead, demons_needed, doors, drawn, hunted, may_choose
from .daemonen_greedy import hurries, room, site_hope, waiting_fields

NAMES = (
    *("people", "people late", "anchors", "exposed", "exposed late", "exposed to open dark", "near", "near late"),
    *("hunted", "hunted by open move", "prey", "prey of open dark", "hunts", "hunts with open move"),
    *("reserve", "reserve late", "settlers", "settlers with open populate", "trophies", "few people"),
    *("stones", "stones late", "stones in reserve", "no stone in reserve", "temples", "temples late", "waiting", "waiting late"),
    *("ones", "twos", "threes", "threes late", "threes with open light", "converts", "converts with open light"),
    *(
        "doomed",
        "doomed late",
        "doomed to open dark",
        "doomed temples",
        "endangered",
        "visited",
        "convertible",
        "convertible by open light",
    ),
    *("no room", "little room", "room", "hurries"),
    *("points", "points from 18", "points from 24", "points from 30", "lead", "lead late", "behind", "behind late"),
    *("may dark", "may light", "may scout", "may populate", "may move"),
    *("on turn", "choosing", "choosing second", "laying", "half a step"),
    *("doing dark", "doing light", "doing scout", "doing populate", "doing move", "setting up"),
    *("left dark", "left light", "left scout", "left populate", "left move"),
    *("next dark", "next light", "next scout", "next populate", "next move"),
    *("promise choosing", "promise doing", "promise late", "second to come", "third to come"),
    *("late", "drawn", "three play", "four play", "pool of demons", "no temple in the pool"),
)
COLUMNS = len(NAMES)
PEOPLE, PEOPLE_LATE, ANCHORS, EXPOSED, EXPOSED_LATE, EXPOSED_OPEN, NEAR, NEAR_LATE = range(0, 8)
HUNTED, HUNTED_OPEN, PREY, PREY_OPEN, HUNTS, HUNTS_OPEN = range(8, 14)
RESERVE, RESERVE_LATE, SETTLERS, SETTLERS_OPEN, TROPHIES, FEW = range(14, 20)
STONES, STONES_LATE, SPARE, NO_SPARE, TEMPLES, TEMPLES_LATE, WAITING, WAITING_LATE = range(20, 28)
ONES, TWOS, THREES, THREES_LATE, THREES_OPEN, CONVERTS, CONVERTS_OPEN = range(28, 35)
DOOMED, DOOMED_LATE, DOOMED_OPEN, DOOMED_TEMPLES, ENDANGERED, VISITED, CONVERTIBLE, CONVERTIBLE_OPEN = range(35, 43)
NO_ROOM, LITTLE_ROOM, ROOM, HURRIES = range(43, 47)
POINTS, FROM_18, FROM_24, FROM_30, LEAD, LEAD_LATE, BEHIND, BEHIND_LATE = range(47, 55)
(MAY, ON_TURN, CHOOSING, SECOND, LAYING, HALF, DOING, SETTING_UP, LEFT, NEXT) = (55, 60, 61, 62, 63, 64, 65, 70, 71, 76)
(PROMISE_CHOOSING, PROMISE_DOING, PROMISE_LATE, TO_COME, LATE) = (81, 82, 83, 84, 86)
(DRAWN, THREE_PLAY, FOUR_PLAY, POOL, NO_TEMPLE) = range(87, 92)
# Behind the columns of a row: the fields that a seat's demons could step onto, and the people it could capture.
DOORS, PREYED = COLUMNS, COLUMNS + 3
WIDTH = COLUMNS + 6
ALL_LATE = 16


@rule
def survey(s: State, rows: Grid) -> None:
    """Count what there is, for every seat."""
    late = max(0, drawn(s) - 500) * ALL_LATE // 500
    for seat in range(s.seats):
        row = rows[seat]
        for i in range(COLUMNS):
            row[i] = 0
        row[DOORS], row[DOORS + 1], row[DOORS + 2] = doors(s, seat)
        row[PREYED], row[PREYED + 1], row[PREYED + 2] = hunted(s, seat)
    for seat in range(s.seats):
        count_people(s, seat, rows, late)
        count_stones(s, seat, rows, late)
        count_course(s, seat, rows[seat], late)
    count_corners(s, rows)
    for seat in range(s.seats):
        row = rows[seat]
        row[THREES_LATE] = row[THREES] * late
        if may_do(s, seat, LIGHT):
            row[THREES_OPEN] = row[THREES]
            row[CONVERTS_OPEN] = row[CONVERTS]


@rule
def may_do(s: State, seat: int, action: int) -> bool:
    """Whether an action is still to come in a seat's turn, or may be chosen when it next can choose."""
    if s.turn == seat and s.chosen_count == 2 and (s.phase == action or (s.doing == 0 and s.chosen[1] == action)):
        return True
    return may_choose(s, seat, action)


@rule
def doors_of_others(s: State, seat: int, rows: Grid, next_turn: bool) -> tuple[int, int, int]:
    """Where the demons of the others reach: of all, or of those who may do dark magic next."""
    a, b, c = 0, 0, 0
    for other in range(s.seats):
        if other != seat and (not next_turn or may_do(s, other, DARK)):
            there = rows[other]
            a |= there[DOORS]
            b |= there[DOORS + 1]
            c |= there[DOORS + 2]
    return a, b, c


@rule
def count_people(s: State, seat: int, rows: Grid, late: int) -> None:
    """People, where they stand, and who threatens whom."""
    row = rows[seat]
    own = s.people[seat]
    held = s.anchors[seat]
    a, b, c = doors_of_others(s, seat, rows, False)
    p, q, r = doors_of_others(s, seat, rows, True)
    u, v, w = 0, 0, 0
    for other in range(s.seats):
        if other != seat:
            there = rows[other]
            hunts = set_size(there[PREYED] & own[0], there[PREYED + 1] & own[1], there[PREYED + 2] & own[2])
            row[HUNTED] += hunts
            if may_do(s, other, MOVE):
                row[HUNTED_OPEN] += hunts
            theirs = s.people[other]
            fast = s.anchors[other]
            u |= theirs[0] & ~fast[0]
            v |= theirs[1] & ~fast[1]
            w |= theirs[2] & ~fast[2]
    people = people_of(s, seat)
    x, y, z = own[0] & ~held[0], own[1] & ~held[1], own[2] & ~held[2]
    row[PEOPLE] = people
    row[PEOPLE_LATE] = people * late
    row[ANCHORS] = set_size(held[0], held[1], held[2])
    row[EXPOSED] = set_size(a & x, b & y, c & z)
    row[EXPOSED_LATE] = row[EXPOSED] * late
    row[EXPOSED_OPEN] = set_size(p & x, q & y, r & z)
    d, e, f = adjacent(s, a, b, c, s.conduct)
    row[NEAR] = set_size(d & ~a & x, e & ~b & y, f & ~c & z)
    row[NEAR_LATE] = row[NEAR] * late
    row[PREY] = set_size(row[DOORS] & u, row[DOORS + 1] & v, row[DOORS + 2] & w)
    row[HUNTS] = set_size(row[PREYED], row[PREYED + 1], row[PREYED + 2])
    if may_do(s, seat, DARK):
        row[PREY_OPEN] = row[PREY]
    if may_do(s, seat, MOVE):
        row[HUNTS_OPEN] = row[HUNTS]
    row[RESERVE] = s.reserve[seat]
    row[RESERVE_LATE] = s.reserve[seat] * late
    row[TROPHIES] = s.trophies[seat]
    row[FEW] = max(0, 4 - people)


@rule
def count_stones(s: State, seat: int, rows: Grid, late: int) -> None:
    """Stones and temples, and what threatens them."""
    row = rows[seat]
    stones = stones_of(s, seat)
    temples = (s.points[seat] - people_of(s, seat) - 3 * stones) // 5
    waiting = waiting_fields(s, seat)
    row[STONES] = stones
    row[STONES_LATE] = stones * late
    row[SPARE] = s.stone_reserve[seat]
    row[NO_SPARE] = int(s.stone_reserve[seat] == 0)
    row[TEMPLES] = temples
    row[TEMPLES_LATE] = temples * late
    row[WAITING] = waiting
    row[WAITING_LATE] = waiting * late
    row[SETTLERS] = min(s.reserve[seat], 2 + temples)
    if may_do(s, seat, POPULATE):
        row[SETTLERS_OPEN] = row[SETTLERS]
    if stones == 0:
        return
    a, b, c = doors_of_others(s, seat, rows, False)
    p, q, r = doors_of_others(s, seat, rows, True)
    for word in range(SITE_WORDS):
        rest = s.stones[seat][word]
        while rest:
            site = word * WORD + lowest_bit(rest)
            rest &= rest - 1
            needed = demons_needed(s, site, a, b, c)
            if needed == 1:
                row[DOOMED] += 1
                row[DOOMED_LATE] += late
                row[DOOMED_OPEN] += int(demons_needed(s, site, p, q, r) == 1)
                for j in range(3):
                    row[DOOMED_TEMPLES] += int(bit_has(s.temples, s.site_slot[j][site]))
            elif needed == 2:
                row[ENDANGERED] += 1
            count_visitors(s, seat, site, row)


@rule
def count_visitors(s: State, seat: int, site: int, row: Row) -> None:
    """Others' people at a stone: one visits, two can convert it."""
    for j in range(3):
        other = s.owner[s.site_slot[j][site]]
        if other >= 0 and other != seat:
            row[VISITED] += 1
            if s.stone_reserve[other] > 0 and count_own(s, other, site) >= 2:
                row[CONVERTIBLE] += 1
                row[CONVERTIBLE_OPEN] += int(may_do(s, other, LIGHT))
                return


@rule
def count_corners(s: State, rows: Grid) -> None:
    """Free corners by how many own people stand around them, and others' stones that two of them can convert."""
    for site in range(s.sites):
        stone = s.stone[site]
        for j in range(3):
            seat = s.owner[s.site_slot[j][site]]
            # Each owner once: not if he stands on a field before this one.
            if seat < 0 or (j > 0 and s.owner[s.site_slot[0][site]] == seat) or (j > 1 and s.owner[s.site_slot[1][site]] == seat):
                continue
            own = count_own(s, seat, site)
            if stone < 0:
                if site_hope(s, seat, site, own) > 0:
                    rows[seat][ONES + own - 1] += 1
            elif stone != seat and own >= 2 and s.stone_reserve[seat] > 0:
                rows[seat][CONVERTS] += 1


@rule
def count_course(s: State, seat: int, row: Row, late: int) -> None:
    """Room, points, bans, whose turn it is and what it still promises."""
    space = room(s, seat)
    row[NO_ROOM] = int(space == 0)
    row[LITTLE_ROOM] = int(space < 3)
    row[ROOM] = min(space, 8)
    row[HURRIES] = int(hurries(s, seat))
    count_points(s, seat, row, late)
    for action in range(ACTION_KINDS):
        row[MAY + action] = int(may_choose(s, seat, action))
    row[LATE] = late
    row[DRAWN] = drawn(s) * ALL_LATE // 1000
    row[THREE_PLAY] = int(s.seats == 3)
    row[FOUR_PLAY] = int(s.seats == 4)
    row[POOL] = s.demon_pool
    row[NO_TEMPLE] = int(s.temple_pool <= 0)
    if s.turn != seat:
        behind = (seat - s.turn + s.seats) % s.seats
        if behind > 1:
            row[TO_COME + behind - 2] = 1
        return
    row[ON_TURN] = 1
    row[LAYING] = int(s.hand != 0)
    row[HALF] = int(s.half != WHOLE)
    promise = ahead(s, seat) // 16
    row[PROMISE_LATE] = promise * late // ALL_LATE
    if s.phase == CHOOSE_ACTIONS:
        row[CHOOSING] = 1
        row[SECOND] = int(s.chosen_count > 0)
        row[PROMISE_CHOOSING] = promise
    elif s.phase == SETUP:
        row[SETTING_UP] = 1
    else:
        row[PROMISE_DOING] = promise
        row[DOING + s.phase] = 1
        row[LEFT + s.phase] = s.left
        if s.doing == 0 and s.chosen[0] != s.chosen[1]:
            row[NEXT + s.chosen[1]] = 1


@rule
def count_points(s: State, seat: int, row: Row, late: int) -> None:
    """Points, how near the end they are, and the distance to the best of the others."""
    points = s.points[seat]
    best = 0
    for other in range(s.seats):
        if other != seat:
            best = max(best, s.points[other])
    row[POINTS] = points
    row[FROM_18] = max(0, points - s.win // 2)
    row[FROM_24] = max(0, points - 2 * s.win // 3)
    row[FROM_30] = max(0, points - 5 * s.win // 6)
    row[LEAD] = max(0, points - best)
    row[LEAD_LATE] = row[LEAD] * late
    row[BEHIND] = max(0, best - points)
    row[BEHIND_LATE] = row[BEHIND] * late
