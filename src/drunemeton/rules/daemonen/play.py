"""The rules of Druiden und Dämonen: the course of a game. `docs/rules/en/daemonen.md` has the text of the rules that are named here.

The map grows in `land`, pieces change in `pieces`; `magic` and `people` find what a step may do. This file is long because a turn has
five actions of several small decisions each, and all of them are asked, carried out and ended by the same few functions.
"""

from __future__ import annotations

from ..kernel import EVERYBODY, WORD, Desk, below, bit_has, count_bits, lowest_bit, nth_bit, rule, shuffle, tell, tell_secret
from .land import discard, find_lays, next_seat, put_card, spread, take_card, turned
from .magic import (
    centre,
    connected,
    count_demons,
    find_dark,
    find_light,
    find_stone_sources,
    find_temple_sources,
)
from .people import find_movers, find_settlements, find_targets
from .pieces import (
    allowance,
    capture,
    clear_action,
    convert,
    darken,
    fasten,
    go,
    lighten,
    lose_population,
    lose_stone,
    lose_temple,
    new_turn,
    raise_stone,
    raise_temple,
    score,
    settle,
    step_made,
    unfasten,
)
from .state import (
    ANCHOR,
    CHOOSE,
    CHOOSE_ACTIONS,
    CONVERT,
    DARK,
    DEMON,
    DISCARD,
    DRAW,
    END,
    FROM,
    FROM_POOL,
    FROM_RESERVE,
    GUARD,
    HALF_MOVE,
    HALF_STONE,
    HALF_TEMPLE,
    LAY,
    LAY_PORTAL,
    LIGHT,
    MOVE,
    OVER,
    PILE,
    POINTS,
    POPULATE,
    PORTAL,
    REMOVE,
    SCOUT,
    SEAT_CARD,
    SETTLE,
    SETUP,
    SITE_WORDS,
    SPELL_CONVERT,
    SPELL_STONE,
    SPELL_TEMPLE,
    STONE,
    STONE_FROM,
    STOP,
    TEMPLE,
    TEMPLE_FROM,
    TO,
    WHOLE,
    WORDS,
    State,
)
from .story import (
    ACTION_BEGUN,
    ANCHOR_REMOVED,
    ANCHORED,
    BEGUN_STEP,
    CAPTURED,
    CHOSEN,
    CONVERTED,
    DEMON_PLACED,
    DEMON_REMOVED,
    DISCARDED,
    DRAWN,
    ENDED,
    FIRST_PLAYER,
    LAID,
    MOVED,
    POPULATION_LOST,
    PORTAL_LAID,
    SCORED,
    SETTLED,
    STONE_LOST,
    STONE_PLACED,
    TEMPLE_LOST,
    TEMPLE_PLACED,
    TURN_BEGUN,
)

# --- What every game answers ---------------------------------------------------------------------------------------


@rule
def start(s: State, d: Desk) -> None:
    """DD-4.1: the first player is drawn, the pile shuffled; `prepare` has laid out the centre and all supplies."""
    if s.first < 0:
        shuffle(d, 0, s.lots, s.seats)
        s.first = s.lots[0] - SEAT_CARD
    shuffle(d, 1, s.pile, s.pile_end)
    tell(d, FIRST_PLAYER, s.first, 0, 0, 0)
    begin(s, s.first)
    if s.setup_fields == 0:
        begin_turn(s, d, s.first)
    go_on(s, d)


@rule
def begin(s: State, first: int) -> None:
    """The first player is known."""
    s.first = first
    s.phase = SETUP
    s.turn = first
    for i in range(s.seats):
        s.lots[i] = 0


@rule
def to_move(s: State) -> int:
    """The seat that must decide, -1 when the game is over."""
    return -1 if s.phase == OVER else s.turn


@rule
def legal(s: State, d: Desk) -> int:
    """Write the legal actions to the desk; answer how many."""
    n = 0
    rest = s.small
    while rest:
        d.moves[n] = lowest_bit(rest)
        rest &= rest - 1
        n += 1
    if s.hand:
        for i in range(s.front_count):
            rest = s.fit[i]
            first = LAY_PORTAL + s.front[i] if s.hand == PORTAL else LAY + s.front[i] * 6
            while rest:
                d.moves[n] = first + lowest_bit(rest)
                rest &= rest - 1
                n += 1
        return n
    for kind in range(3):
        for w in range(SITE_WORDS):
            rest = s.sets[kind][w]
            while rest:
                d.moves[n] = s.base[kind] + w * WORD + lowest_bit(rest)
                rest &= rest - 1
                n += 1
    return n


@rule
def random_action(s: State, d: Desk) -> int:
    """One of the legal actions, each as likely."""
    return nth_option(s, below(d, s.choices))


@rule
def apply(s: State, d: Desk, action: int) -> None:
    """Carry out a legal action and everything that follows, up to the next decision."""
    carry_out(s, d, action)
    go_on(s, d)


@rule
def place_of(s: State, seat: int) -> int:
    """DD-6.2: the seat's final rank: who reached the points comes first, then by points; ties share."""
    if seat == s.winner:
        return 1
    rank = 1 if s.winner < 0 else 2
    for other in range(s.seats):
        if other != s.winner and s.points[other] > s.points[seat]:
            rank += 1
    return rank


@rule
def end_of(s: State) -> int:
    """The kind of end."""
    return s.end


# --- From decision to decision -------------------------------------------------------------------------------------


@rule
def go_on(s: State, d: Desk) -> None:
    """Find the options, and carry out what is forced until there is a choice."""
    while s.phase != OVER:
        if find_options(s) > 1:
            s.asked = s.turn
            return
        carry_out(s, d, nth_option(s, 0))
    clear_options(s)


@rule
def clear_options(s: State) -> None:
    """No question is due."""
    s.choices = 0
    s.small = 0
    for kind in range(3):
        s.base[kind] = 0
        for w in range(SITE_WORDS):
            s.sets[kind][w] = 0


@rule
def find_options(s: State) -> int:
    """Note the options of the question that is due; answers how many. There is always one: every action can be ended (DD-5.2)."""
    clear_options(s)
    found = 0
    if s.hand:
        found = find_lays(s)
    elif s.phase == CHOOSE_ACTIONS:
        s.small = 31 & ~s.banned
    elif s.phase == SETUP:
        s.small = 1 << DRAW
    elif s.phase == SCOUT:
        s.small = 1 << STOP
        if s.left > 0 and s.pile_at < s.pile_end:
            s.small |= 1 << DRAW
    elif s.half == HALF_STONE:
        find_stone_sources(s)
    elif s.half == HALF_TEMPLE:
        find_temple_sources(s)
    elif s.half == HALF_MOVE:
        find_targets(s)
    else:
        s.small = 1 << END
        if s.phase == DARK:
            find_dark(s)
        elif s.phase == LIGHT:
            find_light(s)
        elif s.phase == POPULATE:
            find_settlements(s)
        else:
            find_movers(s)
    found += count_bits(s.small)
    for kind in range(3):
        for w in range(SITE_WORDS):
            found += count_bits(s.sets[kind][w])
    s.choices = found
    return found


@rule
def nth_option(s: State, n: int) -> int:
    """The n-th option in the order of `legal`."""
    found = count_bits(s.small)
    if n < found:
        return nth_bit(s.small, n)
    n -= found
    if s.hand == PORTAL:
        return LAY_PORTAL + s.front[n]
    if s.hand:
        i = 0
        found = count_bits(s.fit[0])
        while n >= found:
            n -= found
            i += 1
            found = count_bits(s.fit[i])
        return LAY + s.front[i] * 6 + nth_bit(s.fit[i], n)
    for kind in range(3):
        for w in range(SITE_WORDS):
            found = count_bits(s.sets[kind][w])
            if n < found:
                return s.base[kind] + w * WORD + nth_bit(s.sets[kind][w], n)
            n -= found
    return END


@rule
def carry_out(s: State, d: Desk, action: int) -> None:
    """One decision, up to the point where the next one is due."""
    if action >= LAY:
        lay_down(s, d, action)
    elif action >= STONE:
        stone_action(s, d, action)
    elif action >= DEMON:
        field_action(s, d, action)
    elif action <= CHOOSE + MOVE:
        choose(s, d, action - CHOOSE)
    elif action == DRAW:
        draw_card(s, d)
    elif action == DISCARD:
        card = s.hand
        declined = int(s.choices > 1)
        discard(s)
        tell_secret(d, DISCARDED, EVERYBODY, s.turn, declined, 0, 0, card)
        after_draw(s, d)
    elif action == FROM_RESERVE:
        place_stone(s, d, -1)
    elif action == FROM_POOL:
        place_temple(s, d, -1)
    else:
        end_action(s, d)


@rule
def field_action(s: State, d: Desk, action: int) -> None:
    """A decision about a field."""
    if action >= TO:
        move_to(s, d, action - TO)
    elif action >= FROM:
        begin_step(s, d, HALF_MOVE, action - FROM, s.cell[action - FROM])
    elif action >= SETTLE:
        settle_down(s, d, action - SETTLE)
    elif action >= TEMPLE_FROM:
        place_temple(s, d, action - TEMPLE_FROM)
    elif action >= TEMPLE:
        begin_step(s, d, HALF_TEMPLE, action - TEMPLE, s.cell[action - TEMPLE])
    elif action >= ANCHOR:
        anchor(s, d, action - ANCHOR)
    elif action >= REMOVE:
        remove(s, d, action - REMOVE)
    else:
        place_demon(s, d, action - DEMON)


@rule
def stone_action(s: State, d: Desk, action: int) -> None:
    """A decision about a corner."""
    if action >= CONVERT:
        convert_stone(s, d, action - CONVERT)
    elif action >= STONE_FROM:
        place_stone(s, d, action - STONE_FROM)
    else:
        begin_step(s, d, HALF_STONE, action - STONE, -1 - s.site_name[action - STONE])


@rule
def begin_step(s: State, d: Desk, half: int, at: int, name: int) -> None:
    """The first half of a step in two parts."""
    s.half = half
    s.half_at = at
    tell(d, BEGUN_STEP, s.turn, half, name, 0)


# --- 3, 4, 5.5 Drawing and laying ----------------------------------------------------------------------------------


@rule
def draw_card(s: State, d: Desk) -> None:
    """DD-3.3: the next card of the pile, seen by everybody."""
    card = s.pile[s.pile_at]
    take_card(s, s.turn, card)
    tell_secret(d, DRAWN, EVERYBODY, s.turn, s.pile_end - s.pile_at, 0, 0, card)


@rule
def lay_down(s: State, d: Desk, action: int) -> None:
    """DD-3.1, 3.2: the card in hand goes onto the table."""
    seat = s.turn
    card = s.hand
    if action >= LAY_PORTAL:
        cell = action - LAY_PORTAL
        tell(d, PORTAL_LAID, seat, cell, 0, 0)
        put_card(s, cell, PORTAL)
    else:
        cell = (action - LAY) // 6
        rotation = (action - LAY) % 6
        tell_secret(d, LAID, EVERYBODY, seat, cell, rotation, 0, card)
        put_card(s, cell, turned(card, rotation))
    after_draw(s, d)


@rule
def after_draw(s: State, d: Desk) -> None:
    """DD-4.1: when all have laid their fields, the first player's turn begins."""
    if s.phase == SETUP and s.set_up == 0 and s.turn == s.first:
        begin_turn(s, d, s.first)


# --- 5 The turn ----------------------------------------------------------------------------------------------------


@rule
def begin_turn(s: State, d: Desk, seat: int) -> None:
    """DD-5.1: two actions are to be chosen."""
    new_turn(s, seat)
    tell(d, TURN_BEGUN, seat, s.banned, s.turns, 0)


@rule
def choose(s: State, d: Desk, action: int) -> None:
    """DD-5.1: the first or the second action; then they are carried out in that order."""
    tell(d, CHOSEN, s.turn, action, s.chosen_count, 0)
    s.chosen[s.chosen_count] = action
    s.chosen_count += 1
    if s.chosen_count == 2:
        begin_action(s, d, s.chosen[0])


@rule
def begin_action(s: State, d: Desk, action: int) -> None:
    """DD-5.1, 5.3 to 5.7: how much may be done, once or twice chosen."""
    left = allowance(s, s.turn, action, int(s.chosen[0] == s.chosen[1]))
    s.phase = action
    clear_action(s, left)
    tell(d, ACTION_BEGUN, s.turn, action, left, 0)


@rule
def end_action(s: State, d: Desk) -> None:
    """DD-5.1: the other action follows, or the turn is over."""
    if s.doing == 0 and s.chosen[0] != s.chosen[1]:
        s.doing = 1
        begin_action(s, d, s.chosen[1])
    elif s.pile_at == s.pile_end:
        finish(s, d, PILE, -1)
    elif s.turns + 1 >= s.longest_game:
        finish(s, d, GUARD, -1)
    else:
        begin_turn(s, d, next_seat(s, s.turn))


@rule
def finish(s: State, d: Desk, end: int, winner: int) -> None:
    """DD-6.2, 6.3: the game is over; a turn that was cut short does not count."""
    if end != POINTS:
        s.turns += 1
    s.phase = OVER
    s.end = end
    s.winner = winner
    s.half = WHOLE
    s.half_at = 0
    tell(d, ENDED, end, winner, s.turns, 0)


# --- 5.3 Dark magic ------------------------------------------------------------------------------------------------


@rule
def place_demon(s: State, d: Desk, slot: int) -> None:
    """DD-5.3a: a demon field; a population there is out of the game, and stones with two demon fields are lost."""
    tell(d, DEMON_PLACED, s.turn, s.cell[slot], 0, 0)
    if s.owner[slot] >= 0:
        tell(d, POPULATION_LOST, s.owner[slot], s.cell[slot], 0, 0)
        lose_population(s, slot)
    darken(s, slot)
    step_made(s)
    for k in range(6):
        site = s.site_of[k][slot]
        if site >= 0 and s.stone[site] >= 0 and count_demons(s, site) >= 2:
            tell(d, STONE_LOST, s.stone[site], s.site_name[site], 0, 0)
            lose_stone(s, site)
    aftermath(s, d)


@rule
def remove(s: State, d: Desk, slot: int) -> None:
    """DD-5.3a: any demon field, or an own anchor."""
    if bit_has(s.demons, slot):
        tell(d, DEMON_REMOVED, s.turn, s.cell[slot], 0, 0)
        lighten(s, slot)
    else:
        tell(d, ANCHOR_REMOVED, s.turn, s.cell[slot], 0, 0)
        unfasten(s, s.turn, slot)
    step_made(s)
    aftermath(s, d)


@rule
def anchor(s: State, d: Desk, slot: int) -> None:
    """DD-5.3b: a demon field under an own population."""
    tell(d, ANCHORED, s.turn, s.cell[slot], 0, 0)
    fasten(s, s.turn, slot)
    step_made(s)


# --- 5.4 Light magic -----------------------------------------------------------------------------------------------


@rule
def place_stone(s: State, d: Desk, source: int) -> None:
    """DD-5.4a: a stone on the chosen corner, from the reserve (-1) or from another corner."""
    site = s.half_at
    tell(d, STONE_PLACED, s.turn, s.site_name[site], s.site_name[source] if source >= 0 else -1, 0)
    raise_stone(s, s.turn, site, source)
    s.spells |= SPELL_STONE
    aftermath(s, d)


@rule
def place_temple(s: State, d: Desk, source: int) -> None:
    """DD-5.4b: a temple on the chosen field, from the pool (-1) or from another field."""
    slot = s.half_at
    tell(d, TEMPLE_PLACED, s.turn, s.cell[slot], s.cell[source] if source >= 0 else -1, 0)
    raise_temple(s, slot, source)
    s.spells |= SPELL_TEMPLE
    aftermath(s, d)


@rule
def convert_stone(s: State, d: Desk, site: int) -> None:
    """DD-5.4c: an enemy stone becomes an own one."""
    tell(d, CONVERTED, s.turn, s.site_name[site], s.stone[site], 0)
    convert(s, s.turn, site)
    s.spells |= SPELL_CONVERT
    aftermath(s, d)


# --- 5.6, 5.7 Populations ------------------------------------------------------------------------------------------


@rule
def settle_down(s: State, d: Desk, slot: int) -> None:
    """DD-5.6: a new population, free or for trophies."""
    paid = 0 if s.left > 0 else s.exchange_price
    tell(d, SETTLED, s.turn, s.cell[slot], paid, 0)
    settle(s, s.turn, slot, paid)
    count_points(s, d)


@rule
def move_to(s: State, d: Desk, there: int) -> None:
    """DD-5.7: the chosen population goes there; an enemy there becomes a trophy."""
    here = s.half_at
    if s.owner[there] >= 0:
        tell(d, CAPTURED, s.turn, s.cell[there], s.owner[there], 0)
        capture(s, s.turn, there)
    tell(d, MOVED, s.turn, s.cell[here], s.cell[there], 0)
    go(s, s.turn, here, there)
    aftermath(s, d)


# --- 5.8, 6 Consequences and points --------------------------------------------------------------------------------


@rule
def aftermath(s: State, d: Desk) -> None:
    """DD-5.8: temples, anchors, demon fields, points, in this order (stones can only fall when a demon field is placed)."""
    fall_of_temples(s, d)
    loosening_of_anchors(s, d)
    fading_of_demons(s, d)
    count_points(s, d)


@rule
def fall_of_temples(s: State, d: Desk) -> None:
    """DD-5.8: temples with fewer than three stones."""
    for w in range(WORDS):
        rest = s.temples[w]
        while rest:
            slot = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            if s.stones_at[slot] < 3:
                tell(d, TEMPLE_LOST, s.cell[slot], 0, 0, 0)
                lose_temple(s, slot)


@rule
def loosening_of_anchors(s: State, d: Desk) -> None:
    """DD-5.8: anchors without connection to a stone of their owner; the population stays."""
    for seat in range(s.seats):
        own = s.anchors[seat]
        if own[0] | own[1] | own[2]:
            x, y, z = connected(s, seat)
            for w in range(WORDS):
                rest = own[w] & ~(x if w == 0 else (y if w == 1 else z))
                while rest:
                    slot = w * WORD + lowest_bit(rest)
                    rest &= rest - 1
                    tell(d, ANCHOR_REMOVED, seat, s.cell[slot], 1, 0)
                    unfasten(s, seat, slot)


@rule
def fading_of_demons(s: State, d: Desk) -> None:
    """DD-5.8: demon fields connected neither with the centre nor with anybody's anchor."""
    if s.demons[0] | s.demons[1] | s.demons[2] == 0:
        return
    x = centre(s)
    y = 0
    z = 0
    for seat in range(s.seats):
        x |= s.anchors[seat][0]
        y |= s.anchors[seat][1]
        z |= s.anchors[seat][2]
    x, y, z = spread(s, x, y, z, s.demons[0], s.demons[1], s.demons[2], s.conduct)
    for w in range(WORDS):
        rest = s.demons[w] & ~(x if w == 0 else (y if w == 1 else z))
        while rest:
            slot = w * WORD + lowest_bit(rest)
            rest &= rest - 1
            tell(d, DEMON_REMOVED, s.turn, s.cell[slot], 1, 0)
            lighten(s, slot)


@rule
def count_points(s: State, d: Desk) -> None:
    """DD-6.1, 6.2: whoever first has enough points wins at once; the seat on turn is looked at first."""
    seat = s.turn
    winner = -1
    for _ in range(s.seats):
        points = score(s, seat)
        if points != s.points[seat]:
            s.points[seat] = points
            tell(d, SCORED, seat, points, 0, 0)
        if points >= s.win and winner < 0:
            winner = seat
        seat = next_seat(s, seat)
    if winner >= 0:
        finish(s, d, POINTS, winner)
