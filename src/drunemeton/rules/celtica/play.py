"""The rules of Celtica. Every function names the rules it carries out; `docs/rules/en/celtica.md` has their text.

This file is long because it is read beside that text, in its order, and a turn calls back and forth between the steps of it.
"""

from __future__ import annotations

from ..kernel import EVERYBODY, Desk, below, count_bits, lowest_bit, nth_bit, rule, shuffle, tell, tell_secret
from .state import (
    ALL_HOME,
    AT_CULT,
    BY_GOAL,
    BY_PARTS,
    CARD,
    COLOUR_SHIFT,
    COLOURS,
    CULT,
    DEAL,
    DISPLAY,
    DRAW_CARD,
    DRAW_NONE,
    DRUID,
    DRUID_PILE,
    DRUID_SHIFT,
    EXPERIENCE,
    EXPERIENCE_PILE,
    FIRST_PARTS,
    GIVE,
    GIVE_PART,
    KINDS,
    NO_CARD,
    OVER,
    PART,
    PARTS,
    PARTS_PILE,
    PLAY,
    SEAT,
    SEATS,
    SEATS_PILE,
    STOP,
    SWAP,
    TAKE,
    TAKE_PART,
    TRADE,
    State,
    kinds_in,
)
from .story import (
    BOUGHT,
    DEALT,
    DECLINED,
    DISCARDED,
    ENDED,
    GIVEN,
    LAID,
    LAST_ROUND,
    NOTHING_LEFT,
    PAID,
    PART_DEALT,
    PART_SHOWN,
    PLAY_ENDED,
    PLAYED,
    RANKED,
    ROUND_BEGUN,
    SKIPPED,
    STAYED,
    STOPPED,
    SWAPPED,
    TAKEN,
    TRADE_BEGUN,
    TURN_BEGUN,
    WALKED,
)

# --- What every game answers ---------------------------------------------------------------------------------------


@rule
def start(s: State, d: Desk) -> None:
    """CE-2: draw the first player, shuffle, deal; `prepare` has laid out the board and the piles."""
    s.starter = s.first_player
    if s.first_player < 0:
        for seat in range(s.seats):
            d.scratch[seat] = SEAT + seat
        shuffle(d, SEATS_PILE, d.scratch, s.seats)
        s.starter = d.scratch[0] - SEAT
    shuffle(d, DRUID_PILE, s.pile[DRUID], s.pile_end[DRUID])
    shuffle(d, EXPERIENCE_PILE, s.pile[EXPERIENCE], s.pile_end[EXPERIENCE])
    shuffle(d, PARTS_PILE, s.supply, s.supply_end)
    begin_round(s, d)
    refill(s, d)
    seat = s.starter
    for _ in range(s.seats):
        for _ in range(FIRST_PARTS):
            part = next_part(s, d)
            if part != NO_CARD:
                gain_part(s, seat, part - PART)
                tell(d, PART_DEALT, seat, part - PART, 0, 0)
        seat = left_neighbour(s, seat)
    begin_turn(s, d, s.starter)
    go_on(s, d)


@rule
def to_move(s: State) -> int:
    """The seat that must decide, -1 when the game is over."""
    return -1 if s.phase == OVER else s.turn


@rule
def legal(s: State, d: Desk) -> int:
    """Write the legal actions to the desk; answer how many."""
    n = 0
    if s.phase == PLAY:
        for colour in range(COLOURS):
            for druid in range(s.held[s.turn][colour] + 1):
                for experience in range(s.held[SEATS + s.turn][colour] + 1):
                    if druid + experience > 0:
                        d.moves[n] = (colour << COLOUR_SHIFT) | (druid << DRUID_SHIFT) | experience
                        n += 1
    elif s.phase == AT_CULT:
        d.moves[0] = DRAW_CARD
        d.moves[1] = DRAW_NONE
        n = 2
    elif s.phase == GIVE:
        for kind in range(KINDS):
            if s.parts[s.turn][kind] > 0:
                d.moves[n] = GIVE_PART + kind
                n += 1
    elif s.phase in (TAKE, TRADE):
        if s.phase == TAKE or s.hand_size[SEATS + s.turn] > 1:
            for kind in range(KINDS):
                if s.display[kind] > 0:
                    d.moves[n] = TAKE_PART + kind
                    n += 1
        if s.phase == TRADE:
            for own in range(KINDS):
                for kind in range(KINDS):
                    if own != kind and s.parts[s.turn][own] > 0 and s.display[kind] > 0:
                        d.moves[n] = SWAP + own * KINDS + kind
                        n += 1
            d.moves[n] = STOP
            n += 1
    return n


@rule
def random_action(s: State, d: Desk) -> int:
    """One of the legal actions, each as likely."""
    if s.phase == PLAY:
        return random_play(s, d)
    if s.phase == TAKE:
        kinds = kinds_in(s.display)
        return TAKE_PART + nth_bit(kinds, below(d, count_bits(kinds)))
    if s.phase == GIVE:
        kinds = kinds_in(s.parts[s.turn])
        return GIVE_PART + nth_bit(kinds, below(d, count_bits(kinds)))
    if s.phase == AT_CULT:
        return DRAW_CARD + below(d, 2)
    return d.moves[below(d, legal(s, d))]


@rule
def random_play(s: State, d: Desk) -> int:
    """One of the plays, each as likely; without experience cards there are as many as cards in hand."""
    held = s.held[s.turn]
    if s.hand_size[SEATS + s.turn] == 0:
        pick = below(d, s.hand_size[s.turn])
        colour = 0
        while pick >= held[colour]:
            pick -= held[colour]
            colour += 1
        return (colour << COLOUR_SHIFT) | ((pick + 1) << DRUID_SHIFT)
    wise = s.held[SEATS + s.turn]
    total = 0
    for colour in range(COLOURS):
        total += (held[colour] + 1) * (wise[colour] + 1) - 1
    pick = below(d, total) + 1
    colour = 0
    while pick > (held[colour] + 1) * (wise[colour] + 1) - 1:
        pick -= (held[colour] + 1) * (wise[colour] + 1) - 1
        colour += 1
    druid = 0
    while pick > wise[colour]:
        pick -= wise[colour] + 1
        druid += 1
    return (colour << COLOUR_SHIFT) | (druid << DRUID_SHIFT) | pick


@rule
def apply(s: State, d: Desk, action: int) -> None:
    """Carry out a legal action and everything that follows, up to the next decision."""
    carry_out(s, d, action)
    go_on(s, d)


@rule
def place_of(s: State, seat: int) -> int:
    """CE-6.4: the seat's rank as things stand; equals share it, and the next is skipped."""
    rank = 1
    for other in range(s.seats):
        if other != seat and beats(s, other, seat):
            rank += 1
    return rank


@rule
def end_of(s: State) -> int:
    """The kind of end."""
    return s.end if s.phase == OVER else 0


# --- From decision to decision -------------------------------------------------------------------------------------


@rule
def go_on(s: State, d: Desk) -> None:
    """CE-3.0, 8.3: carry out what is forced until there is a choice. Whether there is one can be seen from what lies open."""
    while s.phase != OVER:
        seat = s.turn
        if s.phase == PLAY:
            if s.hand_size[seat] > 1 or s.hand_size[SEATS + seat] > 0:
                break
            play(s, d, s.hand[seat][0] - CARD, 1, 0)
        elif s.phase == TAKE:
            if s.left == 0:
                refill(s, d)
                finish_turn(s, d)
            else:
                kinds = kinds_in(s.display)
                if kinds & (kinds - 1) and (s.ask_order or s.left < s.shown):
                    break
                take(s, d, lowest_bit(kinds))
        elif s.phase == GIVE:
            if s.left == 0:
                draw_card(s, d, EXPERIENCE, seat)
                finish_turn(s, d)
            else:
                kinds = kinds_in(s.parts[seat])
                if kinds & (kinds - 1) and (s.ask_order or s.left < s.parts_size[seat]):
                    break
                give(s, d, lowest_bit(kinds))
        elif s.phase == AT_CULT:
            if can_draw(s, DRUID):
                break
            tell(d, NOTHING_LEFT, DRUID, 0, 0, 0)
            finish_turn(s, d)
        else:
            if can_trade(s, seat):
                break
            finish_trade(s, d)
    if s.phase == OVER:
        s.turn = s.asked
    else:
        s.asked = s.turn


@rule
def carry_out(s: State, d: Desk, action: int) -> None:
    """One decision, up to the point where the next one is due."""
    if action < TAKE_PART:
        colour = action >> COLOUR_SHIFT
        play(s, d, colour, (action >> DRUID_SHIFT) & 15, action & 7)
    elif action < GIVE_PART:
        if s.phase == TAKE:
            take(s, d, action - TAKE_PART)
        else:
            buy(s, d, action - TAKE_PART)
    elif action < DRAW_CARD:
        give(s, d, action - GIVE_PART)
    elif action < SWAP:
        if action == DRAW_CARD:
            draw_card(s, d, DRUID, s.turn)
        else:
            tell(d, DECLINED, s.turn, 0, 0, 0)
        finish_turn(s, d)
    elif action < STOP:
        swap(s, d, (action - SWAP) // KINDS, (action - SWAP) % KINDS)
    else:
        tell(d, STOPPED, s.turn, 0, 0, 0)
        finish_trade(s, d)


@rule
def left_neighbour(s: State, seat: int) -> int:
    """The next seat clockwise."""
    return 0 if seat + 1 == s.seats else seat + 1


# --- 3 The turn ----------------------------------------------------------------------------------------------------


@rule
def begin_turn(s: State, d: Desk, first: int) -> None:
    """CE-3.6: the first player from there on, clockwise, who holds druid cards."""
    while s.hand_size[first] == 0:
        first = left_neighbour(s, first)
    s.phase = PLAY
    s.turn = first
    s.left = 0
    tell(d, TURN_BEGUN, first, 0, 0, 0)


@rule
def play(s: State, d: Desk, colour: int, druid: int, experience: int) -> None:
    """CE-3.1 to 3.5: lay the cards, and lead the druid on; the place where he stops is then due."""
    tell(d, PLAYED, s.turn, colour, druid, experience)
    if druid > 0:
        lay_down(s, d, DRUID, colour, druid)
    if experience > 0:
        lay_down(s, d, EXPERIENCE, colour, experience)
    here = s.druid[colour]
    goal = s.places - 1
    if here == goal:
        tell(d, STAYED, colour, 0, 0, 0)
        finish_turn(s, d)
        return
    target = here + druid + experience
    lost = 0
    if target > goal:
        lost = target - goal
        target = goal
    tell(d, WALKED, colour, here, target, lost)
    walk(s, colour, target)
    if target == goal and s.home == 1:
        tell(d, LAST_ROUND, colour, 0, 0, 0)


@rule
def walk(s: State, colour: int, target: int) -> None:
    """CE-3.3, 4.1 to 4.3: the druid stops there, and the place asks its question."""
    s.druid[colour] = target
    if target == s.places - 1:
        s.home += 1
    parts = s.worth[target]
    if parts > 0:
        s.phase = TAKE
        s.left = parts if parts < s.shown else s.shown
    elif s.place_kind[target] == CULT:
        s.phase = AT_CULT
    else:
        s.phase = GIVE
        s.left = -parts if -parts < s.parts_size[s.turn] else s.parts_size[s.turn]


@rule
def lay_down(s: State, d: Desk, deck: int, colour: int, n: int) -> None:
    """CE-3.0, 3.5: n cards of a colour go from their lowest places in hand to the discard pile, and the hand closes up."""
    seat = s.turn
    hand = s.hand[deck * SEATS + seat]
    size = s.hand_size[deck * SEATS + seat]
    if d.listening:
        tell_laid(d, hand, size, deck, seat, CARD + colour, n)
    s.held[deck * SEATS + seat][colour] -= n
    s.hand_size[deck * SEATS + seat] = size - n
    s.discard[deck][colour] += n
    s.discard_size[deck] += n
    kept = 0
    for i in range(size):
        card = hand[i]
        if n > 0 and card == CARD + colour:
            n -= 1
        else:
            hand[kept] = card
            kept += 1
    for i in range(kept, size):
        hand[i] = NO_CARD


@rule
def tell_laid(d: Desk, hand: list[int], size: int, deck: int, seat: int, card: int, n: int) -> None:
    """Tell which places the n lowest of these cards leave: the highest first, so that the others keep their numbers."""
    above = -n
    for i in range(size):
        above += int(hand[i] == card)
    for i in range(size - 1, -1, -1):
        if hand[i] == card:
            if above > 0:
                above -= 1
            else:
                tell_secret(d, LAID, EVERYBODY, seat, deck, i, 0, card)


@rule
def finish_turn(s: State, d: Desk) -> None:
    """CE-6.2, then 5.1, then 3.6: is the game over at once, is the round over, or whose turn is it?"""
    if s.home == COLOURS:
        end_play(s, d, ALL_HOME)
        return
    if s.shown == 0 and s.supply_at == s.supply_end and s.given_size == 0:
        end_play(s, d, BY_PARTS)
        return
    seat = left_neighbour(s, s.turn)
    for _ in range(s.seats):
        if s.hand_size[seat] > 0:
            begin_turn(s, d, seat)
            return
        seat = left_neighbour(s, seat)
    if s.home > 0:
        end_play(s, d, BY_GOAL)
        return
    s.starter = seat
    begin_round(s, d)
    begin_turn(s, d, s.starter)


# --- 4 The places --------------------------------------------------------------------------------------------------


@rule
def take(s: State, d: Desk, kind: int) -> None:
    """CE-4.1: one part from the display."""
    s.display[kind] -= 1
    s.shown -= 1
    gain_part(s, s.turn, kind)
    s.left -= 1
    tell(d, TAKEN, s.turn, kind, s.left, 0)


@rule
def give(s: State, d: Desk, kind: int) -> None:
    """CE-4.2: one part is given up."""
    s.parts[s.turn][kind] -= 1
    s.parts_size[s.turn] -= 1
    s.given[kind] += 1
    s.given_size += 1
    s.left -= 1
    tell(d, GIVEN, s.turn, kind, s.left, 0)


@rule
def gain_part(s: State, seat: int, kind: int) -> None:
    """A part is laid open before a player."""
    s.parts[seat][kind] += 1
    s.parts_size[seat] += 1


@rule
def refill(s: State, d: Desk) -> None:
    """CE-4.1, 4.4: fill the display to nine, as far as there are parts."""
    while s.shown < DISPLAY:
        part = next_part(s, d)
        if part == NO_CARD:
            return
        s.display[part - PART] += 1
        s.shown += 1
        tell(d, PART_SHOWN, part - PART, 0, 0, 0)


@rule
def next_part(s: State, d: Desk) -> int:
    """CE-4.4: the next part of the supply, renewed from the given-up parts if need be; none if there are none either."""
    if s.supply_at == s.supply_end:
        if s.given_size == 0:
            return NO_CARD
        collect_given(s)
        shuffle(d, PARTS_PILE, s.supply, s.supply_end)
    part = s.supply[s.supply_at]
    s.supply[s.supply_at] = NO_CARD
    s.supply_at += 1
    return part


@rule
def collect_given(s: State) -> None:
    """CE-4.4: the given-up parts become the supply, not yet shuffled."""
    n = 0
    for kind in range(KINDS):
        for _ in range(s.given[kind]):
            s.supply[n] = PART + kind
            n += 1
        s.given[kind] = 0
    s.given_size = 0
    s.supply_at = 0
    s.supply_end = n


@rule
def can_draw(s: State, deck: int) -> bool:
    """Whether a card of that deck can be drawn, from the pile or from a renewed one."""
    return s.pile_at[deck] < s.pile_end[deck] or s.discard_size[deck] > 0


@rule
def draw_card(s: State, d: Desk, deck: int, seat: int) -> None:
    """CE-4.2 to 4.4: one card from the pile, renewed if need be, goes to the end of the hand."""
    if not can_draw(s, deck):
        tell(d, NOTHING_LEFT, deck, 0, 0, 0)
        return
    at = s.pile_at[deck]
    if at == s.pile_end[deck]:
        collect_discard(s, deck)
        shuffle(d, DRUID_PILE + deck, s.pile[deck], s.pile_end[deck])
        at = 0
    card = s.pile[deck][at]
    s.pile[deck][at] = NO_CARD
    s.pile_at[deck] = at + 1
    place = s.hand_size[deck * SEATS + seat]
    s.hand[deck * SEATS + seat][place] = card
    s.hand_size[deck * SEATS + seat] = place + 1
    s.held[deck * SEATS + seat][card - CARD] += 1
    tell_secret(d, DEALT, 1 << seat, seat, deck, place, 0, card)


@rule
def collect_discard(s: State, deck: int) -> None:
    """CE-4.4: the discard pile becomes the face-down pile, not yet shuffled."""
    n = 0
    for colour in range(COLOURS):
        for _ in range(s.discard[deck][colour]):
            s.pile[deck][n] = CARD + colour
            n += 1
        s.discard[deck][colour] = 0
    s.discard_size[deck] = 0
    s.pile_at[deck] = 0
    s.pile_end[deck] = n


# --- 5 Rounds ------------------------------------------------------------------------------------------------------


@rule
def begin_round(s: State, d: Desk) -> None:
    """CE-2.2, 5.2: five druid cards for everybody, seat by seat from the starting player, as far as there are any."""
    s.round += 1
    tell(d, ROUND_BEGUN, s.round, s.starter, 0, 0)
    seat = s.starter
    for _ in range(s.seats):
        for _ in range(DEAL):
            if can_draw(s, DRUID):
                draw_card(s, d, DRUID, seat)
        seat = left_neighbour(s, seat)


# --- 6 The end -----------------------------------------------------------------------------------------------------


@rule
def end_play(s: State, d: Desk, how: int) -> None:
    """CE-6.1, 6.2: no more plays; druid cards still held are discarded, and the experience phase begins."""
    s.end = how
    s.last = s.turn
    s.left = 0
    s.phase = TRADE
    tell(d, PLAY_ENDED, how, s.last, 0, 0)
    for seat in range(s.seats):
        while s.hand_size[seat] > 0:
            lose_card(s, d, DISCARDED, DRUID, seat, s.hand_size[seat] - 1)
    begin_trade(s, d, left_neighbour(s, s.last))


@rule
def begin_trade(s: State, d: Desk, seat: int) -> None:
    """CE-6.3: the next player of the experience phase."""
    s.turn = seat
    if can_trade(s, seat):
        tell(d, TRADE_BEGUN, seat, 0, 0, 0)
    else:
        tell(d, SKIPPED, seat, 0, 0, 0)


@rule
def can_trade(s: State, seat: int) -> bool:
    """CE-6.3: whether he can pay for a part of the display, or for a swap with another kind."""
    if s.hand_size[SEATS + seat] == 0 or s.shown == 0:
        return False
    if s.hand_size[SEATS + seat] > 1:
        return True
    own = kinds_in(s.parts[seat])
    # Only where both have one kind, and the same, is there nothing to swap.
    return own != 0 and count_bits(own | kinds_in(s.display)) > 1


@rule
def swap(s: State, d: Desk, own: int, kind: int) -> None:
    """CE-6.3: for one card, an own part for one of the display."""
    pay(s, d)
    s.parts[s.turn][own] -= 1
    s.parts[s.turn][kind] += 1
    s.display[own] += 1
    s.display[kind] -= 1
    tell(d, SWAPPED, s.turn, own, kind, 0)


@rule
def buy(s: State, d: Desk, kind: int) -> None:
    """CE-6.3: for two cards, a part of the display."""
    pay(s, d)
    pay(s, d)
    s.display[kind] -= 1
    s.shown -= 1
    gain_part(s, s.turn, kind)
    tell(d, BOUGHT, s.turn, kind, 0, 0)


@rule
def pay(s: State, d: Desk) -> None:
    """CE-6.3: one experience card leaves, of the lowest colour, from its lowest place."""
    hand = s.hand[SEATS + s.turn]
    lowest = 0
    for i in range(s.hand_size[SEATS + s.turn]):
        if hand[i] < hand[lowest]:
            lowest = i
    lose_card(s, d, PAID, EXPERIENCE, s.turn, lowest)


@rule
def lose_card(s: State, d: Desk, why: int, deck: int, seat: int, place: int) -> None:
    """One card goes from that place to the discard pile, and the hand closes up."""
    hand = s.hand[deck * SEATS + seat]
    card = hand[place]
    tell_secret(d, why, EVERYBODY, seat, deck, place, 0, card)
    last = s.hand_size[deck * SEATS + seat] - 1
    for i in range(place, last):
        hand[i] = hand[i + 1]
    hand[last] = NO_CARD
    s.hand_size[deck * SEATS + seat] = last
    s.held[deck * SEATS + seat][card - CARD] -= 1
    s.discard[deck][card - CARD] += 1
    s.discard_size[deck] += 1


@rule
def finish_trade(s: State, d: Desk) -> None:
    """CE-6.3: the display is refilled, and the next player may trade, once around."""
    refill(s, d)
    if s.turn != s.last:
        begin_trade(s, d, left_neighbour(s, s.turn))
        return
    s.phase = OVER
    if d.listening:
        for seat in range(s.seats):
            complete = complete_amulets(s, seat)
            tell(d, RANKED, seat, place_of(s, seat), complete, amulet_size(s, seat, complete + 1))
    tell(d, ENDED, s.end, 0, 0, 0)


@rule
def amulet_size(s: State, seat: int, k: int) -> int:
    """CE-6.4: parts of the k-th amulet: the kinds of which he holds at least k."""
    size = 0
    for kind in range(KINDS):
        size += int(s.parts[seat][kind] >= k)
    return size


@rule
def complete_amulets(s: State, seat: int) -> int:
    """CE-6.4: how many amulets are complete: as many as he has of his rarest kind."""
    complete = s.parts[seat][0]
    for kind in range(1, KINDS):
        complete = min(complete, s.parts[seat][kind])
    return complete


@rule
def beats(s: State, seat: int, other: int) -> bool:
    """CE-6.4: whether the first amulet in which the two differ is the larger one for `seat`; complete ones come first."""
    for k in range(1, PARTS + 1):
        mine = amulet_size(s, seat, k)
        theirs = amulet_size(s, other, k)
        if mine != theirs:
            return mine > theirs
    return False
