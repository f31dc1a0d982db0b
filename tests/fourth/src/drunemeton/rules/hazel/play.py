"""The rules of Hazel; `docs/rules/en/hazel.md` has their text."""

from __future__ import annotations

from ..kernel import EVERYBODY, Desk, below, rule, shuffle, tell, tell_secret
from .state import DONE, HAND, LAY, NO_CARD, NOT_OVER, OVER, SEATS, State
from .story import DEALT, ENDED, LAID, ROUND_BEGUN, TAKEN


@rule
def start(s: State, d: Desk) -> None:
    """HZ-2.1: the first seat begins."""
    begin_round(s, d)


@rule
def to_move(s: State) -> int:
    """The seat that must decide, -1 when the game is over."""
    return -1 if s.phase == OVER else s.turn


@rule
def legal(s: State, d: Desk) -> int:
    """HZ-2.2: any card in hand."""
    n = 0
    for place in range(HAND):
        if s.hand[s.turn][place] != NO_CARD:
            d.moves[n] = place
            n += 1
    return n


@rule
def random_action(s: State, d: Desk) -> int:
    """One of the legal actions, each as likely."""
    return d.moves[below(d, legal(s, d))]


@rule
def apply(s: State, d: Desk, action: int) -> None:
    """HZ-2.2, 2.4: lay a card; the last cards of a round are laid without a question."""
    lay(s, d, action)
    while s.phase != OVER and s.left == 1:
        lay(s, d, only_place(s))


@rule
def only_place(s: State) -> int:
    """Where the last card of the seat on turn lies."""
    place = 0
    while s.hand[s.turn][place] == NO_CARD:
        place += 1
    return place


@rule
def place_of(s: State, seat: int) -> int:
    """HZ-3.3: most tricks; ties share."""
    rank = 1
    for other in range(SEATS):
        rank += int(s.tricks[other] > s.tricks[seat])
    return rank


@rule
def end_of(s: State) -> int:
    """The kind of end."""
    return DONE if s.phase == OVER else NOT_OVER


@rule
def begin_round(s: State, d: Desk) -> None:
    """HZ-1.2: shuffle and deal."""
    s.round += 1
    s.left = s.held
    s.laid = 0
    tell(d, ROUND_BEGUN, s.round, s.turn, 0, 0)
    for card in range(s.cards):
        s.pile[card] = card + 1
    shuffle(d, 0, s.pile, s.cards)
    for seat in range(SEATS):
        for place in range(s.held):
            card = s.pile[seat * s.held + place]
            s.hand[seat][place] = card
            tell_secret(d, DEALT, 1 << seat, seat, place, 0, 0, card)
    for card in range(s.cards):
        s.pile[card] = NO_CARD


@rule
def lay(s: State, d: Desk, place: int) -> None:
    """HZ-2.2, 2.3: a card before one; the third one ends the trick."""
    seat = s.turn
    card = s.hand[seat][place]
    s.hand[seat][place] = NO_CARD
    s.table[seat] = card
    s.laid += 1
    tell_secret(d, LAID, EVERYBODY, seat, place, 0, 0, card)
    if s.laid < SEATS:
        s.turn = 0 if seat + 1 == SEATS else seat + 1
        return
    best = 0
    for other in range(1, SEATS):
        if s.table[other] > s.table[best]:
            best = other
    finish_trick(s, best)
    tell(d, TAKEN, best, s.tricks[best], 0, 0)
    if s.left == 0:
        if s.round == s.rounds:
            s.phase = OVER
            tell(d, ENDED, DONE, 0, 0, 0)
        else:
            begin_round(s, d)


@rule
def finish_trick(s: State, winner: int) -> None:
    """HZ-2.3: the winner counts it, and leads the next."""
    for seat in range(SEATS):
        s.table[seat] = NO_CARD
    s.tricks[winner] += 1
    s.laid = 0
    s.left -= 1
    s.turn = winner


assert LAY == 0
