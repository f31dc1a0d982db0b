"""The growing map: laying fields, what touches what, sets of fields and how they spread. Topology changes here and nowhere else."""

from __future__ import annotations

from ..kernel import MOVES, WORD, bit_add, bit_has, count_bits, lowest_bit, rule
from .state import (
    DISCARD,
    EMPTY,
    FOREST,
    FRONTIER,
    LAND,
    MOUNTAIN,
    NO_CARD,
    OUT,
    PORTAL,
    SCOUT,
    SETUP,
    STEP,
    WORDS,
    State,
)

Words = tuple[int, int, int]
LANES = 0x1041  # direction 0 of each terrain in a word of needs

# --- Sides ---------------------------------------------------------------------------------------------------------


@rule
def side(sides: int, k: int) -> int:
    """The terrain in direction k."""
    return (sides >> (2 * k)) & 3


@rule
def turned(card: int, rotation: int) -> int:
    """The sides of a card as they lie: printed side i in direction i + rotation."""
    return ((card << (2 * rotation)) | (card >> (12 - 2 * rotation))) & 0xFFF


@rule
def looks(card: int) -> int:
    """In how many ways a card can lie: 1, 2, 3 or 6 different rotations."""
    if turned(card, 1) == card:
        return 1
    if turned(card, 2) == card:
        return 2
    if turned(card, 3) == card:
        return 3
    return 6


@rule
def needs(sides: int) -> int:
    """The sides as a set: bit (terrain - 1) * 6 + direction."""
    found = 0
    for k in range(6):
        found |= 1 << ((side(sides, k) - 1) * 6 + k)
    return found


# --- Laying --------------------------------------------------------------------------------------------------------


@rule
def lay(s: State, cell: int, sides: int) -> None:
    """DD-3.1, 3.2: put land, a portal or a hexagon of the centre (0) onto a cell, and keep the map's tables up to date."""
    slot = s.laid
    s.laid += 1
    if s.at[cell] <= FRONTIER:
        leave_frontier(s, FRONTIER - s.at[cell])
    s.at[cell] = slot
    s.cell[slot] = cell
    s.sides[slot] = sides
    for k in range(6):
        there = s.at[cell + STEP[k]]
        if there >= 0:
            link(s, slot, there)
        elif there != OUT:
            i = FRONTIER - there
            if there == EMPTY:
                i = join_frontier(s, cell + STEP[k])
            back = (k + 3) % 6
            s.front_by[i] |= 1 << back
            if sides >= LAND:
                s.front_need[i] |= 1 << ((side(sides, k) - 1) * 6 + back)
    if sides >= LAND:
        bit_add(s.land, slot)
        walls = 0
        for k in range(6):
            walls += int(side(sides, k) == MOUNTAIN)
        if walls <= 4:
            bit_add(s.stand, slot)
        for k in range(6):
            found_site(s, slot, k)


@rule
def join_frontier(s: State, cell: int) -> int:
    """An empty cell now touches something."""
    i = s.front_count
    s.front_count += 1
    s.front[i] = cell
    s.at[cell] = FRONTIER - i
    return i


@rule
def leave_frontier(s: State, i: int) -> None:
    """A frontier cell is filled; the last one takes its place."""
    s.front_count -= 1
    last = s.front_count
    if i != last:
        s.front[i] = s.front[last]
        s.front_by[i] = s.front_by[last]
        s.front_need[i] = s.front_need[last]
        s.front_dark[i] = s.front_dark[last]
        s.at[s.front[i]] = FRONTIER - i
    s.front[last] = 0
    s.front_by[last] = 0
    s.front_need[last] = 0
    s.front_dark[last] = 0


@rule
def link(s: State, a: int, b: int) -> None:
    """DD-2.1: two slots touch; a portal opens its neighbour to all other portals' neighbours."""
    if s.sides[a] == PORTAL:
        if s.sides[b] != PORTAL:
            bit_add(s.gate, b)
    elif s.sides[b] == PORTAL:
        bit_add(s.gate, a)
    else:
        s.near[b // WORD][a] |= 1 << (b % WORD)
        s.near[a // WORD][b] |= 1 << (a % WORD)


@rule
def found_site(s: State, slot: int, k: int) -> None:
    """DD-1.2, 1.3, 5.4: if corner k of the new land is complete and has two forest edges, a stone may stand there."""
    cell = s.cell[slot]
    j = (k + 1) % 6
    a = s.at[cell + STEP[k]]
    b = s.at[cell + STEP[j]]
    if a < 0 or b < 0:
        return
    own = s.sides[slot]
    left = s.sides[a]
    right = s.sides[b]
    if left < LAND or right < LAND:
        return
    edges = int(side(own, k) == FOREST and side(left, (k + 3) % 6) == FOREST)
    edges += int(side(own, j) == FOREST and side(right, (k + 4) % 6) == FOREST)
    edges += int(side(left, (k + 2) % 6) == FOREST and side(right, (k + 5) % 6) == FOREST)
    if edges < 2:
        return
    site = s.sites
    s.sites += 1
    for turn in range(3):
        slot_there = slot if turn == 0 else (a if turn == 1 else b)
        corner = (k + 2 * turn) % 6
        s.site_slot[turn][site] = slot_there
        s.site_of[corner][slot_there] = site
        if corner < 2:
            s.site_name[site] = s.cell[slot_there] * 2 + corner


@rule
def site_at(s: State, name: int) -> int:
    """The site with that name (cell * 2 + corner), -1 if no stone can stand there."""
    slot = s.at[name >> 1]
    if slot < 0:
        return -1
    return s.site_of[name & 1][slot]


# --- The card in hand ----------------------------------------------------------------------------------------------


@rule
def take_card(s: State, seat: int, card: int) -> None:
    """DD-3.3: the pile's next card is in a player's hand, and that counts as a draw."""
    s.turn = seat
    s.hand = card
    s.pile[s.pile_at] = NO_CARD
    s.pile_at += 1
    if s.phase == SETUP:
        s.set_up += 1
    else:
        s.left -= 1


@rule
def put_card(s: State, cell: int, sides: int) -> None:
    """The card in hand lies on the table now."""
    forget_fits(s)
    lay(s, cell, sides)
    empty_hand(s)


@rule
def discard(s: State) -> None:
    """DD-3.3: the card in hand fits nowhere, or is declined."""
    forget_fits(s)
    s.discarded[s.discards] = s.hand
    s.discards += 1
    empty_hand(s)


@rule
def empty_hand(s: State) -> None:
    """DD-4.1: in the set-up the next player follows after so many draws."""
    s.hand = NO_CARD
    if s.phase == SETUP and s.set_up == s.setup_fields:
        s.set_up = 0
        s.turn = next_seat(s, s.turn)


@rule
def next_seat(s: State, seat: int) -> int:
    """Clockwise."""
    return 0 if seat + 1 == s.seats else seat + 1


@rule
def forget_fits(s: State) -> None:
    """The question where to lay is answered."""
    for i in range(s.front_count):
        s.fit[i] = 0


@rule
def find_lays(s: State) -> int:
    """DD-3.1 to 3.3: note where and how the card in hand may lie; answers in how many ways."""
    found = 0
    if s.hand == PORTAL:
        for i in range(s.front_count):
            s.fit[i] = 1
        found = s.front_count
    else:
        ways = looks(s.hand)
        printed = needs(s.hand)
        alone = s.radius == 0 and s.laid == 1
        anchors = s.anchors[s.turn]
        anchored = anchors[0] | anchors[1] | anchors[2]
        for i in range(s.front_count):
            by = s.front_by[i]
            fits = 0
            if by & (by - 1) or alone:
                dark = s.front_dark[i]
                if anchored:
                    dark |= own_anchors_around(s, s.front[i])
                need = s.front_need[i] & ~(dark * LANES)
                shown = printed
                for rotation in range(ways):
                    if need & ~shown == 0:
                        fits |= 1 << rotation
                    shown = ((shown << 1) & ~LANES) | ((shown >> 5) & LANES)
            # The list of moves is finite; only a set with dozens of portals could ever come near its end.
            if found + count_bits(fits) >= MOVES:
                fits = 0
            s.fit[i] = fits
            found += count_bits(fits)
    if found == 0 or (s.may_decline and s.phase == SCOUT and s.hand != PORTAL):
        s.small |= 1 << DISCARD
    return found


@rule
def own_anchors_around(s: State, cell: int) -> int:
    """DD-3.1: directions in which anchors of the layer lie, as bits."""
    found = 0
    for k in range(6):
        slot = s.at[cell + STEP[k]]
        if slot >= 0 and bit_has(s.anchors[s.turn], slot):
            found |= 1 << k
    return found


# --- Sets of fields ------------------------------------------------------------------------------------------------


@rule
def touching(s: State, x: int, y: int, z: int) -> Words:
    """DD-2.1: the land and centre fields that touch a field of the set."""
    a = 0
    b = 0
    c = 0
    for w in range(WORDS):
        rest = x if w == 0 else (y if w == 1 else z)
        while rest:
            i = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            a |= s.near[0][i]
            b |= s.near[1][i]
            c |= s.near[2][i]
    return a, b, c


@rule
def adjacent(s: State, x: int, y: int, z: int, portals: int) -> Words:
    """DD-2.1, 2.2: the fields that are adjacent to a field of the set; without portals, that touch one."""
    a, b, c = touching(s, x, y, z)
    if portals and ((x & s.gate[0]) | (y & s.gate[1]) | (z & s.gate[2])):
        a |= s.gate[0]
        b |= s.gate[1]
        c |= s.gate[2]
    return a, b, c


@rule
def spread(s: State, x: int, y: int, z: int, u: int, v: int, w: int, portals: int) -> Words:
    """The set xyz and everything that hangs on it within uvw."""
    i = x
    j = y
    k = z
    while i | j | k:
        a, b, c = adjacent(s, i, j, k, portals)
        i = a & u & ~x
        j = b & v & ~y
        k = c & w & ~z
        x |= i
        y |= j
        z |= k
    return x, y, z


@rule
def free_fields(s: State) -> Words:
    """DD-3.4: where a population could stand: suitable land, no demon field, nobody there."""
    return free_word(s, 0), free_word(s, 1), free_word(s, 2)


@rule
def free_word(s: State, w: int) -> int:
    """One word of the free fields."""
    taken = s.demons[w] | s.people[0][w] | s.people[1][w] | s.people[2][w] | s.people[3][w]
    return s.stand[w] & ~taken


@rule
def slot_word(slot: int, w: int) -> int:
    """One word of the set that holds a single slot."""
    return 1 << (slot % WORD) if slot // WORD == w else 0


@rule
def set_size(x: int, y: int, z: int) -> int:
    """How many fields a set holds."""
    return count_bits(x) + count_bits(y) + count_bits(z)
