"""What a position of Celtica is worth to a seat, at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rules.celtica.play import amulet_size, place_of, random_action
from ..rules.celtica.state import (
    COLOUR_SHIFT,
    COLOURS,
    CULT,
    DRUID_SHIFT,
    GIVE,
    GIVE_PART,
    KINDS,
    OVER,
    PARTS,
    PLAY,
    SEATS,
    STOP,
    SWAP,
    TAKE,
    TAKE_PART,
    TRADE,
    State,
    kinds_in,
)
from ..rules.kernel import Desk, below, count_bits, rule
from .levels import Learnt, Strength

WIN = 1_000_000
PART = 150  # what a part to come is worth, about as much as the parts that one has
LOSS = 130  # what a part to give up costs: one chooses what hurts least
EXPERIENCE = 70  # what an experience card is worth before the experience phase
CULT_DRAW = 30

# For the search
SCALE = 600.0  # how far one outlook must be ahead of another for odds of e to 1
BREADTH = 10  # nodes that a simulation adds at most, on average

MATTERS = ("ended", "taken", "given", "bought", "swapped", "part_dealt")  # events that are reasons for a move, the weightiest first
SLIGHT = ("dealt",)  # what is one where nothing else differs
PLACES = ("place", "card")  # where and what it is: another card in hand is no other reason


def gain_and_loss(event: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The seat that gains by an event that matters, and the one that loses by it, where it says so."""
    seat = event.get("seat")
    return (None, seat) if event["kind"] == "given" else (seat, None)


LEVELS = (
    Strength(4, overlook=800, horizon=25),
    Strength(7, overlook=650, horizon=25),
    Strength(12, overlook=470, horizon=25),
    Strength(26, overlook=270, horizon=25),
    Strength(50, overlook=170, horizon=25),
    Strength(80, overlook=110, horizon=25),
    Strength(150, overlook=50, horizon=25),
    Strength(2_000, threads=2, horizon=25),
)
LEARNT = Learnt("celtica", (2, 3, 4), anyhow=("first_player", "ask_order"))


@rule
def outlook(s: State, seat: int) -> int:
    """Amulets, what is about to be taken or given up, and what the own cards can still do."""
    own = amulets(s, seat) + about_to(s, seat)
    if s.phase == TRADE:
        return own + s.hand_size[SEATS + seat]
    return own + s.hand_size[SEATS + seat] * EXPERIENCE + prospects(s, seat)


@rule
def judge(s: State, seat: int) -> int:
    """Amulets compared with those of the others, what is about to be taken or given up, and what the own cards can still do."""
    own = amulets(s, seat) + about_to(s, seat)
    others = 0
    for other in range(s.seats):
        if other != seat:
            others += amulets(s, other) + about_to(s, other)
    if s.phase == OVER:
        return (s.seats - place_of(s, seat)) * WIN + own
    if s.phase == TRADE:
        # A card still in hand counts for hardly anything, so that every useful trade is made; a useless one is not.
        own += s.hand_size[SEATS + seat]
    else:
        own += s.hand_size[SEATS + seat] * EXPERIENCE + prospects(s, seat)
    return 2 * own - others // (s.seats - 1)


@rule
def amulets(s: State, seat: int) -> int:
    """What a player's parts are worth: the nearer an amulet is to completion the more, and later amulets less."""
    worth = 0
    share = 20
    for k in range(1, PARTS + 1):
        size = amulet_size(s, seat, k)
        if size == 0:
            break
        if size == KINDS:
            worth += 2000
        else:
            worth += (100 + 6 * size) * size * share // 20
            if share > 4:
                share -= 6
    return worth


@rule
def about_to(s: State, seat: int) -> int:
    """The parts that he is just about to take or to give up; the card that a ruin brings."""
    if s.turn != seat:
        return 0
    if s.phase == TAKE:
        lacking = wanted(s, seat)
        fit = s.left if s.left < lacking else lacking
        return fit * PART + (s.left - fit) * (PART // 2)
    if s.phase == GIVE:
        return EXPERIENCE - s.left * LOSS
    return 0


@rule
def wanted(s: State, seat: int) -> int:
    """How many kinds of the display his first incomplete amulet lacks."""
    lowest = s.parts[seat][0]
    for kind in range(1, KINDS):
        lowest = min(lowest, s.parts[seat][kind])
    lacking = 0
    for kind in range(KINDS):
        if s.parts[seat][kind] == lowest:
            lacking |= 1 << kind
    return count_bits(lacking & kinds_in(s.display))


@rule
def prospects(s: State, seat: int) -> int:
    """What the druid cards in hand would bring if each colour were played in the best way; all of them must be played."""
    worth = 0
    for colour in range(COLOURS):
        if s.held[seat][colour] > 0:
            worth += best_walk(s, seat, s.druid[colour], s.held[seat][colour])
    # Others lead the druids on before it comes to that.
    return worth * 2 // 3


@rule
def best_walk(s: State, seat: int, here: int, cards: int) -> int:
    """The best that so many cards can bring to a druid who stands here: in one play, in two, or card by card."""
    best = stop_worth(s, seat, here, cards)
    for first in range(1, cards):
        best = max(best, stop_worth(s, seat, here, first) + stop_worth(s, seat, here + first, cards - first))
    steps = 0
    for n in range(cards):
        steps += stop_worth(s, seat, here + n, 1)
    return max(best, steps)


@rule
def stop_worth(s: State, seat: int, here: int, cards: int) -> int:
    """What it brings to lead a druid on from here; nothing if he is at the goal."""
    goal = s.places - 1
    if here >= goal:
        return 0
    place = min(here + cards, goal)
    parts = s.worth[place]
    if parts > 0:
        return parts * PART
    if s.place_kind[place] == CULT:
        return CULT_DRAW
    lost = -parts if -parts < s.parts_size[seat] else s.parts_size[seat]
    return EXPERIENCE - lost * LOSS


# --- Playing on beyond the tree ------------------------------------------------------------------------------------


@rule
def follow(s: State, d: Desk) -> int:
    """A quick hand: takes what its amulets lack, gives up what it has most of, and prefers the better of two plays."""
    if s.phase == PLAY:
        one = random_action(s, d)
        other = random_action(s, d)
        return one if play_worth(s, one) >= play_worth(s, other) else other
    if s.phase == TAKE:
        return TAKE_PART + rarest(s, s.turn, d)
    if s.phase == GIVE:
        return GIVE_PART + commonest(s, s.turn)
    if s.phase == TRADE:
        return quick_trade(s, d)
    return random_action(s, d)


@rule
def play_worth(s: State, action: int) -> int:
    """What a play brings at the place where it leads."""
    cards = ((action >> DRUID_SHIFT) & 15) + (action & 7)
    return stop_worth(s, s.turn, s.druid[action >> COLOUR_SHIFT], cards) - (action & 7) * EXPERIENCE


@rule
def rarest(s: State, seat: int, d: Desk) -> int:
    """The kind in the display of which a player has fewest; each of several with the same chance."""
    best = -1
    ties = 0
    for kind in range(KINDS):
        if s.display[kind] > 0:
            if best < 0 or s.parts[seat][kind] < s.parts[seat][best]:
                best = kind
                ties = 1
            elif s.parts[seat][kind] == s.parts[seat][best]:
                ties += 1
                if below(d, ties) == 0:
                    best = kind
    return best


@rule
def commonest(s: State, seat: int) -> int:
    """The kind of which a player has most."""
    best = 0
    for kind in range(1, KINDS):
        if s.parts[seat][kind] > s.parts[seat][best]:
            best = kind
    return best


@rule
def quick_trade(s: State, d: Desk) -> int:
    """Buys or swaps for the rarest kind as long as that helps an earlier amulet than it hurts."""
    if s.shown == 0:
        return STOP
    wanted_kind = rarest(s, s.turn, d)
    if s.hand_size[SEATS + s.turn] > 1:
        return TAKE_PART + wanted_kind
    spare = commonest(s, s.turn)
    if s.parts[s.turn][spare] > s.parts[s.turn][wanted_kind] + 1:
        return SWAP + spare * KINDS + wanted_kind
    return STOP
