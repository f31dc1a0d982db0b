"""The rules of Druidenwalzer. Every function names the rules it carries out; `docs/rules/en/druidenwalzer.md` has their text.

This file is long because it is read beside that text, in its order, and waltz, contests and lost trees lead into one another.
"""

from __future__ import annotations

from ..kernel import EVERYBODY, Desk, below, count_bits, lowest_bit, rule, shuffle, tell, tell_secret
from .state import (
    ARROW,
    BOARDS,
    CONQUEST,
    CONTEST,
    COUNTER,
    CULT,
    DRAW,
    DRUIDS,
    EMPTY,
    FORCED,
    HAND,
    JUMP,
    LAY_ARROW,
    MEET,
    MOON,
    NO_CARD,
    OVER,
    PASS,
    RETREAT_HAND,
    RETREAT_TREE,
    SET_DRUID,
    SUN,
    TREES,
    TURN,
    WALTZ,
    State,
    arrow_of,
    sign_of,
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
    PASSED,
    PLAYED,
    RETREATED,
    RING_BACK,
    SCATTERED,
    STACKED,
    STAYED,
    TOKEN,
    TREE_LOST,
    TURN_BEGUN,
    TURNED,
)

# --- What every game answers ---------------------------------------------------------------------------------------


@rule
def start(s: State, d: Desk) -> None:
    """DW-2: begin with Moon's set-up arrow; `prepare` has laid out the options and both decks."""
    s.phase = ARROW
    s.turn = MOON
    go_on(s, d)


@rule
def to_move(s: State) -> int:
    """The seat that must decide, -1 when the game is over."""
    return -1 if s.phase == OVER else s.turn


@rule
def legal(s: State, d: Desk) -> int:
    """Write the legal actions to the desk; answer how many."""
    rest = s.options
    n = 0
    while rest:
        d.moves[n] = lowest_bit(rest)
        rest &= rest - 1
        n += 1
    return n


@rule
def random_action(s: State, d: Desk) -> int:
    """One of the legal actions, each as likely."""
    options = s.options
    for _ in range(below(d, count_bits(options))):
        options &= options - 1
    return lowest_bit(options)


@rule
def apply(s: State, d: Desk, action: int) -> None:
    """Carry out a legal action and everything that follows, up to the next decision."""
    carry_out(s, d, action)
    go_on(s, d)


@rule
def place_of(s: State, seat: int) -> int:
    """The seat's final rank: 1, or 2 for the loser; a draw is shared."""
    return 2 if s.winner == 1 - seat else 1


@rule
def end_of(s: State) -> int:
    """The kind of end."""
    return s.end


# --- From decision to decision -------------------------------------------------------------------------------------


@rule
def go_on(s: State, d: Desk) -> None:
    """Find the legal actions, and carry out what is forced (DW-10.2) until there is a choice."""
    forced = 0
    while s.phase != OVER:
        choices = turn_options(s) if s.phase == TURN else find_options(s)
        # Look-alikes in hand count as two here: else being asked would tell the opponent something about the hand.
        if choices & (choices - 1):
            s.options = choices & ~look_alikes(s)
            return
        carry_out(s, d, lowest_bit(choices))
        forced += 1
        if forced == FORCED and s.phase != OVER:
            finish(s, d, DRAW, -1)
    s.options = 0


@rule
def find_options(s: State) -> int:
    """The possible actions as bits, look-alikes in hand among them."""
    if s.phase == TURN:
        return turn_options(s)
    if s.phase == CONTEST:
        return s.meeting << MEET
    if s.phase == DRUIDS:
        options = 0
        for n in range(s.trees):
            if s.druid_on[s.turn * TREES + n] < 0:
                options |= 1 << (SET_DRUID + n)
        return options
    # A deck lies in order, so its 1s come first.
    options = 0
    pile = s.pile[s.turn]
    i = 0
    while value_of(pile[i]) == 1:
        options |= 1 << (LAY_ARROW + arrow_of(pile[i]))
        i += 1
    return options


@rule
def turn_options(s: State) -> int:
    """DW-3.0, 3.2, 3.4, 4.1, 7.1: waltz, jump, retreat; a pass if there is nothing else."""
    seat = s.turn
    hand = s.hand[seat]
    standing = s.standing[seat]
    options = 0
    held = 0
    for i in range(HAND):
        if hand[i] != NO_CARD:
            options |= standing << (WALTZ + i * TREES)
            held |= 1 << i
    if s.must_fill == 0 or held == 0:
        options |= held << RETREAT_HAND | s.filled[seat] << RETREAT_TREE
        # There is a tree without druid exactly as long as none is lost.
        if s.lost_trees[seat] == 0:
            options |= ((1 << (s.trees - 1)) - 1) << JUMP
    return options if options else 1 << PASS


@rule
def look_alikes(s: State) -> int:
    """Actions with a hand card of which a look-alike lies in a lower place."""
    if s.phase != TURN:
        return 0
    hand = s.hand[s.turn]
    twins = 0
    if hand[1] == hand[0]:
        twins = 15 << (WALTZ + TREES) | 2 << RETREAT_HAND
    if hand[2] == hand[0] or hand[2] == hand[1]:
        twins |= 15 << (WALTZ + 2 * TREES) | 4 << RETREAT_HAND
    return twins


@rule
def carry_out(s: State, d: Desk, action: int) -> None:
    """One decision, up to the point where the next one is due."""
    if action >= JUMP:
        if action < RETREAT_HAND:
            jump(s, d, action - JUMP)
            finish_turn(s, d)
        elif action < MEET:
            retreat(s, d, action)
            finish_turn(s, d)
        elif action < PASS:
            s.meeting &= ~(1 << (action - MEET))
            s.phase = TURN
            meet(s, d, action - MEET)
            contests(s, d)
        else:
            tell(d, PASSED, s.turn, 0, 0, 0)
            finish_turn(s, d)
    elif action >= WALTZ:
        waltz(s, d, (action - WALTZ) // TREES, s.turn * TREES + (action - WALTZ) % TREES)
        contests(s, d)
    elif action >= SET_DRUID:
        set_druid(s, d, action - SET_DRUID)
    else:
        lay_arrow(s, d, action - LAY_ARROW)


# --- 2 Set-up ------------------------------------------------------------------------------------------------------


@rule
def lay_arrow(s: State, d: Desk, arrow: int) -> None:
    """DW-2.1: a 1 with that arrow goes from the deck to the own cult board; Sun's choice is followed by the deal."""
    seat = s.turn
    pile = s.pile[seat]
    i = 0
    while arrow_of(pile[i]) != arrow:
        i += 1
    card = pile[i]
    end = s.pile_end[seat] - 1
    s.pile_end[seat] = end
    for j in range(i, end):
        pile[j] = pile[j + 1]
    pile[end] = NO_CARD
    tell_secret(d, ARROW_LAID, EVERYBODY, seat, 0, 0, 0, card)
    lay_out(s, seat, card)
    if seat == MOON:
        s.turn = SUN
        return
    deal(s, d, MOON)
    deal(s, d, SUN)
    s.phase = DRUIDS
    s.turn = MOON
    s.setting = 0


@rule
def deal(s: State, d: Desk, seat: int) -> None:
    """DW-2.2, 2.3: shuffle, stacks with their tops turned up, hand."""
    pile = s.pile[seat]
    shuffle(d, seat, pile, s.pile_end[seat])
    for n in range(s.trees):
        tree = seat * TREES + n
        stack = s.stack[tree]
        first = n * s.stack_size
        for i in range(s.stack_size):
            stack[i] = pile[first + i]
        s.height[tree] = s.stack_size
        s.worth[tree] = value_of(s.stack[tree][s.stack_size - 1])
        s.down[tree] = s.stack_size - 1
        tell_secret(d, STACKED, EVERYBODY, tree, s.stack_size, 0, 0, s.stack[tree][s.stack_size - 1])
    s.filled[seat] = s.standing[seat]
    s.pile_at[seat] = s.trees * s.stack_size
    draw_hand(s, d, seat)


@rule
def set_druid(s: State, d: Desk, number: int) -> None:
    """DW-2.4, 2.5: colour by colour, Moon's block and then Sun's; then Moon begins."""
    seat = s.turn
    s.druid_at[seat][s.setting] = number
    s.druid_on[seat * TREES + number] = s.setting
    tell(d, DRUID_SET, seat, s.setting, number, 0)
    s.setting += 1
    if s.setting == s.trees - 1:
        s.setting = 0
        if seat == MOON:
            s.turn = SUN
        else:
            begin_turn(s, d, MOON)


# --- 3 The turn ----------------------------------------------------------------------------------------------------


@rule
def begin_turn(s: State, d: Desk, seat: int) -> None:
    """DW-7.1: note which own standing trees are empty now."""
    s.phase = TURN
    s.turn = seat
    s.stirred = 0
    s.must_fill = s.standing[seat] & ~s.filled[seat]
    if d.listening:
        tell(d, TURN_BEGUN, seat, s.must_fill, 0, 0)


@rule
def retreat(s: State, d: Desk, action: int) -> None:
    """DW-3.1, 7.4: a hand card or an own top card goes to the own cult board."""
    seat = s.turn
    if action < RETREAT_TREE:
        place = action - RETREAT_HAND
        card = s.hand[seat][place]
        s.hand[seat][place] = NO_CARD
        tell_secret(d, RETREATED, EVERYBODY, seat, place, -1, 0, card)
        lay_out(s, seat, card)
    else:
        tree = seat * TREES + action - RETREAT_TREE
        card = lift(s, tree, s.height[tree] - 1)
        tell_secret(d, RETREATED, EVERYBODY, seat, -1, tree, 0, card)
        lay_out(s, seat, card)
        turn_up(s, d, tree)


@rule
def jump(s: State, d: Desk, colour: int) -> None:
    """DW-3.2: the druid goes to the free tree of his side."""
    move_druid(s, d, s.turn, colour)


@rule
def finish_turn(s: State, d: Desk) -> None:
    """DW-3.5: empty trees (7.2), drawing (7.3), draw rule (6.5), then the other player."""
    seat = s.turn
    falling = s.must_fill & s.standing[seat] & ~s.filled[seat]
    while falling:
        lose_tree(s, d, seat * TREES + lowest_bit(falling), EMPTY)
        if s.phase == OVER:
            return
        falling &= falling - 1
    if hand_is_empty(s, seat):
        draw_hand(s, d, seat)
    if s.stirred:
        s.quiet = 0
    else:
        s.quiet += 1
    if s.draw_after > 0 and s.quiet >= s.draw_after:
        finish(s, d, DRAW, -1)
        return
    begin_turn(s, d, 1 - seat)


@rule
def finish(s: State, d: Desk, end: int, winner: int) -> None:
    """The game is over."""
    s.phase = OVER
    s.end = end
    s.winner = winner
    tell(d, ENDED, end, winner, s.quiet, 0)


# --- 4 The waltz ---------------------------------------------------------------------------------------------------


@rule
def waltz(s: State, d: Desk, hand_place: int, tree: int) -> None:
    """DW-4.1 to 4.9: play the card, set the ring, let the dancers dance; the contests are then due."""
    seat = s.turn
    card = s.hand[seat][hand_place]
    s.hand[seat][hand_place] = NO_CARD
    s.ring = tree
    if d.listening:
        tell_secret(d, PLAYED, EVERYBODY, seat, hand_place, tree, 0, card)
    put_on(s, tree, card)
    dance(s, d, tree, card)
    s.meeting = (1 << (s.trees - 1)) - 1
    if s.druid_on[tree] >= 0:
        s.meeting &= ~(1 << s.druid_on[tree])


@rule
def dance(s: State, d: Desk, played_at: int, card: int) -> None:
    """DW-4.3 to 4.8: all tops of that value move, in the order in which the dance meets them; then tops are turned up."""
    way = -1 if arrow_of(card) == COUNTER else 1
    value = value_of(card)
    worth = s.worth
    dancers = 0
    for tree in range(8):
        if worth[tree] == value:
            dancers |= 1 << tree
    dancers &= ~(1 << played_at)
    left = dancers
    places = 2 * s.trees + 2
    arrived = 0  # how many dancers have landed on each tree: four bits a tree
    spot = s.place[played_at]
    while dancers:
        spot += way
        if spot == places:
            spot = 0
        elif spot < 0:
            spot = places - 1
        tree = s.at[spot]
        if tree < CULT and (dancers >> tree) & 1:
            dancers &= ~(1 << tree)
            covered = (arrived >> (4 * tree)) & 15
            if covered and s.cover:
                tell(d, STAYED, tree, 0, 0, 0)
            else:
                depth = s.height[tree] - 1 - covered
                target = step_along(s, spot, way, (played_at & 3) + 1)
                spirit = lift(s, tree, depth)
                if d.listening:
                    tell_secret(d, DANCED, EVERYBODY, tree, target, way, depth, spirit)
                if target >= CULT:
                    lay_out(s, target - CULT, spirit)
                else:
                    put_on(s, target, spirit)
                    arrived += 1 << (4 * target)
    while left:
        turn_up(s, d, lowest_bit(left))
        left &= left - 1


@rule
def step_along(s: State, spot: int, way: int, steps: int) -> int:
    """DW-4.5: the board so many steps on; lost trees are skipped and do not count."""
    places = 2 * s.trees + 2
    board = CULT
    while steps > 0:
        spot += way
        if spot == places:
            spot = 0
        elif spot < 0:
            spot = places - 1
        board = s.at[spot]
        if board >= CULT or not s.lost[board]:
            steps -= 1
    return board


# --- 5 The contests ------------------------------------------------------------------------------------------------


@rule
def contests(s: State, d: Desk) -> None:
    """DW-5.1, 5.2: the colours meet one by one; the player on turn is asked only where the order matters.

    Whether it does is the same before and between the contests, since a contest changes no top that has still to meet.
    """
    asked = order_matters(s)
    while s.phase != OVER:
        if s.meeting == 0:
            s.ring = -1
            if d.listening:
                tell(d, RING_BACK, 0, 0, 0, 0)
            finish_turn(s, d)
            return
        if asked:
            s.phase = CONTEST
            return
        meeting = s.meeting
        s.meeting = meeting & (meeting - 1)
        meet(s, d, lowest_bit(meeting))


@rule
def order_matters(s: State) -> bool:
    """DW-5.2: whether both players would be beaten if all remaining contests were fought with the tops now lying."""
    falls_sun = s.lost_trees[SUN]
    falls_moon = s.lost_trees[MOON]
    if 2 * s.to_lose - falls_sun - falls_moon >= s.trees:
        return False  # more trees would have to fall than druids can meet
    last = s.to_conquer - 1
    for colour in range(s.trees - 1):
        if (s.meeting >> colour) & 1:
            sun = s.druid_at[SUN][colour]
            moon = TREES + s.druid_at[MOON][colour]
            if s.tokens[moon] >= last and s.worth[sun] > s.worth[moon]:
                falls_moon += 1
            elif s.tokens[sun] >= last and s.worth[moon] > s.worth[sun]:
                falls_sun += 1
    return falls_sun >= s.to_lose and falls_moon >= s.to_lose


@rule
def meet(s: State, d: Desk, colour: int) -> None:
    """DW-5.3 to 5.5: the higher top wins, and costs its winner that card."""
    sun = s.druid_at[SUN][colour]
    moon = TREES + s.druid_at[MOON][colour]
    worth_sun = s.worth[sun]
    worth_moon = s.worth[moon]
    if d.listening:
        tell(d, MET, colour, worth_sun, worth_moon, sun | moon << 4)
    if worth_sun == worth_moon:
        return
    winner = SUN if worth_sun > worth_moon else MOON
    winning = sun if winner == SUN else moon
    losing = moon if winner == SUN else sun
    tokens = s.tokens[losing] + 1
    s.tokens[losing] = tokens
    s.stirred = 1
    if d.listening:
        tell(d, TOKEN, losing, tokens, 0, 0)
    card = lift(s, winning, s.height[winning] - 1)
    if d.listening:
        tell_secret(d, CARD_WON, EVERYBODY, winning, winner, 0, 0, card)
    lay_out(s, winner, card)
    turn_up(s, d, winning)
    if tokens >= s.to_conquer:
        lose_tree(s, d, losing, CONQUEST)


# --- 6 Losing a tree -----------------------------------------------------------------------------------------------


@rule
def lose_tree(s: State, d: Desk, tree: int, how: int) -> None:
    """DW-6.1 to 6.3: turn the tree over; the last one allowed ends the game with everything as it lies."""
    seat = tree // TREES
    s.lost[tree] = 1
    s.standing[seat] &= ~(1 << (tree % TREES))
    s.lost_trees[seat] += 1
    s.stirred = 1
    tell(d, TREE_LOST, tree, how, s.lost_trees[seat], 0)
    if s.lost_trees[seat] >= s.to_lose:
        finish(s, d, how, 1 - seat)
        return
    if s.druid_on[tree] >= 0:
        move_druid(s, d, seat, s.druid_on[tree])
    s.tokens[tree] = 0
    while s.height[tree] > 0:
        card = lift(s, tree, s.height[tree] - 1)
        owner = sign_of(card) if s.by_sign else seat
        tell_secret(d, SCATTERED, EVERYBODY, tree, owner, 0, 0, card)
        lay_out(s, owner, card)


# --- 7 The hand ----------------------------------------------------------------------------------------------------


@rule
def hand_is_empty(s: State, seat: int) -> bool:
    """Whether no place of the hand holds a card."""
    hand = s.hand[seat]
    return hand[0] == NO_CARD and hand[1] == NO_CARD and hand[2] == NO_CARD


@rule
def draw_hand(s: State, d: Desk, seat: int) -> None:
    """DW-7.3: fill the hand, renewing the pile from the cult board when a card must be drawn and none is left."""
    for i in range(s.hand_size):
        if s.pile_at[seat] == s.pile_end[seat]:
            if s.cult_size[seat] == 0:
                return
            renew_pile(s, d, seat)
        s.hand[seat][i] = s.pile[seat][s.pile_at[seat]]
        s.pile_at[seat] += 1
        tell_secret(d, DRAWN, 1 << seat, seat, i, 0, 0, s.hand[seat][i])


@rule
def renew_pile(s: State, d: Desk, seat: int) -> None:
    """DW-7.3: the cards of the cult board become the face-down pile."""
    n = s.cult_size[seat]
    for i in range(n):
        s.pile[seat][i] = s.cult[seat][i]
        s.cult[seat][i] = NO_CARD
    s.cult_size[seat] = 0
    s.pile_at[seat] = 0
    s.pile_end[seat] = n
    shuffle(d, seat, s.pile[seat], n)


# --- Cards and pieces ----------------------------------------------------------------------------------------------


@rule
def put_on(s: State, tree: int, card: int) -> None:
    """Lay a card on top of a stack, face up."""
    s.stack[tree][s.height[tree]] = card
    s.height[tree] += 1
    s.worth[tree] = value_of(card)
    s.filled[tree // TREES] |= 1 << (tree % TREES)


@rule
def lift(s: State, tree: int, depth: int) -> int:
    """Take a card out of a stack; what lies on it sinks."""
    stack = s.stack[tree]
    card = stack[depth]
    height = s.height[tree] - 1
    s.height[tree] = height
    for i in range(depth, height):
        stack[i] = stack[i + 1]
    stack[height] = NO_CARD
    if height > 0:
        s.worth[tree] = value_of(stack[height - 1])
    else:
        s.worth[tree] = 0
        s.filled[tree // TREES] &= ~(1 << (tree % TREES))
    if s.down[tree] > depth:
        s.down[tree] -= 1
    return card


@rule
def turn_up(s: State, d: Desk, tree: int) -> None:
    """DW-3.1, 4.8, 5.4: a face-down card on top is turned up."""
    if s.height[tree] > 0 and s.down[tree] == s.height[tree]:
        s.down[tree] -= 1
        if d.listening:
            tell_secret(d, TURNED, EVERYBODY, tree, 0, 0, 0, s.stack[tree][s.height[tree] - 1])


@rule
def lay_out(s: State, seat: int, card: int) -> None:
    """Put a card on a cult board, face up."""
    s.cult[seat][s.cult_size[seat]] = card
    s.cult_size[seat] += 1


@rule
def move_druid(s: State, d: Desk, seat: int, colour: int) -> None:
    """DW-3.2, 6.2: a druid goes to the standing tree of his side that has none."""
    origin = seat * TREES + s.druid_at[seat][colour]
    for n in range(s.trees):
        tree = seat * TREES + n
        if not s.lost[tree] and s.druid_on[tree] < 0:
            s.druid_on[origin] = -1
            s.druid_on[tree] = colour
            s.druid_at[seat][colour] = n
            tell(d, DRUID_MOVED, seat, colour, origin, tree)
            return


@rule
def lay_oval(s: State, mirrored: int) -> None:
    """DW-1.1: which board lies where, clockwise."""
    t = s.trees
    for i in range(BOARDS):
        s.at[i] = -1
        s.place[i] = -1
    for n in range(t):
        s.at[t - 1 - n] = n
        s.at[t + 1 + n if mirrored else 2 * t - n] = TREES + n
    s.standing[SUN] = s.standing[MOON] = (1 << t) - 1
    s.at[t] = CULT + MOON
    s.at[2 * t + 1] = CULT + SUN
    for i in range(2 * t + 2):
        s.place[s.at[i]] = i
