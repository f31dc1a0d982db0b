"""What a seat of Celtica knows: a fold over the events that it was told.

A knowledge is a state in which a card that the seat cannot know is replaced by `HIDDEN + pool`. A pool counts the cards that may lie in
its places. It begins when a pile is shuffled: what went into the pile is known to all, its order to nobody. Cards of older pools stay
behind in hands, so several pools of a deck live side by side. Each living pool has at least one card, and a card belongs to one pool;
so there are never more pools than cards, and `CARDS` of them are enough.

Of look-alikes the lowest place is played (CE-3.0), so a card that leaves a place tells that no lower place held its like: `never` keeps
for each hidden card the colours that it cannot have. Likewise for cards paid by lowest colour (CE-6.3). Sampling takes this into account.
"""

from __future__ import annotations

from ..copying import copier
from ..kernel import EV_A, EV_B, EV_C, EV_KIND, EV_SECRET, EV_SHUFFLED, Desk, Grid, Row, below, count_bits, i8, i64, rule
from .play import collect_discard, collect_given, gain_part, walk
from .state import (
    CARD,
    CARDS,
    COLOURS,
    DECKS,
    DRUID_PILE,
    HAND,
    HIDDEN,
    KINDS,
    NO_CARD,
    OVER,
    PART,
    PARTS_PILE,
    PLAY,
    SEATS,
    SEATS_PILE,
    TRADE,
    State,
)
from .story import (
    BOUGHT,
    DEALT,
    DISCARDED,
    ENDED,
    GIVEN,
    LAID,
    PAID,
    PART_DEALT,
    PART_SHOWN,
    PLAY_ENDED,
    ROUND_BEGUN,
    SKIPPED,
    SWAPPED,
    TAKEN,
    TRADE_BEGUN,
    TURN_BEGUN,
    WALKED,
)

ALL_COLOURS = (1 << COLOURS) - 1

# Places on the desk's scratch paper while sampling.
_LEFT = 0  # + colour: cards of the pool not yet laid
_LAID = 8  # + colours as bits: places filled that allow just these colours
_CARDS = 64  # a list of cards


class Knowledge(State):
    """A state as one watcher knows it."""

    pool: Grid = i8(DECKS * COLOURS, CARDS)  # by deck * COLOURS + colour, and pool: cards hidden in its places
    pool_size: Row = i8(DECKS * CARDS)  # by deck * CARDS + pool
    pools: Row = i8(DECKS)  # so many pools, counted from the first, may be alive
    pile_pool: Row = i8(DECKS)  # the pool from which the pile came; -1 before the first shuffle
    never: Grid = i8(DECKS * SEATS, HAND)  # colours that a hidden card cannot have, as bits
    supply_holds: Row = i8(KINDS)  # parts hidden in the supply
    supply_shuffled: int = i64()


copy_known = copier(State, globals())


@rule
def fold(k: Knowledge, row: Row) -> int:
    """Take in one event. Answers 1 if it told this watcher something that could not be foreseen."""
    kind = row[EV_KIND]
    a = row[EV_A]
    b = row[EV_B]
    c = row[EV_C]
    card = row[EV_SECRET]
    if kind == TAKEN:
        k.left = c
        k.display[b] -= 1
        k.shown -= 1
        gain_part(k, a, b)
    elif kind == GIVEN:
        k.left = c
        k.parts[a][b] -= 1
        k.parts_size[a] -= 1
        k.given[b] += 1
        k.given_size += 1
    elif kind == PART_SHOWN:
        leave_supply(k, a)
        k.display[a] += 1
        k.shown += 1
        return 1
    elif kind == LAID:
        for i in range(c):
            forbid(k, b, a, i, 1 << (card - CARD))
        return lose_card(k, b, a, c, card)
    elif kind == WALKED:
        walk(k, a, c)
    elif kind == TURN_BEGUN:
        k.phase = PLAY
        k.turn = a
        k.left = 0
    elif kind == DEALT:
        gain_card(k, b, a, card)
        return 1
    elif kind == EV_SHUFFLED:
        renew(k, a)
        return 1
    else:
        return fold_rare(k, kind, a, b, c, card)
    return 0


@rule
def fold_rare(k: Knowledge, kind: int, a: int, b: int, c: int, card: int) -> int:
    """Events of rounds, of set-up and of the end."""
    if kind == ROUND_BEGUN:
        k.round = a
        k.starter = b
    elif kind == PART_DEALT:
        leave_supply(k, b)
        gain_part(k, a, b)
        return 1
    elif kind == PLAY_ENDED:
        k.end = a
        k.last = b
        k.left = 0
        k.phase = TRADE
    elif kind == DISCARDED:
        return lose_card(k, b, a, c, card)
    elif kind in (TRADE_BEGUN, SKIPPED):
        k.turn = a
    elif kind == PAID:
        # The lowest colour leaves first: no card has a lower one, and no lower place has this one.
        lower = (1 << (card - CARD)) - 1
        for i in range(k.hand_size[b * SEATS + a]):
            forbid(k, b, a, i, lower | (1 << (card - CARD)) if i < c else lower)
        return lose_card(k, b, a, c, card)
    elif kind == SWAPPED:
        k.parts[a][b] -= 1
        k.parts[a][c] += 1
        k.display[b] += 1
        k.display[c] -= 1
    elif kind == BOUGHT:
        k.display[b] -= 1
        k.shown -= 1
        gain_part(k, a, b)
    elif kind == ENDED:
        k.phase = OVER
        k.turn = k.asked
    return 0


@rule
def renew(k: Knowledge, name: int) -> None:
    """A pile was shuffled: what lay there, or where it was renewed from, is hidden now."""
    if name == SEATS_PILE:
        return
    if name == PARTS_PILE:
        if k.supply_shuffled:
            collect_given(k)
        k.supply_shuffled = 1
        for i in range(k.supply_end):
            k.supply_holds[k.supply[i] - PART] += 1
            k.supply[i] = HIDDEN
        return
    deck = name - DRUID_PILE
    if k.pile_pool[deck] >= 0:
        collect_discard(k, deck)
    pool = 0
    while k.pool_size[deck * CARDS + pool] > 0:
        pool += 1
    if pool >= k.pools[deck]:
        k.pools[deck] = pool + 1
    k.pile_pool[deck] = pool
    k.pool_size[deck * CARDS + pool] = k.pile_end[deck]
    for i in range(k.pile_end[deck]):
        k.pool[deck * COLOURS + k.pile[deck][i] - CARD][pool] += 1
        k.pile[deck][i] = HIDDEN + pool


@rule
def leave_supply(k: Knowledge, kind: int) -> None:
    """The next part of the supply was turned up."""
    k.supply_holds[kind] -= 1
    k.supply[k.supply_at] = NO_CARD
    k.supply_at += 1


@rule
def gain_card(k: Knowledge, deck: int, seat: int, card: int) -> None:
    """The next card of a pile went to the end of a hand; `card` if this watcher saw it."""
    at = k.pile_at[deck]
    pool = k.pile_pool[deck]
    k.pile[deck][at] = NO_CARD
    k.pile_at[deck] = at + 1
    place = k.hand_size[deck * SEATS + seat]
    k.hand_size[deck * SEATS + seat] = place + 1
    k.never[deck * SEATS + seat][place] = 0
    if card == NO_CARD:
        k.hand[deck * SEATS + seat][place] = HIDDEN + pool
    else:
        k.hand[deck * SEATS + seat][place] = card
        k.held[deck * SEATS + seat][card - CARD] += 1
        leave_pool(k, deck, pool, card)


@rule
def lose_card(k: Knowledge, deck: int, seat: int, place: int, card: int) -> int:
    """A card left a hand for the discard pile, and everybody saw it; 1 if it was hidden until now."""
    hand = k.hand[deck * SEATS + seat]
    never = k.never[deck * SEATS + seat]
    held = hand[place]
    last = k.hand_size[deck * SEATS + seat] - 1
    for i in range(place, last):
        hand[i] = hand[i + 1]
        never[i] = never[i + 1]
    hand[last] = NO_CARD
    never[last] = 0
    k.hand_size[deck * SEATS + seat] = last
    k.discard[deck][card - CARD] += 1
    k.discard_size[deck] += 1
    if held >= HIDDEN:
        leave_pool(k, deck, held - HIDDEN, card)
        return 1
    k.held[deck * SEATS + seat][card - CARD] -= 1
    return 0


@rule
def forbid(k: Knowledge, deck: int, seat: int, place: int, colours: int) -> None:
    """A hidden card has none of these colours."""
    if k.hand[deck * SEATS + seat][place] >= HIDDEN:
        k.never[deck * SEATS + seat][place] |= colours


@rule
def leave_pool(k: Knowledge, deck: int, pool: int, card: int) -> None:
    """A card of the pool is no longer hidden."""
    k.pool[deck * COLOURS + card - CARD][pool] -= 1
    k.pool_size[deck * CARDS + pool] -= 1


@rule
def ponder(k: Knowledge) -> None:
    """All events of a step are told: whoever is on turn is asked."""
    if k.phase != OVER:
        k.asked = k.turn


# --- Sampling ------------------------------------------------------------------------------------------------------


@rule
def sample(k: Knowledge, d: Desk, s: State) -> None:
    """Write into `s` a state that may be the true one: every deal that fits what was told is as likely as any other."""
    copy_known(k, s)
    for deck in range(DECKS):
        for pool in range(k.pools[deck]):
            if k.pool_size[deck * CARDS + pool] > 0:
                deal_pool(k, d, s, deck, pool)
    left = 0
    for kind in range(KINDS):
        for _ in range(k.supply_holds[kind]):
            d.scratch[_CARDS + left] = PART + kind
            left += 1
    for i in range(k.supply_at, k.supply_end):
        left = fill(d, s.supply, i, left)


@rule
def deal_pool(k: Knowledge, d: Desk, s: State, deck: int, pool: int) -> None:
    """Lay the cards of a pool into its hidden places: first where not every colour may lie, then everywhere else."""
    present = 0
    for colour in range(COLOURS):
        present |= int(k.pool[deck * COLOURS + colour][pool] > 0) << colour
    while not deal_restricted(k, d, s, deck, pool, present):
        pass
    left = 0
    for colour in range(COLOURS):
        for _ in range(d.scratch[_LEFT + colour]):
            d.scratch[_CARDS + left] = CARD + colour
            left += 1
    for seat in range(k.seats):
        for i in range(k.hand_size[deck * SEATS + seat]):
            if k.hand[deck * SEATS + seat][i] == HIDDEN + pool:
                if k.never[deck * SEATS + seat][i] & present == 0:
                    left = fill(d, s.hand[deck * SEATS + seat], i, left)
                s.held[deck * SEATS + seat][s.hand[deck * SEATS + seat][i] - CARD] += 1
    if k.pile_pool[deck] == pool:
        for i in range(k.pile_at[deck], k.pile_end[deck]):
            left = fill(d, s.pile[deck], i, left)


@rule
def deal_restricted(k: Knowledge, d: Desk, s: State, deck: int, pool: int, present: int) -> bool:
    """Try to fill the places in which some colours cannot lie; False if this try must be thrown away.

    Each place takes one of the allowed cards left. That favours deals whose earlier places used up few of the cards that later ones
    allow: a try comes about in proportion to 1 / (a1 a2 a3 ...), where `a` is how many allowed cards were left for each place. So it is
    kept with probability (a1 a2 a3 ...) / (b1 b2 b3 ...), where `b` is the most that can be left there, and all deals are as likely.
    Places with few colours come first: then `a` and `b` are mostly equal.
    """
    for colour in range(COLOURS):
        d.scratch[_LEFT + colour] = k.pool[deck * COLOURS + colour][pool]
    for colours in range(ALL_COLOURS + 1):
        d.scratch[_LAID + colours] = 0
    for n in range(1, COLOURS):
        for seat in range(k.seats):
            for i in range(k.hand_size[deck * SEATS + seat]):
                if k.hand[deck * SEATS + seat][i] != HIDDEN + pool or k.never[deck * SEATS + seat][i] & present == 0:
                    continue
                allowed = present & ~k.never[deck * SEATS + seat][i]
                if count_bits(allowed) != n:
                    continue
                possible = 0
                most = 0
                for colour in range(COLOURS):
                    if (allowed >> colour) & 1:
                        possible += d.scratch[_LEFT + colour]
                        most += k.pool[deck * COLOURS + colour][pool]
                for colours in range(1, ALL_COLOURS + 1):
                    if colours & ~allowed == 0:
                        most -= d.scratch[_LAID + colours]
                if possible == 0 or (possible < most and below(d, most) >= possible):
                    return False
                pick = below(d, possible)
                colour = 0
                while (allowed >> colour) & 1 == 0 or pick >= d.scratch[_LEFT + colour]:
                    if (allowed >> colour) & 1:
                        pick -= d.scratch[_LEFT + colour]
                    colour += 1
                s.hand[deck * SEATS + seat][i] = CARD + colour
                d.scratch[_LEFT + colour] -= 1
                d.scratch[_LAID + allowed] += 1
    return True


@rule
def fill(d: Desk, row: Row, i: int, left: int) -> int:
    """Put one of the `left` cards on the desk into a hidden place."""
    j = _CARDS + below(d, left)
    row[i] = d.scratch[j]
    d.scratch[j] = d.scratch[_CARDS + left - 1]
    return left - 1
