"""What a seat of Hazel knows: its own hand, and which cards it has seen in this round."""

from __future__ import annotations

from ..copying import copier
from ..kernel import EV_A, EV_KIND, EV_SECRET, Desk, Row, below, i64, rule
from .play import finish_trick
from .state import CARDS, HAND, HIDDEN, NO_CARD, OVER, SEATS, State
from .story import DEALT, ENDED, LAID, ROUND_BEGUN, TAKEN


class Knowledge(State):
    """A state as a watcher knows it."""

    seen: int = i64()  # cards of this round that were shown, as bits


copy_known = copier(State, globals())


@rule
def fold(k: Knowledge, row: Row) -> int:
    """Take one event in; 1 if it could not be foreseen."""
    kind = row[EV_KIND]
    a = row[EV_A]
    if kind == ROUND_BEGUN:
        k.round = a
        k.turn = row[EV_A + 1]
        k.left = k.held
        k.laid = 0
        k.seen = 0
        for card in range(CARDS):
            k.pile[card] = NO_CARD
        return 0
    if kind == DEALT:
        card = row[EV_SECRET]
        k.hand[a][row[EV_A + 1]] = card if card else HIDDEN
        if card:
            k.seen |= 1 << card
        return 1
    if kind == LAID:
        return fold_laid(k, a, row[EV_A + 1], row[EV_SECRET])
    if kind == TAKEN:
        finish_trick(k, a)
    elif kind == ENDED:
        k.phase = OVER
    return 0


@rule
def fold_laid(k: Knowledge, seat: int, place: int, card: int) -> int:
    """A card was laid for all to see."""
    hidden = int(k.hand[seat][place] == HIDDEN)
    k.hand[seat][place] = NO_CARD
    k.table[seat] = card
    k.laid += 1
    k.seen |= 1 << card
    if k.laid < SEATS:
        k.turn = 0 if seat + 1 == SEATS else seat + 1
    return hidden


@rule
def ponder(k: Knowledge) -> None:
    """Whoever is on turn is asked; there is nothing to find."""


@rule
def sample(k: Knowledge, d: Desk, s: State) -> None:
    """Write into `s` a state that may be the true one: what was not seen lies anywhere, each deal as likely."""
    copy_known(k, s)
    left = 0
    for card in range(1, s.cards + 1):
        if (k.seen >> card) & 1 == 0:
            d.scratch[left] = card
            left += 1
    for seat in range(SEATS):
        for place in range(HAND):
            if k.hand[seat][place] == HIDDEN:
                j = below(d, left)
                left -= 1
                s.hand[seat][place] = d.scratch[j]
                d.scratch[j] = d.scratch[left]
