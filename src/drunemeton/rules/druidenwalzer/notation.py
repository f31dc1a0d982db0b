"""Moves of Druidenwalzer as text, and what a text means (DW-10.3).

`1>` set-up arrow; `orange@3`; `W 5<@4` waltz with a clockwise 5 at the own tree 4; `J black` jump; `R 3>` retreat from the hand,
`R @2` from a tree; `C purple` contest. The mover's own sign is left out; a card of the other cult is written `m5<` or `s5<`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import Reason
from .state import (
    ARROW,
    DRUIDS,
    HAND,
    HIDDEN,
    JUMP,
    LAY_ARROW,
    MEET,
    NO_CARD,
    PASS,
    RETREAT_HAND,
    RETREAT_TREE,
    SET_DRUID,
    TREES,
    WALTZ,
    State,
)
from .story import COLOUR_NAMES, SEAT_NAMES, card_text

_CARD = r"(?P<sign>[sm]?)(?P<value>[1-9])(?P<arrow>[<>])"
_ARROW = re.compile(r"1([<>])")
_DRUID = re.compile(r"(orange|purple|black) ?@ ?([1-4])")
_WALTZ = re.compile(rf"w ?{_CARD} ?@ ?(?P<tree>[1-4])")
_JUMP = re.compile(r"j ?(orange|purple|black)")
_RETREAT = re.compile(rf"r ?(?:{_CARD}|@ ?(?P<tree>[1-4]))")
_MEET = re.compile(r"c ?(orange|purple|black)")


def short_card(card: int, seat: int) -> str:
    """A card as its player writes it: without his own sign."""
    text = card_text(card) or "?"
    return text[1:] if card >> 5 == seat else text


# Written once: every move tells a seat all that it may play.
_RETREATS = [[f"R {short_card(card, seat)}" for card in range(HIDDEN)] for seat in (0, 1)]
_WALTZES = [[[f"W {short_card(card, seat)}@{n + 1}" for n in range(TREES)] for card in range(HIDDEN)] for seat in (0, 1)]
_WALTZ_OF = {WALTZ + place * TREES + number: (place, number) for place in range(HAND) for number in range(TREES)}
_CARDLESS = {
    **{LAY_ARROW + arrow: f"1{text}" for arrow, text in enumerate("<>")},
    **{JUMP + colour: f"J {name}" for colour, name in enumerate(COLOUR_NAMES)},
    **{RETREAT_TREE + number: f"R @{number + 1}" for number in range(TREES)},
    **{MEET + colour: f"C {name}" for colour, name in enumerate(COLOUR_NAMES)},
    PASS: "pass",
}


def parse_card(text: str, seat: int) -> int:
    """The card that `5<`, `s5<` or `m5<` means for a seat."""
    sign = "sm".index(text[0]) if text[0] in "sm" else seat
    return int(text[-2]) | "<>".index(text[-1]) << 4 | sign << 5


def order_cards(pile: str, texts: Sequence[str]) -> list[int]:
    """The cards of a shuffle order, such as `s5<`."""
    return [parse_card(text, SEAT_NAMES.index(pile)) for text in texts]


def move_text(s: State, action: int) -> str:
    """An action of the seat on turn as text."""
    waltz = _WALTZ_OF.get(action)
    if waltz is not None:
        place, number = waltz
        return _WALTZES[s.turn][s.hand[s.turn][place]][number]
    if action in _CARDLESS:
        return _CARDLESS[action]
    if action >= RETREAT_HAND:
        return _RETREATS[s.turn][s.hand[s.turn][action - RETREAT_HAND]]
    return f"{COLOUR_NAMES[s.setting]}@{action - SET_DRUID + 1}"


def parse_move(s: State, text: str) -> int | Reason:
    """The action that a text names, legal or not, or why it names none."""
    text = " ".join(text.lower().split())
    if found := _ARROW.fullmatch(text):
        return LAY_ARROW + "<>".index(found[1])
    if found := _DRUID.fullmatch(text):
        if s.phase == DRUIDS and COLOUR_NAMES.index(found[1]) != s.setting:
            return Reason("dw.other_druid", "DW-2.4", {"colour": COLOUR_NAMES[s.setting]})
        return SET_DRUID + int(found[2]) - 1
    if found := _WALTZ.fullmatch(text):
        place = _place_of(s, found["sign"] + found["value"] + found["arrow"])
        return place if isinstance(place, Reason) else WALTZ + place * TREES + int(found["tree"]) - 1
    if found := _JUMP.fullmatch(text):
        return JUMP + COLOUR_NAMES.index(found[1])
    if found := _RETREAT.fullmatch(text):
        if found["tree"]:
            return RETREAT_TREE + int(found["tree"]) - 1
        place = _place_of(s, found["sign"] + found["value"] + found["arrow"])
        return place if isinstance(place, Reason) else RETREAT_HAND + place
    if found := _MEET.fullmatch(text):
        return MEET + COLOUR_NAMES.index(found[1])
    return Reason("dw.unreadable", "DW-10.3")


def _place_of(s: State, text: str) -> int | Reason:
    """The lowest place of the mover's hand that holds the card."""
    if s.phase == ARROW:
        return Reason("dw.arrow_first", "DW-2.1")
    card = parse_card(text, s.turn)
    for place in range(HAND):
        if s.hand[s.turn][place] == card and card != NO_CARD:
            return place
    return Reason("dw.not_in_hand", "DW-4.1", {"card": short_card(card, s.turn)})


def refusal(s: State, action: int) -> Reason:
    """Why an action of the seat on turn is not legal: the rule, and what would make it legal."""
    due = {ARROW: "dw.arrow_first", DRUIDS: "dw.druids_first"}.get(s.phase)
    if due:
        kind_fits = action < SET_DRUID if s.phase == ARROW else SET_DRUID <= action < WALTZ
        if not kind_fits:
            return Reason(due, "DW-2.1" if s.phase == ARROW else "DW-2.4")
        if s.phase == ARROW:
            return Reason("dw.no_such_one", "DW-2.1", {"arrow": "<>"[action & 1]})
        number = action - SET_DRUID + 1
        if number > s.trees:
            return Reason("dw.no_such_tree", "DW-8.3", {"tree": number})
        return Reason("dw.tree_taken", "DW-2.4", {"tree": number})
    if s.meeting:
        if MEET <= action < PASS:
            return Reason("dw.not_meeting", "DW-5.1", {"colour": COLOUR_NAMES[action - MEET]})
        return Reason("dw.contest_first", "DW-5.2")
    return _turn_refusal(s, action)


def _turn_refusal(s: State, action: int) -> Reason:
    if action < WALTZ:
        return Reason("dw.set_up_is_over", "DW-3.0")
    if action >= PASS:
        return Reason("dw.no_passing", "DW-3.4")
    if action >= MEET:
        return Reason("dw.no_contest_asked", "DW-5.2")
    if action < JUMP:
        place, number = divmod(action - WALTZ, TREES)
        if s.hand[s.turn][place] == NO_CARD:
            return Reason("dw.empty_place", "DW-4.1", {"place": place + 1})
        return _tree_refusal(s, number) or Reason("dw.look_alike", "DW-10.2", {"place": place + 1})
    if s.must_fill and any(s.hand[s.turn]):
        numbers = [n + 1 for n in range(s.trees) if s.must_fill >> n & 1]
        return Reason("dw.must_fill", "DW-7.1", {"trees": numbers})
    if action < RETREAT_HAND:
        if action - JUMP >= s.trees - 1:
            return Reason("dw.no_such_druid", "DW-8.3", {"colour": COLOUR_NAMES[action - JUMP]})
        return Reason("dw.no_free_tree", "DW-3.2")
    if action < RETREAT_TREE:
        place = action - RETREAT_HAND
        if s.hand[s.turn][place] == NO_CARD:
            return Reason("dw.empty_place", "DW-3.1", {"place": place + 1})
        return Reason("dw.look_alike", "DW-10.2", {"place": place + 1})
    number = action - RETREAT_TREE
    if number >= s.trees:
        return Reason("dw.no_such_tree", "DW-8.3", {"tree": number + 1})
    return Reason("dw.nothing_there", "DW-3.1", {"tree": number + 1})


def _tree_refusal(s: State, number: int) -> Reason | None:
    if number >= s.trees:
        return Reason("dw.no_such_tree", "DW-8.3", {"tree": number + 1})
    if s.lost[s.turn * TREES + number]:
        return Reason("dw.lost_tree", "DW-4.1", {"tree": number + 1})
    return None
