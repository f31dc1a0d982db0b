"""Moves of Celtica as text, and what a text means (CE-3.0).

`red 2` plays two red druid cards, `red 2+1` an experience card as well, `red 0+1` that one alone; `draw` and `no` at a cult place;
`take sun`, `give moon`; in the experience phase `swap sun moon` (the own sun for the display's moon), `take sun`, `stop`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..errors import Reason
from .state import (
    ACTIONS,
    AT_CULT,
    CARD,
    COLOUR_SHIFT,
    DRAW_CARD,
    DRAW_NONE,
    DRUID_CARDS,
    DRUID_SHIFT,
    EXPERIENCE_CARDS,
    GIVE,
    GIVE_PART,
    KINDS,
    PART,
    PLAY,
    SEAT,
    SEATS,
    STOP,
    SWAP,
    TAKE,
    TAKE_PART,
    State,
)
from .story import COLOUR_NAMES, KIND_NAMES, PILE_NAMES

_EXAMPLES = ("red 2", "red 2+1", "draw", "no", "take sun", "give moon", "swap sun moon", "stop")
_PLAY = re.compile(r"([a-z]+) ([0-9]{1,3})(?: ?\+ ?([0-9]{1,3}))?")
_PART = re.compile(r"(take|give) ([a-z]+)")
_SWAP = re.compile(r"swap ([a-z]+) ([a-z]+)")


def move_text(s: State, action: int) -> str:
    """An action as text."""
    if action < TAKE_PART:
        druid, experience = action >> DRUID_SHIFT & 15, action & 7
        return f"{COLOUR_NAMES[action >> COLOUR_SHIFT]} {druid}" + (f"+{experience}" if experience else "")
    if action < GIVE_PART:
        return f"take {KIND_NAMES[action - TAKE_PART]}"
    if action < DRAW_CARD:
        return f"give {KIND_NAMES[action - GIVE_PART]}"
    if action < SWAP:
        return "draw" if action == DRAW_CARD else "no"
    if action < STOP:
        own, kind = divmod(action - SWAP, KINDS)
        return f"swap {KIND_NAMES[own]} {KIND_NAMES[kind]}"
    return "stop"


def parse_move(s: State, text: str) -> int | Reason:
    """The action that a text names, legal or not, or why it names none."""
    text = " ".join(text.lower().split())
    fixed = {"draw": DRAW_CARD, "no": DRAW_NONE, "stop": STOP}
    if text in fixed:
        return fixed[text]
    if found := _PLAY.fullmatch(text):
        return _parse_play(s, found[1], int(found[2]), int(found[3] or 0))
    if found := _PART.fullmatch(text):
        kind = _kind(found[2])
        return kind if isinstance(kind, Reason) else (TAKE_PART if found[1] == "take" else GIVE_PART) + kind
    if found := _SWAP.fullmatch(text):
        own, kind = _kind(found[1]), _kind(found[2])
        if isinstance(own, Reason):
            return own
        return kind if isinstance(kind, Reason) else SWAP + own * KINDS + kind
    return Reason("ce.unreadable", "CE-3.0", {"examples": list(_EXAMPLES)})


def order_cards(pile: str, texts: Sequence[str]) -> list[int]:
    """The integers that lie in a pile, from the texts of a shuffle order."""
    if pile == PILE_NAMES[0]:
        return [SEAT + int(text) for text in texts]
    if pile == PILE_NAMES[3]:
        return [PART + KIND_NAMES.index(text) for text in texts]
    return [CARD + COLOUR_NAMES.index(text) for text in texts]


def _kind(name: str) -> int | Reason:
    if name not in KIND_NAMES:
        return Reason("ce.no_such_part", "CE-1.4", {"part": name, "parts": list(KIND_NAMES)})
    return KIND_NAMES.index(name)


def _parse_play(s: State, name: str, druid: int, experience: int) -> int | Reason:
    if name not in COLOUR_NAMES:
        return Reason("ce.no_such_druid", "CE-1.3", {"colour": name, "colours": list(COLOUR_NAMES)})
    colour = COLOUR_NAMES.index(name)
    if druid > DRUID_CARDS or experience > EXPERIENCE_CARDS:  # more than an action can say, and more than there are
        return _too_few(s, colour, druid, experience) if s.phase == PLAY else _due(s) or _trade_refusal(s, colour << COLOUR_SHIFT)
    return colour << COLOUR_SHIFT | druid << DRUID_SHIFT | experience


def refusal(s: State, action: int) -> Reason:
    """Why an action of the seat on turn is not legal: the rule, and what would make it legal."""
    if not 0 <= action < ACTIONS:
        return Reason("ce.no_such_action", "CE-3.0", {"actions": ACTIONS})
    if s.phase == PLAY and action < TAKE_PART:
        return _too_few(s, action >> COLOUR_SHIFT, action >> DRUID_SHIFT & 15, action & 7)
    if s.phase == TAKE and TAKE_PART <= action < GIVE_PART:
        return _not_shown(s, action - TAKE_PART, "CE-4.1")
    if s.phase == GIVE and GIVE_PART <= action < DRAW_CARD:
        return _not_owned(s, action - GIVE_PART, "CE-4.2")
    return _due(s) or _trade_refusal(s, action)


def _due(s: State) -> Reason | None:
    """The question that must be answered before anything else; None in the experience phase."""
    if s.phase == PLAY:
        return Reason("ce.play_first", "CE-3.1", {"colours": [name for n, name in enumerate(COLOUR_NAMES) if _cards(s, n) > 0]})
    if s.phase == AT_CULT:
        return Reason("ce.draw_first", "CE-4.3", {"moves": ["draw", "no"]})
    if s.phase == TAKE:
        return Reason("ce.take_first", "CE-4.1", {"left": s.left, "parts": _names(s.display)})
    if s.phase == GIVE:
        return Reason("ce.give_first", "CE-4.2", {"left": s.left, "parts": _names(s.parts[s.turn])})
    return None


def _cards(s: State, colour: int) -> int:
    return s.held[s.turn][colour] + s.held[SEATS + s.turn][colour]


def _too_few(s: State, colour: int, druid: int, experience: int) -> Reason:
    params: dict[str, Any] = {
        "colour": COLOUR_NAMES[colour],
        "druid": s.held[s.turn][colour],
        "experience": s.held[SEATS + s.turn][colour],
    }
    if druid > s.held[s.turn][colour]:
        return Reason("ce.too_few_druid_cards", "CE-3.1", params)
    if experience > s.held[SEATS + s.turn][colour]:
        return Reason("ce.too_few_experience_cards", "CE-3.2", params)
    return Reason("ce.play_a_card", "CE-3.1", params)


def _names(row: list[int]) -> list[str]:
    return [name for kind, name in enumerate(KIND_NAMES) if row[kind] > 0]


def _not_shown(s: State, kind: int, rule: str) -> Reason:
    return Reason("ce.not_in_display", rule, {"part": KIND_NAMES[kind], "parts": _names(s.display)})


def _not_owned(s: State, kind: int, rule: str) -> Reason:
    return Reason("ce.not_yours", rule, {"part": KIND_NAMES[kind], "parts": _names(s.parts[s.turn])})


def _trade_refusal(s: State, action: int) -> Reason:
    if TAKE_PART <= action < GIVE_PART:
        if s.hand_size[SEATS + s.turn] < 2:
            return Reason("ce.cannot_pay", "CE-6.3", {"held": s.hand_size[SEATS + s.turn], "needed": 2})
        return _not_shown(s, action - TAKE_PART, "CE-6.3")
    if SWAP <= action < STOP:
        own, kind = divmod(action - SWAP, KINDS)
        if s.parts[s.turn][own] == 0:
            return _not_owned(s, own, "CE-6.3")
        if own == kind:
            others = [name for name in _names(s.display) if name != KIND_NAMES[own]]
            return Reason("ce.same_kind", "CE-6.3", {"part": KIND_NAMES[own], "parts": others})
        return _not_shown(s, kind, "CE-6.3")
    return Reason("ce.play_is_over", "CE-6.3", {"moves": ["take", "swap", "stop"]})
