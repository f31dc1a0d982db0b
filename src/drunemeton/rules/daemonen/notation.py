"""Moves of Druiden und Dämonen as text, what a text means, and why a move is refused.

`choose dark`; `draw`, `stop`, `discard`; `lay 2,-1 r3`, `portal 2,-1`; `demon 1,1`, `remove 1,1`, `anchor 1,1`; `stone 1,1/0` then
`from reserve` or `from 2,0/1`; `temple 1,1` then `from pool` or `from 2,0`; `convert 1,1/0`; `settle 1,1`; `from 1,1` then `to 2,1`; `end`.
A corner is written by the one of its three names that ends in 0 or 1; the others are understood.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..errors import Reason
from ..kernel import bit_has, count_bits
from .land import adjacent, looks, own_anchors_around, side, site_at, slot_word, turned
from .magic import count_own, fits_without
from .people import supported
from .pieces import holder, is_anchor, stones_of
from .state import (
    ACTION_KINDS,
    ANCHOR,
    CELLS,
    CHOOSE,
    CHOOSE_ACTIONS,
    CONVERT,
    DARK,
    DEMON,
    DISCARD,
    DRAW,
    EMPTY,
    END,
    FROM,
    FROM_POOL,
    FROM_RESERVE,
    FRONTIER,
    HALF_MOVE,
    HALF_STONE,
    HALF_TEMPLE,
    LAND,
    LAY,
    LAY_PORTAL,
    LIGHT,
    MOVE,
    POPULATE,
    PORTAL,
    REMOVE,
    SCOUT,
    SEAT_CARD,
    SETTLE,
    SETUP,
    SPELL_CONVERT,
    SPELL_STONE,
    SPELL_TEMPLE,
    STEP,
    STONE,
    STONE_FROM,
    STOP,
    TEMPLE,
    TEMPLE_FROM,
    TO,
    WORDS,
    State,
)
from .story import ACTION_NAMES, SEAT_NAMES, TERRAINS, card_of, card_text, cell_of, cell_text, corner_text

SMALL = {DRAW: "draw", STOP: "stop", DISCARD: "discard", END: "end", FROM_RESERVE: "from reserve", FROM_POOL: "from pool"}
FIELD_WORDS = {
    DEMON: "demon",
    REMOVE: "remove",
    ANCHOR: "anchor",
    TEMPLE: "temple",
    TEMPLE_FROM: "from",
    SETTLE: "settle",
    FROM: "from",
    TO: "to",
}
SITE_WORDS = {STONE: "stone", STONE_FROM: "from", CONVERT: "convert"}

_CELL = r"(?P<q>-?\d{1,3}) ?, ?(?P<r>-?\d{1,3})"
_CHOOSE = re.compile(r"choose (dark|light|scout|populate|move)")
_LAY = re.compile(rf"lay {_CELL} r ?(?P<rotation>[0-5])")
_FIELD = re.compile(rf"(?P<word>portal|demon|remove|anchor|temple|settle|from|to) {_CELL}")
_CORNER = re.compile(rf"(?P<word>stone|from|convert) {_CELL} ?/ ?(?P<k>[0-5])")

# The rule that a kind of action belongs to, and the phase in which it may be asked.
PHASES = {
    DEMON: DARK,
    REMOVE: DARK,
    ANCHOR: DARK,
    STONE: LIGHT,
    STONE_FROM: LIGHT,
    TEMPLE: LIGHT,
    TEMPLE_FROM: LIGHT,
    CONVERT: LIGHT,
    SETTLE: POPULATE,
    FROM: MOVE,
    TO: MOVE,
}
RULES = {kind: {DARK: "DD-5.3", LIGHT: "DD-5.4", POPULATE: "DD-5.6", MOVE: "DD-5.7"}[phase] for kind, phase in PHASES.items()}


# --- Text ----------------------------------------------------------------------------------------------------------


def kind_of(action: int) -> int:
    """The base to which an action belongs; a small action is its own."""
    if action < DEMON:
        return action
    for base in (LAY_PORTAL, LAY, CONVERT, STONE_FROM, STONE, TO, FROM, SETTLE, TEMPLE_FROM, TEMPLE, ANCHOR, REMOVE):
        if action >= base:
            return base
    return DEMON


def order_cards(pile: str, texts: Sequence[str]) -> list[int]:
    """The cards of a shuffle order, such as `FFWWMM` or `portal`; seats such as `0`."""
    return [SEAT_CARD + int(text) if pile == "seats" else card_of(text) for text in texts]


def move_text(s: State, action: int) -> str:
    """An action as text."""
    kind = kind_of(action)
    if action < CHOOSE + ACTION_KINDS:
        return f"choose {ACTION_NAMES[action - CHOOSE]}"
    if action in SMALL:
        return SMALL[action]
    if kind in FIELD_WORDS:
        return f"{FIELD_WORDS[kind]} {cell_text(s.cell[action - kind])}"
    if kind in SITE_WORDS:
        return f"{SITE_WORDS[kind]} {corner_text(s.site_name[action - kind])}"
    if kind == LAY:
        cell, rotation = divmod(action - LAY, 6)
        return f"lay {cell_text(cell)} r{rotation}"
    return f"portal {cell_text(action - LAY_PORTAL)}"


def parse_move(s: State, text: str) -> int | Reason:
    """The action that a text names, legal or not, or why it names none."""
    text = " ".join(text.lower().split())
    for action, word in SMALL.items():
        if text == word:
            return action
    if found := _CHOOSE.fullmatch(text):
        return CHOOSE + ACTION_NAMES.index(found[1])
    if found := _LAY.fullmatch(text):
        cell = cell_of(int(found["q"]), int(found["r"]))
        if cell < 0:
            return _beyond(found)
        rotation = int(found["rotation"])
        return LAY + cell * 6 + (rotation % looks(s.hand) if s.hand >= LAND else rotation)
    if found := _CORNER.fullmatch(text):
        return _corner_action(s, found)
    if found := _FIELD.fullmatch(text):
        return _field_action(s, found)
    return Reason("dd.unreadable")


def _beyond(found: re.Match[str]) -> Reason:
    return Reason("dd.beyond_the_rim", "DD-1.5", {"cell": f"{found['q']},{found['r']}"})


def _field_action(s: State, found: re.Match[str]) -> int | Reason:
    cell = cell_of(int(found["q"]), int(found["r"]))
    if cell < 0:
        return _beyond(found)
    word = found["word"]
    if word == "portal":
        return LAY_PORTAL + cell
    kind = {"demon": DEMON, "remove": REMOVE, "anchor": ANCHOR, "temple": TEMPLE, "settle": SETTLE, "to": TO}.get(word, FROM)
    if word == "from" and s.half == HALF_TEMPLE:
        kind = TEMPLE_FROM
    if s.at[cell] < 0:
        return out_of_turn(s, kind) or Reason("dd.empty_cell", RULES[kind], {"cell": cell_text(cell)})
    return kind + s.at[cell]


def corner_name(cell: int, k: int) -> int:
    """DD-1.2: the one of a corner's three names whose corner is 0 or 1, as cell * 2 + corner."""
    while k > 1:
        # (h, k) is also (h + d[k], k + 2)
        cell, k = cell + STEP[k], (k + 2) % 6
    return cell * 2 + k


def _corner_action(s: State, found: re.Match[str]) -> int | Reason:
    cell = cell_of(int(found["q"]), int(found["r"]))
    if cell < 0:
        return _beyond(found)
    kind = {"stone": STONE, "from": STONE_FROM, "convert": CONVERT}[found["word"]]
    name = corner_name(cell, int(found["k"]))
    site = site_at(s, name)
    if site >= 0:
        return kind + site
    return out_of_turn(s, kind) or _no_site(s, name, kind)


def _no_site(s: State, name: int, kind: int) -> Reason:
    """Why no stone can ever stand on that corner as things are."""
    corner = corner_text(name)
    cell, k = divmod(name, 2)
    if kind != STONE:
        return Reason("dd.no_stone_there", "DD-5.4", {"corner": corner})
    slots = [s.at[c] for c in (cell, cell + STEP[k], cell + STEP[k + 1])]
    if any(slot < 0 or s.sides[slot] < LAND for slot in slots):
        return Reason("dd.three_land_fields", "DD-5.4", {"corner": corner})
    h, a, b = (s.sides[slot] for slot in slots)
    edges = [(side(h, k), side(a, k + 3)), (side(h, k + 1), side(b, (k + 4) % 6)), (side(a, k + 2), side(b, (k + 5) % 6))]
    return Reason("dd.too_little_forest", "DD-5.4", {"corner": corner, "edges": sum(edge == (1, 1) for edge in edges)})


# --- Refusals ------------------------------------------------------------------------------------------------------


def out_of_turn(s: State, kind: int) -> Reason | None:
    """Why this kind of action is not what is asked now; None if it is."""
    laying = kind in (LAY, LAY_PORTAL, DISCARD)
    if s.hand:
        return None if laying else Reason("dd.lay_first", "DD-3.3", {"card": card_text(s.hand)})
    if laying:
        return Reason("dd.nothing_in_hand", "DD-3.3")
    choosing = CHOOSE <= kind < CHOOSE + ACTION_KINDS
    if s.phase == CHOOSE_ACTIONS:
        return None if choosing else Reason("dd.choose_first", "DD-5.1", {"which": s.chosen_count + 1})
    doing = {"action": ACTION_NAMES[s.phase]} if s.phase < SETUP else {}
    if choosing:
        return Reason("dd.already_chosen", "DD-5.1", doing)
    if s.half:
        wanted = {HALF_STONE: (STONE_FROM, FROM_RESERVE), HALF_TEMPLE: (TEMPLE_FROM, FROM_POOL), HALF_MOVE: (TO,)}[s.half]
        what = {HALF_STONE: "stone", HALF_TEMPLE: "temple", HALF_MOVE: "move"}[s.half]
        return None if kind in wanted else Reason("dd.finish_the_step", "DD-5.2", {"what": what})
    if kind in (STONE_FROM, TEMPLE_FROM, FROM_RESERVE, FROM_POOL, TO):
        return Reason("dd.begin_the_step", "DD-5.2", doing)
    if kind in (DRAW, STOP):
        return None if s.phase == SCOUT else Reason("dd.other_action", "DD-5.1", doing)
    if kind == END:
        return None if s.phase != SCOUT else Reason("dd.stop_to_end", "DD-5.5")
    return None if PHASES[kind] == s.phase else Reason("dd.other_action", "DD-5.1", doing)


def refusal(s: State, action: int) -> Reason:
    """Why an action of the seat on turn is not legal: the rule, and what would make it legal."""
    if not 0 <= action < LAY_PORTAL + CELLS or (action < DEMON and action not in SMALL and action >= CHOOSE + ACTION_KINDS):
        return Reason("dd.unreadable")
    kind = kind_of(action)
    if reason := out_of_turn(s, kind):
        return reason
    if s.phase == CHOOSE_ACTIONS:
        return _ban(s, action - CHOOSE)
    if s.hand:
        return _lay_refusal(s, action)
    if kind in FIELD_WORDS:
        slot = action - kind
        if slot >= s.laid:
            return Reason("dd.empty_cell", RULES[kind])
        if s.sides[slot] < LAND and kind != TEMPLE_FROM:
            where = "portal" if s.sides[slot] == PORTAL else "centre"
            return Reason("dd.not_land", "DD-3.2" if where == "portal" else RULES[kind], {"cell": cell_text(s.cell[slot]), "is": where})
        return _ABOUT_FIELDS[kind](s, slot, {"cell": cell_text(s.cell[slot])})
    if kind in SITE_WORDS:
        site = action - kind
        if site >= s.sites:
            return Reason("dd.three_land_fields", "DD-5.4")
        on = {"corner": corner_text(s.site_name[site])}
        return _ABOUT_SITES[kind](s, site, on)
    if kind == FROM_RESERVE:
        if s.stone_reserve[s.turn] == 0:
            return Reason("dd.no_stone_left", "DD-5.4")
        return Reason("dd.stone_limit", "DD-5.4", {"corner": corner_text(s.site_name[s.half_at])})
    return Reason("dd.no_temple_left", "DD-5.4")


def bans(s: State, action: int) -> list[str]:
    """DD-5.1: who chose an action last: `previous` player, `own` last turn."""
    before = s.turn - 1 if s.turn else s.seats - 1
    return [name for name, seat in (("previous", before), ("own", s.turn)) if s.last[seat] >> action & 1]


def _ban(s: State, action: int) -> Reason:
    allowed = [name for n, name in enumerate(ACTION_NAMES) if not s.banned >> n & 1]
    return Reason("dd.banned", "DD-5.1", {"action": ACTION_NAMES[action], "by": bans(s, action), "allowed": allowed})


def _lay_refusal(s: State, action: int) -> Reason:
    card = card_text(s.hand)
    if action == DISCARD:
        if s.hand == PORTAL:
            return Reason("dd.portal_must_lie", "DD-3.2")
        return Reason("dd.must_lay", "DD-3.3", {"card": card, "setup": s.phase == SETUP})
    portal = action >= LAY_PORTAL
    if portal != (s.hand == PORTAL):
        return Reason("dd.land_in_hand", "DD-3.1", {"card": card}) if portal else Reason("dd.portal_in_hand", "DD-3.2")
    cell, rotation = (action - LAY_PORTAL, 0) if portal else divmod(action - LAY, 6)
    there = s.at[cell]
    about: dict[str, Any] = {"cell": cell_text(cell), "card": card}
    if there >= 0:
        return Reason("dd.cell_taken", "DD-3.1", about)
    neighbours = s.front_by[FRONTIER - there].bit_count() if EMPTY > there > -1000 else 0
    if there <= -1000:
        return Reason("dd.beyond_the_rim", "DD-1.5", about)
    if portal:
        return Reason("dd.touches_nothing", "DD-3.2", about)
    if neighbours < 2 and not (s.radius == 0 and s.laid == 1 and neighbours):
        return Reason("dd.two_neighbours", "DD-3.1", {**about, "neighbours": neighbours})
    i = FRONTIER - there
    wrong = []
    free = s.front_dark[i] | own_anchors_around(s, cell)
    shown = turned(s.hand, rotation)
    for k in range(6):
        wanted = [t for t in (1, 2, 3) if s.front_need[i] >> ((t - 1) * 6 + k) & 1]
        if wanted and not free >> k & 1 and wanted[0] != side(shown, k):
            wrong.append({"direction": k, "needs": TERRAINS[wanted[0]], "has": TERRAINS[side(shown, k)]})
    if not wrong:
        return Reason("dd.looks_alike", "DD-3.1", about)
    fits = [f"r{n}" for n in range(6) if s.fit[i] >> n & 1]
    return Reason("dd.sides_differ" if fits else "dd.fits_in_no_way", "DD-3.1", {**about, "wrong": wrong, "fits": fits})


def _demon(s: State, slot: int, about: dict[str, Any]) -> Reason:
    if bit_has(s.demons, slot) or is_anchor(s, slot):
        return Reason("dd.already_dark", "DD-5.3", about)
    if s.demon_pool == 0:
        return Reason("dd.no_demon_left", "DD-5.3", about)
    return Reason("dd.out_of_reach", "DD-5.3", about)


def _remove(s: State, slot: int, about: dict[str, Any]) -> Reason:
    if is_anchor(s, slot):
        return Reason("dd.foreign_anchor", "DD-5.3", {**about, "owner": SEAT_NAMES[s.owner[slot]]})
    return Reason("dd.no_demon_there", "DD-5.3", about)


def _anchor(s: State, slot: int, about: dict[str, Any]) -> Reason:
    if s.owner[slot] != s.turn:
        return Reason("dd.not_your_population", "DD-5.3", about)
    if bit_has(s.anchors[s.turn], slot):
        return Reason("dd.already_anchored", "DD-5.3", about)
    if s.demon_pool == 0:
        return Reason("dd.no_demon_left", "DD-5.3", about)
    return Reason("dd.not_connected", "DD-5.3", about)


def _spell(s: State, spell: int) -> Reason | None:
    if not s.light_repeat and s.spells & spell:
        return Reason("dd.spell_cast", "DD-5.4")
    return None


def _stone(s: State, site: int, about: dict[str, Any]) -> Reason:
    if reason := _spell(s, SPELL_STONE):
        return reason
    if s.stone[site] >= 0:
        return Reason("dd.corner_taken", "DD-5.4", {**about, "owner": SEAT_NAMES[s.stone[site]]})
    own = count_own(s, s.turn, site)
    if own < 3:
        missing = [cell_text(s.cell[s.site_slot[j][site]]) for j in range(3) if s.owner[s.site_slot[j][site]] != s.turn]
        return Reason("dd.three_populations", "DD-5.4", {**about, "own": own, "missing": missing})
    if s.stone_reserve[s.turn] + stones_of(s, s.turn) == 0:
        return Reason("dd.no_stone_left", "DD-5.4", about)
    return Reason("dd.stone_limit", "DD-5.4", about)


def _stone_from(s: State, site: int, about: dict[str, Any]) -> Reason:
    if s.stone[site] != s.turn:
        return Reason("dd.not_your_stone", "DD-5.4", about)
    assert not fits_without(s, s.half_at, site)
    return Reason("dd.stone_limit", "DD-5.4", about)


def _temple(s: State, slot: int, about: dict[str, Any]) -> Reason:
    if reason := _spell(s, SPELL_TEMPLE):
        return reason
    if bit_has(s.temples, slot):
        return Reason("dd.temple_there", "DD-5.4", about)
    if s.stones_at[slot] < 3:
        return Reason("dd.three_stones", "DD-5.4", {**about, "stones": s.stones_at[slot]})
    if holder(s, slot) != s.turn:
        return Reason("dd.two_own_stones", "DD-5.4", about)
    return Reason("dd.no_temple_left", "DD-5.4", about)


def _temple_from(s: State, slot: int, about: dict[str, Any]) -> Reason:
    if not bit_has(s.temples, slot):
        return Reason("dd.no_temple_there", "DD-5.4", about)
    return Reason("dd.not_your_temple", "DD-5.4", about)


def _convert(s: State, site: int, about: dict[str, Any]) -> Reason:
    if reason := _spell(s, SPELL_CONVERT):
        return reason
    if s.stone[site] < 0:
        return Reason("dd.no_stone_there", "DD-5.4", about)
    if s.stone[site] == s.turn:
        return Reason("dd.own_stone", "DD-5.4", about)
    if s.stone_reserve[s.turn] == 0:
        return Reason("dd.no_stone_left", "DD-5.4", about)
    return Reason("dd.two_populations", "DD-5.4", {**about, "own": count_own(s, s.turn, site)})


def _standing(s: State, slot: int, about: dict[str, Any]) -> Reason | None:
    """DD-3.4: why nobody may stand there."""
    if bit_has(s.demons, slot):
        return Reason("dd.demon_there", "DD-3.4", about)
    if not bit_has(s.stand, slot):
        return Reason("dd.mountain", "DD-3.4", about)
    return None


def _settle(s: State, slot: int, about: dict[str, Any]) -> Reason:
    if s.owner[slot] >= 0:
        return Reason("dd.field_taken", "DD-5.6", {**about, "owner": SEAT_NAMES[s.owner[slot]]})
    return _standing(s, slot, about) or Reason("dd.not_adjacent", "DD-5.6", about)


def _from(s: State, slot: int, about: dict[str, Any]) -> Reason:
    if s.owner[slot] != s.turn:
        return Reason("dd.not_your_population", "DD-5.7", about)
    if bit_has(s.anchors[s.turn], slot):
        return Reason("dd.anchored", "DD-5.3", about)
    if bit_has(s.moved, slot):
        return Reason("dd.has_moved", "DD-5.7", about)
    return Reason("dd.nowhere_to_go", "DD-5.7", about)


def _to(s: State, slot: int, about: dict[str, Any]) -> Reason:
    if s.owner[slot] == s.turn:
        return Reason("dd.field_taken", "DD-5.7", {**about, "owner": SEAT_NAMES[s.turn]})
    if s.owner[slot] >= 0:
        if is_anchor(s, slot):
            return Reason("dd.anchored_enemy", "DD-5.7", about)
        here = s.half_at
        around = adjacent(s, slot_word(here, 0), slot_word(here, 1), slot_word(here, 2), 1)
        if not around[slot // 63] >> slot % 63 & 1:
            return Reason("dd.capture_by_jump", "DD-5.7", about)
        assert supported(s, slot) == (0, 0, 0)
        around = adjacent(s, slot_word(slot, 0), slot_word(slot, 1), slot_word(slot, 2), 1)
        able = sum(count_bits(around[w] & s.people[s.turn][w] & ~s.anchors[s.turn][w] & ~s.moved[w]) for w in range(WORDS))
        return Reason("dd.capture_support", "DD-5.7", {**about, "able": able})
    return _standing(s, slot, about) or Reason("dd.too_far", "DD-5.7", about)


_ABOUT_FIELDS = {
    DEMON: _demon,
    REMOVE: _remove,
    ANCHOR: _anchor,
    TEMPLE: _temple,
    TEMPLE_FROM: _temple_from,
    SETTLE: _settle,
    FROM: _from,
    TO: _to,
}
_ABOUT_SITES = {STONE: _stone, STONE_FROM: _stone_from, CONVERT: _convert}

__all__ = ["bans", "corner_name", "move_text", "parse_move", "refusal"]
