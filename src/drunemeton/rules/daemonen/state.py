"""The record of Druiden und Dämonen: what lies on the table, and the names of small integers.

A *cell* is a place of the plane, `(r + 16) * 33 + q + 16`; its neighbour in direction k is `cell + STEP[k]`. A cell gets a *slot* (0 to
127) when something is laid there, the centre first; sets of slots are three words. A *site* is a corner of three land fields with at
least two forest edges, where a stone can stand; it gets its number when the third field is laid, and sets of sites are four words.

Sides: two bits a side, direction 0 lowest: 1 forest, 2 water, 3 mountain. A *card* is a land field as printed, or `PORTAL`; 0 is no card.
"""

from __future__ import annotations

from ..kernel import Grid, Record, Row, i8, i16, i32, i64

SEATS = 4
RADIUS = 15  # DD-1.5
WIDTH = 2 * RADIUS + 3  # with a rim, so that every cell within the radius has six neighbours
CELLS = WIDTH * WIDTH
MIDDLE = (RADIUS + 1) * WIDTH + RADIUS + 1
STEP = (1, 1 - WIDTH, -WIDTH, -1, WIDTH - 1, WIDTH)  # DD-1.1
SLOTS = 128
WORDS = 3  # of a set of slots
SITES = 216  # 127 land fields have no more complete corners
SITE_WORDS = 4
FRONT = 264  # 12 around the centre, and every field laid adds at most two

# What `at` says of a cell that holds nothing; lower ones down to OUT: a frontier cell, FRONTIER - its index.
EMPTY = -1
FRONTIER = -2
OUT = -1000

FOREST, WATER, MOUNTAIN = 1, 2, 3
NO_CARD, PORTAL = 0, 1
LAND = 4  # sides from here on are land: the least is six forests, 0x555
SEAT_CARD = 2  # + seat: the cards of the draw for the first player

# Actions of a turn, and the other phases
DARK, LIGHT, SCOUT, POPULATE, MOVE, SETUP, CHOOSE_ACTIONS, OVER = range(8)
ACTION_KINDS = 5

# Half-made steps
WHOLE, HALF_STONE, HALF_TEMPLE, HALF_MOVE = range(4)

NOT_OVER, POINTS, PILE, GUARD = range(4)
GUARD_TURNS = 200  # DD-6.3, and the most that the option longest_game takes

CHAIN, LINE, NO_JUMP = range(3)
ABLE, ADJACENT = range(2)

# Actions. Those below 16 are bits of `small`.
CHOOSE = 0  # + action
DRAW, STOP, DISCARD, END, FROM_RESERVE, FROM_POOL = range(5, 11)
DEMON = 16  # + slot
REMOVE = DEMON + SLOTS
ANCHOR = REMOVE + SLOTS
TEMPLE = ANCHOR + SLOTS
TEMPLE_FROM = TEMPLE + SLOTS
SETTLE = TEMPLE_FROM + SLOTS
FROM = SETTLE + SLOTS
TO = FROM + SLOTS
STONE = TO + SLOTS  # + site
STONE_FROM = STONE + SITES
CONVERT = STONE_FROM + SITES
LAY = CONVERT + SITES  # + cell * 6 + rotation
LAY_PORTAL = LAY + CELLS * 6  # + cell
ACTIONS = LAY_PORTAL + CELLS

# Light spells, for the option light_repeat
SPELL_STONE, SPELL_TEMPLE, SPELL_CONVERT = 1, 2, 4


class State(Record):
    """Everything that lies on the table."""

    # Options and component figures, fixed for the game
    seats: int = i64(fits=1)
    radius: int = i64(fits=1)  # of the centre: 1 or 0
    conduct: int = i64(fits=1)  # portals_conduct_demons
    may_decline: int = i64(fits=1)
    light_repeat: int = i64(fits=1)
    one_exchange: int = i64(fits=1)
    temples_return: int = i64(fits=1)
    demons_return: int = i64(fits=1)
    jump: int = i64(fits=1)
    support: int = i64(fits=1)
    first: int = i64(fits=1)  # the first player; -1 until drawn
    setup_fields: int = i64(fits=2)
    win: int = i64(fits=2)
    dark_spells: int = i64(fits=1)
    light_spells: int = i64(fits=1)
    scout_draws: int = i64(fits=1)
    new_people: int = i64(fits=1)
    move_steps: int = i64(fits=1)
    spells_twice: int = i64(fits=1)
    steps_twice: int = i64(fits=1)
    capture_needs: int = i64(fits=1)
    exchange_price: int = i64(fits=1)
    stone_points: int = i64(fits=1)
    temple_points: int = i64(fits=1)
    longest_game: int = i64(fits=2)

    # Whose decision
    phase: int = i64(fits=1)
    turn: int = i64(fits=1)
    asked: int = i64(fits=1)  # the seat that was asked last
    turns: int = i64(fits=2)  # of single players, completed
    set_up: int = i64(fits=2)  # draws of this seat in the set-up
    hand: int = i64(fits=2)  # the card drawn and not yet laid
    chosen: Row = i8(2)
    chosen_count: int = i64(fits=1)
    doing: int = i64(fits=1)  # 0 or 1: which of the two is being carried out
    banned: int = i64(fits=1)  # actions, as bits
    last: Row = i8(SEATS)  # actions chosen in each seat's previous turn, as bits
    left: int = i64(fits=2)  # steps or draws
    half: int = i64(fits=1)
    half_at: int = i64(fits=2)  # slot or site
    spells: int = i64(fits=1)  # light spells cast in this action, as bits
    exchanged: int = i64(fits=2)  # populations bought with trophies in this action
    moved: Row = i64(WORDS)
    end: int = i64(fits=1)
    winner: int = i64(fits=1)

    # The options of the question that is due
    choices: int = i64(fits=2)
    small: int = i64(fits=2)  # actions below 16, as bits
    base: Row = i16(3)  # first action of each set below
    sets: Grid = i64(3, SITE_WORDS)
    fit: Row = i8(FRONT)  # rotations in which the card in hand fits a frontier cell, as bits

    # The map
    laid: int = i64(fits=2)  # slots in use
    at: Row = i16(CELLS)
    cell: Row = i16(SLOTS)
    sides: Row = i16(SLOTS)  # as they lie; PORTAL; 0 for the centre
    near: Grid = i64(WORDS, SLOTS)  # which land and centre slots touch a slot
    gate: Row = i64(WORDS)  # land and centre that touch a portal
    land: Row = i64(WORDS)
    stand: Row = i64(WORDS)  # DD-3.4, by the sides alone
    sites: int = i64(fits=2)
    site_name: Row = i16(SITES)  # cell * 2 + corner 0 or 1
    site_slot: Grid = i8(3, SITES)
    site_of: Grid = i16(6, SLOTS)  # by corner; -1 where no stone can stand
    front_count: int = i64(fits=2)
    front: Row = i16(FRONT)  # cells that are empty and touch something
    front_by: Row = i8(FRONT)  # directions of occupied neighbours, as bits
    front_need: Row = i32(FRONT)  # printed sides they show: bit (terrain - 1) * 6 + direction
    front_dark: Row = i8(FRONT)  # directions of demon fields, as bits

    # What lies on it
    owner: Row = i8(SLOTS)  # whose population; -1 for none
    people: Grid = i64(SEATS, WORDS)
    demons: Row = i64(WORDS)
    anchors: Grid = i64(SEATS, WORDS)
    temples: Row = i64(WORDS)
    stone: Row = i8(SITES)  # owner; -1 for none
    stones: Grid = i64(SEATS, SITE_WORDS)
    stones_at: Row = i8(SLOTS)  # at the corners of a field

    # Supplies
    demon_pool: int = i64(fits=2)
    demons_out: int = i64(fits=2)
    temple_pool: int = i64(fits=2)
    temples_out: int = i64(fits=2)
    reserve: Row = i16(SEATS)
    lost: Row = i16(SEATS)
    stone_reserve: Row = i16(SEATS)
    stones_lost: Row = i16(SEATS)
    trophies: Row = i16(SEATS)
    spent: Row = i16(SEATS)
    points: Row = i16(SEATS)
    pile: Row = i16(SLOTS)  # cards pile_at up to pile_end, next first
    pile_at: int = i64(fits=2)
    pile_end: int = i64(fits=2)
    discarded: Row = i16(SLOTS)
    discards: int = i64(fits=2)
    lots: Row = i16(SEATS)  # the seats, for the draw of the first player
