"""What a seat of Druidenwalzer knows: a fold over the events that it was told.

A knowledge is a state in which a card that the seat cannot know is replaced by `HIDDEN + pool`. A pool holds the cards that may lie
in its places, each arrangement as likely as any other. Every player's cards have three pools: the deal, and two that take turns, because
a pile can be renewed in the middle of a draw, so that a hand may hold cards of the old pile and of the new one.
"""

from __future__ import annotations

from ..copying import copier
from ..kernel import EV_A, EV_B, EV_C, EV_D, EV_KIND, EV_SECRET, EV_SHUFFLED, Desk, Grid, Row, below, i8, i64, rule
from .play import find_options, lay_out, lift, look_alikes, put_on
from .state import (
    CARDS,
    CONTEST,
    CULT,
    DRUIDS,
    HAND,
    HIDDEN,
    MOON,
    NO_CARD,
    OVER,
    SUN,
    TREES,
    TURN,
    State,
    value_of,
)
from .story import (
    ARROW_LAID,
    CARD_WON,
    DANCED,
    DRAWN,
    DRUID_MOVED,
    DRUID_SET,
    ENDED,
    MET,
    PLAYED,
    RETREATED,
    RING_BACK,
    SCATTERED,
    STACKED,
    TOKEN,
    TREE_LOST,
    TURN_BEGUN,
    TURNED,
)

POOLS = 6  # three a player: the deal, and two for renewed piles


class Knowledge(State):
    """A state as one watcher knows it."""

    pool: Grid = i8(POOLS, CARDS)
    pool_size: Row = i8(POOLS)
    never: Grid = i64(2, HAND)  # cards that a hidden place of a hand cannot hold, as bits
    pile_pool: Row = i8(2)  # the pool from which each player's pile came; -1 before the deal


copy_known = copier(State, globals())


@rule
def fold(k: Knowledge, row: Row) -> int:
    """Take in one event. Answers 1 if it told this watcher something that could not be foreseen."""
    kind = row[EV_KIND]
    a = row[EV_A]
    b = row[EV_B]
    c = row[EV_C]
    e = row[EV_D]
    card = row[EV_SECRET]
    if kind == DANCED:
        lift(k, a, e)
        land(k, b, card)
        return 0
    if kind == TURNED:
        k.down[a] -= 1
        return reveal_in_stack(k, a, k.height[a] - 1, card)
    if kind == MET:
        k.meeting &= ~(1 << a)
        return 0
    if kind == TOKEN:
        k.tokens[a] = b
        k.stirred = 1
        return 0
    if kind == CARD_WON:
        lift(k, a, k.height[a] - 1)
        lay_out(k, b, card)
        return 0
    if kind == PLAYED:
        news = play_from_hand(k, a, b, card)
        place_ring(k, c, card)
        return news
    if kind == RETREATED:
        news = 0
        if c < 0:
            news = play_from_hand(k, a, b, card)
        else:
            lift(k, c, k.height[c] - 1)
        lay_out(k, a, card)
        return news
    if kind == RING_BACK:
        k.ring = -1
        return 0
    if kind == TURN_BEGUN:
        if k.phase != DRUIDS:
            k.quiet = 0 if k.stirred else k.quiet + 1
        k.phase = TURN
        k.turn = a
        k.must_fill = b
        k.stirred = 0
        return 0
    if kind == DRAWN:
        draw_into_hand(k, a, b, card)
        return 1
    if kind == EV_SHUFFLED:
        renew(k, a)
        return 1
    return fold_rare(k, kind, a, b, c, e, card)


@rule
def fold_rare(k: Knowledge, kind: int, a: int, b: int, c: int, e: int, card: int) -> int:
    """Events of set-up, of lost trees and of the end."""
    if kind == DRUID_MOVED:
        k.druid_on[c] = -1
        k.druid_on[e] = b
        k.druid_at[a][b] = e % TREES
    elif kind == TREE_LOST:
        k.lost[a] = 1
        k.standing[a // TREES] &= ~(1 << (a % TREES))
        k.lost_trees[a // TREES] = c
        k.stirred = 1
        if c < k.to_lose:
            k.tokens[a] = 0
    elif kind == SCATTERED:
        news = reveal_in_stack(k, a, k.height[a] - 1, card)
        lift(k, a, k.height[a] - 1)
        lay_out(k, b, card)
        return news
    elif kind == ARROW_LAID:
        lay_arrow_down(k, a, card)
    elif kind == STACKED:
        for i in range(b):
            k.stack[a][i] = HIDDEN + k.pile_pool[a // TREES]
        k.pile_at[a // TREES] += b
        k.filled[a // TREES] |= 1 << (a % TREES)
        k.height[a] = b
        k.down[a] = b - 1
        k.phase = DRUIDS
        k.turn = MOON
        return reveal_in_stack(k, a, b - 1, card)
    elif kind == DRUID_SET:
        k.druid_at[a][b] = c
        k.druid_on[a * TREES + c] = b
        k.setting = b + 1
        if k.setting == k.trees - 1:
            k.setting = 0
            k.turn = SUN
    elif kind == ENDED:
        k.quiet = c
        k.phase = OVER
        k.end = a
        k.winner = b
    return 0


@rule
def draw_into_hand(k: Knowledge, seat: int, place: int, card: int) -> None:
    """A card of a pile comes into a hand; `card` is `NO_CARD` for whoever does not see it."""
    pool = k.pile_pool[seat]
    k.pile_at[seat] += 1
    k.hand[seat][place] = HIDDEN + pool
    k.never[seat][place] = 0
    if card != NO_CARD:
        k.hand[seat][place] = card
        leave_pool(k, pool, card)


@rule
def place_ring(k: Knowledge, tree: int, card: int) -> None:
    """A card is laid with the ring: all druids but the one who rests there will meet."""
    put_on(k, tree, card)
    k.ring = tree
    k.meeting = (1 << (k.trees - 1)) - 1
    if k.druid_on[tree] >= 0:
        k.meeting &= ~(1 << k.druid_on[tree])


@rule
def lay_arrow_down(k: Knowledge, seat: int, card: int) -> None:
    """DW-2.1: before the shuffle a deck is known, and one of its 1s goes to the cult board."""
    i = 0
    while k.pile[seat][i] != card:
        i += 1
    k.pile_end[seat] -= 1
    for j in range(i, k.pile_end[seat]):
        k.pile[seat][j] = k.pile[seat][j + 1]
    k.pile[seat][k.pile_end[seat]] = NO_CARD
    lay_out(k, seat, card)
    k.turn = SUN


@rule
def renew(k: Knowledge, seat: int) -> None:
    """A pile was shuffled: what lay there, or on the cult board, is now one pool."""
    pool = seat * 3
    if k.pile_pool[seat] >= 0:
        pool += 2 if k.pile_pool[seat] == seat * 3 + 1 else 1
        n = k.cult_size[seat]
        for i in range(n):
            k.pile[seat][i] = k.cult[seat][i]
            k.cult[seat][i] = NO_CARD
        k.cult_size[seat] = 0
        k.pile_end[seat] = n
    k.pile_at[seat] = 0
    k.pile_pool[seat] = pool
    k.pool_size[pool] = k.pile_end[seat]
    for i in range(k.pile_end[seat]):
        k.pool[pool][i] = k.pile[seat][i]
        k.pile[seat][i] = HIDDEN + pool


@rule
def play_from_hand(k: Knowledge, seat: int, place: int, card: int) -> int:
    """A card left a hand and was seen."""
    held = k.hand[seat][place]
    k.hand[seat][place] = NO_CARD
    # Of look-alikes the lowest place is played (DW-10.2): so no lower place holds this card.
    for lower in range(place):
        if k.hand[seat][lower] >= HIDDEN:
            k.never[seat][lower] |= 1 << card
    if held >= HIDDEN:
        leave_pool(k, held - HIDDEN, card)
        return 1
    # The player himself foresaw it; that the others did not is theirs to say.
    return 0


@rule
def reveal_in_stack(k: Knowledge, tree: int, depth: int, card: int) -> int:
    """A card in a stack was seen."""
    held = k.stack[tree][depth]
    k.stack[tree][depth] = card
    k.worth[tree] = value_of(card)
    if held >= HIDDEN:
        leave_pool(k, held - HIDDEN, card)
        return 1
    return 0


@rule
def leave_pool(k: Knowledge, pool: int, card: int) -> None:
    """A card of the pool is no longer hidden."""
    i = 0
    while k.pool[pool][i] != card:
        i += 1
    last = k.pool_size[pool] - 1
    k.pool[pool][i] = k.pool[pool][last]
    k.pool[pool][last] = NO_CARD
    k.pool_size[pool] = last


@rule
def land(k: Knowledge, board: int, card: int) -> None:
    """A dancer lands on a tree or a cult board."""
    if board >= CULT:
        lay_out(k, board - CULT, card)
    else:
        put_on(k, board, card)


@rule
def ponder(k: Knowledge) -> None:
    """All events of a step are told: find the question that is due, and the choices if they are the watcher's own."""
    k.options = 0
    if k.phase != OVER:
        k.phase = CONTEST if k.ring >= 0 else k.phase
        if knows_hand(k, k.turn):
            k.options = find_options(k) & ~look_alikes(k)


@rule
def knows_hand(k: Knowledge, seat: int) -> bool:
    """Whether no card of that hand is hidden from this watcher."""
    for i in range(HAND):
        if k.hand[seat][i] >= HIDDEN:
            return False
    return True


@rule
def sample(k: Knowledge, d: Desk, s: State) -> None:
    """Write into `s` a state that may be the true one: every deal that fits what was told is as likely as any other."""
    copy_known(k, s)
    for pool in range(POOLS):
        left = k.pool_size[pool]
        if left == 0:
            continue
        seat = pool // 3
        left = fill_hand(k, d, s, pool, left)
        for n in range(k.trees):
            tree = seat * TREES + n
            for i in range(k.down[tree]):
                if k.stack[tree][i] == HIDDEN + pool:
                    left = fill(d, s.stack[tree], i, left)
        if k.pile_pool[seat] == pool:
            for i in range(k.pile_at[seat], k.pile_end[seat]):
                left = fill(d, s.pile[seat], i, left)
    if s.phase == OVER:
        s.options = 0
    else:
        s.options = find_options(s) & ~look_alikes(s)


@rule
def fill_hand(k: Knowledge, d: Desk, s: State, pool: int, size: int) -> int:
    """Lay a pool's cards on the desk and deal its places in the hand, all over again until none holds what it cannot.

    Rejecting the whole hand keeps every possible deal as likely as any other; answers how many cards are left.
    """
    seat = pool // 3
    while True:
        left = size
        for i in range(size):
            d.scratch[i] = k.pool[pool][i]
        fits = True
        for i in range(HAND):
            if k.hand[seat][i] == HIDDEN + pool:
                left = fill(d, s.hand[seat], i, left)
                if (k.never[seat][i] >> s.hand[seat][i]) & 1:
                    fits = False
        if fits:
            return left


@rule
def fill(d: Desk, row: Row, i: int, left: int) -> int:
    """Put one of the `left` cards on the desk into a hidden place."""
    j = below(d, left)
    row[i] = d.scratch[j]
    d.scratch[j] = d.scratch[left - 1]
    return left - 1
